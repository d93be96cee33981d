package evalcmd

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/must"
	"cairn/internal/team/eval"
	"cairn/internal/team/result"
	"cairn/internal/team/runs"
	"cairn/internal/team/stats"
	"cairn/internal/term"
	"cairn/internal/text"
)

var show = command.Command{
	Path: "eval show", Short: "Show one run: counts, failures with reasons, scores, cost",
	Long: "Shows a run. The unit is the case: where one was tried several times, its share of\n" +
		"passes counts. Intervals are Wilson's, of 95 %.",
	Args:     []command.Arg{runArg},
	Examples: []string{"cairn eval show", "cairn eval show @main --case must_cite_sources"},
	Flags: []command.Flag{teamFlag,
		{Name: "case", Default: "", Help: "show everything about one case, by its name or a part of it; its variants side by side"},
		attemptsFlag, mapFlag,
		{Name: "all", Default: false, Help: "list the cases that passed, too"},
		{Name: "limit", Short: "n", Default: 50, Help: "list at most so many cases; 0 lists all"}},
	Effect: command.Reads, Run: runShow,
}

func runShow(c *command.Call) (*answer.Answer, error) {
	sel := must.Get(finder(c).Find(ref(c.Arg("RUN")), nil))
	runs.SayNote(c.Env, sel)
	run, tallies := *sel.Run, eval.Tallies(sel.Run)
	if name := c.String("case"); name != "" {
		found, err := eval.FindCases(tallies, name)
		if err != nil {
			return nil, command.Usage(term.Hint(err, "cairn eval show RUN --all lists them"))
		}
		run.Results = nil
		for _, t := range found {
			for _, r := range t.Results {
				run.Results = append(run.Results, *r)
			}
		}
		return answerRun(&run, showVariants(found))
	}
	return answerRun(&run, apart(showHead(sel, tallies), showGroups("suite", eval.GroupBy(tallies, func(t *eval.Tally) string { return t.Suite })),
		showCategories(&run, tallies), showScores(tallies), showRepeats(tallies), showCases(c, &run, tallies),
		showMost("slowest", "time:ms", &run, tallies, func(t *eval.Tally) float64 { return t.DurationMS }),
		showMost("most_expensive", "cost:usd", &run, tallies, func(t *eval.Tally) float64 { return t.CostUSD })))
}

// answerRun answers with a run in the standard format.
func answerRun(run *result.Run, view answer.View) (*answer.Answer, error) {
	data, err := result.Encode(run)
	return &answer.Answer{Data: answer.Document(data), View: view}, err
}

func showHead(sel eval.Selection, tallies []*eval.Tally) answer.View {
	run, e := sel.Run, sel.Entry()
	return painted(func(p *answer.Page) {
		fmt.Fprintln(p, p.Bold(joined("  ", e.ID, term.Line(run.Label), term.Line(e.SuiteText()))))
		tier := ""
		if run.JudgeTier != "" {
			tier = "judged " + term.Line(run.JudgeTier)
		}
		fmt.Fprintln(p, joined(" · ", run.Timestamp.Local().Format("2006-01-02 15:04"), commit(e), term.Line(run.Tool+" "+run.ToolVer), term.Line(run.Repo), term.Line(run.Scope), tier))
		fmt.Fprintln(p, joined(" · ", runs.Outcome(run.Counts, run.TotalCostUSD), text.Some(1000*run.DurationSeconds, text.Millis)))
		if r, ok := eval.RateOf(tallies); ok {
			fmt.Fprintf(p, "pass rate %s of %s\n", rate(r), text.Count(r.Cases, "judged case"))
		}
		if run.Total > len(run.Results) {
			fmt.Fprintf(p, "%d of the %d results are listed in the file\n", len(run.Results), run.Total)
		}
	})
}

// showCases lists what did not pass or, with --all, everything.
func showCases(c *command.Call, run *result.Run, tallies []*eval.Tally) answer.View {
	t, rest := answer.NewTable(":name", "", ""), 0
	for _, one := range tallies {
		switch most := c.Int("limit"); {
		case !c.Bool("all") && one.Counts.Failed+one.Counts.Errored == 0:
		case most > 0 && len(t.Rows) == most:
			rest++
		default:
			t.Add(outcome(one), caseTitle(run, one), cmp.Or(text.Shorten(one.Reason(), 200), blank))
		}
	}
	switch {
	case rest > 0:
		return answer.Views{t, answer.Line("… and %d more; -n 0 lists all", rest)}
	case len(t.Rows) > 0:
		return t
	case run.Failed+run.Errored == 0 && run.Passed > 0:
		return answer.Line("every judged case passed; --all lists them")
	}
	return nil
}

// outcome is the case's sign and word, with its passes where it was tried several
// times.
func outcome(t *eval.Tally) answer.Cell {
	tries, errors := "", ""
	if n := t.Counts.Judged(); n > 1 {
		tries = fmt.Sprintf(" %d/%d", t.Counts.Passed, n)
	}
	if n := t.Counts.Errored; n > 0 {
		errors = ", " + text.Count(n, "error")
	}
	switch t.Mark() {
	case "✓":
		return answer.Marked("✓ pass"+tries+errors, "good")
	case "✗":
		return answer.Marked("✗ fail"+tries, "bad")
	case "~":
		return answer.Marked("~ flaky"+tries, "warn")
	case "!":
		return status(result.Error)
	}
	return status(result.Skip)
}

func caseTitle(run *result.Run, t *eval.Tally) string {
	if t.Suite != "" && t.Suite != run.Suite && len(eval.Suites(run)) > 1 {
		return t.Suite + " › " + t.Title
	}
	return t.Title
}

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
	least := 0. // of the first that is not listed: cases that took as much are not among the most
	if len(most) > mostExtremes {
		least = of(most[mostExtremes])
	}
	table := answer.NewTable(what, unit, "share:count")
	for _, t := range most[:mostExtremes] {
		if v := of(t); v > least {
			table.Add(caseTitle(run, t), v, text.Percent(v/sum, 0))
		}
	}
	if len(table.Rows) == 0 {
		return nil
	}
	return table
}
