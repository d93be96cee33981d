package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"cairn/internal/team/eval"
	"cairn/internal/team/result"
	"cairn/internal/term"
	"cairn/internal/text"
)

type evalShowOptions struct {
	team      bool
	test      string
	attempts  bool
	all, json bool
	limit     int
}

func newEvalShow(env *Env) *cobra.Command {
	var opts evalShowOptions
	cmd := &cobra.Command{
		Use:   "show [RUN]",
		Short: "Show one run: counts, what failed and why, scores, cost",
		Long: `RUN is a file of results, an id or its beginning, a label, @branch, a commit, a
suite, latest, previous or merge-base; label~1 is the one before. Without RUN
it is latest: the newest of the repository that you are in.

The unit is the case: where one was tried several times, its share of passes
counts. Intervals are Wilson's, of 95 %.`,
		Example: `  cairn eval show
  cairn eval show @main --case must_cite_sources`,
		Args: usageArgs(cobra.MaximumNArgs(1)),
		RunE: func(_ *cobra.Command, args []string) error {
			ref := eval.Latest
			if len(args) == 1 {
				ref = args[0]
			}
			return runEvalShow(env, ref, opts)
		},
	}
	f := cmd.Flags()
	teamFlag(f, &opts.team)
	f.StringVar(&opts.test, "case", "", "everything that is known of one case, by its name or a part of it")
	f.BoolVar(&opts.attempts, "all-attempts", false, "take all runs of the same code together")
	f.BoolVar(&opts.all, "all", false, "list what passed too")
	f.IntVarP(&opts.limit, "limit", "n", 50, "list at most so many cases; 0 is all")
	f.BoolVar(&opts.json, "json", false, "print the run in the standard format")
	return cmd
}

func runEvalShow(env *Env, ref string, opts evalShowOptions) error {
	runs, err := withTeam(env, opts.team)
	if err != nil {
		return err
	}
	sel, err := (&runFinder{runs: runs, allAttempts: opts.attempts}).find(ref, nil)
	if err != nil {
		return err
	}
	printNote(env, sel)
	tallies := eval.Tallies(sel.Run)
	if opts.test != "" {
		t, err := findCase(tallies, opts.test)
		if err != nil {
			return err
		}
		tallies = []*eval.Tally{t}
		if !opts.json {
			return showCase(env, t)
		}
	}
	if opts.json {
		run := *sel.Run
		if opts.test != "" {
			run.Results = nil
			for _, r := range tallies[0].Results {
				run.Results = append(run.Results, *r)
			}
		}
		data, err := result.Encode(&run)
		if err == nil {
			_, err = env.Stdout.Write(term.PrintableJSON(data))
		}
		return err
	}
	paint := term.NewPaint(env.Stdout, env.Getenv)
	showHead(env, paint, sel, tallies)
	for _, part := range [...]func(*Env, term.Paint, *result.Run, []*eval.Tally) error{showSuites, showCategories, showScores, showRepeats} {
		if err := part(env, paint, sel.Run, tallies); err != nil {
			return err
		}
	}
	if err := showCases(env, paint, sel.Run, tallies, opts); err != nil {
		return err
	}
	return showExtremes(env, paint, sel.Run, tallies)
}

func showHead(env *Env, paint term.Paint, sel eval.Selection, tallies []*eval.Tally) {
	run, e := sel.Run, sel.Entry()
	fmt.Fprintln(env.Stdout, paint.Bold(strings.Join(nonEmpty([]string{e.ID, term.Line(run.Label), term.Line(e.SuiteText())}), "  ")))
	tier := ""
	if run.JudgeTier != "" {
		tier = "judged " + term.Line(run.JudgeTier)
	}
	fmt.Fprintln(env.Stdout, strings.Join(nonEmpty([]string{run.Timestamp.Local().Format("2006-01-02 15:04"), commitText(e),
		term.Line(run.Tool + " " + run.ToolVer), term.Line(run.Repo), term.Line(run.Scope), tier}), " · "))
	fmt.Fprintln(env.Stdout, strings.Join(nonEmpty([]string{countsText(run.Counts, run.TotalCostUSD), text.Some(1000*run.DurationSeconds, text.Millis)}), " · "))
	if rate, ok := eval.RateOf(tallies); ok {
		fmt.Fprintf(env.Stdout, "pass rate %s of %s\n", rateText(rate), text.Count(rate.Cases, "judged case"))
	}
	if run.Total > len(run.Results) {
		fmt.Fprintf(env.Stdout, "%d of the %d results are listed in the file\n", len(run.Results), run.Total)
	}
}

// showCases lists what did not pass or, with --all, everything.
func showCases(env *Env, paint term.Paint, run *result.Run, tallies []*eval.Tally, opts evalShowOptions) error {
	var shown []*eval.Tally
	for _, t := range tallies {
		if opts.all || t.Counts.Failed+t.Counts.Errored > 0 {
			shown = append(shown, t)
		}
	}
	if len(shown) == 0 {
		if run.Failed+run.Errored == 0 && run.Passed > 0 {
			fmt.Fprintln(env.Stdout, "\nevery case that was judged passed; --all lists them")
		}
		return nil
	}
	rest := 0
	if opts.limit > 0 {
		rest = max(0, len(shown)-opts.limit)
	}
	fmt.Fprintln(env.Stdout)
	titleOf := caseTitles(run)
	w := term.NewColumns(env.Stdout)
	for _, t := range shown[:len(shown)-rest] {
		fmt.Fprintf(w, "%s\t%s\t%s\n", markText(paint, t), titleOf(t), term.Line(text.Shorten(t.Reason(), 200)))
	}
	if err := w.Flush(); err != nil || rest == 0 {
		return err
	}
	_, err := fmt.Fprintf(env.Stdout, "… and %d more; -n 0 lists all\n", rest)
	return err
}

func nonEmpty(words []string) (kept []string) {
	for _, w := range words {
		if w != "" {
			kept = append(kept, w)
		}
	}
	return kept
}

// markText is the case's sign and word, with its passes where it was tried
// several times.
func markText(paint term.Paint, t *eval.Tally) string {
	mark := t.Mark()
	tries := ""
	if n := t.Counts.Judged(); n > 1 {
		tries = fmt.Sprintf(" %d/%d", t.Counts.Passed, n)
	}
	switch mark {
	case "✓":
		if n := t.Counts.Errored; n > 0 {
			return paint.Good(mark+" pass"+tries) + paint.Warn(", "+text.Count(n, "error"))
		}
		return paint.Good(mark + " pass" + tries)
	case "✗":
		return paint.Bad(mark + " fail" + tries)
	case "~":
		return paint.Warn(mark + " flaky" + tries)
	case "!":
		return paint.Warn(mark + " error")
	}
	return paint.Dim(mark + " skip")
}

func caseTitles(run *result.Run) func(*eval.Tally) string {
	several := len(eval.Suites(run)) > 1
	return func(t *eval.Tally) string {
		if several && t.Suite != "" && t.Suite != run.Suite {
			return term.Line(t.Suite + " › " + t.Title)
		}
		return term.Line(t.Title)
	}
}
