package synccmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/config"
	"cairn/internal/git"
	"cairn/internal/home"
	"cairn/internal/must"
	"cairn/internal/project"
	"cairn/internal/team/client"
	"cairn/internal/team/link"
	"cairn/internal/term"
)

func initCommand() *command.Command {
	return &command.Command{
		Path:  "sync init",
		Short: "Link this repository to a team and write .cairn/team.json",
		Long: `One person does this once for a repository and commits what it writes.

--claim takes the token that a new cairn server printed: you become its first user
and the owner of the team. On a server that you are signed in to, the team is
found or made.

A Supabase project needs the team's tables first. --database - asks for the URL of
its database and makes them; CAIRN_DATABASE_URL sets it in scripts. --print-sql
prints them to paste into the SQL editor. A service-role key cannot make tables.
The URL is neither stored nor logged nor shown.`,
		Examples: []string{
			"cairn sync init --url http://127.0.0.1:7373 --claim TOKEN",
			"cairn sync init --database - && cairn sync init --url https://xyz.supabase.co --anon-key KEY --team acme",
		},
		Flags: []command.Flag{
			{Name: "url", Default: "", Help: "`URL` of the server"},
			{Name: "claim", Default: "", Help: "`TOKEN` that a new cairn server printed; - reads it from stdin"},
			{Name: "email", Default: "", Help: "your e-mail address (default: git's user.email)"},
			{Name: "team", Default: "", Help: "`SLUG` of the team (default: the repository's owner)"},
			{Name: "name", Default: "", Help: "display name of a new team (default: its slug)"},
			{Name: "anon-key", Default: "", Help: "public `KEY` of a Supabase project: anon or sb_publishable_…"},
			{Name: "database", Default: "", Help: "make the tables of a Supabase project; - asks for its database's URL"},
			{Name: "print-sql", Default: false, Help: "print the tables of a Supabase project as SQL"},
			{Name: "output", Short: "o", Default: "", Help: "write that SQL to this `FILE`"},
		},
		Effect: command.Writes, Waits: true, Run: runInit,
	}
}

// linked is what --json prints of the team that a repository has.
type linked struct {
	File string `json:"file"`
	URL  string `json:"url"`
	Team string `json:"team"`
	Made bool   `json:"made"` // it was not there before
}

func runInit(c *command.Call) (*answer.Answer, error) {
	if c.Bool("print-sql") || c.String("output") != "" {
		return schema(c, c.String("output"))
	}
	checkAnonKey(c.String("anon-key"))
	var before answer.Views
	url := c.String("url")
	if c.String("database") != "" || url == "" && c.Getenv(link.DatabaseURL) != "" {
		a := must.Get(migrateProject(c, c.String("database")))
		if url == "" {
			return a, nil
		}
		before = answer.Views{a.View}
	}
	repo := home.FindRepo(c.Here(), c.Getenv)
	if repo == "" {
		return nil, command.Usage(term.Hint(errors.New("this is no repository: no .git and no .cairn is here or above"), "git init makes one"))
	}
	team, _, err := config.ReadTeam(project.Open(home.Find(c.Getenv), repo))
	switch {
	case err == nil && url != "" && link.CleanURL(url) != link.CleanURL(team.URL):
		return nil, command.Usage(term.Hint(fmt.Errorf("%s names a team already, on %s", repo.Team(), term.Printable(team.URL)), "remove the file first, if the team has moved"))
	case err == nil:
		return &answer.Answer{
			Data: linked{repo.Team(), team.URL, team.Slug, false},
			Said: fmt.Sprintf("%s names a team already: %s on %s", term.Printable(repo.Team()), term.Line(team.Slug), term.Line(team.URL)),
			Hint: "cairn sync setup signs in, cairn sync test tries the whole path",
		}, nil
	case !errors.Is(err, fs.ErrNotExist):
		return nil, command.Data(err)
	case url == "":
		return nil, command.Usage(term.Hint(errors.New("no server is named"), "cairn sync init --url URL; cairn serve starts one, docs/supabase.md is about a Supabase project"))
	}
	s := link.Named(c.Env, repo, config.Team{URL: url, AnonKey: c.String("anon-key"), Slug: cmp.Or(c.String("team"), link.DefaultSlug(string(repo)))})
	must.OK(link.CheckSlug(s.File.Slug))
	meet(c, s)
	a := must.Get(writeTeam(c, s))
	a.View = append(before, a.View)
	return a, nil
}

