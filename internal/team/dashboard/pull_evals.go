package dashboard

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"cairn/internal/team/db"
	"cairn/internal/team/db/figures"
)

// mostEvalRuns is how many runs are looked at, the newest.
const mostEvalRuns = 2000

// defaults are the usual names of the branch that pull requests are merged into.
var defaults = []string{"main", "master", "trunk"}

// pullEvals say how evals ended on the branches of pull requests, by their keys: the last
// run of each suite there, and the run of the same suites on the default branch before.
// It is no comparison: cairn eval compare makes one.
func (a *ask) pullEvals(ctx context.Context) map[string]string {
	type at struct{ repo, branch, suite string }
	runs := once(ctx, a, records, "runs of pull requests", ofTeam(a.in()), func(ctx context.Context, tx *db.Tx, r figures.Range) ([]figures.RunRow, error) {
		return figures.Runs(ctx, tx, r, nil, figures.After{}, mostEvalRuns)
	})
	suites := map[at][]figures.RunRow{} // the newest first
	of := map[[2]string][]string{}
	for _, r := range runs {
		key := at{r.Repo, r.Branch, r.Suite}
		if suites[key] == nil {
			of[[2]string{r.Repo, r.Branch}] = append(of[[2]string{r.Repo, r.Branch}], r.Suite)
		}
		suites[key] = append(suites[key], r)
	}
	type sum struct{ passed, total, was, of int }
	sums := map[string]*sum{}
	for _, p := range once(ctx, a, records, "branches of pull requests", ofSpend(a.in()), figures.PullBranches) {
		if slices.Contains(defaults, p.Branch) {
			continue
		}
		for _, suite := range of[[2]string{p.Repo, p.Branch}] {
			key := p.Repo + "#" + strconv.FormatInt(p.Pull, 10)
			if sums[key] == nil {
				sums[key] = &sum{}
			}
			s, last := sums[key], suites[at{p.Repo, p.Branch, suite}][0]
			s.passed, s.total = s.passed+last.Passed, s.total+last.Total
			for _, branch := range defaults {
				before := suites[at{p.Repo, branch, suite}]
				if i := slices.IndexFunc(before, func(r figures.RunRow) bool { return r.At.Before(last.At) }); i >= 0 {
					s.was, s.of = s.was+before[i].Passed, s.of+before[i].Total
					break
				}
			}
		}
	}
	told := map[string]string{}
	for key, s := range sums {
		told[key] = fmt.Sprintf("%d of %d passed", s.passed, s.total)
		if s.of > 0 {
			told[key] += fmt.Sprintf(", before %d of %d", s.was, s.of)
		}
	}
	return told
}
