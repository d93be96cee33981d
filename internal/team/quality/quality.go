// Package quality says which suites of a team's main branch went to another
// level: since when, with which commit, by which cases. It puts the team's runs
// into series for package trend. Pages, messages of alerts and the digest all
// ask it, so that they say the same.
package quality

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"cairn/internal/must"
	"cairn/internal/team/db"
	"cairn/internal/team/db/figures"
	"cairn/internal/team/stats"
	"cairn/internal/team/trend"
	"cairn/internal/text"
)

// A Key names a series. Another repository, kind or tier of judges is another measure.
type Key struct{ Repo, Suite, Kind, Tier string }

// A Change is a suite that went to another level.
type Change struct {
	Key
	trend.Change[int64]
	Last  figures.MainRun // the last run at the old level
	First figures.MainRun // the first run at the new one
	Low   float64         // 95 % interval of After − Before
	High  float64
}

// Found are the changes of all suites.
type Found struct {
	Changes []Change // the newest first
	Suites  []Followed
	Left    int // suites with too many results to read: they cannot be among Changes
}

// A Followed suite has two runs or more.
type Followed struct {
	Key
	Newest figures.MainRun
	Runs   int
	Unread bool
}

// CanShow says whether there is enough of the suite to show a change at all.
func (f *Followed) CanShow() bool { return trend.CanShow(f.Runs, f.Newest.Passed+f.Newest.Failed) }

// Weeks is how far back messages look, as pages do by default.
const Weeks = 12

const (
	// mostResults bounds the results that are read. The suites with the largest
	// steps come first.
	mostResults = 200_000
	resamples   = 2000
)

// A Reader returns how the cases of some runs went, of each run in any order. at
// are the times of the runs.
type Reader func(ids []uuid.UUID, at []time.Time) [][]figures.Ended

// Find follows all suites through runs, the oldest first.
func Find(runs []figures.MainRun, read Reader) Found {
	of := map[Key][]figures.MainRun{}
	var suites []Key
	for _, m := range runs {
		k := Key{m.Repo, m.Suite, m.Kind, m.Tier}
		if m.Passed+m.Failed == 0 {
			continue
		}
		if of[k] == nil {
			suites = append(suites, k)
		}
		of[k] = append(of[k], m)
	}
	suites = slices.DeleteFunc(suites, func(k Key) bool { return len(of[k]) < 2 })
	found := Found{Suites: make([]Followed, len(suites))}
	all := make([]trend.Series[int64], len(suites))
	kept := remember(read)
	steps := make([]float64, len(suites))
	order := make([]int, len(suites))
	for i, k := range suites {
		found.Suites[i] = Followed{Key: k, Newest: of[k][len(of[k])-1], Runs: len(of[k])}
		all[i] = series(of[k], kept)
		_, steps[i] = trend.Split(all[i].Rates)
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(steps[b], steps[a]) })
	results := 0
	for _, i := range order {
		at, _ := trend.Split(all[i].Rates)
		runs := of[suites[i]]
		window := min(at, len(runs)-at, trend.MostWindow)
		for _, m := range runs[at-window : at+window] {
			results += m.Passed + m.Failed
		}
		if results > mostResults {
			all[i].Unread, found.Suites[i].Unread = true, true
			found.Left++
		}
	}
	for i, list := range trend.Changes(all, func(windows []trend.Window) {
		var runs []figures.MainRun
		for _, w := range windows {
			runs = append(runs, of[suites[w.Series]][w.From:w.To]...)
		}
		_ = kept(runs)
	}) {
		for _, c := range list {
			runs := of[suites[i]]
			one := Change{Key: suites[i], Change: c, Last: runs[c.At-1], First: runs[c.At]}
			bounds := stats.PairedBootstrap(c.Diffs, resamples, 1-trend.Alpha, 1)
			one.Low, one.High, one.Diffs = bounds.Lo, bounds.Hi, nil
			found.Changes = append(found.Changes, one)
		}
	}
	slices.SortFunc(found.Changes, func(x, y Change) int {
		return cmp.Or(y.First.At.Compare(x.First.At), cmp.Compare(x.First.ID.String(), y.First.ID.String()))
	})
	return found
}

