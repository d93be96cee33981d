package eval

import (
	"cmp"
	"math"
	"slices"

	"cairn/internal/team/result"
	"cairn/internal/team/trend"
	"cairn/internal/text"
)

// A Change is the run with which a suite's pass rate went up or down, and
// stayed there, as package trend finds it.
type Change struct {
	At     int         `json:"at"` // the point
	Time   result.Time `json:"timestamp"`
	SHA    string      `json:"git_sha,omitzero"`
	Before float64     `json:"before"`
	After  float64     `json:"after"`  // mean pass rates of the cases, over Window runs each
	Window int         `json:"window"` // runs
	Cases  int         `json:"cases"`  // that were judged on both sides
	P      float64     `json:"p"`

	Regressed int     `json:"regressed"` // cases that passed in at least half of the runs before and in less than half of those after
	Fixed     int     `json:"fixed"`     // the other way round
	Moved     []Moved `json:"moved,omitempty"`
}

// A Moved case is one of the fewest that together make up a change.
type Moved struct {
	Title  string  `json:"title"`
	Before float64 `json:"before"`
	After  float64 `json:"after"`
}

// changesOf fills in the changes of all series.
func changesOf(all []Series) {
	runs := make([]trend.Series[string], len(all))
	for i := range all {
		runs[i] = all[i].runs()
	}
	for i, list := range trend.Changes(runs, nil) {
		s := &all[i]
		for _, c := range list {
			at := s.Points[c.At]
			one := Change{At: c.At, Time: at.Time, SHA: at.SHA, Before: c.Before, After: c.After, Window: c.Window, Cases: c.Cases, P: c.P, Regressed: c.Regressed, Fixed: c.Fixed}
			titles := s.titles(c.At, c.Window)
			slices.SortStableFunc(c.Moved, func(x, y trend.Moved[string]) int {
				return cmp.Or(cmp.Compare(y.By(), x.By()), text.Natural(titles[x.Case], titles[y.Case]))
			})
			for _, m := range c.Moved {
				one.Moved = append(one.Moved, Moved{titles[m.Case], m.Before, m.After})
			}
			s.Changes = append(s.Changes, one)
			s.Change = &s.Changes[len(s.Changes)-1]
		}
		s.TooFew = len(list) == 0 && trend.TooFew(&runs[i])
	}
}

// runs are the points as package trend wants them.
func (s *Series) runs() trend.Series[string] {
	out := trend.Series[string]{Cases: func(from, to int) (all []map[string]float64) {
		for _, p := range s.Points[from:to] {
			shares := make(map[string]float64, len(p.tallies))
			for _, t := range p.tallies {
				if share, ok := t.Counts.Rate(); ok {
					shares[t.Key] = share
				}
			}
			all = append(all, shares)
		}
		return all
	}}
	for _, p := range s.Points {
		rate := math.NaN()
		if p.Rate != nil {
			rate = p.Rate.Mean
		}
		out.Rates = append(out.Rates, rate)
	}
	return out
}

// titles are those of the cases of the points around a change, by their keys.
func (s *Series) titles(at, window int) map[string]string {
	titles := map[string]string{}
	for _, p := range s.Points[at-window : at+window] {
		for _, t := range p.tallies {
			titles[t.Key] = t.Title
		}
	}
	return titles
}
