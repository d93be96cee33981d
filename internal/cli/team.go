package cli

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/term"
)

func newTeam(env *Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "team",
		Short: "Who is in the team, its CI's tokens, its alerts and its digest",
		Long: `Looks after the team of this repository, which .cairn/team.json names. An owner
may do everything, an admin everything but change owners; a member sees the
team's results and adds to them; ci only adds.`,
		Example: "  cairn team invite ada@example.com\n  cairn team members",
		Args:    command.KnownCommand,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(
		newTeamCreate(env),
		newTeamInvite(env),
		newTeamMembers(env),
		newTeamRole(env),
		newTeamRemove(env),
		newTeamLeave(env),
		newTeamToken(env),
		newTeamAlerts(env),
		newTeamDigest(env),
		newTeamAudit(env),
		newTeamQuota(env),
		newTeamRename(env),
		newTeamExport(env),
		newTeamDelete(env),
	)
	return cmd
}

// memberRoles are what a member can be; the first is what one becomes.
var memberRoles = [...]string{"member", "admin", "owner", "ci"}

// personRoles are those that the server's admin gives; ci is for what invites and tokens make.
var personRoles = [...]string{"member", "admin", "owner"}

func checkRole(role string, roles []string) error {
	for _, r := range roles {
		if role == r {
			return nil
		}
	}
	return command.Usage(term.Hint(errors.New("there is no role "+term.Printable(role)), "%s", strings.Join(roles, ", ")))
}
