package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"cairn/internal/team/db/account"
	"cairn/internal/term"
)

func newServeTeamRemove(env *Env) *cobra.Command {
	var opts storeOptions
	cmd := &cobra.Command{
		Use:   "remove SLUG EMAIL",
		Short: "Take a user out of a team; what it sent stays",
		Example: `  cairn serve team remove platform grace@example.com
  cairn serve team remove platform grace@example.com --data /srv/cairn`,
		Args: usageArgs(cobra.ExactArgs(2)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runServeTeamRemove(cmd, env, &opts, args[0], args[1])
		},
	}
	opts.flags(cmd)
	return cmd
}

func runServeTeamRemove(cmd *cobra.Command, env *Env, opts *storeOptions, slug, email string) error {
	st, err := opts.join(cmd, env)
	if err != nil {
		return err
	}
	defer st.Close()
	u, err := account.New(st.DB).UserByEmail(cmd.Context(), email)
	if err != nil {
		return userError(err, email)
	}
	if err := st.DB.RemoveMember(cmd.Context(), slug, u.ID); err != nil {
		return userError(err, email)
	}
	fmt.Fprintf(env.Stderr, "%s is no longer in %s\n", term.Printable(u.Email), slug)
	return nil
}
