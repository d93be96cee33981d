package eval

import (
	"cmp"
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

// changesOf fills in the changes of all series. As on the pages of a team, a run in
// which nothing was judged is no point, and the rate of a run is that of its attempts.
func changesOf(all []Series) {
	runs, judged := make([]trend.Series[string], len(all)), make([][]int, len(all))
	for i := range all {
		runs[i], judged[i] = all[i].runs()
	}
	for i, list := range trend.Changes(runs, nil) {
		s := &all[i]
		for _, c := range list {
			place := judged[i][c.At]
			at := s.Points[place]
			one := Change{At: place, Time: at.Time, SHA: at.SHA, Before: c.Before, After: c.After, Window: c.Window, Cases: c.Cases, P: c.P, Regressed: c.Regressed, Fixed: c.Fixed}
			titles := s.titles(judged[i][c.At-c.Window : c.At+c.Window])
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

// runs are the points as package trend wants them, and which these are.
func (s *Series) runs() (out trend.Series[string], judged []int) {
	for i, p := range s.Points {
		if rate, ok := p.Counts.Rate(); ok {
			out.Rates, judged = append(out.Rates, rate), append(judged, i)
		}
	}
	out.Cases = func(from, to int) (all []map[string]float64) {
		for _, i := range judged[from:to] {
			p := &s.Points[i]
			shares := make(map[string]float64, len(p.tallies))
			for _, t := range p.tallies {
				if share, ok := t.Counts.Rate(); ok {
					shares[t.Key] = share
				}
			}
			all = append(all, shares)
		}
		return all
	}
	return out, judged
}

// titles are those of the cases of some points, by their keys.
func (s *Series) titles(points []int) map[string]string {
	titles := map[string]string{}
	for _, i := range points {
		for _, t := range s.Points[i].tallies {
			titles[t.Key] = t.Title
		}
	}
	return titles
}
