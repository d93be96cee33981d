package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/team/db"
	"cairn/internal/team/db/account"
	"cairn/internal/term"
)

func newServeUser(env *Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "user",
		Short: "List, add and remove who may sign in, on the server's machine",
		Long: `Works on the server's own data, with --data, --database and --config as serve
has them; the server may run meanwhile.`,
		Example: "  cairn serve user list\n  cairn serve user add ada@example.com --team platform",
		Args:    command.KnownCommand,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newServeUserList(env), newServeUserAdd(env), newServeUserLink(env), newServeUserRemove(env), newServeUserBan(env), newServeUserResetTOTP(env),
		newServeUserExport(env), newServeUserErase(env))
	return cmd
}

// userError gives what went wrong with a user, or a team, its code and remedy.
func userError(err error, email string) error {
	switch {
	case errors.Is(err, account.ErrNotFound):
		return command.Data(term.Hint(fmt.Errorf("%s: %w", term.Printable(email), err), "cairn serve user list shows who is there"))
	case errors.Is(err, db.ErrNoTeam):
		return command.Data(term.Hint(err, "cairn serve team list shows those that are there"))
	case errors.Is(err, account.ErrEmail), errors.Is(err, account.ErrEmailTaken), errors.Is(err, db.ErrNoMember):
		return command.Dataf("%s: %w", term.Printable(email), err)
	case errors.Is(err, db.ErrTeamSlug), errors.Is(err, db.ErrTeamTaken):
		return command.Data(err)
	case errors.Is(err, account.ErrLastOwner), errors.Is(err, db.ErrLastOwner):
		return term.Hint(err, "cairn serve team add TEAM EMAIL --role owner")
	}
	return err
}

// everyone lists all people of a server.
func everyone(ctx context.Context, a *account.Accounts) (out []account.User, err error) {
	const many = 1000
	for page := 1; ; page++ {
		users, total, err := a.Users(ctx, page, many)
		if out = append(out, users...); err != nil || len(out) >= total || len(users) == 0 {
			return out, err
		}
	}
}
