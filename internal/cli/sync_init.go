package cli

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"cairn/internal/command"
	"cairn/internal/config"
	"cairn/internal/git"
	"cairn/internal/home"
	"cairn/internal/project"
	"cairn/internal/team/client"
	"cairn/internal/team/link"
	"cairn/internal/term"
)

type syncInitOptions struct {
	url, claim, email string
	team, name        string
	anonKey           string
	database          string
	printSQL          bool
	output            string
}

func newSyncInit(env *Env) *cobra.Command {
	var opts syncInitOptions
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Give this repository a team: its server, and .cairn/team.json",
		Long: `Done once for a repository, by one person; what it writes is committed.

On a cairn server that was just started, --claim takes the token that it
printed: you become its first user and the owner of the team. On one that you
are signed in to, the team is found or made.

A Supabase project first needs the team's tables: --database - asks for the URL
of its database and makes them, CAIRN_DATABASE_URL has it where nobody sits, and
--print-sql prints them to paste into the SQL editor. A service-role key cannot
make tables. The URL is not kept, logged or shown.`,
		Example: `  cairn sync init --url http://127.0.0.1:7373 --claim TOKEN
  cairn sync init --database - && cairn sync init --url https://xyz.supabase.co --anon-key KEY --team acme`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error { return runSyncInit(env, opts) },
	}
	f := cmd.Flags()
	f.StringVar(&opts.url, "url", "", "the server")
	f.StringVar(&opts.claim, "claim", "", "the token that a fresh cairn server printed; - reads it from stdin")
	f.StringVar(&opts.email, "email", "", "your address (default: git's user.email)")
	f.StringVar(&opts.team, "team", "", "slug of the team (default: who owns the repository)")
	f.StringVar(&opts.name, "name", "", "what people call a new team (default: its slug)")
	f.StringVar(&opts.anonKey, "anon-key", "", "a Supabase project's public key: anon or sb_publishable_…")
	f.StringVar(&opts.database, "database", "", "make the tables of a Supabase project: - asks for its database's URL")
	f.BoolVar(&opts.printSQL, "print-sql", false, "print the tables of a Supabase project as SQL to paste")
	f.StringVarP(&opts.output, "output", "o", "", "write that SQL to this file")
	return cmd
}

func runSyncInit(env *Env, opts syncInitOptions) error {
	if opts.printSQL || opts.output != "" {
		return printSchema(env, opts.output)
	}
	if err := checkAnonKey(opts.anonKey); err != nil {
		return err
	}
	ctx, stop := command.Interruptible(context.Background())
	defer stop()
	if opts.database != "" || opts.url == "" && env.Getenv(link.DatabaseURL) != "" {
		if err := migrateProject(ctx, env, opts.database); err != nil || opts.url == "" {
			return err
		}
	}
	repo, done, err := initialized(env, opts.url)
	if err != nil || done {
		return err
	}
	if opts.url == "" {
		return command.Usage(term.Hint(errors.New("no server is named"), "cairn sync init --url URL; cairn serve starts one, docs/supabase.md is about a Supabase project"))
	}
	if opts.team == "" {
		opts.team = teamSlug(string(repo))
	}
	if err := link.CheckSlug(opts.team); err != nil {
		return err
	}
	if err := opts.signIn(ctx, env, repo); err != nil {
		return err
	}
	return opts.write(ctx, env, repo)
}

// initialized reports whether the repository has a team already; one on another
// server than url is an error.
func initialized(env *Env, url string) (home.Repo, bool, error) {
	repo := home.FindRepo(env.Here(), env.Getenv)
	if repo == "" {
		return "", false, command.Usage(term.Hint(errors.New("this is no repository: no .git and no .cairn is here or above"), "git init makes one"))
	}
	team, _, err := config.ReadTeam(project.Open(home.Find(env.Getenv), repo))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return repo, false, nil
	case err != nil:
		return repo, false, command.Data(err)
	case url != "" && link.CleanURL(url) != link.CleanURL(team.URL):
		return repo, false, command.Usage(term.Hint(fmt.Errorf("%s names a team already, on %s", repo.Team(), term.Printable(team.URL)), "remove the file first, if the team has moved"))
	}
	fmt.Fprintf(env.Stderr, "%s names a team already: %s on %s\n", term.Printable(repo.Team()), term.Line(team.Slug), term.Line(team.URL))
	term.PrintHint(env.Stderr, "cairn sync setup signs in, cairn sync test tries the whole path")
	return repo, true, nil
}