// meet makes sure of a session with the server, and finds its public key.
func meet(c *command.Call, s *link.Checkout) {
	server := must.Get(s.Person())
	if s.File.AnonKey != "" {
		hasSchema(c, server)
	} else {
		askKey(c, s, server)
		server = must.Get(s.Person())
	}
	session, err := server.Session()
	if err != nil || session.SignedIn() {
		must.OK(err)
		return
	}
	claim, email := c.String("claim"), c.String("email")
	if claim == "" {
		must.OK(newSignIn(c, server, email).run(c))
		return
	}
	if claim == "-" {
		line, err := c.ReadLine()
		if err != nil {
			must.Fail(command.Usage(errors.New("no token came on stdin")))
		}
		claim = strings.TrimSpace(string(line))
	}
	if email == "" {
		email = git.Email(c.Here())
	}
	if err := link.CheckAddress(email); err != nil {
		must.Fail(term.Hint(err, "--email YOU@EXAMPLE.COM"))
	}
	err = server.Claim(c, client.InviteToken(claim), email)
	if e, ok := errors.AsType[*client.Error](err); ok && (e.Kind == client.ErrDenied || e.Kind == client.ErrRefused || e.Kind == client.ErrSignIn) {
		must.Fail(term.Hint(err, "a token lasts for 30 minutes and works once; cairn serve claim prints another while the server has no owner"))
	}
	must.OK(err)
}

// askKey asks a cairn server for its public key.
func askKey(ctx context.Context, s *link.Checkout, server *client.Client) {
	about, cairns, err := server.About(ctx)
	if err == nil && !cairns {
		err = command.Usage(term.Hint(fmt.Errorf("%s is no cairn server", server.URL()), "a Supabase project needs --anon-key: its public key, from the project's settings"))
	}
	s.File.AnonKey = about.AnonKey
	must.OK(err)
}

// hasSchema makes sure that a Supabase project has the team's tables.
func hasSchema(ctx context.Context, server *client.Client) {
	ok, err := server.HasSchema(ctx)
	if err == nil && !ok {
		err = command.Data(term.Hint(fmt.Errorf("%s has no tables for teams yet", server.URL()),
			"cairn sync init --database - makes them; cairn sync init --print-sql prints them to paste into the SQL editor"))
	}
	must.OK(err)
}

// writeTeam finds or makes the team and writes what is committed.
func writeTeam(c *command.Call, s *link.Checkout) (*answer.Answer, error) {
	server := must.Get(s.Person())
	made, err := server.EnsureTeam(c, s.File.Slug, c.String("name"))
	if err != nil {
		return nil, term.Hint(err, "--team SLUG names another; who owns that team can invite you")
	}
	s.File.URL = server.URL()
	must.OK(config.WriteTeam(s.Dir, s.File))
	must.OK(client.OpenCache(s.Dir).Ignore())
	if err := link.Exclude(s.Repo, false); err != nil { // where cairn up kept the file out of git
		term.Warn(c.Stderr, "git may ignore %s: %v", s.Repo.Team(), err)
	}
	if _, err := config.SetUser(s.Home, config.SyncEnabled, "true"); err != nil {
		return nil, err
	}
	word := "found"
	if made {
		word = "made; you are its owner"
	}
	return &answer.Answer{
		Data: linked{s.Repo.Team(), s.File.URL, s.File.Slug, made}, Done: true,
		View: answer.Line("team %s is %s\n%s is written: commit it and %s", s.File.Slug, word, s.Repo.Team(), s.Repo.Ignore()),
		Hint: "cairn team invite SOMEBODY@EXAMPLE.COM; cairn eval push FILE",
	}, nil
}
