// Package erase deletes a team with everything that is its, and erases a person.
//
// Both end at once for everybody and are then done in slices, so that nobody
// else's push waits for millions of rows: the first transaction takes away who is
// in the team, its tokens, its invitations and its name; each further one deletes
// so many rows. What is to be done is written down in the first transaction:
// whoever comes next goes on where a server stopped.
//
// What stays of a team are the ids in the audit log (db/audit), and of a person
// rows without them. Which table is treated how is in tables.go; a test compares
// it with the database. Who may do it is checked by the caller, in check.
// HTTP and questions to a person never belong here.
package erase

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/db/audit"
	"cairn/internal/team/retry"
)

// ErrNoDeletion says that no deletion has such a receipt.
var ErrNoDeletion = errors.New("no deletion has this receipt")

// How much one transaction deletes at most: SQLite's only writer is busy with
// it for some ten milliseconds.
const (
	sliceRows = 2000
	sliceLong = 300 // of rows with documents in them
	sliceHuge = 10
	sliceRuns = 20 // whose results go at once, on PostgreSQL
)

// deletedSlug is what a team is called while its rows go, so that its slug is free.
func deletedSlug(team uuid.UUID) string {
	return "deleted-" + strings.ReplaceAll(team.String(), "-", "")
}

// BeginTeam makes a team invisible to everybody, for good, and returns the
// receipt by which [TeamDeleted] says whether all of it is gone. [FinishTeam]
// must follow. check runs first in the same transaction and may refuse.
func BeginTeam(ctx context.Context, d *db.DB, team uuid.UUID, check func(*db.Tx) error) (receipt uuid.UUID, err error) {
	ctx = db.Quiet(ctx) // one entry for all
	err = d.Update(ctx, db.ServerItself, func(tx *db.Tx) error {
		if err := check(tx); err != nil {
			return err
		}
		bots, err := botsOf(ctx, tx, team)
		if err != nil {
			return err
		}
		list, err := json.Marshal(bots)
		if err != nil {
			return err
		}
		receipt = uuid.New()
		if _, err := tx.Exec(ctx, `insert into cairn.team_deletions (team_id, id, bots) values (?, ?, ?)`, team, receipt, string(list)); err != nil {
			return err
		}
		for _, q := range [...]string{
			`delete from cairn.ingest_tokens where team_id = ?`,
			`delete from cairn.trusted_workflows where team_id = ?`,
			`delete from team_members where team_id = ?`,
			`delete from team_invites where team_id = ?`,
			`delete from team_channels where team_id = ?`,
			`delete from cairn.team_slugs where team_id = ?`,
		} {
			if _, err := tx.Exec(ctx, q, team); err != nil {
				return err
			}
		}
		if _, err := tx.Exec(ctx, `update teams set slug = ?, name = 'deleted' where id = ?`, deletedSlug(team), team); err != nil {
			return err
		}
		return audit.Write(ctx, tx, audit.Entry{Team: audit.ID(team), Action: audit.TeamDeleted, Object: audit.ID(receipt)})
	})
	return receipt, err
}

// botsOf returns the users that the team's tokens act as, those of tokens and
// workflows that were removed, too, if they have sent a run.
func botsOf(ctx context.Context, tx *db.Tx, team uuid.UUID) ([]uuid.UUID, error) {
	return tx.IDs(ctx, `select u.id from auth.users u where u.bot and u.id in (select user_id from team_members where team_id = ?
		union select user_id from cairn.ingest_tokens where team_id = ? union select user_id from cairn.trusted_workflows where team_id = ?
		union select user_id from eval_runs where team_id = ?)`, team, team, team, team)
}

// FinishTeam deletes what is left of a team that [BeginTeam] was called for,
// until nothing is or ctx is over. Several may do it at once.
func FinishTeam(ctx context.Context, d *db.DB, team uuid.UUID) error {
	ctx = db.Quiet(ctx)
	if err := writers(ctx, d, team); err != nil {
		return err
	}
	parts, err := parts(ctx, d)
	if err != nil {
		return err
	}
	r := newRest(d)
	for _, p := range parts {
		for {
			if err := r.take(ctx); err != nil {
				return err
			}
			n, err := slice(ctx, d, team, p)
			if err != nil {
				return err
			}
			if n == 0 {
				break
			}
		}
	}
	bots, err := leftBots(ctx, d, team)
	if err != nil {
		return err
	}
	for _, bot := range bots { // each looks for its rows in tables of all teams
		err := d.Do(ctx, `delete from auth.users where id = ? and bot`, bot)
		if err != nil {
			return err
		}
	}
	return d.Update(ctx, db.ServerItself, func(tx *db.Tx) error {
		// What a push brought that had begun before goes with the team's own row.
		if _, err := tx.Exec(ctx, `delete from teams where id = ?`, team); err != nil {
			return err
		}
		if err := audit.Blank(ctx, tx, team, uuid.Nil); err != nil {
			return err
		}
		return tx.Do(ctx, `update cairn.team_deletions set done_at = ?, bots = '[]' where team_id = ? and done_at is null`, time.Now(), team)
	})
}

