package cli

import "github.com/spf13/cobra"

func newSync(env *Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "sync",
		Short:   "Share records with the team",
		Example: "  cairn sync push-retro retro.json\n  cairn sync push-ship ship.json",
		Args:    knownVerb,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(
		newSyncPushRetro(env),
		newSyncPushQA(env),
		newSyncPushShip(env),
		newSyncPushTriage(env),
	)
	return cmd
}
