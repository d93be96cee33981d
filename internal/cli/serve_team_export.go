package cli

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"cairn/internal/team/db"
	"cairn/internal/team/db/account"
	"cairn/internal/team/db/audit"
	"cairn/internal/team/db/export"
	"cairn/internal/team/server"
	"cairn/internal/version"
)

type serveExportOptions struct {
	store          storeOptions
	output, person string
	json           bool
}

func (o *serveExportOptions) flags(cmd *cobra.Command) {
	o.store.flags(cmd)
	cmd.Flags().StringVar(&o.output, "output", "", "file to write; it must not be there yet")
	cmd.Flags().BoolVar(&o.json, "json", false, "print the manifest as JSON")
}

func newServeTeamExport(env *Env) *cobra.Command {
	var opts serveExportOptions
	cmd := &cobra.Command{
		Use:   "export SLUG --output FILE",
		Short: "Export everything of a team, or of one member",
		Long: `Writes what the server has of a team into FILE, a ZIP archive as cairn team
export writes it. With --person it is what of the team is that person's.`,
		Example: `  cairn serve team export platform --output platform.zip
  cairn serve team export platform --person ada@example.com --output ada.zip`,
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error { return runServeExport(cmd, env, &opts, args[0]) },
	}
	opts.flags(cmd)
	cmd.Flags().StringVar(&opts.person, "person", "", "only what is of the person with this address")
	return cmd
}

func newServeUserExport(env *Env) *cobra.Command {
	var opts serveExportOptions
	cmd := &cobra.Command{
		Use:   "export EMAIL --output FILE",
		Short: "Export everything of a person, of all teams",
		Long: `Writes what the server has of a person into FILE, a ZIP archive as cairn team
export writes it: account, sessions, memberships, invitations to the address,
what they sent to their teams, and audit entries by and about them.`,
		Example: `  cairn serve user export ada@example.com --output ada.zip
  cairn serve user export ada@example.com --output ada.zip --json`,
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.person = args[0]
			return runServeExport(cmd, env, &opts, "")
		},
	}
	opts.flags(cmd)
	return cmd
}

// runServeExport exports a team, a person, or what is a person's of a team.
func runServeExport(cmd *cobra.Command, env *Env, opts *serveExportOptions, slug string) error {
	if err := checkOutput(opts.output); err != nil {
		return err
	}
	st, err := opts.store.join(cmd, env)
	if err != nil {
		return err
	}
	defer st.Close()
	what, err := whatToExport(cmd.Context(), st, slug, opts.person)
	if err != nil {
		return userError(err, opts.person)
	}
	return writeExport(env, opts.output, opts.json, func(w io.Writer) error {
		_, err := export.Write(cmd.Context(), st.DB, what, w)
		return err
	})
}

// whatToExport finds the team and the person, and notes the export.
func whatToExport(ctx context.Context, st *server.Store, slug, email string) (what export.What, err error) {
	what.Version = version.Full()
	entry := audit.Entry{Action: audit.TeamExported}
	if email != "" {
		u, err := account.New(st.DB).UserByEmail(ctx, email)
		if err != nil {
			return what, err
		}
		what.Person, what.Account = u.ID, slug == ""
		entry.Action, entry.Object = audit.PersonExported, audit.ID(u.ID)
	}
	err = st.DB.Update(ctx, db.ServerItself, func(tx *db.Tx) (err error) {
		if slug != "" {
			if what.Team, err = tx.FindTeam(ctx, slug); err != nil {
				return err
			}
			entry.Team = audit.ID(what.Team)
		}
		return audit.Write(ctx, tx, entry)
	})
	return what, err
}
