package place

import (
	"slices"
	"strings"
	"time"

	"cairn/internal/mark"
	"cairn/internal/team/spend"
)

// Claim finds the call that made each move, and so its session and its exact time. A
// call that printed the commit's hash made it. Otherwise it is a call that ran git
// during the second of the move, preferably in the same working tree. If no call
// qualifies, as with a script that commits, the marks of hooks decide.
func (r *Repo) Claim(calls []spend.Call, marks []mark.Mark) {
	slices.SortStableFunc(calls, func(a, b spend.Call) int { return a.End.Compare(b.End) })
	at := make([]*Tree, len(calls))
	trees := map[string]*Tree{}
	during := map[int64][]int{} // calls by the seconds that they took
	for i := range calls {
		c := &calls[i]
		t, ok := trees[c.Dir]
		if !ok {
			t = r.Of(c.Dir)
			trees[c.Dir] = t
		}
		at[i] = t
		from, to := c.Start.Unix(), c.End.Unix()
		for second := max(from, to-longest); second <= to; second++ {
			during[second] = append(during[second], i)
		}
	}
	slices.SortStableFunc(marks, func(a, b mark.Mark) int { return a.At.Compare(b.At) })
	seen := map[string][]int{} // marks by where they saw HEAD
	for i := range marks {
		seen[marks[i].Head] = append(seen[marks[i].Head], i)
	}
	taken := map[int]int{} // how many commits each call has
	for _, t := range r.Trees {
		for i := range t.Moves {
			m := &t.Moves[i]
			if m.Kind == "now" || m.Session != "" {
				continue
			}
			best, points := -1, 0
			for _, n := range during[m.At.Unix()] {
				p := rank(&calls[n], m, at[n] == t)
				if p > 0 && m.commits() {
					p = p*8 - min(taken[n], 7) // of two calls of the same second each made one
				}
				if p > points {
					best, points = n, p
				}
			}
			if best < 0 {
				r.mark(t, m, marks, seen[m.Head])
				continue
			}
			c := &calls[best]
			m.Session = c.Session
			m.When = latest(m.At, c.Start)
			if m.When.After(c.End) {
				m.When = c.End
			}
			if m.commits() {
				taken[best]++
			}
		}
	}
}

// longest is for how many seconds before its end a call may have made a commit.
const longest = 3600

// rank is how much tells that a call made a move, 0 for nothing: somebody may commit
// while the agent's tests run.
func rank(c *spend.Call, m *Move, here bool) int {
	if m.commits() {
		switch {
		case slices.ContainsFunc(c.Commits, func(h string) bool { return strings.HasPrefix(m.Head, h) }):
			return 9
		case c.Git != spend.Commits:
			return 0
		case len(c.Commits) > 0:
			return 1 // it made others
		}
	}
	switch {
	case c.Git == spend.NoGit:
		return 0
	case here:
		return 6
	}
	return 3 // git -C elsewhere, cd elsewhere
}

// mark takes a move as the session's whose hook was the first to see HEAD there,
// where that session's look before saw it elsewhere.
func (r *Repo) mark(t *Tree, m *Move, marks []mark.Mark, seen []int) {
	for _, i := range seen {
		k := &marks[i]
		if k.At.Before(m.At) || r.Of(k.Dir) != t {
			continue
		}
		for j := i - 1; j >= 0; j-- {
			if b := &marks[j]; b.Session == k.Session && b.Sub == k.Sub && r.Of(b.Dir) == t {
				if b.Head != m.Head && !b.At.After(m.At.Add(time.Second)) {
					m.Session, m.When = k.Session, latest(m.At, b.At)
				}
				break
			}
		}
		return
	}
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// Stood is the last move of a working tree before a time, nil where its log begins
// later.
func (t *Tree) Stood(at time.Time) *Move {
	for i := len(t.Moves) - 1; i >= 0; i-- {
		if m := &t.Moves[i]; !m.When.After(at) {
			return m
		}
	}
	return nil
}

// Branch is where HEAD was at a time: what the log says, or before it begins where
// its first move came from.
func (t *Tree) Branch(at time.Time) (branch string, m *Move, known bool) {
	if m := t.Stood(at); m != nil {
		return m.Branch, m, true
	}
	if len(t.Moves) == 0 {
		return "", nil, false
	}
	first := &t.Moves[0]
	if first.Origin != "" {
		return first.Origin, first, true
	}
	return first.Branch, first, true
}

// Next is a session's next commit behind a time on a branch, as that is called today,
// in a working tree: in one that is gone, where nobody says the branch, on any.
func (r *Repo) Next(t *Tree, session, dir, branch string, at time.Time) *Move {
	for i := range t.Moves {
		m := &t.Moves[i]
		if m.of(session, dir) && !m.When.Before(at) && (r.Today(m.Branch, m) == branch || t.Top == "" && branch == "") {
			return m
		}
	}
	return nil
}

// Last is a session's last commit before a time, in a working tree that is gone.
func (r *Repo) Last(session, dir string, at time.Time) (last *Move) {
	t := r.without()
	for i := range t.Moves {
		if m := &t.Moves[i]; m.of(session, dir) && m.When.Before(at) {
			last = m
		}
	}
	return last
}

// of says that a session made a commit in the working tree that a directory is in.
func (m *Move) of(session, dir string) bool {
	return m.commits() && m.Session == session && (m.dir == "" || within(m.dir, dir) || within(dir, m.dir))
}
