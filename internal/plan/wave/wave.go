// Package wave says which plans of a phase can run at the same time: a wave
// is a level of the graph that the plans' depends_on make.
//
// [Arrange] and all that follows compute from [Plan] values alone; [Read]
// makes them of a phase's documents. The verbs and the queries of the plan
// import it. Running agents and printing belong to others.
package wave

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Plan is what of a plan decides when it runs.
type Plan struct {
	ID         string   // the file's name without -PLAN.md: 02-01
	Also       string   // what else depends_on may call it: 02-01 for plans/PLAN-01.md; "" for nothing
	DependsOn  []string // as written: ids of plans, of this phase or of others
	Declared   *int     // the wave its frontmatter claims; nil for none
	Files      []string // files_modified: slash paths, directories or globs
	Checkpoint bool     // it stops for a person: autonomous is false
	Gap        bool     // it closes a gap that verification found
	Done       bool     // it has a summary
}

// Schedule is the waves of a phase in the order they run.
type Schedule struct {
	Waves    []Wave
	Warnings []Mismatch
}

// Wave is the plans of one level, in the order they were given.
type Wave struct {
	Number int
	Plans  []Plan
}

// Mismatch is a plan whose declared wave is not the one its dependencies
// give. The dependencies win.
type Mismatch struct {
	ID              string
	Declared, Level int
}

func (m Mismatch) String() string {
	return fmt.Sprintf("%s: declared wave: %d but depends_on DAG places it in wave %d", m.ID, m.Declared, m.Level)
}

// Arrange puts every plan in the first wave after those it depends on. Waves
// are counted from 1, or from 0 when a plan declares wave 0. What is not a
// plan among those given is another phase's and holds nothing up. Plans that
// wait for each other are a [*CycleError].
func Arrange(plans []Plan) (*Schedule, error) {
	levels, err := levels(plans)
	if err != nil {
		return nil, err
	}
	first := 1
	if slices.ContainsFunc(plans, func(p Plan) bool { return p.Declared != nil && *p.Declared == 0 }) {
		first = 0
	}
	s := &Schedule{}
	for i, p := range plans {
		n := levels[i] + first
		at, found := slices.BinarySearchFunc(s.Waves, n, func(w Wave, n int) int { return cmp.Compare(w.Number, n) })
		if !found {
			s.Waves = slices.Insert(s.Waves, at, Wave{Number: n})
		}
		s.Waves[at].Plans = append(s.Waves[at].Plans, p)
		if p.Declared != nil && *p.Declared != n {
			s.Warnings = append(s.Warnings, Mismatch{p.ID, *p.Declared, n})
		}
	}
	return s, nil
}

// Number returns the wave of a plan.
func (s *Schedule) Number(id string) (n int, ok bool) {
	for _, w := range s.Waves {
		if slices.ContainsFunc(w.Plans, func(p Plan) bool { return p.ID == id }) {
			return w.Number, true
		}
	}
	return 0, false
}

// CycleError names plans that wait for each other: each waits for the next,
// and the last is the first again.
type CycleError struct{ IDs []string }

func (e *CycleError) Error() string {
	return "depends_on has a cycle: " + strings.Join(e.IDs, " -> ")
}
