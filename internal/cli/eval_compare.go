package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"cairn/internal/team/compare"
	"cairn/internal/team/result"
	"cairn/internal/term"
)

type evalCompareOptions struct {
	alpha      float64
	confidence float64
	seed       uint64
	suite      string
	limit      int
	json       bool
}

func newEvalCompare(env *Env) *cobra.Command {
	var opts evalCompareOptions
	cmd := &cobra.Command{
		Use:   "compare A B",
		Short: "Say what changed from run A to run B, and what of it is more than noise",
		Long: `A and B are files of results, ids or their beginnings, labels, @branches, commits
or latest; label~1 is the one before.

The unit is the case: repeats are averaged inside it. Passes and failures are
tested suite by suite, scores criterion by criterion, and errors are no
failures. "no difference shown" is not the same as none: what so few cases
cannot show is said with it. docs/eval-compare.md has the formulas.`,
		Example: `  cairn eval compare @main latest
  cairn eval compare before.json after.json --limit 0`,
		Args: usageArgs(cobra.ExactArgs(2)),
		RunE: func(_ *cobra.Command, args []string) error { return runEvalCompare(env, args[0], args[1], opts) },
	}
	f := cmd.Flags()
	f.Float64Var(&opts.alpha, "alpha", 0.05, "call a change real when its p-value, adjusted for all suites, is below this")
	f.Float64Var(&opts.confidence, "confidence", 0.95, "of the intervals")
	f.Uint64Var(&opts.seed, "seed", 0, "of the resampling: the same seed gives the same figures")
	f.StringVar(&opts.suite, "suite", "", "only this suite")
	f.IntVarP(&opts.limit, "limit", "n", 20, "of each list, at most so many lines; 0 is all")
	f.BoolVar(&opts.json, "json", false, "print everything as JSON")
	return cmd
}

func runEvalCompare(env *Env, refA, refB string, opts evalCompareOptions) error {
	if err := shareFlag("--alpha", opts.alpha); err != nil {
		return err
	}
	if err := shareFlag("--confidence", opts.confidence); err != nil {
		return err
	}
	a, b, err := findTwoRuns(env, refA, refB)
	if err != nil {
		return err
	}
	c := compare.Runs(a, b, compare.Options{Alpha: opts.alpha, Confidence: opts.confidence, Seed: opts.seed, Suite: opts.suite})
	c.A.Ref, c.B.Ref = refA, refB
	if opts.suite != "" && len(c.Suites) == 0 {
		return withKind(errUsage, fmt.Errorf("neither run has a suite %q", opts.suite))
	}
	if opts.json {
		return printJSON(env, c)
	}
	return c.Text(env.Stdout, compare.View{Paint: term.NewPaint(env.Stdout, env.Getenv), Limit: opts.limit})
}

// shareFlag wants a share of more than 0 and less than 1.
func shareFlag(name string, v float64) error {
	if v > 0 && v < 1 {
		return nil
	}
	return withKind(errUsage, fmt.Errorf("%s is a share between 0 and 1, such as 0.05", name))
}

// findTwoRuns finds both at a time.
func findTwoRuns(env *Env, refA, refB string) (a, b *result.Run, err error) {
	done := make(chan error, 1)
	go func() {
		var err error
		a, _, err = findRun(env, refA)
		done <- err
	}()
	b, _, errB := findRun(env, refB)
	if err := <-done; err != nil {
		return nil, nil, err
	}
	return a, b, errB
}
