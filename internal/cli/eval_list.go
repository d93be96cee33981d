package cli

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"cairn/internal/compact/lines"
	"cairn/internal/team/eval"
	"cairn/internal/term"
)

type evalListOptions struct {
	filter eval.Filter
	since  string
	limit  int
	json   bool
}

func newEvalList(env *Env) *cobra.Command {
	var opts evalListOptions
	cmd := &cobra.Command{
		Use:   "list [LABEL]",
		Short: "List the runs that are stored here, the newest first",
		Example: `  cairn eval list
  cairn eval list --suite summaries --since 30d`,
		Args: usageArgs(cobra.MaximumNArgs(1)),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 1 {
				opts.filter.Label = args[0]
			}
			return runEvalList(env, opts)
		},
	}
	f := cmd.Flags()
	f.StringVar(&opts.filter.Suite, "suite", "", "only this suite")
	f.StringVar(&opts.filter.Branch, "branch", "", "only this branch")
	f.StringVar(&opts.filter.Repo, "repo", "", "only this repository, as owner/name")
	f.StringVar(&opts.filter.Kind, "kind", "", "only this kind: eval, e2e, llm-judge, unit")
	f.StringVar(&opts.since, "since", "all", "how far to look back: 30d, 12h, 2w, a date, or all")
	f.IntVarP(&opts.limit, "limit", "n", 20, "at most so many; 0 is all")
	f.BoolVar(&opts.json, "json", false, "print one JSON object a line")
	return cmd
}

func runEvalList(env *Env, opts evalListOptions) error {
	since, err := parseSince(opts.since, time.Now())
	if err != nil {
		return err
	}
	all, err := listRuns(env)
	if err != nil {
		return err
	}
	var found []eval.Entry
	for _, e := range opts.filter.Of(all) {
		if !e.Time.Before(since) {
			found = append(found, e)
		}
	}
	shown := found
	if opts.limit > 0 {
		shown = found[:min(len(found), opts.limit)]
	}
	if opts.json {
		for _, e := range shown {
			if err := printJSON(env, e); err != nil {
				return err
			}
		}
		return nil
	}
	if len(found) == 0 {
		if len(all) == 0 {
			fmt.Fprintln(env.Stderr, "cairn: no run is stored yet")
			term.PrintHint(env.Stderr, "cairn eval push FILE stores what a runner wrote")
			return nil
		}
		fmt.Fprintf(env.Stderr, "cairn: none of %d runs is like that\n", len(all))
		return nil
	}
	printEntries(env, shown)
	if len(shown) < len(found) {
		fmt.Fprintf(env.Stderr, "… and %d more; -n 0 lists all\n", len(found)-len(shown))
	}
	return nil
}

func printEntries(env *Env, entries []eval.Entry) {
	paint := term.NewPaint(env.Stdout, env.Getenv)
	w := term.NewColumns(env.Stdout)
	fmt.Fprintln(w, paint.Dim("ID")+"\t"+paint.Dim("WHEN")+"\t"+paint.Dim("LABEL")+"\t"+paint.Dim("SUITE")+"\t"+paint.Dim("PASSED")+"\t"+paint.Dim("ERRORS")+"\t"+paint.Dim("COST")+"\t"+paint.Dim("COMMIT"))
	for _, e := range entries {
		passed := fmt.Sprintf("%d/%d", e.Passed, e.Judged())
		switch rate, ok := e.Rate(); {
		case !ok:
			passed = "–"
		case rate == 1:
			passed = paint.Good(passed)
		default:
			passed = paint.Bad(passed)
		}
		errored, cost := "–", "–"
		if e.Errored > 0 {
			errored = paint.Warn(fmt.Sprint(e.Errored))
		}
		if e.CostUSD > 0 {
			cost = fmt.Sprintf("$%.2f", e.CostUSD)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", e.ID, e.Time.Local().Format("2006-01-02 15:04"),
			lines.Clean(e.Label), lines.Clean(e.Suite), passed, errored, cost, commitText(e))
	}
	w.Flush()
}

// commitText is branch@sha, with a + for changes that were not committed.
func commitText(e eval.Entry) string {
	text := lines.Clean(e.Branch)
	if e.SHA != "" {
		text += "@" + lines.Clean(e.SHA[:min(len(e.SHA), 7)])
	}
	if e.Dirty {
		text += "+"
	}
	return text
}