// server returns a client of the server that the options name.
func (o syncInitOptions) server(env *Env, repo home.Repo) (*client.Client, error) {
	s := link.Named(env, repo, config.Team{URL: o.url, AnonKey: o.anonKey, Slug: o.team})
	opts := s.Options()
	opts.CI = client.CI{} // a person makes a team
	return client.Open(opts)
}

// signIn makes sure of a session with the server, and finds its public key.
func (o *syncInitOptions) signIn(ctx context.Context, env *Env, repo home.Repo) error {
	c, err := o.server(env, repo)
	if err != nil {
		return err
	}
	if o.anonKey == "" {
		if err := o.askKey(ctx, c); err != nil {
			return err
		}
		if c, err = o.server(env, repo); err != nil {
			return err
		}
	} else if err := hasSchema(ctx, c); err != nil {
		return err
	}
	session, err := c.Session()
	if err != nil || session.SignedIn() {
		return err
	}
	if o.claim == "" {
		in := &signIn{env: env, client: c, opts: setupOptions{email: o.email}, lines: bufio.NewReader(env.Stdin)}
		return in.run(ctx)
	}
	if o.claim == "-" {
		line, err := env.ReadLine()
		if err != nil {
			return command.Usage(errors.New("no token came on stdin"))
		}
		o.claim = strings.TrimSpace(string(line))
	}
	if o.email == "" {
		o.email = gitEmail(env)
	}
	if err := link.CheckAddress(o.email); err != nil {
		return term.Hint(err, "--email YOU@EXAMPLE.COM")
	}
	err = c.Claim(ctx, client.InviteToken(o.claim), o.email)
	var e *client.Error
	if errors.As(err, &e) && (e.Kind == client.ErrDenied || e.Kind == client.ErrRefused || e.Kind == client.ErrSignIn) {
		return term.Hint(err, "a token lasts for 30 minutes and works once; cairn serve claim prints another while the server has no owner")
	}
	return err
}

// askKey asks a cairn server for its public key.
func (o *syncInitOptions) askKey(ctx context.Context, c *client.Client) error {
	about, cairns, err := c.About(ctx)
	if err == nil && !cairns {
		err = command.Usage(term.Hint(fmt.Errorf("%s is no cairn server", c.URL()), "a Supabase project needs --anon-key: its public key, from the project's settings"))
	}
	o.anonKey = about.AnonKey
	return err
}

// hasSchema makes sure that a Supabase project has the team's tables.
func hasSchema(ctx context.Context, c *client.Client) error {
	ok, err := c.HasSchema(ctx)
	if err == nil && !ok {
		err = command.Data(term.Hint(fmt.Errorf("%s has no tables for teams yet", c.URL()),
			"cairn sync init --database - makes them; cairn sync init --print-sql prints them to paste into the SQL editor"))
	}
	return err
}

// write finds or makes the team and writes what is committed.
func (o syncInitOptions) write(ctx context.Context, env *Env, repo home.Repo) error {
	c, err := o.server(env, repo)
	if err != nil {
		return err
	}
	made := false
	if _, err = c.Team(ctx, o.team); errors.Is(err, client.ErrDenied) {
		made = true
		_, err = c.CreateTeam(ctx, o.team, cmp.Or(o.name, o.team))
	}
	if err != nil {
		return term.Hint(err, "--team SLUG names another; who owns that team can invite you")
	}
	if err := config.WriteTeam(project.Open(home.Find(env.Getenv), repo), config.Team{URL: c.URL(), AnonKey: o.anonKey, Slug: o.team}); err != nil {
		return err
	}
	if err := client.OpenCache(project.Open(home.Find(env.Getenv), repo)).Ignore(); err != nil {
		return err
	}
	if top, ok := git.Top(string(repo)); ok { // where cairn up kept the file out of git
		if err := exclude(top, repo, false); err != nil {
			term.Warn(env.Stderr, "git may ignore %s: %v", repo.Team(), err)
		}
	}
	if _, err := config.SetUser(home.Find(env.Getenv), config.SyncEnabled, "true"); err != nil {
		return err
	}
	word := "found"
	if made {
		word = "made; you are its owner"
	}
	fmt.Fprintf(env.Stdout, "team %s is %s\n", o.team, word)
	fmt.Fprintf(env.Stdout, "%s is written: commit it and %s\n", repo.Team(), repo.Ignore())
	term.PrintHint(env.Stderr, "cairn team invite SOMEBODY@EXAMPLE.COM; cairn eval push FILE")
	return nil
}
