package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"cairn/internal/team/db/account"
	"cairn/internal/term"
)

type serveUserRemoveOptions struct {
	store storeOptions
	yes   bool
}

func newServeUserRemove(env *Env) *cobra.Command {
	var opts serveUserRemoveOptions
	cmd := &cobra.Command{
		Use:   "remove EMAIL",
		Short: "Remove a user; what it sent to its teams stays",
		Example: `  cairn serve user remove ada@example.com
  cairn serve user remove ada@example.com --yes`,
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error { return runServeUserRemove(cmd, env, &opts, args[0]) },
	}
	opts.store.flags(cmd)
	cmd.Flags().BoolVar(&opts.yes, "yes", false, "do not ask")
	return cmd
}

func runServeUserRemove(cmd *cobra.Command, env *Env, opts *serveUserRemoveOptions, email string) error {
	st, err := opts.store.join(cmd, env)
	if err != nil {
		return err
	}
	defer st.Close()
	accounts := account.New(st.DB)
	u, err := accounts.UserByEmail(cmd.Context(), email)
	if err != nil {
		return userError(err, email)
	}
	if ok, err := env.Confirm(opts.yes, "remove "+term.Printable(u.Email)+" and sign it out everywhere?"); err != nil || !ok {
		return err
	}
	if err := accounts.DeleteUser(cmd.Context(), u.ID); err != nil {
		return userError(err, email)
	}
	fmt.Fprintf(env.Stderr, "%s is removed\n", term.Printable(u.Email))
	return nil
}
