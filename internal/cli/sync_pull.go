package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/team/client"
	"cairn/internal/team/link"
	"cairn/internal/term"
	"cairn/internal/text"
)

func newSyncPull(env *Env) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "pull",
		Short: "Bring what the team has into .cairn/team-cache",
		Long: `Asks the team's server for runs, ships, retrospectives, QA reports, triage,
daily sums and members that are new since the last pull, and writes them to
.cairn/team-cache, which git ignores. Other commands read only that. Where the
server cannot be reached, what is there stays.`,
		Example: "  cairn sync pull\n  cairn sync pull --json",
		Args:    usageArgs(cobra.NoArgs),
		RunE:    func(*cobra.Command, []string) error { return runSyncPull(env, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print what the cache has now as JSON")
	return cmd
}

func runSyncPull(env *Env, asJSON bool) error {
	ctx, stop := command.Interruptible(context.Background())
	defer stop()
	s, err := link.Want(env)
	if err != nil {
		return err
	}
	c, err := s.Client()
	if err != nil {
		return err
	}
	cache := client.OpenCache(s.Dir)
	meta, fresh, err := c.Pull(ctx, cache)
	if err != nil {
		if !meta.LastPull.IsZero() {
			term.Warn(env.Stderr, "the team's data stays as it was %s", text.Ago(meta.LastPull, time.Now()))
		}
		return err
	}
	s.DrainBehind(true)
	for _, sentence := range meta.Skipped {
		term.Warn(env.Stderr, "%s", sentence)
	}
	if asJSON {
		return printJSON(env, struct {
			LastPull time.Time                `json:"last_pull"`
			Fresh    int                      `json:"fresh"`
			Tables   map[string]client.Pulled `json:"tables"`
		}{meta.LastPull, fresh, meta.Tables})
	}
	rows := 0
	for name, t := range meta.Tables {
		if name != client.People && name != client.Pulses {
			rows += t.Rows
		}
	}
	_, err = fmt.Fprintf(env.Stdout, "%s of the team, %d new\n", text.Count(rows, "row"), fresh)
	return err
}
