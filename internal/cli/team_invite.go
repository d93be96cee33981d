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

type teamInviteOptions struct {
	role string
	json bool
}

func newTeamInvite(env *Env) *cobra.Command {
	var opts teamInviteOptions
	cmd := &cobra.Command{
		Use:   "invite EMAIL",
		Short: "Invite someone, and print the command that they run",
		Long: `Prints a command, and the address of a page that does the same in a browser.
Send both to the person you invite: either signs them in and makes them a
member. An invitation works for the invited address only, once, for seven days;
a new invitation to the same address ends the old one.`,
		Example: "  cairn team invite ada@example.com\n  cairn team invite bot@example.com --role ci",
		Args:    usageArgs(cobra.ExactArgs(1)),
		RunE:    func(_ *cobra.Command, args []string) error { return runTeamInvite(env, args[0], opts) },
	}
	f := cmd.Flags()
	f.StringVar(&opts.role, "role", "member", "what they become: member, admin or ci")
	f.BoolVar(&opts.json, "json", false, "print the invitation as JSON")
	return cmd
}

func runTeamInvite(env *Env, email string, opts teamInviteOptions) error {
	if err := link.CheckAddress(email); err != nil {
		return err
	}
	if err := checkRole(opts.role, []string{"member", "admin", "ci"}); err != nil {
		return err
	}
	ctx, stop := command.Interruptible(context.Background())
	defer stop()
	t, err := link.Open(ctx, env)
	if err != nil {
		return err
	}
	token, err := t.InviteMember(ctx, t.ID, email, opts.role)
	var e *client.Error
	if errors.As(err, &e) && e.Code == "23505" {
		return term.Hint(err, "cairn team role %s ROLE changes what they may do", email)
	}
	if err != nil {
		return err
	}
	link := t.URL() + "#" + token
	page := ""
	if _, cairns, err := t.About(ctx); err == nil && cairns { // a Supabase project has no page for it
		page = t.URL() + "/join?token=" + token
	}
	if opts.json {
		return printJSON(env, struct {
			Email   string `json:"email"`
			Role    string `json:"role"`
			Link    string `json:"link"`
			Command string `json:"command"`
			Page    string `json:"page,omitzero"` // that accepts it in a browser
		}{email, opts.role, link, "cairn sync setup --invite " + link, page})
	}
	fmt.Fprintf(env.Stderr, "send this to %s; it works once, for seven days, and for that address only:\n", term.Printable(email))
	if _, err = fmt.Fprintf(env.Stdout, "cairn sync setup --invite %s\n", link); err == nil && page != "" {
		_, err = fmt.Fprintf(env.Stdout, "# or in a browser: %s\n", page) // a comment, so that a shell can run both lines
	}
	return err
}