func series(runs []figures.MainRun, read func([]figures.MainRun) [][]figures.Ended) trend.Series[int64] {
	s := trend.Series[int64]{Cases: func(from, to int) (all []map[int64]float64) {
		for _, ended := range read(runs[from:to]) {
			all = append(all, shares(ended))
		}
		return all
	}}
	for _, m := range runs {
		s.Rates = append(s.Rates, float64(m.Passed)/float64(m.Passed+m.Failed))
	}
	return s
}

// remember reads each run once.
func remember(read Reader) func([]figures.MainRun) [][]figures.Ended {
	kept := map[uuid.UUID][]figures.Ended{}
	return func(runs []figures.MainRun) [][]figures.Ended {
		var ids []uuid.UUID
		var at []time.Time
		for _, m := range runs {
			if _, ok := kept[m.ID]; !ok {
				ids, at = append(ids, m.ID), append(at, m.At)
			}
		}
		if len(ids) > 0 {
			for i, ended := range read(ids, at) {
				kept[ids[i]] = ended
			}
		}
		out := make([][]figures.Ended, len(runs))
		for i, m := range runs {
			out[i] = kept[m.ID]
		}
		return out
	}
}

// shares are the pass rates of the cases of a run that were judged, repeats
// averaged.
func shares(run []figures.Ended) map[int64]float64 {
	passed, judged := map[int64]int{}, map[int64]int{}
	for _, r := range run {
		if r.Status < 2 {
			judged[r.Case]++
			passed[r.Case] += 1 - int(r.Status)
		}
	}
	out := make(map[int64]float64, len(judged))
	for id, n := range judged {
		out[id] = float64(passed[id]) / float64(n)
	}
	return out
}

// Of follows a team's suites up to a time, for messages.
func Of(ctx context.Context, tx *db.Tx, team uuid.UUID, to time.Time) (found Found, err error) {
	err = must.Catch(func() {
		r := figures.Range{Team: team, From: to.AddDate(0, 0, -7*Weeks), To: to}
		found = Find(must.Get(figures.MainRuns(ctx, tx, r)), func(ids []uuid.UUID, at []time.Time) (all [][]figures.Ended) {
			of := must.Get(figures.Results(ctx, tx, team, ids, at))
			for _, id := range ids {
				all = append(all, of[id])
			}
			all, _, err := figures.Follow(ctx, tx, team, must.Get(figures.TriedWith(ctx, tx, team, ids)), all)
			must.OK(err)
			return all
		})
	})
	return found, err
}

// A Named case fell or rose.
type Named struct {
	trend.Moved[int64]
	figures.Case
}

// Named are the cases that make up a change, those that moved most first, with their
// names.
func (c *Change) Named(names map[int64]figures.Case) (all []Named) {
	for _, m := range c.Moved {
		all = append(all, Named{m, names[m.Case]})
	}
	slices.SortStableFunc(all, func(x, y Named) int {
		return cmp.Or(cmp.Compare(y.By(), x.By()), text.Natural(x.Title(), y.Title()))
	})
	return all
}

// Title is the name of a case. A deleted case has none.
func (n *Named) Title() string {
	switch {
	case n.Name == "":
		return "(deleted)"
	case n.Variant != "":
		return n.Name + " [" + n.Variant + "]"
	}
	return n.Name
}

// Names reads the names of the cases that make up changes.
func Names(ctx context.Context, tx *db.Tx, team uuid.UUID, list []Change) map[int64]figures.Case {
	names := map[int64]figures.Case{}
	for _, one := range must.Get(figures.Cases(ctx, tx, team, IDs(list))) {
		names[one.ID] = one
	}
	return names
}

// IDs are those of the cases that make up changes, each once.
func IDs(list []Change) (ids []int64) {
	for _, c := range list {
		for _, m := range c.Moved {
			ids = append(ids, m.Case)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}
