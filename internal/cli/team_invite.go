package cli

import (
	"fmt"

	"github.com/spf13/cobra"

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
		Long: `Prints one command. Send it to the person you invite: it signs them in and makes
them a member. It works once, for seven days; a new invitation to the same
address ends the old one.`,
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
	if err := checkAddress(email); err != nil {
		return err
	}
	if err := checkRole(opts.role, []string{"member", "admin", "ci"}); err != nil {
		return err
	}
	ctx, stop := interruptible()
	defer stop()
	t, err := openTeam(ctx, env)
	if err != nil {
		return err
	}
	token, err := t.InviteMember(ctx, t.id, email, opts.role)
	if err != nil {
		return err
	}
	link := t.URL() + "#" + token
	if opts.json {
		return printJSON(env, struct {
			Email   string `json:"email"`
			Role    string `json:"role"`
			Link    string `json:"link"`
			Command string `json:"command"`
		}{email, opts.role, link, "cairn sync setup --invite " + link})
	}
	fmt.Fprintf(env.Stderr, "send this to %s; it works once, for seven days:\n", term.Printable(email))
	_, err = fmt.Fprintf(env.Stdout, "cairn sync setup --invite %s\n", link)
	return err
}
