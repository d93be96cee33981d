package cli

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"cairn/internal/team/eval"
	"cairn/internal/team/result"
	"cairn/internal/team/stats"
	"cairn/internal/term"
	"cairn/internal/text"
)

func showSuites(env *Env, paint term.Paint, _ *result.Run, tallies []*eval.Tally) error {
	return showGroups(env, paint, "SUITE", eval.GroupBy(tallies, func(t *eval.Tally) string { return t.Suite }))
}

// showCategories also tells counts that the file gives without results.
func showCategories(env *Env, paint term.Paint, run *result.Run, tallies []*eval.Tally) error {
	groups := eval.GroupBy(tallies, func(t *eval.Tally) string { return t.Category })
	if len(groups) > 1 || len(run.ByCategory) < 2 {
		return showGroups(env, paint, "CATEGORY", groups)
	}
	g := grid{head: []string{"<CATEGORY", ">PASSED", ">ERRORS"}}
	for _, name := range sortedNames(run.ByCategory) {
		n := run.ByCategory[name]
		g.row(term.Line(name), fmt.Sprintf("%d/%d", n.Passed, n.Judged()), someText(n.Errored))
	}
	fmt.Fprintln(env.Stdout)
	return g.print(env.Stdout, paint)
}

func sortedNames[V any](m map[string]V) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// showGroups prints a line for each of several groups.
func showGroups(env *Env, paint term.Paint, title string, groups []eval.Group) error {
	if len(groups) < 2 {
		return nil
	}
	fmt.Fprintln(env.Stdout)
	g := grid{head: []string{"<" + title, ">CASES", ">PASSED", ">ERRORS", ">SKIPPED", "PASS RATE", ">COST"}}
	for _, group := range groups {
		n, cost, passed := eval.Total(group.Tallies), 0., 0
		for _, t := range group.Tallies {
			cost += t.CostUSD
			if t.Counts.Passed > 0 && t.Counts.Failed == 0 {
				passed++
			}
		}
		rate, _ := eval.RateOf(group.Tallies)
		g.row(cmp.Or(term.Line(group.Name), "(none)"), fmt.Sprint(len(group.Tallies)), fmt.Sprintf("%d/%d", passed, rate.Cases),
			someText(n.Errored), someText(n.Skipped), rateText(rate), text.Some(cost, text.Dollars))
	}
	return g.print(env.Stdout, paint)
}

func someText(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

func showScores(env *Env, paint term.Paint, _ *result.Run, tallies []*eval.Tally) error {
	scores := eval.Scores(tallies)
	if len(scores) == 0 {
		return nil
	}
	fmt.Fprintln(env.Stdout)
	g := grid{head: []string{"<SCORE", ">MEAN", "SCALE", ">CASES"}}
	for _, s := range scores {
		g.row(scoreName(s), fmt.Sprintf("%.2f", s.Mean), term.Line(scaleText(s.Scale)), fmt.Sprint(s.Cases))
	}
	return g.print(env.Stdout, paint)
}

func scoreName(s eval.Score) string { return cmp.Or(term.Line(s.Criterion), "(whole)") }

func scaleText(s result.Scale) string { return strings.Replace(string(s), "-", "–", 1) }

// showRepeats tells what is known from trying cases several times.
func showRepeats(env *Env, _ term.Paint, _ *result.Run, tallies []*eval.Tally) error {
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
	_, err := fmt.Fprintf(env.Stdout, "\n%s tried more than once: pass@%d %s, pass^%d %s, %d flaky\n",
		text.Count(len(repeats), "case"), k, text.Percent(some, 0), k, text.Percent(all, 0), flaky)
	return err
}

// listText is a, b and 3 more.
func listText(names []string, most int) string {
	rest := len(names) - most
	if rest <= 0 {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), rest)
}

const (
	mostExtremes  = 5
	leastExtremes = 8 // cases, before it is worth telling which are the slowest
)

// showExtremes lists what took the most time and money.
func showExtremes(env *Env, paint term.Paint, run *result.Run, tallies []*eval.Tally) error {
	if len(tallies) < leastExtremes {
		return nil
	}
	titleOf := caseTitles(run)
	for _, by := range [...]struct {
		title, unit string
		of          func(*eval.Tally) float64
		text        func(float64) string
	}{
		{"SLOWEST", "TIME", func(t *eval.Tally) float64 { return t.DurationMS }, text.Millis},
		{"MOST EXPENSIVE", "COST", func(t *eval.Tally) float64 { return t.CostUSD }, text.Dollars},
	} {
		sum := 0.
		for _, t := range tallies {
			sum += by.of(t)
		}
		if sum <= 0 {
			continue
		}
		most := slices.Clone(tallies)
		slices.SortStableFunc(most, func(a, b *eval.Tally) int { return cmp.Compare(by.of(b), by.of(a)) })
		fmt.Fprintln(env.Stdout)
		g := grid{head: []string{"<" + by.title, ">" + by.unit, ">SHARE"}}
		for _, t := range most[:mostExtremes] {
			if v := by.of(t); v > 0 {
				g.row(titleOf(t), by.text(v), text.Percent(v/sum, 0))
			}
		}
		if err := g.print(env.Stdout, paint); err != nil {
			return err
		}
	}
	return nil
}
