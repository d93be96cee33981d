package cli

import (
	"cairn/internal/command"

	"github.com/spf13/cobra"
)

func newSync(env *Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "sync",
		Short: "Share results and records with the team",
		Long: `What you store is kept here first and then sent to the server that the
repository's .cairn/team.json names; what the team has is pulled into
.cairn/team-cache. Without the file, or with sync_enabled=false, nothing is
sent and nothing is asked.`,
		Example: "  cairn sync setup\n  cairn sync status",
		Args:    command.KnownCommand,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(
		newSyncInit(env),
		newSyncSetup(env),
		newSyncStatus(env),
		newSyncPull(env),
		newSyncShow(env),
		newSyncDrain(env),
		newSyncTest(env),
		newSyncCollect(env),
		newSyncMigrate(env),
		newSyncPushRetro(env),
		newSyncPushQA(env),
		newSyncPushShip(env),
		newSyncPushTriage(env),
		newSyncPushTranscript(env),
	)
	return cmd
}
