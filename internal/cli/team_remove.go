package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/team/client"
	"cairn/internal/team/link"
	"cairn/internal/term"
)

func newTeamRemove(env *Env) *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:     "remove EMAIL",
		Short:   "Take a member out of the team; what they sent stays",
		Example: "  cairn team remove ada@example.com\n  cairn team remove ada@example.com --yes",
		Args:    usageArgs(cobra.ExactArgs(1)),
		RunE:    func(_ *cobra.Command, args []string) error { return runTeamRemove(env, args[0], yes) },
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return cmd
}

func newTeamLeave(env *Env) *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:     "leave",
		Short:   "Leave the team; what you sent stays",
		Example: "  cairn team leave\n  cairn team leave --yes",
		Args:    usageArgs(cobra.NoArgs),
		RunE:    func(*cobra.Command, []string) error { return runTeamRemove(env, "", yes) },
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return cmd
}

// runTeamRemove removes a member; "" is oneself.
func runTeamRemove(env *Env, email string, yes bool) error {
	ctx, stop := command.Interruptible(context.Background())
	defer stop()
	t, err := link.Open(ctx, env)
	if err != nil {
		return err
	}
	user, question, done := client.Person{}, fmt.Sprintf("leave %s?", t.Name()), fmt.Sprintf("you left %s", t.Name())
	if email == "" {
		user.UserID, err = t.Me(ctx)
	} else {
		user, err = t.Find(ctx, t.ID, email)
		question = fmt.Sprintf("take %s out of %s?", term.Line(user.Email), t.Name())
		done = fmt.Sprintf("%s is not in %s any more", term.Line(user.Email), t.Name())
	}
	if err != nil {
		return err
	}
	if ok, err := env.Confirm(yes, question); err != nil || !ok {
		return err
	}
	if err := t.Remove(ctx, t.ID, user.UserID); err != nil {
		return ownerHint(err)
	}
	_, err = fmt.Fprintln(env.Stdout, done)
	return err
}

// ownerHint says how the last owner can go.
func ownerHint(err error) error {
	var e *client.Error
	if errors.As(err, &e) && e.Code == "23514" {
		return term.Hint(err, "make somebody else an owner first: cairn team role EMAIL owner")
	}
	return err
}
