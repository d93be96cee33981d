package ingest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/postgrest"
	"cairn/internal/team/wire"
)

const (
	mostStaged = 500_000_000    // bytes of parts that a team has at most whose runs did not come
	mostParts  = 5_000          // and how many: each one that comes looks at the others
	partAge    = 24 * time.Hour // then they are deleted
)

// A Part has some cases and results of a run that comes later: wire.EvalPart.
type Part struct {
	Team   uuid.UUID
	Key    string
	Number int
	Body   jsontext.Value
}

// StorePart keeps a part until its run comes. It is its sender's own.
func StorePart(ctx context.Context, d *db.DB, as db.Identity, part Part) error {
	if HasNUL(part.Body) {
		return errNUL()
	}
	return d.UpdateLoad(ctx, as, db.Load{Team: part.Team, Rows: len(part.Body) / bytesOfRow}, func(tx *db.Tx) error { return PushPart(ctx, tx, as, part) })
}

// PushPart is StorePart in a transaction of the caller's.
func PushPart(ctx context.Context, tx *db.Tx, as db.Identity, part Part) error {
	head := wire.EvalPush{Team: part.Team}
	head.Run.RepoSlug = as.Repo // the run says which, and is checked
	if err := allowed(ctx, tx, as, head); err != nil {
		return err
	}
	if tx.Dialect() == db.PostgreSQL {
		var answer []byte
		return tx.QueryRow(ctx, `select public.push_eval_part(?, ?, ?, ?::jsonb)`, part.Team, part.Key, part.Number, string(part.Body)).Scan(&answer)
	}
	if n := len([]rune(part.Key)); n < 16 || n > 128 || part.Number < 0 || part.Number >= wire.MostParts || part.Body.Kind() != '{' {
		return &postgrest.Error{Status: 400, Code: "22023",
			Message: "a part has the ingest key of its run, a number from 0 to 999 and a body, which is an object of at most 20 MB"}
	}
	if _, err := tx.Exec(ctx, `delete from cairn.eval_parts where team_id = ? and created_at < ?`, part.Team, time.Now().Add(-partAge)); err != nil {
		return err
	}
	var staged, others int
	if err := tx.QueryRow(ctx, `select coalesce(sum(octet_length(body)), 0), count(*) filter (where not (user_id = ? and ingest_key = ? and part = ?))
		from cairn.eval_parts where team_id = ?`, as.User, part.Key, part.Number, part.Team).Scan(&staged, &others); err != nil {
		return err
	}
	if staged+len(part.Body) > mostStaged {
		return &postgrest.Error{Status: 503, Code: "53400", Message: "the team has 500 MB of parts whose runs did not come"}
	}
	if others >= mostParts {
		return &postgrest.Error{Status: 503, Code: "53400", Message: "the team has 5,000 parts whose runs did not come"}
	}
	return tx.Do(ctx, `insert into cairn.eval_parts (team_id, user_id, ingest_key, part, body) values (?, ?, ?, ?, ?)
		on conflict (team_id, user_id, ingest_key, part) do update set body = excluded.body, created_at = excluded.created_at`,
		part.Team, as.User, part.Key, part.Number, string(part.Body))
}

// readPart returns a part of a run with the run's head, checked.
func readPart(ctx context.Context, d *db.DB, as db.Identity, push wire.EvalPush, number int) (wire.EvalPush, error) {
	part := push
	part.Run.Cases, part.Run.Results, part.Run.Costs, part.Run.Parts = nil, nil, nil, 0
	var body string
	var ready checked
	err := d.View(ctx, as, func(tx *db.Tx) error {
		err := tx.QueryRow(ctx, `select body from cairn.eval_parts where team_id = ? and user_id = ? and ingest_key = ? and part = ?`,
			push.Team, as.User, push.Run.IngestKey, number).Scan(&body)
		if errors.Is(err, sql.ErrNoRows) {
			return &postgrest.Error{Status: 503, Code: "PT503", Message: fmt.Sprintf("part %d of the run has not come; send all of them again", number)}
		}
		if err != nil {
			return err
		}
		var partial wire.EvalPartial
		if err := json.Unmarshal([]byte(body), &partial); err != nil {
			return &postgrest.Error{Status: 400, Code: "22P02", Message: fmt.Sprintf("part %d of the run cannot be read", number)}
		}
		part.Run.Cases, part.Run.Results = partial.Cases, partial.Results
		if ready, err = check(&part, false); err != nil {
			return err
		}
		return known(ctx, tx, push.Team, push.Run.RepoSlug, ready.strange)
	})
	return part, err
}

func dropParts(ctx context.Context, tx *db.Tx, as db.Identity, push wire.EvalPush) error {
	if push.Run.Parts == 0 {
		return nil
	}
	return tx.Do(ctx, `delete from cairn.eval_parts where team_id = ? and user_id = ? and ingest_key = ?`, push.Team, as.User, push.Run.IngestKey)
}
