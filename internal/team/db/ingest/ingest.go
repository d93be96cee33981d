// Package ingest stores a pushed run of evals: the run, its cases, results,
// payloads and costs, all of it or nothing, and once however often it is sent.
//
// PostgreSQL does it with the function push_eval_run, which Supabase has, too;
// SQLite does the same here. What both refuse is decided by [Push] before
// either is asked, so that errors are the same. team/server calls it; HTTP and
// reading of requests never belong here.
package ingest

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"
	"golang.org/x/sync/semaphore"

	"cairn/internal/team/db"
	"cairn/internal/team/postgrest"
	"cairn/internal/team/wire"
)

// Store stores a run in a team, as somebody who may. A run that the team has
// already, by its ingest key, is left as it is: the answer then says Duplicate
// and has the id under which it is there. An id that is another run's is an
// error (23505). An error is a *postgrest.Error, or the database's.
//
// What costs time and needs no database is done before any transaction, and a
// run of very many rows does not hold up what others write.
func Store(ctx context.Context, d *db.DB, as db.Identity, push wire.EvalPush) (out wire.EvalPushed, err error) {
	ready, refused := check(&push, d.Dialect() == db.PostgreSQL)
	if refused != nil { // a stranger is told that first
		if err := d.View(ctx, as, func(tx *db.Tx) error { return allowed(ctx, tx, as, push) }); err != nil {
			return out, err
		}
		return out, refused
	}
	if d.Dialect() == db.SQLite {
		if len(ready.strange) > 0 { // which may be very many, so the writer does not wait for it
			if err := d.View(ctx, as, func(tx *db.Tx) error {
				if err := allowed(ctx, tx, as, push); err != nil {
					return err
				}
				return known(ctx, tx, push.Team, push.Run.RepoSlug, ready.strange)
			}); err != nil {
				return out, err
			}
		}
		if push.Run.Parts > 0 || len(push.Run.Cases)+len(push.Run.Results) > largeRows || ready.payloads > largeBytes {
			return large.store(ctx, d, as, push)
		}
		large.wait(push.Team, push.Run.ID)
	}
	err = d.UpdateLoad(ctx, as, db.Load{Team: push.Team, Rows: 1 + len(push.Run.Results) + ready.payloads/bytesOfRow}, func(tx *db.Tx) error {
		if tx.Dialect() == db.SQLite { // PostgreSQL is asked with the push
			if err := allowed(ctx, tx, as, push); err != nil {
				return err
			}
		}
		out, err = write(ctx, tx, as, push, ready)
		return err
	})
	return out, err
}

// Push is Store in a transaction of the caller's.
func Push(ctx context.Context, tx *db.Tx, as db.Identity, push wire.EvalPush) (wire.EvalPushed, error) {
	if err := allowed(ctx, tx, as, push); err != nil {
		return wire.EvalPushed{}, err
	}
	ready, err := check(&push, tx.Dialect() == db.PostgreSQL)
	if err != nil {
		return wire.EvalPushed{}, err
	}
	if tx.Dialect() == db.SQLite {
		if err := known(ctx, tx, push.Team, push.Run.RepoSlug, ready.strange); err != nil {
			return wire.EvalPushed{}, err
		}
	}
	return write(ctx, tx, as, push, ready)
}

// write stores a run that was checked, in one transaction.
func write(ctx context.Context, tx *db.Tx, as db.Identity, push wire.EvalPush, ready checked) (out wire.EvalPushed, err error) {
	if tx.Dialect() == db.PostgreSQL {
		if push.Run.Parts > 0 || len(ready.body) > largeBytes {
			if _, err := tx.Exec(ctx, `select set_config('statement_timeout', ?, true)`, strconv.Itoa(largeTime)); err != nil {
				return out, err
			}
		}
		must, err := permitted(as, push)
		if err != nil {
			return out, err
		}
		var answer []byte
		err = tx.QueryRow(ctx, `select public.push_eval_run(?, ?::jsonb) where exists (`+must.query+`)`,
			append([]any{push.Team, string(ready.body)}, must.args...)...).Scan(&answer)
		if err != nil {
			return out, db.None(err, must.absent)
		}
		return out, json.Unmarshal(answer, &out)
	}
	return store(ctx, tx, as, push)
}

