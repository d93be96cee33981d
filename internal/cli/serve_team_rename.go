package cli

import (
	"fmt"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"cairn/internal/team/db"
	"cairn/internal/team/link"
	"cairn/internal/team/wire"
)

type serveTeamRenameOptions struct {
	store storeOptions
	to    wire.TeamChange
}

func newServeTeamRename(env *Env) *cobra.Command {
	var opts serveTeamRenameOptions
	cmd := &cobra.Command{
		Use:   "rename SLUG [NEW]",
		Short: "Give a team another slug or name",
		Long: `Changes what a team is called. The old slug leads to it until the team has had
three others since, and no other team can take it.`,
		Example: `  cairn serve team rename platform platform-team
  cairn serve team rename platform --name "Platform team"`,
		Args: usageArgs(cobra.RangeArgs(1, 2)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 2 {
				opts.to.Slug = args[1]
			}
			return runServeTeamRename(cmd, env, &opts, args[0])
		},
	}
	opts.store.flags(cmd)
	cmd.Flags().StringVar(&opts.to.Name, "name", "", "what people read")
	return cmd
}

func runServeTeamRename(cmd *cobra.Command, env *Env, opts *serveTeamRenameOptions, slug string) error {
	if err := link.CheckChange(opts.to); err != nil {
		return err
	}
	st, err := opts.store.join(cmd, env)
	if err != nil {
		return err
	}
	defer st.Close()
	ctx := cmd.Context()
	var team uuid.UUID
	err = st.DB.View(ctx, db.ServerItself, func(tx *db.Tx) (err error) {
		team, err = tx.FindTeam(ctx, slug)
		return err
	})
	if err == nil {
		err = st.DB.RenameTeam(ctx, team, opts.to.Slug, opts.to.Name, func(*db.Tx) error { return nil })
	}
	if err != nil {
		return userError(err, "")
	}
	fmt.Fprintf(env.Stderr, "%s is renamed\n", slug)
	return nil
}
