package cli

import (
	"cairn/internal/command"

	"github.com/spf13/cobra"
)

func newMigrate(env *Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "migrate",
		Short:   "Take over what another tool kept",
		Example: "  cairn migrate gstack --dry-run\n  cairn migrate gsd",
		Args:    command.KnownCommand,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newMigrateGSD(env), newMigrateGstack(env))
	return cmd
}
