package ledger

import (
	"context"
	"strings"
	"time"

	"cairn/internal/mark"
	"cairn/internal/team/db"
	"cairn/internal/team/spend"
)

// AddMarks keeps what hooks saw.
func AddMarks(ctx context.Context, d *db.DB, marks []mark.Mark) error {
	return d.Update(ctx, db.ServerItself, func(tx *db.Tx) error {
		for i := range marks {
			m := &marks[i]
			if _, err := tx.ExecOften(ctx, insertMark, m.Session, m.Sub, m.At, m.Agent, m.Dir, m.Branch, m.Head); err != nil {
				return err
			}
			if _, err := tx.ExecOften(ctx, insertDir, m.Dir, m.Session); err != nil {
				return err
			}
			if _, err := tx.ExecOften(ctx, again, m.Session); err != nil {
				return err
			}
		}
		return nil
	})
}

// A Standing is a request and where it belongs as far as anybody found out.
type Standing struct {
	Agent, ID, Session, Sub string
	Sent                    time.Time
	Dir, Hint               string
	Place                   spend.Place
}

// A History is what tells where sessions stood.
type History struct {
	Requests []Standing
	Calls    []spend.Call
	Marks    []mark.Mark
}

// Unplaced are the sessions with a request that has no place yet.
func Unplaced(ctx context.Context, d *db.DB) ([]string, error) {
	return db.All(ctx, d, `select distinct session from cairn.ledger_requests where placed = 0`, nil, func(s *string) []any { return []any{s} })
}

// Dirs are the directories in which sessions worked, with those of their calls.
func Dirs(ctx context.Context, d *db.DB) (dirs map[string][]string, err error) {
	type row struct{ session, dir string }
	rows, err := db.All(ctx, d, `select session, dir from cairn.ledger_dirs`, nil, func(r *row) []any { return []any{&r.session, &r.dir} })
	dirs = map[string][]string{}
	for _, r := range rows {
		dirs[r.dir] = append(dirs[r.dir], r.session)
	}
	return dirs, err
}

// Sessions returns what is known of sessions, by time.
func Sessions(ctx context.Context, d *db.DB, sessions []string) (History, error) {
	return db.Viewed(ctx, d, func(tx *db.Tx) (h History, err error) {
		for _, s := range sessions {
			var sent, start, finish, at db.Time
			requests, err := db.Each(ctx, tx, `select agent, id, session, sub, sent, dir, hint from cairn.ledger_requests where session = ? order by sent, at, id`, []any{s},
				func(scan db.Scan) (q Standing, err error) {
					err = scan(&q.Agent, &q.ID, &q.Session, &q.Sub, &sent, &q.Dir, &q.Hint)
					q.Sent = value(sent)
					return q, err
				})
			if err != nil {
				return h, err
			}
			calls, err := db.Each(ctx, tx, `select session, sub, id, start, finish, dir, git, commits from cairn.ledger_calls where session = ? order by finish`, []any{s},
				func(scan db.Scan) (c spend.Call, err error) {
					var commits string
					err = scan(&c.Session, &c.Sub, &c.ID, &start, &finish, &c.Dir, &c.Git, &commits)
					c.Start, c.End, c.Commits = value(start), value(finish), strings.Fields(commits)
					return c, err
				})
			if err != nil {
				return h, err
			}
			marks, err := db.Each(ctx, tx, `select agent, session, sub, at, dir, branch, head from cairn.ledger_marks where session = ? order by at`, []any{s},
				func(scan db.Scan) (m mark.Mark, err error) {
					err = scan(&m.Agent, &m.Session, &m.Sub, &at, &m.Dir, &m.Branch, &m.Head)
					m.At = value(at)
					return m, err
				})
			if err != nil {
				return h, err
			}
			h.Requests, h.Calls, h.Marks = append(h.Requests, requests...), append(h.Calls, calls...), append(h.Marks, marks...)
		}
		return h, nil
	})
}

func value(t db.Time) time.Time {
	if t.Value == nil {
		return time.Time{}
	}
	return *t.Value
}

// Place keeps where requests belong, and adds up their sessions anew.
func Place(ctx context.Context, d *db.DB, requests []Standing) error {
	return d.Update(ctx, db.ServerItself, func(tx *db.Tx) error {
		sessions := map[string]bool{}
		for i := range requests {
			q, p := &requests[i], &requests[i].Place
			sessions[q.Session] = true
			if _, err := tx.ExecOften(ctx, `update cairn.ledger_requests set placed = 1, repo = ?, branch = ?, commit_sha = ?, made = ?, pull = ?, phase = ?
				where agent = ? and id = ?`, p.Repo, p.Branch, p.Commit, p.Made, p.Pull, p.Phase, q.Agent, q.ID); err != nil {
				return err
			}
		}
		return addUp(ctx, tx, sessions)
	})
}

// Again says that sessions have to be placed anew that asked for something since a
// time: their commits may be called otherwise today.
func Again(ctx context.Context, d *db.DB, sessions []string, since time.Time) error {
	return d.Update(ctx, db.ServerItself, func(tx *db.Tx) error {
		for _, s := range sessions {
			if _, err := tx.ExecOften(ctx, `update cairn.ledger_requests set placed = 0 where session = ?1 and placed = 1
				and exists (select 1 from cairn.ledger_requests where session = ?1 and at >= ?2)`, s, since); err != nil {
				return err
			}
		}
		return nil
	})
}

// Notes returns what was noted under a name, "" for nothing.
func Notes(ctx context.Context, d *db.DB) (map[string]string, error) {
	type note struct{ name, value string }
	all, err := db.All(ctx, d, `select name, value from cairn.ledger_notes`, nil, func(n *note) []any { return []any{&n.name, &n.value} })
	notes := map[string]string{}
	for _, n := range all {
		notes[n.name] = n.value
	}
	return notes, err
}

// Note notes something under a name.
func Note(ctx context.Context, d *db.DB, name, value string) error {
	return d.Do(ctx, `insert into cairn.ledger_notes (name, value) values (?, ?) on conflict (name) do update set value = excluded.value`, name, value)
}
