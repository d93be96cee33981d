package cli

import (
	"cairn/internal/command"

	"github.com/spf13/cobra"
)

func newServeTeam(env *Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "team",
		Short: "List and make teams and their members, on the server's machine",
		Long: `Works on the server's own data, with --data, --database and --config as serve
has them; the server may run meanwhile.`,
		Example: "  cairn serve team create platform --owner ada@example.com\n  cairn serve team add platform grace@example.com --role admin",
		Args:    command.KnownCommand,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newServeTeamList(env), newServeTeamCreate(env), newServeTeamAdd(env), newServeTeamRemove(env),
		newServeTeamRename(env), newServeTeamQuota(env), newServeTeamExport(env), newServeTeamDelete(env))
	return cmd
}
