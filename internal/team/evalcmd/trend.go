package evalcmd

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/git"
	"cairn/internal/team/eval"
	"cairn/internal/team/runs"
	"cairn/internal/term"
	"cairn/internal/text"
)

var trend = command.Command{
	Path: "eval trend", Short: "Show pass rate, flakiness and cost from run to run",
	Long: "Shows a line for each suite over its last runs in this repository, the newest at the\n" +
		"right; with SUITE or CASE, a line for each case: ✓ passed, ✗ failed, ~ both, ! could\n" +
		"not be judged, – skipped, · not in the run. Runs of other judges' tiers are lines of their own.\n\n" +
		"A drop or a rise is reported only if it is more than noise, with its day, its\n" +
		"commit and the cases that make it. The test is corrected for all the runs that\n" +
		"could have been the one, and for all the suites. docs/eval-trend.md describes it.",
	Args:     []command.Arg{{Name: "SUITE|CASE", Optional: true, Values: runs.Suites}},
	Examples: []string{"cairn eval trend --branch main", "cairn eval trend must_cite_sources -n 50"},
	Flags: []command.Flag{teamFlag,
		{Name: "runs", Short: "n", Default: 20, Help: "of each suite the newest so many runs; 0 is all"},
		sinceFlag, branchFlag,
		{Name: "label", Default: "", Help: "only runs with this label", Values: runs.Labels},
		repoFlag, suiteFlag,
		{Name: "case", Default: "", Help: "the cases with this in their name"},
		{Name: "limit", Default: 30, Help: "list at most so many cases; 0 lists all"}},
	Effect: command.Reads, Run: runTrend,
	Tool: &command.Tool{Name: "eval_trend", Does: "Pass rate, flakiness and cost over the last runs, by suite.", Params: []command.Param{
		{Name: "of", Of: "SUITE|CASE", Does: "a suite or case, then by case"}, {Name: "branch"}, {Name: "runs", Does: "default 20"}, teamParam,
	}, Network: true},
}

func runTrend(c *command.Call) (*answer.Answer, error) {
	ch := choose(c, true)
	ch.keep(eval.Filter{Label: c.String("label")})
	name, of := c.String("case"), c.Arg("SUITE|CASE")
	if is := (eval.Filter{Suite: of}); of != "" && len(is.Of(ch.all)) > 0 {
		ch.suite = of
		ch.keep(is)
	} else if of != "" {
		name = of
	}
	series := ch.Trend(ch.recent, eval.TrendOptions{Suite: ch.suite, Runs: c.Int("runs")})
	perCase := of != "" || name != ""
	if name != "" {
		series = eval.WithCases(series, name)
		if len(series) == 0 && len(ch.recent) > 0 {
			return nil, command.Usage(term.Hint(fmt.Errorf("no suite and no case of %s is called like %q", text.Count(len(ch.recent), "run"), term.Line(name)), "cairn eval show --all lists the cases of a run"))
		}
	}
	for i := range series {
		if !perCase {
			series[i].Cases = nil
		}
	}
	data := struct {
		Series []eval.Series `json:"series"`
	}{answer.List(series)}
	switch {
	case len(series) == 0:
		return ch.none(data), nil
	case perCase:
		return &answer.Answer{Data: data, View: caseTrends(series, c.Int("limit"))}, nil
	}
	return &answer.Answer{Data: data, View: suiteTrends(series), Said: mixed(series)}, nil
}

// suiteTrends has a line for each suite.
func suiteTrends(series []eval.Series) answer.View {
	now, least := time.Now(), lowest(series)
	t := answer.NewTable("suite", fmt.Sprintf("pass_rates:name=%.0f–100 %%", least*100), "change:name=first → last", "flaky:count", "cost")
	for i := range series {
		s := &series[i]
		t.Add(seriesName(series, s), spark(s.Points, least), firstLast(s.Points), share(s.FlakeRate), costs(s.Points))
	}
	return apart(t, changes(series, now))
}

