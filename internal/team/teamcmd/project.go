package teamcmd

import (
	"errors"
	"log/slog"

	"github.com/google/uuid"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/must"
	"cairn/internal/team/db"
	"cairn/internal/team/db/notice"
	"cairn/internal/team/herald"
	"cairn/internal/team/link"
	"cairn/internal/team/notify"
	"cairn/internal/team/servecmd"
	"cairn/internal/term"
	"cairn/internal/version"
)

// sendFlags are those of commands that send what a server would.
func sendFlags() []command.Flag {
	return append(servecmd.MailFlags(), command.Flag{
		Name: "allow-private-webhooks", Default: false, Help: "let messages go to addresses of this machine and its network, also by http",
	})
}

// project makes a command of what a cairn server does by itself, and a cron job for
// a Supabase project, whose database CAIRN_DATABASE_URL has.
func project(fn func(*command.Call, *herald.Herald) (*answer.Answer, error)) func(*command.Call) (*answer.Answer, error) {
	return func(c *command.Call) (*answer.Answer, error) { return inProject(c, fn) }
}

func inProject(c *command.Call, fn func(*command.Call, *herald.Herald) (*answer.Answer, error)) (*answer.Answer, error) {
	url := c.Getenv(link.DatabaseURL)
	if url == "" {
		return withoutDatabase(c)
	}
	d, err := db.OpenProject(c, url)
	switch {
	case errors.Is(err, db.ErrServer):
		return serverDoes("the server of this database")
	case errors.Is(err, db.ErrEmpty):
		return nil, command.Data(term.Hint(errors.New("the project has no tables of cairn yet"), "cairn sync init --database - makes them"))
	case err != nil:
		return nil, link.DatabaseError(err)
	}
	defer d.Close()
	h := &herald.Herald{DB: d, Log: slog.New(slog.NewTextHandler(c.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))}
	config := notify.Config{Version: version.Full()}
	if c.Has("smtp-host") { // it may send something
		config.AllowPrivate = c.Bool("allow-private-webhooks")
		mailer, end := must.Get2(servecmd.Mailer(c, h.Log))
		defer end()
		if mailer != nil {
			config.Mailer = mailer
		}
	}
	h.Sender = notify.New(config)
	return fn(c, h)
}

// withoutDatabase says that the repository's server does it by itself, or asks
// for the project's database.
func withoutDatabase(c *command.Call) (*answer.Answer, error) {
	missing := command.Usage(term.Hint(errors.New("no database is named"), "%s has the URL of the Supabase project's database, from its page Connect", link.DatabaseURL))
	here, err := link.Find(c.Env)
	if err != nil || here == nil {
		return nil, missing
	}
	server := must.Get(here.Client())
	_, cairns, err := server.About(c)
	switch {
	case err != nil:
		return nil, err
	case !cairns:
		return nil, missing
	}
	return serverDoes(here.File.URL)
}

func serverDoes(who string) (*answer.Answer, error) {
	return done(struct {
		Automatic bool   `json:"automatic"`
		Server    string `json:"server"`
	}{true, who}, "%s does this by itself: there is nothing to do here", term.Line(who))
}

// projectTeam is the repository's team in a project's database, or its only one.
func projectTeam(c *command.Call, d *db.DB) (id uuid.UUID) {
	slug := ""
	if here, err := link.Find(c.Env); err == nil && here != nil {
		slug = here.File.Slug
	}
	err := d.View(c, db.ServerItself, func(tx *db.Tx) error {
		all, err := notice.AllSettings(c, tx, uuid.Nil)
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
	must.OK(err)
	return id
}
