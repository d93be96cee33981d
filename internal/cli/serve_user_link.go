package cli

import (
	"github.com/spf13/cobra"

	"cairn/internal/team/db/account"
)

type serveUserLinkOptions struct {
	store storeOptions
	url   string
	json  bool
}

func newServeUserLink(env *Env) *cobra.Command {
	var opts serveUserLinkOptions
	cmd := &cobra.Command{
		Use:   "link EMAIL",
		Short: "Print a link with which a user signs in, where no mail is sent",
		Long: `Prints a link that is good for an hour and for one sign-in. Who has it is that
user: hand it over in private. A link that was printed before is void.`,
		Example: `  cairn serve user link ada@example.com
  cairn serve user link ada@example.com --url https://cairn.example.com`,
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error { return runServeUserLink(cmd, env, &opts, args[0]) },
	}
	opts.store.flags(cmd)
	f := cmd.Flags()
	f.StringVar(&opts.url, "url", "", "how the server is reached (default: as it was when it last started)")
	f.BoolVar(&opts.json, "json", false, "print the link as JSON")
	return cmd
}

func runServeUserLink(cmd *cobra.Command, env *Env, opts *serveUserLinkOptions, email string) error {
	st, err := opts.store.join(cmd, env)
	if err != nil {
		return err
	}
	defer st.Close()
	site, err := siteURL(cmd.Context(), st, opts.url)
	if err != nil {
		return err
	}
	accounts := account.New(st.DB)
	u, err := accounts.UserByEmail(cmd.Context(), email)
	if err != nil {
		return userError(err, email)
	}
	return printLink(cmd.Context(), env, accounts, site, u, account.MagicLink, opts.json)
}
