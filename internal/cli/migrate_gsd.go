package cli

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/plan"
	"cairn/internal/plan/migrate"
	"cairn/internal/plan/plancmd"
	"cairn/internal/plan/settings"
	"cairn/internal/term"
)

type migrateGSDOptions struct {
	dir    string
	json   bool
	dryRun bool
}

func newMigrateGSD(env *Env) *cobra.Command {
	var opts migrateGSDOptions
	cmd := &cobra.Command{
		Use:   "gsd",
		Short: "Take over a .planning directory that get-shit-done made",
		Long: `Cairn reads such a directory as it is. This gives settings and files the names
that cairn writes, and removes locks and temporary files of processes that
ended. It prints each change, says what it left alone, and is one change that
"cairn plan undo" takes back.`,
		Example: "  cairn migrate gsd --dry-run\n  cairn migrate gsd -C ../other-project",
		Args:    usageArgs(cobra.NoArgs),
		RunE:    func(cmd *cobra.Command, _ []string) error { return runMigrateGSD(cmd.Context(), env, opts) },
	}
	cmd.Flags().StringVarP(&opts.dir, "dir", "C", ".", "the project, or a directory in it")
	cmd.Flags().BoolVar(&opts.json, "json", false, "print an object {changed, kept}, each a list of {path, what}")
	cmd.Flags().BoolVar(&opts.dryRun, "dry-run", false, "change nothing and print what would change, as a diff")
	return cmd
}

func runMigrateGSD(ctx context.Context, env *Env, opts migrateGSDOptions) error {
	if fi, err := os.Stat(env.Path(opts.dir)); err != nil || !fi.IsDir() {
		return command.Usagef("%s is not a directory", opts.dir)
	}
	w, err := plan.Open(env.Path(opts.dir), "")
	if err != nil {
		return err
	}
	if !w.Exists() {
		return command.Data(term.Hint(fmt.Errorf("%w in %s", plan.ErrNoProject, w.Root), "there is nothing to take over; cairn plan init makes a new one"))
	}
	if ctx == nil {
		ctx = context.Background()
	}
	w.DryRun = opts.dryRun
	var steps []migrate.Step
	change, err := w.Update(ctx, "migrate gsd", func(tx *plan.Tx) (err error) {
		steps, err = migrate.GSD(tx)
		return err
	})
	if err != nil {
		return plancmd.KindOf(err)
	}
	changed, kept := []migrate.Step{}, []migrate.Step{}
	for _, s := range steps {
		if s.Kept {
			kept = append(kept, s)
		} else {
			changed = append(changed, s)
		}
	}
	if opts.json {
		return printJSON(env, map[string]any{"changed": changed, "kept": kept})
	}
	if opts.dryRun {
		settings.MaskChange(change)
		fmt.Fprint(env.Stdout, change.Diff())
		changed = nil
	}
	for _, s := range changed {
		fmt.Fprintf(env.Stdout, "%s: %s\n", s.Path, s.What)
	}
	for _, s := range kept {
		term.Warn(env.Stderr, "%s: %s", s.Path, s.What)
	}
	if len(steps) == 0 {
		fmt.Fprintln(env.Stdout, "nothing to change")
	}
	return nil
}
