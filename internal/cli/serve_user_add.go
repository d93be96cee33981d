package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"cairn/internal/team/db/account"
	"cairn/internal/team/server/auth"
	"cairn/internal/term"
)

type serveUserAddOptions struct {
	store           storeOptions
	team, role, url string
	json            bool
}

func newServeUserAdd(env *Env) *cobra.Command {
	var opts serveUserAddOptions
	cmd := &cobra.Command{
		Use:   "add EMAIL",
		Short: "Let somebody sign in, and print the link for it",
		Long: `Makes a user, a member of a team with --team, and prints a link that is good for
seven days and for one sign-in. Who has it is that user: hand it over in
private.`,
		Example: `  cairn serve user add ada@example.com
  cairn serve user add grace@example.com --team platform --role admin`,
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error { return runServeUserAdd(cmd, env, &opts, args[0]) },
	}
	opts.store.flags(cmd)
	f := cmd.Flags()
	f.StringVar(&opts.team, "team", "", "slug of the team that it becomes a member of")
	f.StringVar(&opts.role, "role", "member", "owner, admin or member of that team")
	f.StringVar(&opts.url, "url", "", "how the server is reached (default: as it was when it last started)")
	f.BoolVar(&opts.json, "json", false, "print the link as JSON")
	return cmd
}

func runServeUserAdd(cmd *cobra.Command, env *Env, opts *serveUserAddOptions, email string) error {
	if err := checkRole(opts.role, personRoles[:]); err != nil {
		return err
	}
	st, err := opts.store.join(cmd, env)
	if err != nil {
		return err
	}
	defer st.Close()
	ctx := cmd.Context()
	site, err := siteURL(ctx, st, opts.url)
	if err != nil {
		return err
	}
	if opts.team != "" {
		if err := st.DB.HasTeam(ctx, opts.team); err != nil {
			return userError(err, email)
		}
	}
	accounts := account.New(st.DB)
	u, err := accounts.CreateUser(ctx, account.NewUser{Email: email, Invited: true})
	if err != nil {
		return userError(err, email)
	}
	if opts.team != "" {
		if err := st.DB.SetMember(ctx, opts.team, u.ID, opts.role); err != nil {
			return userError(err, email)
		}
	}
	return printLink(ctx, env, accounts, site, u, account.Invite, opts.json)
}

// shownLink is what --json prints of a link.
type shownLink struct {
	Email string `json:"email"`
	Link  string `json:"link"`
	Code  string `json:"code"` // to type instead
}

// printLink issues a link for a user and prints it.
func printLink(ctx context.Context, env *Env, accounts *account.Accounts, site string, u account.User, kind account.Kind, asJSON bool) error {
	token, code, err := accounts.Issue(ctx, account.Ticket{Kind: kind, User: u.ID, Email: u.Email, RedirectTo: site})
	if err != nil {
		return err
	}
	shown := shownLink{Email: u.Email, Link: auth.Link(site, kind, token, site), Code: code}
	if asJSON {
		return printJSON(env, shown)
	}
	life := "an hour"
	if kind == account.Invite {
		life = "seven days"
	}
	fmt.Fprintf(env.Stderr, "%s signs in with this link, once, within %s; the code %s can be typed instead\n", term.Printable(u.Email), life, code)
	fmt.Fprintf(env.Stderr, "open the link in a browser, or give it or the code to cairn sync setup --email %s or to the sign-in page\n", term.Printable(u.Email))
	_, err = fmt.Fprintln(env.Stdout, shown.Link)
	return err
}
