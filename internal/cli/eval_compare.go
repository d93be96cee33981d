package cli

import (
	"bytes"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/git"
	"cairn/internal/team/compare"
	"cairn/internal/team/eval"
	"cairn/internal/team/evalpage"
	"cairn/internal/term"
)

type evalCompareOptions struct {
	team bool
	compare.Options
	limit       int
	allAttempts bool
	json        bool
	markdown    bool
	html        string
}

func newEvalCompare(env *Env) *cobra.Command {
	var opts evalCompareOptions
	cmd := &cobra.Command{
		Use:   "compare [A] [B]",
		Short: "Say what changed from run A to run B, and what of it is more than noise",
		Long: `A and B are files of results, ids or their beginnings, labels, @branches,
commits, latest, previous or merge-base; label~1 is the one before. Without B
it is latest, and without A what the branch started from (merge-base).

The unit is the case: repeats are averaged inside it. Passes and failures are
tested suite by suite, scores criterion by criterion, and an error is no
failure. "no difference shown" is not the same as none: what so few cases
cannot show is said with it. docs/eval-compare.md has the formulas.`,
		Example: `  cairn eval compare @main latest
  cairn eval compare before.json after.json --html compare.html`,
		Args: usageArgs(cobra.MaximumNArgs(2)),
		RunE: func(_ *cobra.Command, args []string) error { return runEvalCompare(env, args, opts) },
	}
	f := cmd.Flags()
	teamFlag(f, &opts.team)
	f.Float64Var(&opts.Alpha, "alpha", 0.05, "call a change real when its p-value, adjusted for all suites, is below this")
	f.Float64Var(&opts.Confidence, "confidence", 0.95, "of the intervals")
	f.Uint64Var(&opts.Seed, "seed", 0, "of the resampling: the same seed gives the same figures")
	f.StringVar(&opts.Suite, "suite", "", "only this suite")
	f.BoolVar(&opts.allAttempts, "all-attempts", false, "take all runs of a run's commit together, as its repeats")
	f.IntVarP(&opts.limit, "limit", "n", 20, "of each list, at most so many lines; 0 is all")
	f.BoolVar(&opts.json, "json", false, "print everything as JSON")
	f.BoolVar(&opts.markdown, "markdown", false, "print Markdown for a pull request")
	f.StringVar(&opts.html, "html", "", "write a page that needs nothing else to `FILE`")
	return cmd
}

func runEvalCompare(env *Env, args []string, opts evalCompareOptions) error {
	c, err := compareRuns(env, args, opts)
	if err != nil {
		return err
	}
	if opts.html != "" {
		var page bytes.Buffer
		if err := evalpage.Compare(&page, c); err != nil {
			return err
		}
		if err := writeReports(env, []reportFile{{opts.html, page.Bytes()}}); err != nil {
			return err
		}
		sayWrote(env, opts.html)
	}
	switch {
	case opts.json:
		return printJSON(env, c)
	case opts.markdown:
		_, err := fmt.Fprint(env.Stdout, c.Markdown(opts.limit))
		return err
	}
	return c.Text(env.Stdout, compare.View{Paint: term.NewPaint(env.Stdout, env.Getenv), Limit: opts.limit})
}

// compareRuns finds both runs and says on stderr what a reader should know of
// them.
func compareRuns(env *Env, args []string, opts evalCompareOptions) (*compare.Comparison, error) {
	runs, err := withTeam(env, opts.team)
	if err != nil {
		return nil, err
	}
	if err := opts.check(); err != nil {
		return nil, err
	}
	refA, refB := "", eval.Latest
	if len(args) > 0 {
		refA = args[0]
	}
	if len(args) > 1 {
		refB = args[1]
	}
	if refA == "" {
		if refA = eval.MergeBase; !git.Repo(env.Here()) {
			refA = eval.Previous
		}
	}
	a, b, err := findTwo(runs, refA, refB, opts.allAttempts)
	if err != nil && a.Run == nil && b.Run != nil && len(args) == 0 {
		return nil, command.Usage(term.Hint(fmt.Errorf("no baseline: %w", err), "name run A: cairn eval compare A latest"))
	}
	if err != nil {
		return nil, err
	}
	c := compare.Runs(a.Run, b.Run, opts.Options)
	c.A.Ref, c.B.Ref = refA, refB
	if opts.Suite != "" && len(c.Suites) == 0 {
		return nil, command.Usagef("neither run has a suite %q", opts.Suite)
	}
	return c, nil
}

func (o evalCompareOptions) check() error {
	switch {
	case !(o.Alpha > 0 && o.Alpha < 1):
		return command.Usagef("--alpha is a share between 0 and 1, such as 0.05")
	case !(o.Confidence > 0 && o.Confidence < 1):
		return command.Usagef("--confidence is a share between 0 and 1, such as 0.95")
	case o.limit < 0:
		return command.Usagef("--limit is from 0")
	case o.json && o.markdown:
		return command.Usagef("--json or --markdown, not both")
	}
	return nil
}

// findTwo finds what is compared: two files at a time, and for anything else A
// once B is known.
func findTwo(runs runStore, refA, refB string, allAttempts bool) (a, b eval.Selection, err error) {
	env := runs.env
	if !isFile(env.Path(refA)) || !isFile(env.Path(refB)) {
		f := runFinder{runs: runs, allAttempts: allAttempts}
		if a, b, err = f.findPair(refA, refB); err == nil {
			printNote(env, a)
			printNote(env, b)
		}
		return a, b, err
	}
	done := make(chan error, 1)
	go func() {
		var err error
		a, err = (&runFinder{runs: runs}).find(refA, nil)
		done <- err
	}()
	b, errB := (&runFinder{runs: runs}).find(refB, nil)
	if err := <-done; err != nil {
		return a, b, err
	}
	if errB == nil && sameFile(env.Path(refA), env.Path(refB)) {
		b = a
	}
	return a, b, errB
}

// sameFile reports whether two files hold the same.
func sameFile(a, b string) bool {
	fa, errA := os.Stat(a)
	fb, errB := os.Stat(b)
	if errA != nil || errB != nil || fa.Size() != fb.Size() {
		return false
	}
	if os.SameFile(fa, fb) {
		return true
	}
	one, errA := os.ReadFile(a)
	two, errB := os.ReadFile(b)
	return errA == nil && errB == nil && bytes.Equal(one, two)
}
