package cli

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"cairn/internal/team/db/account"
	"cairn/internal/term"
)

type serveUserBanOptions struct {
	store storeOptions
	lift  bool
}

func newServeUserBan(env *Env) *cobra.Command {
	var opts serveUserBanOptions
	cmd := &cobra.Command{
		Use:   "ban EMAIL",
		Short: "Sign a user out everywhere and keep them out, or let them back in",
		Example: `  cairn serve user ban ada@example.com
  cairn serve user ban ada@example.com --lift`,
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error { return runServeUserBan(cmd, env, &opts, args[0]) },
	}
	opts.store.flags(cmd)
	cmd.Flags().BoolVar(&opts.lift, "lift", false, "let them sign in again")
	return cmd
}

// forever is a ban's end that nobody lives to see.
const forever = 100 * 365 * 24 * time.Hour

func runServeUserBan(cmd *cobra.Command, env *Env, opts *serveUserBanOptions, email string) error {
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
	until, said := time.Now().Add(forever), "is banned and signed out"
	if opts.lift {
		until, said = time.Time{}, "may sign in again"
	}
	if _, err := accounts.Ban(cmd.Context(), u.ID, until); err != nil {
		return userError(err, email)
	}
	fmt.Fprintf(env.Stderr, "%s %s\n", term.Printable(u.Email), said)
	return nil
}
