package digest

import (
	"cmp"
	"context"
	"math"
	"slices"

	"cairn/internal/must"
	"cairn/internal/team/db"
	"cairn/internal/team/db/figures"
	"cairn/internal/team/stats"
)

// A Change is a suite whose pass rate on the main branch is really another than
// in the week before.
type Change struct {
	Repo   string  `json:"repo"`
	Suite  string  `json:"suite"`
	Kind   string  `json:"kind"`
	Cases  int     `json:"cases"` // that ran in both weeks
	Before float64 `json:"before"`
	Now    float64 `json:"now"`
	Low    float64 `json:"low"` // 95 % interval of the difference
	High   float64 `json:"high"`
	P      float64 `json:"p_holm"`
	By     string  `json:"by,omitzero"` // whose push it came with, where somebody's is known
	SHA    string  `json:"git_sha,omitzero"`
}

const (
	alpha     = .05
	resamples = 2000
	leastSize = 6 // cases that differ: five cannot show anything by signs
)

type suiteKey struct{ repo, suite, kind string }

// changes compares each suite's cases with the week before: one difference of
// pass rates for each case, tested by signs, corrected after Holm for the number
// of suites. The interval is the bootstrap's.
func (r *Report) changes(ctx context.Context, tx *db.Tx, week, before figures.Range) {
	now, then := must.Get(figures.CaseShares(ctx, tx, week)), must.Get(figures.CaseShares(ctx, tx, before))
	was := map[figures.CaseShare]float64{}
	for _, c := range then {
		was[figures.CaseShare{Repo: c.Repo, Suite: c.Suite, Kind: c.Kind, Case: c.Case}] = c.Share
	}
	diffs := map[suiteKey][]float64{}
	sums := map[suiteKey]*Change{}
	var order []suiteKey
	for _, c := range now {
		old, both := was[figures.CaseShare{Repo: c.Repo, Suite: c.Suite, Kind: c.Kind, Case: c.Case}]
		if !both {
			continue
		}
		k := suiteKey{c.Repo, c.Suite, c.Kind}
		if sums[k] == nil {
			sums[k] = &Change{Repo: c.Repo, Suite: c.Suite, Kind: c.Kind}
			order = append(order, k)
		}
		diffs[k] = append(diffs[k], c.Share-old)
		sums[k].Cases++
		sums[k].Now += c.Share
		sums[k].Before += old
	}
	var all []*Change
	var p []float64
	for _, k := range order {
		c := sums[k]
		if c.Cases < leastSize {
			r.TooSmall++
			continue
		}
		c.Now /= float64(c.Cases)
		c.Before /= float64(c.Cases)
		one, _ := stats.SignFlip(diffs[k], 20*resamples, 1)
		i := stats.PairedBootstrap(diffs[k], resamples, 1-alpha, 1)
		c.Low, c.High = i.Lo, i.Hi
		all, p = append(all, c), append(p, one)
	}
	for i, adjusted := range stats.Holm(p) {
		if all[i].P = adjusted; adjusted >= alpha || all[i].Now == all[i].Before {
			r.Steady++
			continue
		}
		r.Changes = append(r.Changes, *all[i])
	}
	slices.SortStableFunc(r.Changes, func(a, b Change) int { return cmp.Compare(math.Abs(b.Now-b.Before), math.Abs(a.Now-a.Before)) })
	if len(r.Changes) > 0 {
		r.whose(ctx, tx, week, before)
	}
}

// whose finds the push that each change came with, and who made it.
func (r *Report) whose(ctx context.Context, tx *db.Tx, week, before figures.Range) {
	both := week
	both.From = before.From
	runs := must.Get(figures.MainRuns(ctx, tx, both))
	pushed := make([]*figures.MainRun, len(r.Changes))
	var commits []string
	for i, c := range r.Changes {
		var of []figures.MainRun
		for _, m := range runs {
			if m.Repo == c.Repo && m.Suite == c.Suite && m.Kind == c.Kind && m.Passed+m.Failed > 0 {
				of = append(of, m)
			}
		}
		at := turn(of, c.Now > c.Before)
		if at < 0 || of[at].At.Before(week.From) {
			continue // it turned in the week before
		}
		pushed[i] = &of[at]
		commits = append(commits, of[at].SHA)
	}
	authors := must.Get(figures.ShipAuthors(ctx, tx, week.Team, commits))
	for i, m := range pushed {
		if m == nil {
			continue
		}
		c := &r.Changes[i]
		c.SHA = m.SHA
		by := authors[figures.Commit{Repo: c.Repo, SHA: c.SHA}]
		if p := r.person(m.User, by.Name, by.Email); p != nil {
			c.By = p.Name
			if c.Now > c.Before {
				p.Improvements++
			}
		}
	}
}

// turn is the run from which on a suite was better, or worse: where the sum of
// what runs are above their mean is at its lowest, or highest. Page, Biometrika
// 41 (1954). -1 for fewer than two runs.
func turn(runs []figures.MainRun, better bool) int {
	rate := func(m figures.MainRun) float64 { return float64(m.Passed) / float64(m.Passed+m.Failed) }
	mean := 0.
	for _, m := range runs {
		mean += rate(m) / float64(len(runs))
	}
	at, sum, most := -1, 0., 0.
	for i, m := range runs[:max(0, len(runs)-1)] {
		sum += rate(m) - mean
		if off := sum; (better && off < most-1e-12) || (!better && off > most+1e-12) {
			at, most = i+1, off
		}
	}
	return at
}
