package cli

import (
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"cairn/internal/team/db"
	"cairn/internal/team/db/account"
	"cairn/internal/team/db/audit"
	"cairn/internal/term"
)

type serveAuditOptions struct {
	store storeOptions
	audit auditOptions
	team  string
}

func newServeAudit(env *Env) *cobra.Command {
	var opts serveAuditOptions
	cmd := &cobra.Command{
		Use:   "audit",
		Short: "Show who did what on the server, when and from where",
		Long: `Lists the audit log, the newest first: sign-ins, accounts, exports, deletions,
new keys, what operators did, and what was done to teams. Entries hold ids and
no contents; nobody can change them. --audit-days of cairn serve says how long
they stay.`,
		Example: `  cairn serve audit
  cairn serve audit --team platform --since 90d --json`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return runServeAudit(cmd, env, &opts) },
	}
	opts.store.flags(cmd)
	opts.audit.flags(cmd)
	cmd.Flags().StringVar(&opts.team, "team", "", "only what was done to the team with this slug")
	return cmd
}

func runServeAudit(cmd *cobra.Command, env *Env, opts *serveAuditOptions) error {
	since, err := opts.audit.from(time.Now())
	if err != nil {
		return err
	}
	st, err := opts.store.join(cmd, env)
	if err != nil {
		return err
	}
	defer st.Close()
	ctx := cmd.Context()
	var list []audit.Entry
	err = st.DB.View(ctx, db.ServerItself, func(tx *db.Tx) error {
		f := audit.Filter{Since: since, Most: opts.audit.limit}
		if opts.team != "" {
			team, err := tx.FindTeam(ctx, opts.team)
			if err != nil {
				return err
			}
			f.Team = audit.ID(team)
		}
		var err error
		list, err = audit.List(ctx, tx, f)
		return err
	})
	if err != nil {
		return userError(err, "")
	}
	names := map[uuid.UUID]string{}
	if !opts.audit.json {
		users, err := everyone(ctx, account.New(st.DB))
		if err != nil {
			return err
		}
		for _, u := range users {
			names[u.ID] = term.Line(u.Email)
		}
	}
	var shown []auditEntry
	for _, e := range list {
		shown = append(shown, auditEntry{e.ID, e.At, maybeID(e.Team), e.Actor, maybeID(e.User), maybeID(e.Token), e.Action, maybeID(e.Object), e.Detail, e.Address})
	}
	return printAudit(env, shown, names, opts.audit)
}

func maybeID(id uuid.NullUUID) *uuid.UUID {
	if !id.Valid {
		return nil
	}
	return &id.UUID
}