// changes has a line for each suite that dropped or rose.
func changes(series []eval.Series, now time.Time) answer.View {
	if !slices.ContainsFunc(series, func(s eval.Series) bool { return s.Change != nil || s.TooFew }) {
		return nil
	}
	return painted(func(p *answer.Page) {
		for i := range series {
			s := &series[i]
			if s.TooFew {
				fmt.Fprintf(p, "%s %s\n", seriesName(series, s), tooFew)
			}
			for k := range s.Changes {
				fmt.Fprintf(p, "%s %s\n", seriesName(series, s), change(p, s, &s.Changes[k], now))
				if line := moved(&s.Changes[k]); line != "" {
					fmt.Fprintf(p, "  %s\n", line)
				}
				if at := s.Points[s.Changes[k].At]; len(at.Edited) > 0 {
					fmt.Fprintf(p, "  that run has another text of %s\n", term.Line(strings.Join(at.Edited, ", ")))
				}
			}
		}
	})
}

const tooFew = "cases changed; too few runs to tell a change from a bad or good day (eval compare tests two runs)"

// mixed says how to leave out what is of another branch or label.
func mixed(series []eval.Series) string {
	branches := eval.Common(series, func(p eval.Point) string { return p.Branch })
	labels := eval.Common(series, func(p eval.Point) string { return p.Label })
	switch {
	case len(branches) > 1:
		return fmt.Sprintf("cairn: includes runs of %d branches; --branch %s shows one", len(branches), term.Line(branches[0]))
	case len(labels) > 1:
		return fmt.Sprintf("cairn: includes runs with %d labels; --label %s shows one", len(labels), term.Line(labels[0]))
	}
	return ""
}

// lowest is where the bars begin: a round share below the lowest pass rate,
// 80 % at most, the same for all lines.
func lowest(series []eval.Series) float64 {
	least := 0.8
	for _, s := range series {
		for _, p := range s.Points {
			if p.Rate != nil {
				least = min(least, math.Floor(p.Rate.Mean*10)/10)
			}
		}
	}
	return least
}

func spark(points []eval.Point, least float64) string {
	values := make([]int, 0, len(points)+1)
	for _, p := range points {
		v := 0 // nothing was judged
		if p.Rate != nil {
			v = 1 + int(math.Round(999*(p.Rate.Mean-least)/(1-least)))
		}
		values = append(values, v)
	}
	bars := []rune(term.Spark(append(values, 1000))) // so that the highest bar is 100 %
	return string(bars[:len(points)])
}

// firstLast is 94 % → 81 % (72–88).
func firstLast(points []eval.Point) string {
	var judged []eval.Rate
	for _, p := range points {
		if p.Rate != nil {
			judged = append(judged, *p.Rate)
		}
	}
	switch len(judged) {
	case 0:
		return ""
	case 1:
		return rate(judged[0])
	}
	return text.Percent(judged[0].Mean, 0) + " → " + rate(judged[len(judged)-1])
}

func share(v *float64) string {
	if v == nil {
		return ""
	}
	return text.Percent(*v, 0)
}

// costs is $0.10 → $0.12, of the first run and the last that have one.
func costs(points []eval.Point) string {
	first, last := "", ""
	for _, p := range points {
		if s := text.Some(p.CostUSD, text.Dollars); s != "" {
			first, last = cmp.Or(first, s), s
		}
	}
	if first == last {
		return last
	}
	return first + " → " + last
}

// seriesName tells a series from the others.
func seriesName(all []eval.Series, s *eval.Series) string {
	repos, kinds, tiers := false, false, false
	for i := range all {
		o := &all[i]
		repos = repos || o.Repo != s.Repo
		kinds = kinds || o.Suite == s.Suite && o.Kind != s.Kind
		tiers = tiers || o.Suite == s.Suite && o.JudgeTier != s.JudgeTier
	}
	name := cmp.Or(term.Line(s.Suite), "(none)")
	if repos && s.Repo != "" {
		name = term.Line(s.Repo) + " " + name
	}
	if kinds {
		name += " " + cmp.Or(term.Line(s.Kind), "(no kind)")
	}
	if tiers {
		name += " " + cmp.Or(term.Line(s.JudgeTier), "(no tier)")
	}
	return name
}

