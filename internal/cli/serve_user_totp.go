package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"cairn/internal/team/db/account"
	"cairn/internal/term"
)

func newServeUserResetTOTP(env *Env) *cobra.Command {
	var store storeOptions
	cmd := &cobra.Command{
		Use:   "reset-totp EMAIL",
		Short: "Switch off a user's two-factor sign-in",
		Long: `For a user who has lost the authenticator app: removes the second factor and
signs the user out everywhere. Make sure that it is the user who asks.`,
		Example: `  cairn serve user reset-totp ada@example.com
  cairn serve user reset-totp ada@example.com --data /var/lib/cairn`,
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error { return runServeUserResetTOTP(cmd, env, &store, args[0]) },
	}
	store.flags(cmd)
	return cmd
}

func runServeUserResetTOTP(cmd *cobra.Command, env *Env, store *storeOptions, email string) error {
	st, err := store.join(cmd, env)
	if err != nil {
		return err
	}
	defer st.Close()
	accounts := account.New(st.DB)
	u, err := accounts.UserByEmail(cmd.Context(), email)
	if err != nil {
		return userError(err, email)
	}
	factors, err := accounts.Factors(cmd.Context(), u.ID)
	if err == nil && len(factors) == 0 {
		fmt.Fprintf(env.Stderr, "%s has no second factor\n", term.Printable(u.Email))
		return nil
	}
	if err == nil {
		_, err = accounts.ResetFactors(cmd.Context(), u.ID)
	}
	if err != nil {
		return userError(err, email)
	}
	fmt.Fprintf(env.Stderr, "%s signs in without a second factor again, and is signed out everywhere\n", term.Printable(u.Email))
	return nil
}
