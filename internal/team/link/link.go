// Package link is what a checkout has to do with a team: which one its
// .cairn/team.json names, whether the person trusts that file and wants sync, and
// the client, the queue and the database that follow from it.
package link

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"cairn/internal/command"
	"cairn/internal/config"
	"cairn/internal/home"
	"cairn/internal/project"
	"cairn/internal/team/client"
	"cairn/internal/team/spool"
	"cairn/internal/term"
	"cairn/internal/version"
)

// A Checkout is the repository that a command runs in, as a part of a team.
type Checkout struct {
	Env     *command.Env
	Repo    home.Repo
	Dir     *project.Dir // its .cairn; nil with no repository
	Home    home.Home
	File    config.Team // what team.json says
	Enabled bool        // sync_enabled, or credentials of CI and no word against it
	Own     bool        // the server is of this machine: credentials of CI are not for it
	Config  config.Config

	read []byte // its team.json
}

// Find returns the team of this repository whether or not the user wants sync,
// nil where there is none. With ErrUntrusted comes what was found, too.
func Find(env *command.Env) (*Checkout, error) {
	repo := home.FindRepo(env.Here(), env.Getenv)
	if repo == "" {
		return nil, nil
	}
	c := &Checkout{Env: env, Repo: repo, Home: home.Find(env.Getenv)}
	c.Dir = project.Open(c.Home, repo)
	var err error
	if c.File, c.read, err = config.ReadTeam(c.Dir); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	c.Config, _ = config.Load(env.Here(), env.Getenv)
	c.Enabled = c.Config.Bool(config.SyncEnabled)
	if v, _ := c.Config.Value(config.SyncEnabled); v.Source.Kind == config.Default && c.Options().CI.Given() {
		c.Enabled = true // who gives a job a token wants it used
	}
	if err == nil && !c.trusted() {
		return c, command.Auth(term.Hint(fmt.Errorf("%w: %s names %s", ErrUntrusted, repo.Team(), term.Line(c.File.URL)),
			"cairn sync setup signs in there, if it is your team's; cairn trust shows what it would do"))
	}
	return c, command.Data(err)
}

// ErrUntrusted is in the error for a repository whose team.json came with it:
// nobody is asked anything by its word, and nothing is kept for its server.
var ErrUntrusted = errors.New("this repository's team is not trusted")

// Named is a checkout whose team somebody named, in place of a team.json.
func Named(env *command.Env, repo home.Repo, team config.Team) *Checkout {
	c := &Checkout{Env: env, Repo: repo, Home: home.Find(env.Getenv), File: team}
	dir := env.Here()
	if repo != "" {
		c.Dir, dir = project.Open(c.Home, repo), string(repo)
	}
	c.Config, _ = config.Load(dir, env.Getenv)
	return c
}

// Any is Find where the repository may have no team: the queue and the sessions
// are the user's.
func Any(env *command.Env) *Checkout {
	c, err := Find(env)
	if c == nil || err != nil {
		c = Named(env, "", config.Team{})
	}
	return c
}

// Want is Find for a command that is of no use without a team and sync.
func Want(env *command.Env) (*Checkout, error) {
	c, err := Find(env)
	switch {
	case err != nil && (c.Enabled || !errors.Is(err, ErrUntrusted)):
		return nil, err
	case c == nil:
		return nil, NoTeam("cairn sync init --url URL --team NAME writes it")
	case !c.Enabled:
		return nil, command.Usage(term.Hint(errors.New("sync is switched off: sync_enabled is false"), "cairn sync setup signs in and switches it on"))
	}
	return c, nil
}

// NoTeam is the error of a command that needs a team, with what makes one.
func NoTeam(hint string) error {
	return command.Usage(term.Hint(errors.New("this repository has no team: there is no .cairn/team.json"), "%s", hint))
}

// trusted reports whether the person trusts team.json, or a job of CI has
// credentials: those go only where CAIRN_URL says, which client.Open sees to.
func (c *Checkout) trusted() bool {
	return c.Dir.Trusts(project.Team, c.read) || c.Options().CI.Given()
}

// Accept records that the person trusts team.json as it was read.
func (c *Checkout) Accept() error {
	if c.Dir == nil || c.read == nil {
		return nil // the server was named on the command line
	}
	return c.Dir.Trust(map[string][]byte{project.Team: c.read})
}

// Options are what a client for the repository's server needs to know.
func (c *Checkout) Options() client.Options { return c.optionsFor(c.File.URL, c.File.AnonKey) }

// optionsFor is Options for any server: the queue may hold records for several.
func (c *Checkout) optionsFor(url, key string) client.Options {
	env := c.Env.Getenv
	o := client.Options{
		URL: url, AnonKey: key, Home: c.Home, Version: version.Full(), Log: client.OpenLog(c.Home),
		CI:           client.CI{Token: env("CAIRN_ACCESS_TOKEN"), Email: env("CAIRN_CI_EMAIL"), Password: env("CAIRN_CI_PASSWORD")},
		InsecureHTTP: env("CAIRN_INSECURE_HTTP") == "1",
	}
	if c.Own {
		o.CI = client.CI{}
	}
	if CleanURL(url) == CleanURL(c.File.URL) {
		o.TeamSlug = c.File.Slug
	}
	if u := env("CAIRN_URL"); u != "" {
		o.Pinned = append(o.Pinned, u)
	}
	return o
}

