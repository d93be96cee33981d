// Package ledger keeps what agents cost on this machine: files and how far each was
// read, requests, the calls and marks that tell where a session stood, and where
// each request belongs.
//
// Only the machine's own store has rows of these; a server has sums of them by day
// (table spend_days). Reading files and finding places belong to spend.
package ledger

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"cairn/internal/team/db"
	"cairn/internal/team/spend"
	"cairn/internal/team/spend/reader"
)

// A Known is the size, time and cursor of a file at its last read.
type Known struct {
	Agent string
	Size  int64
	Mod   time.Time
	At    reader.Cursor
	Odd   int
}

// Files returns what is known of the files, by their paths.
func Files(ctx context.Context, d *db.DB) (map[string]Known, error) {
	type row struct {
		path, cursor string
		known        Known
		mod          db.Time
	}
	rows, err := db.All(ctx, d, `select path, agent, size, mod, place, odd from cairn.ledger_files`, nil, func(r *row) []any {
		return []any{&r.path, &r.known.Agent, &r.known.Size, &r.mod, &r.cursor, &r.known.Odd}
	})
	if err != nil {
		return nil, err
	}
	known := make(map[string]Known, len(rows))
	for _, r := range rows {
		if json.Unmarshal([]byte(r.cursor), &r.known.At) != nil {
			continue // it is read anew
		}
		r.known.Mod = *r.mod.Value
		known[r.path] = r.known
	}
	return known, nil
}

// A Piece is what was read of a file.
type Piece struct {
	File reader.File
	Next reader.Cursor
	Odd  int
	reader.Out
}

const (
	upsertRequest = `insert into cairn.ledger_requests (agent, id, born, session, sub, at, sent, dir, hint, model, tier,
			input, cache_read, write_5m, write_1h, output, tool, searches, own, nanos)
		values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		on conflict (agent, id) do update set born = min(born, excluded.born),
			session = case when excluded.born < born then excluded.session else session end,
			sub = case when excluded.born < born then excluded.sub else sub end,
			input = excluded.input, cache_read = excluded.cache_read, write_5m = excluded.write_5m, write_1h = excluded.write_1h,
			model = case when excluded.output >= output then excluded.model else model end,
			output = max(output, excluded.output), nanos = case when excluded.output >= output then excluded.nanos else nanos end,
			own = max(own, excluded.own), tool = case when tool = '' then excluded.tool else tool end, placed = 0
		where excluded.born < born or excluded.output > output or tool = '' and excluded.tool <> ''`
	insertCall = `insert into cairn.ledger_calls (session, sub, id, start, finish, dir, git, commits) values (?, ?, ?, ?, ?, ?, ?, ?)
		on conflict (session, sub, id, start) do nothing`
	insertMark = `insert into cairn.ledger_marks (session, sub, at, agent, dir, branch, head) values (?, ?, ?, ?, ?, ?, ?)
		on conflict (session, at, dir) do nothing`
	insertDir  = `insert into cairn.ledger_dirs (dir, session) values (?, ?) on conflict do nothing`
	again      = `update cairn.ledger_requests set placed = 0 where session = ? and placed = 1`
	upsertFile = `insert into cairn.ledger_files (path, agent, size, mod, place, odd) values (?, ?, ?, ?, ?, ?)
		on conflict (path) do update set agent = excluded.agent, size = excluded.size, mod = excluded.mod, place = excluded.place, odd = excluded.odd`
)

// Add keeps what was read of files, and up to where. A request that is there
// already is the same one: of two files that have it, it is the older one's, and
// the larger answer counts.
func Add(ctx context.Context, d *db.DB, prices spend.Prices, pieces []Piece) error {
	return d.Update(ctx, db.ServerItself, func(tx *db.Tx) error {
		for i := range pieces {
			if err := add(ctx, tx, prices, &pieces[i]); err != nil {
				return fmt.Errorf("%s: %w", pieces[i].File.Path, err)
			}
		}
		return nil
	})
}

func add(ctx context.Context, tx *db.Tx, prices spend.Prices, p *Piece) error {
	born := p.Born
	for i := range p.Requests {
		q := &p.Requests[i]
		if _, err := tx.ExecOften(ctx, upsertRequest, q.Agent, q.ID, born, q.Session, q.Sub, q.At, q.Sent, q.Dir, q.Branch, q.Model, q.Tier,
			q.Input, q.CacheRead, q.Write5m, q.Write1h, q.Output, q.Tool, q.Searches, q.Own, nanos(prices, q)); err != nil {
			return err
		}
	}
	for i := range p.Calls {
		c := &p.Calls[i]
		if _, err := tx.ExecOften(ctx, insertCall, c.Session, c.Sub, c.ID, c.Start, c.End, c.Dir, c.Git, printed(c)); err != nil {
			return err
		}
	}
	for session := range p.sessions() { // a call may have made the commit of earlier requests
		if _, err := tx.ExecOften(ctx, again, session); err != nil {
			return err
		}
	}
	for at := range p.dirs() {
		if _, err := tx.ExecOften(ctx, insertDir, at.dir, at.session); err != nil {
			return err
		}
	}
	cursor, err := json.Marshal(p.Next)
	if err != nil {
		return err
	}
	_, err = tx.ExecOften(ctx, upsertFile, p.File.Path, p.File.Agent, p.File.Size, p.File.Mod, string(cursor), p.Odd)
	return err
}

// printed is what is kept of commits that a call printed: hashes, and behind the last
// "@" and its branch.
func printed(c *spend.Call) string {
	s := strings.Join(c.Commits, " ")
	if c.On != "" {
		s += "@" + c.On
	}
	return s
}

// sessions are those of which a piece tells something new.
func (p *Piece) sessions() map[string]bool {
	of := map[string]bool{}
	for i := range p.Requests {
		of[p.Requests[i].Session] = true
	}
	for i := range p.Calls {
		of[p.Calls[i].Session] = true
	}
	return of
}

// A worked is a directory in which a session worked.
type worked struct{ dir, session string }

func (p *Piece) dirs() map[worked]bool {
	of := map[worked]bool{}
	for i := range p.Requests {
		of[worked{p.Requests[i].Dir, p.Requests[i].Session}] = true
	}
	for i := range p.Calls {
		of[worked{p.Calls[i].Dir, p.Calls[i].Session}] = true
	}
	for at := range of {
		if at.dir == "" {
			delete(of, at)
		}
	}
	return of
}

// nanos is the price of a request, nil where nobody knows it.
func nanos(prices spend.Prices, q *spend.Request) any {
	if n, known := prices.Nanos(q); known {
		return n
	}
	return nil
}
