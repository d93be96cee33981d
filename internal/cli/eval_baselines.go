package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"cairn/internal/atomicfile"
	"cairn/internal/command"
	"cairn/internal/home"
	"cairn/internal/team/eval"
	"cairn/internal/term"
	"cairn/internal/text"
)

type evalBaselinesOptions struct {
	team   bool
	filter eval.Filter
	label  string // without a tier
	labels int
	out    string
	json   bool
}

func newEvalBaselines(env *Env) *cobra.Command {
	var opts evalBaselinesOptions
	cmd := &cobra.Command{
		Use:   "baselines [DATE]",
		Short: "Write a Markdown report of where every suite stands, tier beside tier",
		Long: `For each suite and label the newest run that is not after DATE (2026-01-31;
today without one), in a column for each tier of judges: pass rates with
intervals, scores, cost, duration; then by category, and the cases that fail
most.`,
		Example: `  cairn eval baselines --label main -o docs/baselines.md
  cairn eval baselines 2026-01-31 --suite summaries`,
		Args: usageArgs(cobra.MaximumNArgs(1)),
		RunE: func(_ *cobra.Command, args []string) error { return runEvalBaselines(env, args, opts) },
	}
	f := cmd.Flags()
	teamFlag(f, &opts.team)
	f.StringVar(&opts.filter.Suite, "suite", "", "only this suite")
	f.StringVar(&opts.filter.Branch, "branch", "", "only runs of this branch")
	f.StringVar(&opts.filter.Repo, "repo", "", "another repository, as owner/name")
	f.StringVar(&opts.filter.Kind, "kind", "", "only this kind: eval, e2e, llm-judge, unit")
	f.StringVar(&opts.label, "label", "", "only this label, at all tiers")
	f.IntVarP(&opts.labels, "labels", "n", 3, "of each suite the newest so many labels; 0 is all")
	f.StringVarP(&opts.out, "output", "o", "", "write the report to `FILE`")
	f.BoolVar(&opts.json, "json", false, "print the figures as JSON")
	return cmd
}

func runEvalBaselines(env *Env, args []string, opts evalBaselinesOptions) error {
	runs, err := withTeam(env, opts.team)
	if err != nil {
		return err
	}
	now := time.Now()
	day, until := now, now
	if len(args) == 1 {
		var err error
		if day, err = time.ParseInLocation(time.DateOnly, args[0], now.Location()); err != nil {
			return command.Usagef("%q is no date: one like 2026-01-31 is wanted", term.Line(args[0]))
		}
		until = day.AddDate(0, 0, 1).Add(-time.Nanosecond)
	}
	if opts.labels < 0 {
		return command.Usagef("-n is 0 or more")
	}
	all, err := runs.list()
	if err != nil {
		return err
	}
	found := opts.filter.Of(ofThisRepo(env, all, &opts.filter))
	if opts.label != "" {
		found = eval.OfLabel(found, opts.label)
	}
	baselines, more := runs.Baselines(found, opts.filter.Suite, until, opts.labels)
	if opts.json {
		return printJSON(env, struct {
			Until     time.Time       `json:"until"`
			Baselines []eval.Baseline `json:"baselines"`
		}{until, append([]eval.Baseline{}, baselines...)})
	}
	if len(baselines) == 0 {
		sayNoRuns(env, len(all))
		return nil
	}
	if more > 0 {
		defer fmt.Fprintf(env.Stderr, "cairn: %s left out; --label NAME tells one, -n 0 all\n", text.Count(more, "older label"))
	}
	report := []byte(eval.Markdown(baselines, day))
	if opts.out == "" {
		_, err := env.Stdout.Write(report)
		return err
	}
	if err := os.MkdirAll(filepath.Dir(env.Path(opts.out)), home.SharedDir); err != nil {
		return err
	}
	if err := atomicfile.WriteFile(env.Path(opts.out), report, home.SharedFile); err != nil {
		return term.Hint(err, "name a file in a directory that you may write to")
	}
	sayWrote(env, opts.out)
	return nil
}
