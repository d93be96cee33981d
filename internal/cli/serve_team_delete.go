package cli

import (
	"fmt"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"cairn/internal/team/db"
	"cairn/internal/team/db/erase"
)

type serveTeamDeleteOptions struct {
	store storeOptions
	yes   bool
}

func newServeTeamDelete(env *Env) *cobra.Command {
	var opts serveTeamDeleteOptions
	cmd := &cobra.Command{
		Use:   "delete SLUG",
		Short: "Delete a team and everything in it, for good",
		Long: `Deletes a team: results, records, members, tokens, alerts. When the command ends
with 0, nothing of it is in the database except ids in the audit log. People
keep their accounts. Backups, and on SQLite the write-ahead log until the next
checkpoint, still have it; see docs/server.md.`,
		Example: `  cairn serve team delete platform
  cairn serve team delete platform --yes`,
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error { return runServeTeamDelete(cmd, env, &opts, args[0]) },
	}
	opts.store.flags(cmd)
	cmd.Flags().BoolVar(&opts.yes, "yes", false, "do not ask")
	return cmd
}

func runServeTeamDelete(cmd *cobra.Command, env *Env, opts *serveTeamDeleteOptions, slug string) error {
	st, err := opts.store.join(cmd, env)
	if err != nil {
		return err
	}
	defer st.Close()
	ctx := cmd.Context()
	if err := st.DB.HasTeam(ctx, slug); err != nil { // not by a slug that it had before
		return userError(err, "")
	}
	if ok, err := env.ConfirmName(opts.yes, slug); err != nil || !ok {
		return err
	}
	var team uuid.UUID
	err = st.DB.View(ctx, db.ServerItself, func(tx *db.Tx) (err error) {
		team, err = tx.FindTeam(ctx, slug)
		return err
	})
	if err == nil {
		_, err = erase.BeginTeam(ctx, st.DB, team, func(*db.Tx) error { return nil })
	}
	if err == nil {
		err = erase.FinishTeam(ctx, st.DB, team)
	}
	if err != nil {
		return userError(err, "")
	}
	fmt.Fprintf(env.Stderr, "%s is deleted\n", slug)
	return nil
}