// allowed checks that the identity may push to the team: a member, a token of
// CI for this team and repository, or the server.
func allowed(ctx context.Context, tx *db.Tx, as db.Identity, push wire.EvalPush) error {
	must, err := permitted(as, push)
	if err != nil {
		return err
	}
	var one int
	err = tx.QueryRow(ctx, must.query, must.args...).Scan(&one)
	return db.None(err, must.absent)
}

// A permit is a row that must be there, and the error where it is absent.
type permit struct {
	query  string
	args   []any
	absent error
}

// permitted is allowed as far as it needs no database.
func permitted(as db.Identity, push wire.EvalPush) (permit, error) {
	switch as.Role {
	case db.Service, db.Server:
		return permit{`select 1 from teams where id = ?`, []any{push.Team}, &postgrest.Error{Status: 409, Code: "23503",
			Message: `insert or update on table "eval_runs" violates foreign key constraint "eval_runs_team_id_fkey"`}}, nil
	case db.Authenticated:
	default:
		return permit{}, &postgrest.Error{Status: 401, Code: "42501", Message: "permission denied for function push_eval_run"}
	}
	if as.Team != uuid.Nil {
		switch {
		case as.Team != push.Team:
			return permit{}, refused()
		case !slices.Contains(as.Scopes, wire.ScopeIngest):
			return permit{}, &postgrest.Error{Status: 403, Code: "42501", Message: "the token may not push runs: its scopes lack ingest"}
		case as.Repo != "" && as.Repo != push.Run.RepoSlug:
			return permit{}, &postgrest.Error{Status: 403, Code: "42501", Message: "the token is for another repository"}
		}
	}
	return permit{`select 1 from team_members where team_id = ? and user_id = ?`, []any{push.Team, as.User}, refused()}, nil
}

// refused is what row-level security says; a team of others and one that is
// not there look the same.
func refused() error {
	return &postgrest.Error{Status: 403, Code: "42501", Message: `new row violates row-level security policy for table "eval_runs"`}
}

// A run in memory takes several times the bytes that it has as JSON. Small ones
// are of no account; of large ones so many bytes are read at a time, and who
// waits longer than patience is told to come back.
const (
	smallRun = 1 << 20
	mostRoom = 32 << 20
	patience = 20 * time.Second
)

var room = semaphore.NewWeighted(mostRoom)

// leastOfElement is what a case or a result of a request counts at least: however
// few bytes it has, it takes as much memory as another. Those of clients have more.
const leastOfElement = 48

// Enter waits until a request's body may be read. leave must be called when it is done.
func Enter(ctx context.Context, body []byte) (leave func(), err error) {
	bytes := max(len(body), elements(body)*leastOfElement)
	switch {
	case bytes <= smallRun:
		return func() {}, nil
	case bytes > mostRoom && len(body) <= mostRoom:
		return nil, &postgrest.Error{Status: 413, Code: "54000", Message: "a push has too many cases and results; send the run in parts"}
	}
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	n := min(int64(bytes), mostRoom)
	if room.Acquire(limited, n) == nil {
		return func() { room.Release(n) }, nil
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return nil, &postgrest.Error{Status: 503, Code: "53400", Message: "many large runs are being stored; send this one again later"}
}

// elements counts what stands in the lists of a run: {"p_run": {"results": [...]}}.
func elements(body []byte) (n int) {
	list := false
	for c, depth := range postgrest.Marks(body) {
		switch {
		case depth != 3:
		case c == '[' || c == '{':
			list = c == '['
			n++
		case c == ',' && list:
			n++
		}
	}
	return n
}
