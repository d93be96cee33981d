package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/team/client"
	"cairn/internal/team/link"
	"cairn/internal/term"
	"cairn/internal/text"
)

type collectOptions struct{ dryRun, json bool }

func newSyncCollect(env *Env) *cobra.Command {
	var opts collectOptions
	cmd := &cobra.Command{
		Use:   "collect",
		Short: "Send the team what git, the plan and your agents' work tell",
		Long: `Queues what nobody has to write down, and delivers it: weeks of the last two
years and ships, from git; how far .planning/ is, and each workstream of it; for
each day what compaction saved in this repository. Only while sync_transcripts
is true also how many sessions, turns, prompts and calls of tools a day had:
figures, no word of what was said.

What was queued before and is as it was is left out: run it as often as you
like. cairn up does the same.`,
		Example: "  cairn sync collect\n  cairn sync collect --dry-run --json",
		Args:    usageArgs(cobra.NoArgs),
		RunE:    func(*cobra.Command, []string) error { return runSyncCollect(env, opts) },
	}
	f := cmd.Flags()
	f.BoolVar(&opts.dryRun, "dry-run", false, "say what would be queued, and queue nothing")
	f.BoolVar(&opts.json, "json", false, "print what was collected as JSON")
	return cmd
}

func runSyncCollect(env *Env, opts collectOptions) error {
	ctx, stop := command.Interruptible(context.Background())
	defer stop()
	s, err := link.Want(env)
	if err != nil {
		return err
	}
	c := collectorOf(s)
	all := []collectedTable{}
	err = c.gather(ctx, opts.dryRun, func(name string, tables []collectedTable, err error) {
		if err != nil {
			term.Warn(env.Stderr, "%s is left out: %v", name, err)
		}
		all = append(all, tables...)
		if text := collectedText(c, name, tables); text != "" && !opts.json {
			fmt.Fprintf(env.Stdout, "%-9s  %s\n", name, text)
		}
	})
	if err != nil {
		return err
	}
	var report client.Drained
	if !opts.dryRun {
		report, err = c.deliver(ctx)
	}
	if opts.json {
		if jerr := printJSON(env, struct {
			Collected []collectedTable `json:"collected"`
			Delivered int              `json:"delivered"`
			Refused   int              `json:"refused"`
			Failed    int              `json:"failed"` // they wait
		}{all, report.Delivered.N(), report.Refused.N(), report.Failed}); jerr != nil {
			return jerr
		}
	} else if !opts.dryRun {
		s := text.Count(report.Delivered.N(), "record")
		if len(report.Stopped) > 0 {
			s += ", the others are " + link.WhyQueued(report.Stopped)
		}
		fmt.Fprintf(env.Stdout, "delivered  %s\n", s)
	}
	return err
}
