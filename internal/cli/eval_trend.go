package cli

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/team/eval"
	"cairn/internal/term"
	"cairn/internal/text"
)

type evalTrendOptions struct {
	team   bool
	filter eval.Filter
	test   string
	since  string
	runs   int
	limit  int
	json   bool
}

func newEvalTrend(env *Env) *cobra.Command {
	var opts evalTrendOptions
	cmd := &cobra.Command{
		Use:   "trend [SUITE|CASE]",
		Short: "Show how pass rate, flakiness and cost went from run to run",
		Long: `A line for each suite over its last runs in this repository, the newest at the
right; with SUITE or CASE, a line for each case: ✓ passed, ✗ failed, ~ both,
! could not be judged, – skipped. Runs of other judges' tiers are lines of
their own.

A drop or a rise is told only where it is more than noise: the pass rates of
the cases before and after are compared by a sign-flip test, corrected for all
the runs that could have been the one, and for all the suites.`,
		Example: `  cairn eval trend --branch main
  cairn eval trend must_cite_sources -n 50`,
		Args: usageArgs(cobra.MaximumNArgs(1)),
		RunE: func(_ *cobra.Command, args []string) error { return runEvalTrend(env, args, opts) },
	}
	f := cmd.Flags()
	teamFlag(f, &opts.team)
	f.IntVarP(&opts.runs, "runs", "n", 20, "of each suite the newest so many runs; 0 is all")
	f.StringVar(&opts.since, "since", "all", "how far to look back: 30d, 12h, 2w, a date, or all")
	f.StringVar(&opts.filter.Branch, "branch", "", "only runs of this branch")
	f.StringVar(&opts.filter.Label, "label", "", "only runs with this label")
	f.StringVar(&opts.filter.Repo, "repo", "", "another repository, as owner/name")
	f.StringVar(&opts.filter.Suite, "suite", "", "only this suite")
	f.StringVar(&opts.test, "case", "", "the cases with this in their name")
	f.IntVar(&opts.limit, "limit", 30, "list at most so many cases; 0 is all")
	f.BoolVar(&opts.json, "json", false, "print everything as JSON")
	return cmd
}

func runEvalTrend(env *Env, args []string, opts evalTrendOptions) error {
	runs, err := withTeam(env, opts.team)
	if err != nil {
		return err
	}
	since, err := command.Since(opts.since, time.Now())
	if err != nil {
		return err
	}
	if opts.runs < 0 || opts.limit < 0 {
		return command.Usagef("-n and --limit are 0 or more")
	}
	all, err := runs.list()
	if err != nil {
		return err
	}
	perCase := opts.test != ""
	if len(args) == 1 {
		perCase = true
		if len((eval.Filter{Suite: args[0]}).Of(all)) > 0 {
			opts.filter.Suite = args[0]
		} else {
			opts.test = args[0]
		}
	}
	found := eval.Since(opts.filter.Of(ofThisRepo(env, all, &opts.filter)), since)
	trend := runs.Trend(found, eval.TrendOptions{Suite: opts.filter.Suite, Runs: opts.runs})
	if opts.test != "" {
		trend = withCases(trend, opts.test)
		if len(trend) == 0 && len(found) > 0 {
			return command.Usage(term.Hint(fmt.Errorf("no suite and no case of %s is called like %q", text.Count(len(found), "run"), term.Line(opts.test)), "cairn eval show --all lists the cases of a run"))
		}
	}
	if opts.json {
		for i := range trend {
			if !perCase {
				trend[i].Cases = nil
			}
		}
		return printJSON(env, trendJSON{append([]eval.Series{}, trend...)})
	}
	if len(trend) == 0 {
		sayNoRuns(env, len(all))
		return nil
	}
	if perCase {
		return printCases(env, trend, opts.limit)
	}
	return printTrend(env, trend)
}

type trendJSON struct {
	Series []eval.Series `json:"series"`
}

