package evalcmd

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"cairn/internal/answer"
	"cairn/internal/team/eval"
	"cairn/internal/team/result"
	"cairn/internal/team/stats"
	"cairn/internal/text"
)

// showCategories also shows counts that the file gives without results.
func showCategories(run *result.Run, tallies []*eval.Tally) answer.View {
	groups := eval.GroupBy(tallies, func(t *eval.Tally) string { return t.Category })
	if len(groups) > 1 || len(run.ByCategory) < 2 {
		return showGroups("category", groups)
	}
	t := answer.NewTable("category", "passed:count", "errors:count")
	for _, name := range sorted(run.ByCategory) {
		n := run.ByCategory[name]
		t.Add(name, fmt.Sprintf("%d/%d", n.Passed, n.Judged()), answer.Some(n.Errored))
	}
	return t
}

// showGroups has a line for each of several groups.
func showGroups(what string, groups []eval.Group) answer.View {
	if len(groups) < 2 {
		return nil
	}
	table := answer.NewTable(what, "cases:count", "passed:count", "errors:count", "skipped:count", "pass_rate:name", "cost:usd")
	for _, group := range groups {
		n, cost, passed := eval.Total(group.Tallies), 0., 0
		for _, t := range group.Tallies {
			cost += t.CostUSD
			if t.Counts.Passed > 0 && t.Counts.Failed == 0 {
				passed++
			}
		}
		r, _ := eval.RateOf(group.Tallies)
		table.Add(cmp.Or(group.Name, "(none)"), len(group.Tallies), fmt.Sprintf("%d/%d", passed, r.Cases), answer.Some(n.Errored), answer.Some(n.Skipped), rate(r), usd(cost))
	}
	return table
}

func showScores(tallies []*eval.Tally) answer.View {
	scores := eval.Scores(tallies)
	if len(scores) == 0 {
		return nil
	}
	t := answer.NewTable("score", "mean:number", "scale:name", "cases:count")
	for _, s := range scores {
		t.Add(cmp.Or(s.Criterion, "(whole)"), fmt.Sprintf("%.2f", s.Mean), scale(s.Scale), s.Cases)
	}
	return t
}

// showRepeats says what is known from trying cases several times.
func showRepeats(tallies []*eval.Tally) answer.View {
	var repeats []stats.Repeats
	flaky, k := 0, math.MaxInt
	for _, t := range tallies {
		r := t.Repeats()
		if r.Ran < 2 {
			continue
		}
		repeats, k = append(repeats, r), min(k, r.Ran)
		if t.Flaky() {
			flaky++
		}
	}
	if len(repeats) == 0 {
		return nil
	}
	some, all := 0., 0.
	for _, r := range repeats {
		some += stats.PassAtK(r.Ran, r.Passed, k) / float64(len(repeats))
		all += stats.PassHatK(r.Ran, r.Passed, k) / float64(len(repeats))
	}
	return answer.Line("%s tried more than once: pass@%d %s, pass^%d %s, %d flaky",
		text.Count(len(repeats), "case"), k, text.Percent(some, 0), k, text.Percent(all, 0), flaky)
}

const (
	mostExtremes  = 5
	leastExtremes = 8 // cases, before it is worth saying which are the slowest
)

// showMost lists the cases that took the most of something.
func showMost(what, unit string, run *result.Run, tallies []*eval.Tally, of func(*eval.Tally) float64) answer.View {
	sum := 0.
	for _, t := range tallies {
		sum += of(t)
	}
	if len(tallies) < leastExtremes || sum <= 0 {
		return nil
	}
	most := slices.Clone(tallies)
	slices.SortStableFunc(most, func(a, b *eval.Tally) int { return cmp.Compare(of(b), of(a)) })
	table := answer.NewTable(what, unit, "share:count")
	for _, t := range most[:mostExtremes] {
		if v := of(t); v > 0 {
			table.Add(caseTitle(run, t), v, text.Percent(v/sum, 0))
		}
	}
	return table
}
