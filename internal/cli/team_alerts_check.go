package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/team/alert"
	"cairn/internal/team/db"
	"cairn/internal/team/db/notice"
	"cairn/internal/team/herald"
	"cairn/internal/team/link"
	"cairn/internal/team/notify"
	"cairn/internal/term"
	"cairn/internal/text"
	"cairn/internal/version"
)

// tellOptions are how a verb that tells the team's channels does it.
type tellOptions struct {
	mail    mailOptions
	private bool
}

func (o *tellOptions) flags(cmd *cobra.Command) {
	o.mail.flags(cmd)
	cmd.Flags().BoolVar(&o.private, "allow-private-webhooks", false, "let messages go to addresses of this machine and its network, also by http")
}

func newTeamAlertsCheck(env *Env) *cobra.Command {
	var opts tellOptions
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Judge new runs of a Supabase project and tell the channels",
		Long: `Judges the runs that were pushed to a Supabase project since the last check, and
sends what is to be told: for a cron job. CAIRN_DATABASE_URL has the project's
database, which is neither kept nor shown. Several checks at once do no harm.

cairn serve does this by itself every few seconds.`,
		Example: `  cairn team alerts check
  cairn team alerts check --smtp-host smtp.example.com --smtp-user cairn --smtp-from cairn@example.com`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error { return runTeamAlertsCheck(env, opts) },
	}
	opts.flags(cmd)
	return cmd
}

func runTeamAlertsCheck(env *Env, opts tellOptions) error {
	ctx, stop := command.Interruptible(context.Background())
	defer stop()
	h, end, err := openHerald(ctx, env, opts)
	if err != nil || h == nil {
		return err
	}
	defer end()
	done, err := h.Round(ctx)
	if err == nil {
		_, err = notice.Sweep(ctx, h.DB, time.Now(), alert.Stale)
	}
	if err != nil {
		return link.DatabaseError(err)
	}
	if _, err := fmt.Fprintf(env.Stdout, "judged %s; %d fire, %d ended; %s sent\n", text.Count(done.Judged, "run"), done.Fired, done.Resolved, text.Count(done.Sent, "message")); err != nil {
		return err
	}
	return undelivered(done)
}

func undelivered(done herald.Done) error {
	if done.Failed == 0 {
		return nil
	}
	return term.Hint(fmt.Errorf("%s could not be sent", text.Count(done.Failed, "message")), "the next check tries again; cairn team alerts channel list says why")
}

// openHerald opens the database of CAIRN_DATABASE_URL for what a server would
// do. nil says that there is a server that does it.
func openHerald(ctx context.Context, env *Env, opts tellOptions) (*herald.Herald, func(), error) {
	url := env.Getenv(link.DatabaseURL)
	if url == "" {
		return nil, nil, withoutDatabase(ctx, env)
	}
	d, err := db.OpenProject(ctx, url)
	switch {
	case errors.Is(err, db.ErrServer):
		return nil, nil, serverDoes(env, "the server of this database")
	case errors.Is(err, db.ErrEmpty):
		return nil, nil, command.Data(term.Hint(errors.New("the project has no tables of cairn yet"), "cairn sync init --database - makes them"))
	case err != nil:
		return nil, nil, link.DatabaseError(err)
	}
	log := slog.New(slog.NewTextHandler(env.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	config := notify.Config{AllowPrivate: opts.private, Version: version.Full()}
	mailer, err := opts.mail.mailer(env, log)
	if err != nil {
		d.Close()
		return nil, nil, err
	}
	end := func() { d.Close() }
	if mailer != nil {
		config.Mailer = mailer
		end = func() { closeMailer(mailer); d.Close() }
	}
	return &herald.Herald{DB: d, Log: log, Sender: notify.New(config)}, end, nil
}

// withoutDatabase says that the repository's server does it by itself, or asks
// for the project's database.
func withoutDatabase(ctx context.Context, env *Env) error {
	missing := command.Usage(term.Hint(errors.New("no database is named"), "%s has the URL of the Supabase project's database, from its page Connect", link.DatabaseURL))
	s, err := link.Find(env)
	if err != nil || s == nil {
		return missing
	}
	c, err := s.Client()
	if err != nil {
		return err
	}
	_, cairns, err := c.About(ctx)
	switch {
	case err != nil:
		return err
	case !cairns:
		return missing
	}
	return serverDoes(env, s.File.URL)
}

func serverDoes(env *Env, who string) error {
	_, err := fmt.Fprintf(env.Stdout, "%s does this by itself: there is nothing to do here\n", term.Line(who))
	return err
}

// projectTeam is the repository's team in a project's database, or its only one.
func projectTeam(ctx context.Context, env *Env, d *db.DB) (id uuid.UUID, err error) {
	slug := ""
	if s, err := link.Find(env); err == nil && s != nil {
		slug = s.File.Slug
	}
	err = d.View(ctx, db.ServerItself, func(tx *db.Tx) error {
		all, err := notice.AllSettings(ctx, tx, uuid.Nil)
		for _, s := range all {
			if s.Slug == slug || slug == "" && len(all) == 1 {
				id = s.Team
			}
		}
		return err
	})
	if err == nil && id == uuid.Nil {
		err = command.Usage(term.Hint(errors.New("it is not clear which team of the project is meant"), "team_slug in .cairn/team.json says so"))
	}
	return id, err
}