// ofThisRepo keeps the runs of the repository that one is in, unless another is
// asked for. Where there are none it keeps all, and says so.
func ofThisRepo(env *Env, all []eval.Entry, filter *eval.Filter) []eval.Entry {
	repo, _ := repoHere(env)
	if filter.Repo != "" || repo == "" || len(all) == 0 {
		return all
	}
	own := (eval.Filter{Repo: repo}).Of(all)
	if len(own) == 0 {
		fmt.Fprintf(env.Stderr, "cairn: no run of %s is stored; these are of all repositories\n", term.Line(repo))
		return all
	}
	filter.Repo = repo
	return own
}

// withCases keeps the cases with a word in their name; a name that is equal
// leaves the others out.
func withCases(trend []eval.Series, word string) (kept []eval.Series) {
	equal := false
	for _, s := range trend {
		equal = equal || slices.ContainsFunc(s.Cases, func(l eval.Line) bool { return l.Title == word })
	}
	for _, s := range trend {
		s.Cases = slices.DeleteFunc(s.Cases, func(l eval.Line) bool {
			return equal && l.Title != word || !strings.Contains(strings.ToLower(l.Title), strings.ToLower(word))
		})
		if len(s.Cases) > 0 {
			kept = append(kept, s)
		}
	}
	return kept
}

// printTrend prints a line for each suite.
func printTrend(env *Env, trend []eval.Series) error {
	paint, now := term.NewPaint(env.Stdout, env.Getenv), time.Now()
	least := lowest(trend)
	g := grid{head: []string{"<SUITE", fmt.Sprintf("%.0f–100 %%", least*100), "FIRST → LAST", ">FLAKY", "<COST"}}
	for i := range trend {
		s := &trend[i]
		g.row(seriesName(trend, s), sparkOf(s.Points, least), firstLast(s.Points), flakeText(s), costTrend(s.Points))
	}
	if err := g.print(env.Stdout, paint); err != nil {
		return err
	}
	said := false
	for i := range trend {
		if text := changeText(paint, &trend[i], now); text != "" {
			if !said {
				fmt.Fprintln(env.Stdout)
			}
			said = true
			fmt.Fprintf(env.Stdout, "%s %s\n", seriesName(trend, &trend[i]), text)
		}
	}
	branches := mostOf(trend, func(p eval.Point) string { return p.Branch })
	labels := mostOf(trend, func(p eval.Point) string { return p.Label })
	switch {
	case len(branches) > 1:
		fmt.Fprintf(env.Stderr, "cairn: runs of %d branches are in this; --branch %s shows one\n", len(branches), term.Line(branches[0]))
	case len(labels) > 1:
		fmt.Fprintf(env.Stderr, "cairn: runs with %d labels are in this; --label %s shows one\n", len(labels), term.Line(labels[0]))
	}
	return nil
}

// lowest is where the bars begin: a round share below the lowest pass rate,
// 80 % at most, the same for all lines.
func lowest(trend []eval.Series) float64 {
	least := 0.8
	for _, s := range trend {
		for _, p := range s.Points {
			if p.Rate != nil {
				least = min(least, math.Floor(p.Rate.Mean*10)/10)
			}
		}
	}
	return least
}

func sparkOf(points []eval.Point, least float64) string {
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
		return rateText(judged[0])
	}
	return text.Percent(judged[0].Mean, 0) + " → " + rateText(judged[len(judged)-1])
}

func flakeText(s *eval.Series) string {
	if s.FlakeRate == nil {
		return ""
	}
	return text.Percent(*s.FlakeRate, 0)
}

func costTrend(points []eval.Point) string {
	first, last := "", ""
	for _, p := range points {
		if s := text.Some(p.CostUSD, text.Dollars); s != "" {
			if first == "" {
				first = s
			}
			last = s
		}
	}
	if first == last {
		return last
	}
	return first + " → " + last
}

// seriesName tells a series from the others.
func seriesName(trend []eval.Series, s *eval.Series) string {
	repos, kinds, tiers := false, false, false
	for i := range trend {
		o := &trend[i]
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

// mostOf lists the branches or labels, that with the most runs first.
func mostOf(trend []eval.Series, of func(eval.Point) string) []string {
	runs := map[string]int{}
	for _, s := range trend {
		for _, p := range s.Points {
			runs[of(p)]++
		}
	}
	delete(runs, "")
	names := sortedNames(runs)
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(runs[b], runs[a]) })
	return names
}
