package cli

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"cairn/internal/compact/lines"
	"cairn/internal/team/eval"
	"cairn/internal/team/result"
	"cairn/internal/term"
)

type evalPushOptions struct {
	label, suite string
	json         bool
}

func newEvalPush(env *Env) *cobra.Command {
	var opts evalPushOptions
	cmd := &cobra.Command{
		Use:   "push FILE…",
		Short: "Store the results that a runner wrote",
		Long: `Reads results, fills in what the file does not say (repository, commit, branch,
label, time), and stores them in ~/.cairn/evals. The same content is stored
once. - reads stdin.

The label is EVAL_LABEL or the branch; EVAL_TIER says how much was run (quick,
standard, full) and EVAL_JUDGE_TIER who judged (fast, standard, full).`,
		Example: `  cairn eval push results.json
  go test -json ./... | cairn eval push - --suite go`,
		Args: usageArgs(cobra.MinimumNArgs(1)),
		RunE: func(_ *cobra.Command, args []string) error { return runEvalPush(env, args, opts) },
	}
	f := cmd.Flags()
	f.StringVar(&opts.label, "label", "", "what to call the runs, instead of the branch")
	f.StringVar(&opts.suite, "suite", "", "the suite of results that name none")
	f.BoolVar(&opts.json, "json", false, "print what was stored as JSON")
	return cmd
}

// runEvalPush stores all runs or, when one cannot be read, none.
func runEvalPush(env *Env, files []string, opts evalPushOptions) error {
	var runs []*result.Run
	for _, file := range files {
		read, err := readRuns(env, file)
		if err != nil {
			return err
		}
		c := evalContext(env, file)
		c.Suite = opts.suite
		if opts.label != "" {
			c.Label = opts.label
		}
		for _, run := range read {
			c.Fill(run)
			eval.Strip(run)
			if err := run.Check(); err != nil {
				return withKind(errData, fmt.Errorf("%s: %w", shownName(file), err))
			}
		}
		runs = append(runs, read...)
	}
	for _, run := range runs {
		if err := storeRun(env, run, opts.json); err != nil {
			return err
		}
	}
	return nil
}

// storeRun puts a run into the store and says so.
func storeRun(env *Env, run *result.Run, asJSON bool) error {
	e, fresh, err := evalStore(env).Put(run)
	if err != nil {
		return err
	}
	if asJSON {
		return printJSON(env, struct {
			eval.Entry
			Fresh bool `json:"fresh"`
		}{e, fresh})
	}
	word := "stored"
	if !fresh {
		word = "already stored"
	}
	fmt.Fprintf(env.Stdout, "%s %s  %s  %s\n", word, e.ID, lines.Clean(e.Label), countsText(e.Counts, e.CostUSD))
	if fresh && term.IsTerminal(env.Stdout) {
		term.PrintHint(os.Stderr, "cairn eval compare tells what changed since the run before")
	}
	return nil
}

// countsText is "18 results: 16 passed, 1 failed, 1 error, $0.69".
func countsText(n result.Counts, usd float64) string {
	parts := []string{fmt.Sprintf("%d passed", n.Passed)}
	for _, p := range []struct {
		n    int
		word string
	}{{n.Failed, "failed"}, {n.Errored, "with an error"}, {n.Skipped, "skipped"}} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.word))
		}
	}
	if usd > 0 {
		parts = append(parts, fmt.Sprintf("$%.2f", usd))
	}
	return fmt.Sprintf("%d results: %s", n.Total, strings.Join(parts, ", "))
}
