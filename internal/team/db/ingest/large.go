package ingest

import (
	"context"
	"errors"
	"iter"
	"strings"
	"sync"

	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/wire"
)

// A run with more rows or bytes of payloads is written in parts to SQLite, whose
// one writer does what others want between them. Nobody sees a part of it: its
// rows are hidden until its own row comes, in the last transaction.
const (
	largeRows  = 4_000
	largeBytes = 2 << 20
	partRows   = 2_000
	bytesOfRow = 1 << 10 // of a payload: so many cost as much as a row
	largeTime  = 600_000 // ms that a statement of PostgreSQL may take for such a run
)

// large are the runs that are being written in parts, one of a team at a time.
var large = inParts{of: map[uuid.UUID]*writing{}}

type inParts struct {
	mu sync.Mutex
	of map[uuid.UUID]*writing // by team
}

type writing struct {
	run   uuid.UUID
	ended chan struct{}
}

// wait returns once a run is not being written.
func (l *inParts) wait(team, run uuid.UUID) {
	l.mu.Lock()
	w := l.of[team]
	l.mu.Unlock()
	if w != nil && w.run == run {
		<-w.ended
	}
}

// begin waits for the team's turn.
func (l *inParts) begin(ctx context.Context, team, run uuid.UUID) (end func(), err error) {
	own := &writing{run, make(chan struct{})}
	for {
		l.mu.Lock()
		other := l.of[team]
		if other == nil {
			l.of[team] = own
		}
		l.mu.Unlock()
		if other == nil {
			return func() {
				l.mu.Lock()
				delete(l.of, team)
				l.mu.Unlock()
				close(own.ended)
			}, nil
		}
		select {
		case <-other.ended:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// store writes a run in parts. Once it has begun it ends what it does, whether or
// not anybody waits for the answer: who sends the run again finds it.
func (l *inParts) store(ctx context.Context, d *db.DB, as db.Identity, push wire.EvalPush) (out wire.EvalPushed, err error) {
	end, err := l.begin(ctx, push.Team, push.Run.ID)
	if err != nil {
		return out, err
	}
	defer end()
	ctx = context.WithoutCancel(ctx)
	if err := undo(ctx, d, push.Team, push.Run.ID); err != nil { // what is left of another time
		return out, err
	}
	few := db.Load{Team: push.Team}
	rows, bytes := stored(&push)
	err = d.UpdateLoad(ctx, as, few, func(tx *db.Tx) error {
		if err := allowed(ctx, tx, as, push); err != nil {
			return err
		}
		var n int
		if err := tx.QueryRow(ctx, `select count(*) from eval_runs where team_id = ? and (ingest_key = ? or id = ?)`, push.Team, push.Run.IngestKey, push.Run.ID).Scan(&n); err != nil {
			return err
		}
		if n > 0 {
			if out, err = there(ctx, tx, as, push); err != nil {
				return err
			}
			return dropParts(ctx, tx, as, push)
		}
		// Refused early, and counted when all of it is there.
		if err := tx.Stored(ctx, push.Team, push.Run.RunAt, rows, bytes); err != nil {
			return err
		}
		if err := tx.Stored(ctx, push.Team, push.Run.RunAt, -rows, -bytes); err != nil {
			return err
		}
		return tx.Hide(ctx, push.Team, push.Run.ID, push.Run.RunAt)
	})
	if err != nil || out.Duplicate {
		return out, err
	}
	rows, bytes = 0, 0
	for part, broken := range pieces(ctx, d, as, push) {
		if err = broken; err != nil {
			break
		}
		moreRows, moreBytes := stored(&part)
		rows, bytes = rows+moreRows, bytes+moreBytes
		load := db.Load{Team: push.Team, Rows: len(part.Run.Cases) + len(part.Run.Results), Part: true}
		err = d.UpdateLoad(ctx, as, load, func(tx *db.Tx) error {
			for _, fn := range [...]func(context.Context, *db.Tx, *wire.EvalPush) error{storeCases, storeResults, storePayloads} {
				if err := fn(ctx, tx, &part); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			break
		}
	}
	if err == nil {
		err = d.UpdateLoad(ctx, as, few, func(tx *db.Tx) error {
			if err := allowed(ctx, tx, as, push); err != nil { // the team may be gone meanwhile
				return err
			}
			if out, err = storeRun(ctx, tx, as, push); err != nil || out.Duplicate {
				return errors.Join(err, errThere)
			}
			if err := dropParts(ctx, tx, as, push); err != nil {
				return err
			}
			if err := tx.Stored(ctx, push.Team, push.Run.RunAt, rows, bytes); err != nil {
				return err
			}
			return tx.Reveal(ctx, push.Team, push.Run.ID)
		})
	}
	if err != nil {
		undone := undo(ctx, d, push.Team, push.Run.ID)
		if errors.Is(err, errThere) && out.Duplicate {
			return out, undone
		}
		return out, errors.Join(err, undone)
	}
	return out, nil
}

// errThere takes back the last transaction of a run that somebody else stored.
var errThere = errors.New("the run is there")

// pieces are a run in pieces of a bounded size: what came with it, then its
// parts, of which one is in memory at a time.
func pieces(ctx context.Context, d *db.DB, as db.Identity, push wire.EvalPush) iter.Seq2[wire.EvalPush, error] {
	return func(yield func(wire.EvalPush, error) bool) {
		rows := len(push.Run.Results)
		if !cut(push, yield) {
			return
		}
		for n := range push.Run.Parts {
			part, err := readPart(ctx, d, as, push, n)
			if rows += len(part.Run.Results); err == nil && rows > MostResults {
				err = tooMany("results", rows)
			}
			if err != nil {
				yield(part, err)
				return
			}
			if !cut(part, yield) {
				return
			}
		}
	}
}

// cut yields results, each with its case, and then cases without any.
func cut(push wire.EvalPush, yield func(wire.EvalPush, error) bool) bool {
	cases := make(map[int64]*wire.EvalCase, len(push.Run.Cases))
	for i := range push.Run.Cases {
		cases[push.Run.Cases[i].ID] = &push.Run.Cases[i]
	}
	piece := push
	size := 0
	empty := func() { piece.Run.Cases, piece.Run.Results, size = nil, nil, 0 }
	name := func(id int64) {
		if c := cases[id]; c != nil {
			piece.Run.Cases = append(piece.Run.Cases, *c)
			delete(cases, id)
			size++
		}
	}
	empty()
	for i, r := range push.Run.Results {
		name(r.CaseID)
		piece.Run.Results = push.Run.Results[i-len(piece.Run.Results) : i+1]
		if size += 1 + len(r.Payload)/bytesOfRow; size >= partRows {
			if !yield(piece, nil) {
				return false
			}
			empty()
		}
	}
	for i := range push.Run.Cases {
		if name(push.Run.Cases[i].ID); size >= partRows {
			if !yield(piece, nil) {
				return false
			}
			empty()
		}
	}
	return size == 0 || yield(piece, nil)
}

// undo deletes, in parts, what was written of a run that does not come, and the
// cases that nobody else has results of. A run that is not hidden stays.
func undo(ctx context.Context, d *db.DB, team, run uuid.UUID) error {
	var left int64
	err := d.Get(ctx, `select count(*) from cairn.hidden_runs where team_id = ? and run_id = ?`, []any{team, run}, &left)
	if err != nil {
		return err
	}
	for left > 0 {
		err := d.UpdateLoad(ctx, db.ServerItself, db.Load{Team: team, Rows: partRows, Part: true}, func(tx *db.Tx) error {
			left = 0
			months, err := tx.Months(ctx, "eval_results")
			if err != nil {
				return err
			}
			for _, results := range months {
				some := `select case_id, repeat_no from ` + results + ` where team_id = ? and run_id = ? limit ?`
				payloads := strings.Replace(results, "eval_results", "eval_payloads", 1)
				for _, q := range [...]string{
					`delete from ` + payloads + ` where team_id = ? and run_id = ? and (case_id, repeat_no) in (` + some + `)`,
					`delete from eval_cases where team_id = ? and ? is not null and id in (select case_id from (` + some + `))
						and not exists (select 1 from eval_results r where r.team_id = eval_cases.team_id and r.case_id = eval_cases.id)`,
					`delete from ` + results + ` where team_id = ? and run_id = ? and (case_id, repeat_no) in (` + some + `)`,
				} {
					n, err := tx.Exec(ctx, q, team, run, team, run, partRows)
					if err != nil {
						return err
					}
					left += n
				}
			}
			if left == 0 {
				return tx.Reveal(ctx, team, run)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Clean deletes what a server that was killed left of runs it was writing. It is
// for the start of the next one.
func Clean(ctx context.Context, d *db.DB) error {
	if d.Dialect() == db.PostgreSQL {
		return nil
	}
	type hidden struct{ team, run uuid.UUID }
	var all []hidden
	err := d.View(ctx, db.ServerItself, func(tx *db.Tx) (err error) {
		all, err = db.List(ctx, tx, `select team_id, run_id from cairn.hidden_runs`, nil, func(h *hidden) []any { return []any{&h.team, &h.run} })
		return err
	})
	for _, h := range all {
		end, wait := large.begin(ctx, h.team, h.run)
		if wait != nil {
			return errors.Join(err, wait)
		}
		err = errors.Join(err, undo(ctx, d, h.team, h.run))
		end()
	}
	return err
}
