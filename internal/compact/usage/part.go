package usage

import (
	"cmp"
	"slices"
	"time"
)

// A Part is the Sum of one day, agent and project. Its parts add up to the Total
// of a Gain; the Name of the sum is empty.
type Part struct {
	Day     string    // YYYY-MM-DD, in local time
	Agent   string    // "none" of a person or a script
	Project string    // the repository, or the directory
	Last    time.Time // of the last entry that counts, also of one that took back
	Sum
}

func (p *Part) touch(at time.Time) {
	if at.After(p.Last) {
		p.Last = at
	}
}

type partKey struct{ day, agent, project string }

// Parts adds up the entries of a file since a time as [Gains] does, by day,
// agent and project, in this order.
func Parts(name string, since time.Time) (parts []Part, broken int, err error) {
	a := newAccount()
	a.parts = map[partKey]*Part{}
	broken, err = a.read(name, since)
	for _, p := range a.parts {
		parts = append(parts, *p)
	}
	slices.SortFunc(parts, func(x, y Part) int {
		return cmp.Or(cmp.Compare(x.Day, y.Day), cmp.Compare(x.Agent, y.Agent), cmp.Compare(x.Project, y.Project))
	})
	return parts, broken, err
}

// part adds an entry to the part that it is of; nil where none are wanted.
func (a *account) part(e Entry) *Part {
	if a.parts == nil {
		return nil
	}
	key := partKey{day(e.Time), cmp.Or(e.Agent, "none"), e.Project}
	p := a.parts[key]
	if p == nil {
		p = &Part{Day: key.day, Agent: key.agent, Project: key.project}
		a.parts[key] = p
	}
	p.add(e)
	p.touch(e.Time)
	return p
}
