package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/team/link"
	"cairn/internal/term"
)

func newTeamRole(env *Env) *cobra.Command {
	return &cobra.Command{
		Use:     "role EMAIL ROLE",
		Short:   "Change what a member may do: member, admin, owner or ci",
		Example: "  cairn team role ada@example.com admin\n  cairn team role ada@example.com owner",
		Args:    usageArgs(cobra.ExactArgs(2)),
		RunE:    func(_ *cobra.Command, args []string) error { return runTeamRole(env, args[0], args[1]) },
	}
}

func runTeamRole(env *Env, email, role string) error {
	if err := checkRole(role, memberRoles[:]); err != nil {
		return err
	}
	ctx, stop := command.Interruptible(context.Background())
	defer stop()
	t, err := link.Open(ctx, env)
	if err != nil {
		return err
	}
	p, err := t.Find(ctx, t.ID, email)
	if err != nil {
		return err
	}
	if p.Role != role {
		if err := t.SetRole(ctx, t.ID, p.UserID, role); err != nil {
			return ownerHint(err)
		}
	}
	_, err = fmt.Fprintf(env.Stdout, "%s is %s\n", term.Line(p.Email), withArticle(role))
	return err
}

func withArticle(role string) string {
	switch role {
	case "owner", "admin":
		return "an " + role
	case "ci":
		return "a user for CI"
	}
	return "a " + role
}