// caseTrends has a line for each case.
func caseTrends(series []eval.Series, limit int) answer.View {
	now := time.Now()
	var parts []answer.View
	for i := range series {
		s := &series[i]
		part := answer.Views{painted(func(p *answer.Page) {
			fmt.Fprintf(p, "%s · %s · %s\n", p.Bold(seriesName(series, s)), text.Count(len(s.Points), "run"), span(s.Points, now))
			if s.TooFew {
				fmt.Fprintln(p, tooFew)
			}
			for k := range s.Changes {
				fmt.Fprintln(p, change(p, s, &s.Changes[k], now))
			}
			for _, line := range edits(s, now) {
				fmt.Fprintln(p, line)
			}
		})}
		shown := s.Cases
		if limit > 0 {
			shown = shown[:min(len(shown), limit)]
		}
		t := answer.NewTable("case", "runs:name=oldest → newest", "passed:count", "flips:count", "fails_since")
		for _, l := range shown {
			passed := ""
			if l.Judged > 0 {
				passed = text.Percent(l.Share, 0)
			}
			t.Add(l.Title, signs(l.Marks), passed, answer.Some(l.Flips), failsSince(s, &l, now))
		}
		if part = append(part, t); len(shown) < len(s.Cases) {
			part = append(part, answer.Line("… and %d more; --limit 0 lists all", len(s.Cases)-len(shown)))
		}
		parts = append(parts, part)
	}
	return apart(parts...)
}

func span(points []eval.Point, now time.Time) string {
	from, to := text.When(points[0].Time.Time, now), text.When(points[len(points)-1].Time.Time, now)
	if from == to {
		return to
	}
	return from + " to " + to
}

// signs are the marks of a case, one a run; · is a run without it.
func signs(marks []string) answer.Cell {
	var b strings.Builder
	for _, mark := range marks {
		b.WriteString(cmp.Or(mark, "·"))
	}
	return answer.Marked(b.String(), "signs")
}

// failsSince says since when a case fails.
func failsSince(s *eval.Series, l *eval.Line, now time.Time) string {
	switch {
	case l.Since < 0:
		return ""
	case l.Judged == 1:
		return "its only run"
	case l.Share == 0:
		return "always"
	}
	return point(s.Points[l.Since], now)
}

// point is the day of a run, and its commit or else its id.
func point(p eval.Point, now time.Time) string {
	name := p.ID
	if p.SHA != "" {
		name = term.Line(git.Short(p.SHA))
		if p.Dirty {
			name += "+"
		}
	}
	day, _, _ := strings.Cut(text.When(p.Time.Time, now), " ")
	return day + " " + name
}

// change is a drop or a rise, in a sentence.
func change(p *answer.Page, s *eval.Series, c *eval.Change, now time.Time) string {
	word := p.Bad("↓ dropped")
	if c.After > c.Before {
		word = p.Good("↑ rose")
	}
	return fmt.Sprintf("%s with %s: %s → %s (%d + %d runs, %s, p %s)", word, point(s.Points[c.At], now),
		text.Percent(c.Before, 0), text.Percent(c.After, 0), c.Window, c.Window, text.Count(c.Cases, "case"), pValue(c.P))
}

// edits has a line for each run whose prompts have other texts than those before.
func edits(s *eval.Series, now time.Time) (lines []string) {
	for _, p := range s.Points {
		if len(p.Edited) == 1 {
			lines = append(lines, fmt.Sprintf("%s was edited with %s", term.Line(p.Edited[0]), point(p, now)))
		} else if len(p.Edited) > 1 {
			lines = append(lines, fmt.Sprintf("%d prompts were edited with %s", len(p.Edited), point(p, now)))
		}
	}
	return lines
}

// moved names the cases that make up a change.
func moved(c *eval.Change) string {
	const most = 5
	var names []string
	for _, m := range c.Moved[:min(len(c.Moved), most)] {
		names = append(names, term.Line(m.Title))
	}
	if n := len(c.Moved) - len(names); n > 0 {
		names = append(names, fmt.Sprintf("and %d more", n))
	}
	return strings.Join(names, ", ")
}