// Client returns the client of the repository's server. It makes no request.
func (c *Checkout) Client() (*client.Client, error) { return client.Open(c.Options()) }

// Queue is the queue of records, which are put for the repository's server.
func (c *Checkout) Queue() *spool.Spool {
	q := spool.Open(c.Home.Queue())
	q.URL, q.Team = cmp.Or(CleanURL(c.File.URL), c.File.URL), c.File.Slug
	return q
}

// Name is how the team is called to its people.
func (c *Checkout) Name() string {
	return term.Line(cmp.Or(c.File.Slug, fmt.Sprintf("the team on %s", c.File.URL)))
}

// CleanURL is a server's address as it is compared; "" for none.
func CleanURL(url string) string {
	clean, _ := client.CleanURL(url)
	return clean
}

// shortly is how long a command waits for what it has just queued.
const shortly = 1500 * time.Millisecond

// What a command says of a record at the end of its line.
const (
	Synced  = "synced to team ✓"
	Offline = "queued (offline)"
	Setup   = "queued (cairn sync setup signs in)"
	Full    = "queued (the team has reached a limit: cairn team quota)"
	Later   = "queued"
	Refused = "refused by the team's server (cairn sync status)"
)

// Queue returns the queue of records for the server of the team that this
// repository has, nil where it has none or the user wants no sync. A team.json
// that cannot be read keeps nobody from storing here: it is warned of.
func Queue(env *command.Env) *spool.Spool {
	c, err := Find(env)
	if err != nil {
		if c != nil && c.Enabled {
			hint := ""
			if errors.Is(err, ErrUntrusted) {
				hint = "; cairn trust shows what it would do"
			}
			term.Warn(env.Stderr, "nothing goes to the team: %v%s", err, hint)
			client.OpenLog(c.Home).Add("CONFIG", "team.json", "UNREADABLE", err.Error())
		}
		return nil
	}
	if c == nil || !c.Enabled {
		return nil
	}
	return c.Queue()
}

// Deliver waits shortly until records that were just queued are delivered, and
// says how each of them ended. What takes longer, and what waited before, is left
// to a process in the background.
func Deliver(env *command.Env, ids []string) map[string]string {
	said := map[string]string{}
	c, err := Find(env)
	if err != nil || c == nil || len(ids) == 0 {
		return said
	}
	ctx, cancel := context.WithTimeout(context.Background(), shortly)
	defer cancel()
	d := c.Drain()
	d.Only = ids
	report, err := d.Run(ctx)
	for _, id := range ids {
		switch {
		case slices.Contains(report.Delivered.IDs, id):
			said[id] = Synced
		case slices.Contains(report.Refused.IDs, id):
			said[id] = Refused
		case err != nil:
			said[id] = Offline
		default:
			said[id] = WhyQueued(report.Stopped)
		}
	}
	if err != nil || len(report.Stopped) == 0 {
		c.DrainBehind(report.Delivered.N() > 0)
	}
	return said
}

// WhyQueued says why a record waits.
func WhyQueued(stopped []client.Stopped) string {
	for _, stop := range stopped {
		switch {
		case errors.Is(stop.Cause, client.ErrSignIn):
			return Setup
		case client.Full(stop.Cause):
			return Full
		case errors.Is(stop.Cause, client.ErrNetwork), errors.Is(stop.Cause, client.ErrBusy):
			return Offline
		}
	}
	return Later
}

// Drain delivers what waits, for every server that one is signed in to.
func (c *Checkout) Drain() *client.Drain {
	sessions, readErr := client.Sessions(c.Home)
	own := CleanURL(c.File.URL)
	return &client.Drain{
		Queue: spool.Open(c.Home.Queue()), URL: own, Log: client.OpenLog(c.Home),
		Open: func(url string) (*client.Client, error) {
			if readErr != nil {
				return nil, readErr
			}
			session, signedIn := sessions[CleanURL(url)]
			o := c.optionsFor(url, session.AnonKey)
			switch {
			case own != "" && CleanURL(url) == own:
				if o = c.Options(); !signedIn && !o.CI.Given() {
					return nil, client.NotSignedIn(own)
				}
			case !signedIn: // another repository's
				return nil, nil
			}
			return client.Open(o)
		},
	}
}

// DrainBehind starts a process that delivers what waits, if anything does; what
// waits for a while after a failure only where the server has just answered.
// Nobody waits for it, and it says nothing but in sync.log.
func (c *Checkout) DrainBehind(answered bool) {
	if c.Env.Detach == nil {
		return
	}
	if st, err := spool.Open(c.Home.Queue()).Status(); err != nil || st.Waiting == 0 {
		return
	}
	args := []string{"sync", "drain", "--detached"}
	if answered {
		args = append(args, "--early")
	}
	_ = c.Env.Detach(args...)
}
