package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"cairn/internal/team/db/account"
	"cairn/internal/term"
)

type serveTeamAddOptions struct {
	store storeOptions
	role  string
}

func newServeTeamAdd(env *Env) *cobra.Command {
	var opts serveTeamAddOptions
	cmd := &cobra.Command{
		Use:   "add SLUG EMAIL",
		Short: "Put a user into a team, or give a member another role",
		Example: `  cairn serve team add platform grace@example.com
  cairn serve team add platform grace@example.com --role owner`,
		Args: usageArgs(cobra.ExactArgs(2)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runServeTeamAdd(cmd, env, &opts, args[0], args[1])
		},
	}
	opts.store.flags(cmd)
	cmd.Flags().StringVar(&opts.role, "role", "member", "owner, admin or member")
	return cmd
}

func runServeTeamAdd(cmd *cobra.Command, env *Env, opts *serveTeamAddOptions, slug, email string) error {
	if err := checkRole(opts.role, personRoles[:]); err != nil {
		return err
	}
	st, err := opts.store.join(cmd, env)
	if err != nil {
		return err
	}
	defer st.Close()
	u, err := account.New(st.DB).UserByEmail(cmd.Context(), email)
	if err != nil {
		return userError(err, email)
	}
	if err := st.DB.SetMember(cmd.Context(), slug, u.ID, opts.role); err != nil {
		return userError(err, email)
	}
	fmt.Fprintf(env.Stderr, "%s is in %s as %s\n", term.Printable(u.Email), slug, opts.role)
	return nil
}
