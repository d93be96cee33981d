package cli

import (
	"errors"
	"time"

	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/team/db"
	"cairn/internal/team/db/quota"
	"cairn/internal/team/wire"
)

type serveTeamQuotaOptions struct {
	store    storeOptions
	quotas   quotaFlags
	defaults bool
	json     bool
}

func newServeTeamQuota(env *Env) *cobra.Command {
	var opts serveTeamQuotaOptions
	cmd := &cobra.Command{
		Use:   "quota SLUG",
		Short: "Show or change how much a team may have",
		Long: `Shows a team's limits and how much of them is used. A flag gives the team a
limit of its own, none or 0 for no limit; --default gives it the server's again,
those of cairn serve --team-rows and the like. A change works at once and is in
the audit log. Whatever exceeds a new limit stays and can be read and deleted.
Only new data is refused.`,
		Example: `  cairn serve team quota platform
  cairn serve team quota platform --rows 50M --bytes 60GB
  cairn serve team quota platform --default`,
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error { return runServeTeamQuota(cmd, env, &opts, args[0]) },
	}
	opts.store.flags(cmd)
	opts.quotas.add(cmd, "", "")
	f := cmd.Flags()
	f.BoolVar(&opts.defaults, "default", false, "give the team the server's limits")
	f.BoolVar(&opts.json, "json", false, "print JSON")
	return cmd
}

func runServeTeamQuota(cmd *cobra.Command, env *Env, opts *serveTeamQuotaOptions, slug string) error {
	given := opts.quotas.given()
	if opts.defaults && len(given) > 0 {
		return command.Usage(errors.New("--default takes all limits of the team back: leave the other flags out"))
	}
	st, err := opts.store.join(cmd, env)
	if err != nil {
		return err
	}
	defer st.Close()
	ctx := cmd.Context()
	change := st.DB.View // whoever only looks leaves nothing
	if opts.defaults || len(given) > 0 {
		change = st.DB.Update
	}
	var list []wire.Quota
	err = change(ctx, db.ServerItself, func(tx *db.Tx) error {
		team, err := tx.FindTeam(ctx, slug)
		switch {
		case err != nil:
		case opts.defaults:
			err = quota.Reset(ctx, tx, team)
		case len(given) > 0:
			err = quota.Set(ctx, tx, team, given)
		}
		if err != nil {
			return err
		}
		list, err = quota.Of(ctx, tx, team, time.Now())
		return err
	})
	if err != nil {
		return userError(err, "")
	}
	return printQuotas(env, list, opts.json)
}
