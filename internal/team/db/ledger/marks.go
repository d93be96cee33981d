package ledger

import (
	"context"
	"slices"
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

// A Standing is a request, and where it belongs as far as is known.
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

// Stood is the branch that a call's agent named last before it, "" where it named none.
func (h *History) Stood(c *spend.Call) (branch string) {
	var last time.Time
	for i := range h.Requests {
		if q := &h.Requests[i]; q.Session == c.Session && q.Sub == c.Sub && q.Dir == c.Dir && !q.Sent.After(c.End) && !q.Sent.Before(last) {
			last, branch = q.Sent, q.Hint
		}
	}
	return branch
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
	same := map[string]string{} // of which there are few: a text each, whatever stands on how many rows
	once := func(texts ...*string) {
		for _, s := range texts {
			if _, had := same[*s]; !had {
				same[*s] = *s
			}
			*s = same[*s]
		}
	}
	return db.Viewed(ctx, d, func(tx *db.Tx) (h History, err error) {
		for _, s := range sessions {
			var sent, start, finish, at db.Time
			requests, err := db.Each(ctx, tx, `select agent, id, session, sub, sent, dir, hint, repo, branch, commit_sha, made, pull, phase from cairn.ledger_requests where session = ? order by sent, at, id`, []any{s},
				func(scan db.Scan) (q Standing, err error) {
					p := &q.Place
					err = scan(&q.Agent, &q.ID, &q.Session, &q.Sub, &sent, &q.Dir, &q.Hint, &p.Repo, &p.Branch, &p.Commit, &p.Made, &p.Pull, &p.Phase)
					q.Sent = value(sent)
					once(&q.Agent, &q.Session, &q.Sub, &q.Dir, &q.Hint, &p.Repo, &p.Branch, &p.Commit, &p.Made, &p.Phase)
					return q, err
				})
			if err != nil {
				return h, err
			}
			calls, err := db.Each(ctx, tx, `select session, sub, id, start, finish, dir, git, commits from cairn.ledger_calls where session = ? order by finish`, []any{s},
				func(scan db.Scan) (c spend.Call, err error) {
					var commits string
					err = scan(&c.Session, &c.Sub, &c.ID, &start, &finish, &c.Dir, &c.Git, &commits)
					c.Start, c.End = value(start), value(finish)
					commits, c.On, _ = strings.Cut(commits, "@")
					c.Commits = strings.Fields(commits)
					once(&c.Session, &c.Sub, &c.Dir)
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
		h.original()
		return h, nil
	})
}

// Seen returns the hashes of commits that calls of sessions in a directory printed, and
// that hooks saw there.
func Seen(ctx context.Context, d *db.DB, sessions []string, dir string) (hashes []string, err error) {
	add := func(hash string) {
		if !slices.Contains(hashes, hash) {
			hashes = append(hashes, hash)
		}
	}
	err = d.View(ctx, db.ServerItself, func(tx *db.Tx) error {
		for _, s := range sessions {
			for _, of := range []string{
				`select commits from cairn.ledger_calls where session = ? and dir = ? and commits <> '' order by finish`,
				`select head from cairn.ledger_marks where session = ? and dir = ? order by at`,
			} {
				found, err := db.Each(ctx, tx, of, []any{s, dir}, func(scan db.Scan) (text string, err error) {
					err = scan(&text)
					return text, err
				})
				if err != nil {
					return err
				}
				for _, text := range found {
					printed, _, _ := strings.Cut(text, "@") // its branch
					for hash := range strings.FieldsSeq(printed) {
						add(hash)
					}
				}
			}
		}
		return nil
	})
	return hashes, err
}

// original leaves out calls that a forked session copied: of two sessions that have the
// same call it is that one's whose requests begin earlier.
func (h *History) original() {
	first := map[string]time.Time{}
	for i := range h.Requests {
		q := &h.Requests[i]
		if t, ok := first[q.Session]; !ok || q.Sent.Before(t) {
			first[q.Session] = q.Sent
		}
	}
	earlier := func(a, b string) bool {
		at, ok := first[a]
		than, had := first[b]
		return ok && (!had || at.Before(than))
	}
	type key struct {
		id    string
		start time.Time
	}
	owner := map[key]string{}
	for i := range h.Calls {
		c := &h.Calls[i]
		k := key{c.ID, c.Start.UTC()}
		if had, ok := owner[k]; !ok || earlier(c.Session, had) {
			owner[k] = c.Session
		}
	}
	h.Calls = slices.DeleteFunc(h.Calls, func(c spend.Call) bool { return c.ID != "" && owner[key{c.ID, c.Start.UTC()}] != c.Session })
}

func value(t db.Time) time.Time {
	if t.Value == nil {
		return time.Time{}
	}
	return *t.Value
}

// Place keeps where requests belong, and adds up their sessions anew, some thousands at
// once: what a transaction changes is in memory until it ends.
func Place(ctx context.Context, d *db.DB, requests []Standing) error {
	const some = 4000
	for part := range slices.Chunk(requests, some) {
		if err := placeSome(ctx, d, part); err != nil {
			return err
		}
	}
	return nil
}

func placeSome(ctx context.Context, d *db.DB, requests []Standing) error {
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
	return NoteAll(ctx, d, map[string]string{name: value})
}

// NoteAll is Note of several names at once.
func NoteAll(ctx context.Context, d *db.DB, notes map[string]string) error {
	if len(notes) == 0 {
		return nil
	}
	return d.Update(ctx, db.ServerItself, func(tx *db.Tx) error {
		for name, value := range notes {
			if _, err := tx.ExecOften(ctx, `insert into cairn.ledger_notes (name, value) values (?, ?) on conflict (name) do update set value = excluded.value`, name, value); err != nil {
				return err
			}
		}
		return nil
	})
}
