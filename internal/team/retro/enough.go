package retro

import "errors"

// errEnough ends a git that would go on to the first commit.
var errEnough = errors.New("enough was read")

// slop is how many commits in a row have to be too old before reading ends: a
// clock that was wrong puts old dates before newer ones.
const slop = 2000

// An enough says when all was read that one period needs: its commits, and the
// days before it that make a streak. git log prints the newest first.
type enough struct {
	p      period
	active days
	old    int // commits in a row that are too old
}

func enoughFor(p period) *enough { return &enough{p: p, active: days{}} }

// with reports whether it is, with another commit.
func (e *enough) with(c *commit) bool {
	if c.counts() {
		e.active[dayOf(c.at, e.p.from.Location())] = true
	}
	if c.at >= e.p.from.Unix() {
		e.old = 0
		return false
	}
	if e.old++; e.old < slop {
		return false
	}
	zone := e.p.from.Location()
	last := dayOf(e.p.last().Unix(), zone)
	if dayOf(c.at, zone) < last-1-e.active.streak(last) {
		return true
	}
	e.old = 0
	return false
}
