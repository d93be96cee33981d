package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"cairn/internal/team/db/account"
	"cairn/internal/team/db/erase"
	"cairn/internal/term"
)

type serveUserEraseOptions struct {
	store storeOptions
	names []string
	yes   bool
}

func newServeUserErase(env *Env) *cobra.Command {
	var opts serveUserEraseOptions
	cmd := &cobra.Command{
		Use:   "erase EMAIL",
		Short: "Erase a person: account, address, machines, transcripts",
		Long: `Deletes a person's account, sessions, memberships, transcripts and invitations,
and removes their address, their machines' names and their name as an author
from what they sent to teams. Those rows stay, by nobody, so that the teams'
figures stay right. Free text is not searched: titles, branches, reports. The
last owner of a team cannot be erased. docs/server.md has every table.`,
		Example: `  cairn serve user erase ada@example.com
  cairn serve user erase ada@example.com --name "Ada Lovelace" --name ada --yes`,
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error { return runServeUserErase(cmd, env, &opts, args[0]) },
	}
	opts.store.flags(cmd)
	cmd.Flags().StringArrayVar(&opts.names, "name", nil, "a name that git has of the person, beside the address")
	cmd.Flags().BoolVar(&opts.yes, "yes", false, "do not ask")
	return cmd
}

func runServeUserErase(cmd *cobra.Command, env *Env, opts *serveUserEraseOptions, email string) error {
	st, err := opts.store.join(cmd, env)
	if err != nil {
		return err
	}
	defer st.Close()
	ctx := cmd.Context()
	u, err := account.New(st.DB).UserByEmail(ctx, email)
	if err != nil {
		return userError(err, email)
	}
	if ok, err := env.Confirm(opts.yes, "erase "+term.Printable(u.Email)+", for good?"); err != nil || !ok {
		return err
	}
	if err := erase.BeginPerson(ctx, st.DB, u.ID, opts.names); err != nil {
		return userError(err, email)
	}
	if err := erase.FinishPerson(ctx, st.DB, u.ID); err != nil {
		return term.Hint(err, "the account is gone; the server erases the rest by itself")
	}
	fmt.Fprintf(env.Stderr, "%s is erased\n", term.Printable(u.Email))
	return nil
}