// writersTime is how long a run of a team may be on its way, in parts, after the
// team was made invisible: its writer finds out at the end and undoes it. What is
// older a killed server left behind.
const writersTime = 2 * time.Minute

// writers waits until nobody writes a run of the team in parts any more.
func writers(ctx context.Context, d *db.DB, team uuid.UUID) error {
	if d.Dialect() == db.PostgreSQL { // a run is one transaction there
		return nil
	}
	for began := time.Now(); ; {
		runs, err := d.IDs(ctx, `select run_id from cairn.hidden_runs where team_id = ?`, team)
		if err != nil || len(runs) == 0 {
			return err
		}
		if time.Since(began) > writersTime {
			return d.Update(ctx, db.ServerItself, func(tx *db.Tx) error {
				for _, run := range runs {
					if err := tx.Reveal(ctx, team, run); err != nil {
						return err
					}
				}
				return nil
			})
		}
		if err := retry.Wait(ctx, 200*time.Millisecond); err != nil {
			return err
		}
	}
}

// slice deletes some rows of a part in a transaction of its own and returns how
// many. Its first statement makes several who do it wait for each other.
func slice(ctx context.Context, d *db.DB, team uuid.UUID, p part) (n int64, err error) {
	err = d.UpdateLoad(ctx, db.ServerItself, db.Load{Team: team, Rows: sliceRows}, func(tx *db.Tx) error {
		if n, err = tx.Exec(ctx, `update cairn.team_deletions set slices = slices + 1 where team_id = ? and done_at is null`, team); err != nil || n == 0 {
			return err
		}
		n, err = tx.Exec(ctx, p.query, p.arguments(team)...)
		return err
	})
	return n, err
}

func leftBots(ctx context.Context, d *db.DB, team uuid.UUID) (bots []uuid.UUID, err error) {
	err = d.View(ctx, db.ServerItself, func(tx *db.Tx) error {
		list, err := db.One[string](ctx, tx, `select bots from cairn.team_deletions where team_id = ?`, team)
		if err != nil {
			return err
		}
		return json.Unmarshal([]byte(list), &bots)
	})
	return bots, err
}

// TeamDeleted says whether everything of a team is gone; ErrNoDeletion.
func TeamDeleted(ctx context.Context, d *db.DB, receipt uuid.UUID) (team uuid.UUID, done bool, err error) {
	err = db.None(d.Get(ctx, `select team_id, done_at is not null from cairn.team_deletions where id = ?`, []any{receipt}, &team, &done), ErrNoDeletion)
	return team, done, err
}

// Resume finishes what a server that stopped has begun, and forgets receipts of
// the day before. It returns how many teams and people it finished.
func Resume(ctx context.Context, d *db.DB) (n int, err error) {
	teams, err := d.IDs(ctx, `select team_id from cairn.team_deletions where done_at is null order by begun_at`)
	if err != nil {
		return 0, err
	}
	for _, team := range teams {
		if err := FinishTeam(ctx, d, team); err != nil {
			return n, err
		}
		n++
	}
	people, err := d.IDs(ctx, `select user_id from cairn.erasures order by begun_at`)
	if err != nil {
		return n, err
	}
	for _, user := range people {
		if err := FinishPerson(ctx, d, user); err != nil {
			return n, err
		}
		n++
	}
	return n, d.Do(ctx, `delete from cairn.team_deletions where done_at < ?`, time.Now().Add(-24*time.Hour))
}

// How long slices follow each other before others come, and for how long they
// may. Another process finds SQLite's file free only when it looks, each 100 ms
// at the latest: a deletion that took it again at once kept a server's pushes waiting.
const (
	busyFor = 200 * time.Millisecond
	restFor = 110 * time.Millisecond
)

// A rest is between slices.
type rest struct {
	needed bool
	since  time.Time
}

func newRest(d *db.DB) *rest { return &rest{needed: d.Dialect() == db.SQLite, since: time.Now()} }

// take waits if it is time to; the error is ctx's.
func (r *rest) take(ctx context.Context) error {
	if !r.needed || time.Since(r.since) < busyFor {
		return ctx.Err()
	}
	if err := retry.Wait(ctx, restFor); err != nil {
		return err
	}
	r.since = time.Now()
	return nil
}
