package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"

	"cairn/internal/command"
	"cairn/internal/config"
	"cairn/internal/home"
	"cairn/internal/project"
	"cairn/internal/team/client"
	"cairn/internal/team/spool"
	"cairn/internal/term"
)

// teamSync is the team of the repository that a verb runs in: what its
// team.json says and what the user wants of it.
type teamSync struct {
	env     *Env
	repo    home.Repo
	dir     *project.Dir // its .cairn; nil with no repository
	read    []byte       // its team.json
	home    home.Home
	team    config.Team
	enabled bool // sync_enabled, or credentials of CI and no word against it
	own     bool // the server is of this machine: credentials of CI are not for it
	set     config.Config
}

// findSync returns the team of this repository whether or not the user wants
// sync, nil where there is none.
func findSync(env *Env) (*teamSync, error) {
	repo := home.FindRepo(env.Here(), env.Getenv)
	if repo == "" {
		return nil, nil
	}
	s := &teamSync{env: env, repo: repo, home: home.Find(env.Getenv)}
	s.dir = project.Open(s.home, repo)
	var err error
	if s.team, s.read, err = config.ReadTeam(s.dir); isNotThere(err) {
		return nil, nil
	}
	s.set, _ = config.Load(env.Here(), env.Getenv)
	s.enabled = s.set.Bool(config.SyncEnabled)
	if v, _ := s.set.Value(config.SyncEnabled); v.Source.Kind == config.Default && s.options().CI.Given() {
		s.enabled = true // who gives a job a token wants it used
	}
	if err == nil && !s.trusted() {
		return s, command.Auth(term.Hint(fmt.Errorf("%w: %s names %s", errUntrustedTeam, repo.Team(), term.Line(s.team.URL)),
			"cairn sync setup signs in there, if it is your team's; cairn trust shows what it would do"))
	}
	return s, command.Data(err)
}

// errUntrustedTeam is in the error for a repository whose team.json came with
// it: nobody is asked anything by its word, and nothing is kept for its server.
var errUntrustedTeam = errors.New("this repository's team is not trusted")

// trusted reports whether the person trusts team.json, or a job of CI has
// credentials: those go only where CAIRN_URL says, which client.Open sees to.
func (s *teamSync) trusted() bool {
	return s.dir.Trusts(project.Team, s.read) || s.options().CI.Given()
}

// trust records team.json as it was read.
func (s *teamSync) trust() error {
	if s.dir == nil || s.read == nil {
		return nil // the server was named on the command line
	}
	return s.dir.Trust(map[string][]byte{project.Team: s.read})
}

// wantSync returns the team of this repository for a verb that is of no use
// without one.
func wantSync(env *Env) (*teamSync, error) {
	s, err := findSync(env)
	switch {
	case err != nil && (s.enabled || !errors.Is(err, errUntrustedTeam)):
		return nil, err
	case s == nil:
		return nil, noTeam("cairn sync init --url URL --team NAME writes it")
	case !s.enabled:
		return nil, command.Usage(term.Hint(errors.New("sync is switched off: sync_enabled is false"), "cairn sync setup signs in and switches it on"))
	}
	return s, nil
}

// noTeam is the error of a verb that needs a team, with what makes one.
func noTeam(hint string) error {
	return command.Usage(term.Hint(errors.New("this repository has no team: there is no .cairn/team.json"), "%s", hint))
}

// options are what a client for the repository's server needs to know.
func (s *teamSync) options() client.Options {
	return s.optionsFor(s.team.URL, s.team.AnonKey)
}

// optionsFor is options for any server: the queue may hold records for several.
func (s *teamSync) optionsFor(url, key string) client.Options {
	env := s.env
	o := client.Options{
		URL: url, AnonKey: key, Home: s.home, Version: version(), Log: client.OpenLog(s.home),
		CI:           client.CI{Token: env.Getenv("CAIRN_ACCESS_TOKEN"), Email: env.Getenv("CAIRN_CI_EMAIL"), Password: env.Getenv("CAIRN_CI_PASSWORD")},
		InsecureHTTP: env.Getenv("CAIRN_INSECURE_HTTP") == "1",
	}
	if s.own {
		o.CI = client.CI{}
	}
	if cleanURL(url) == cleanURL(s.team.URL) {
		o.TeamSlug = s.team.Slug
	}
	if u := env.Getenv("CAIRN_URL"); u != "" {
		o.Pinned = append(o.Pinned, u)
	}
	return o
}

// client returns the client of the repository's server. It makes no request.
func (s *teamSync) client() (*client.Client, error) { return client.Open(s.options()) }

// queue is the queue of records, which are put for the repository's server.
func (s *teamSync) queue() *spool.Spool {
	q := spool.Open(s.home.Queue())
	q.URL, q.Team = cmp.Or(cleanURL(s.team.URL), s.team.URL), s.team.Slug
	return q
}

func cleanURL(url string) string {
	clean, _ := client.CleanURL(url)
	return clean
}

// interruptible ends with Ctrl-C. A second one ends the process: who is asked
// for something at the terminal is not waited for.
func interruptible() (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

// teamName is how a team is called to its people.
func (s *teamSync) teamName() string {
	return term.Line(cmp.Or(s.team.Slug, fmt.Sprintf("the team on %s", s.team.URL)))
}
