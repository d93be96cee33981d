package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"os"
	osuser "os/user"
	"path/filepath"
	"strings"

	"cairn/internal/atomicfile"
	"cairn/internal/command"
	"cairn/internal/config"
	"cairn/internal/git"
	"cairn/internal/home"
	"cairn/internal/project"
	"cairn/internal/team/client"
	"cairn/internal/team/collect"
	"cairn/internal/team/db"
	"cairn/internal/team/db/account"
	"cairn/internal/team/link"
	"cairn/internal/team/local"
	"cairn/internal/team/servecmd"
	"cairn/internal/team/server"
	"cairn/internal/term"
	"cairn/internal/version"
)

// elsewhere looks whether the repository has a team on another server than the
// one of this machine. A link to a server of this machine that is gone, which
// nobody committed, counts as none: it is renewed.
func (u *up) elsewhere(ctx context.Context) (bool, error) {
	u.repo = repoFor(u.env)
	if u.repo == "" {
		return false, nil
	}
	dir := project.Open(u.home, u.repo)
	team, data, err := config.ReadTeam(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, atomicfile.ErrOutside): // who writes it says so
		return false, nil
	case err != nil:
		return false, command.Data(term.Hint(err, "correct it, or remove it and run cairn up again"))
	}
	if key := u.ownKey(ctx); key == team.AnonKey && key != "" {
		u.team, u.read = team, data
		return false, nil
	}
	if !isLoopback(team.URL) {
		u.team = team
		return true, nil
	}
	if state, err := local.Read(u.place.Dir); err == nil && link.CleanURL(state.URL) == link.CleanURL(team.URL) && u.ownKey(ctx) == "" {
		u.team.Slug = team.Slug // its data cannot be read before they are brought up to date
		return false, nil
	}
	// Nobody is asked by the word of a file that came with the repository.
	if c, err := client.Open(client.Options{URL: team.URL, AnonKey: team.AnonKey, Home: u.home, Version: version.Full()}); err == nil && dir.Trusts(project.Team, data) {
		if about, cairns, err := c.About(ctx); err == nil && cairns && about.AnonKey == team.AnonKey {
			u.team = team
			return true, nil // another directory's, of this machine
		}
	}
	if top, ok := git.Top(string(u.repo)); ok && git.Tracked(ctx, top, u.repo.Team()) {
		return false, command.Data(term.Hint(fmt.Errorf("%s is committed and names %s, a server that only the machine of who committed it has", u.repo.Team(), term.Line(team.URL)),
			"git rm --cached .cairn/team.json, then run cairn up again"))
	}
	u.team.Slug = team.Slug
	return false, nil
}

// repoFor is the repository that is worked in: the directory itself where there
// is none, but never a home.
func repoFor(env *Env) home.Repo {
	dir := env.Here()
	if repo := home.FindRepo(dir, env.Getenv); repo != "" || dir == "" {
		return repo
	}
	if isBare(dir) {
		return ""
	}
	if dir == home.UserDir(env.Getenv) || dir == filepath.Dir(string(home.Find(env.Getenv))) || dir == filepath.Dir(dir) {
		return ""
	}
	return home.Repo(dir)
}

// notARepo says where repoFor finds none.
func notARepo(env *Env) string {
	switch dir := env.Here(); {
	case isBare(dir):
		return "this is a bare repository, which nobody works in"
	case dir == filepath.Dir(dir):
		return "this is the root of all files, not a repository"
	}
	return "this is your home, not a repository"
}

// isBare reports a repository without a working tree, as a server of git has it.
func isBare(dir string) bool {
	out, err := git.Run(context.Background(), dir, "rev-parse", "--is-bare-repository")
	return err == nil && out == "true"
}

func isLoopback(text string) bool {
	u, err := url.Parse(text)
	if err != nil {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}

// ownKey is the public key of the server whose data this machine has, "" where
// there are none or they cannot be read.
func (u *up) ownKey(ctx context.Context) string {
	st, err := server.Join(ctx, u.place)
	if err != nil {
		return ""
	}
	defer st.Close()
	keys, err := server.Keys(ctx, st.DB, nil, "")
	if err != nil {
		return ""
	}
	key, _ := keys.Public(db.Anon)
	return key
}

// useTeam takes the team that the repository has elsewhere.
func (u *up) useTeam(context.Context) error {
	s, err := link.Find(u.env)
	if err != nil || s == nil {
		return err
	}
	u.told.Server, u.told.Team, u.told.Linked = link.CleanURL(s.File.URL), s.File.Slug, true
	c, err := s.Client()
	if err != nil {
		return err
	}
	session, err := c.Session()
	switch {
	case err != nil:
		return err
	case !s.Enabled && session.SignedIn():
		u.steps.say(step{Name: "repository", Text: fmt.Sprintf("it has the team %s on %s, and sync_enabled is false: nothing is sent", s.Name(), c.URL())})
		return nil
	case !session.SignedIn() && !c.Automatic():
		return command.Auth(term.Hint(fmt.Errorf("this repository has the team %s on %s, and you are not signed in there", s.Name(), c.URL()), "cairn sync setup"))
	}
	u.sync, u.told.User = s, session.Email
	u.steps.say(step{Name: "repository", OK: true, Text: fmt.Sprintf("it has the team %s on %s: no server is started here", s.Name(), c.URL())})
	return nil
}

// forgetFormer removes sessions for addresses that the server had: a stranger
// may have them now.
func (u *up) forgetFormer(ctx context.Context) error {
	sessions, err := client.Sessions(u.home)
	if err != nil {
		return nil // the sign-in tells
	}
	for _, url := range u.state.Formerly {
		if _, ok := sessions[link.CleanURL(url)]; !ok {
			continue
		}
		c, err := client.Open(client.Options{URL: url, Home: u.home})
		if err == nil {
			err = c.Forget(ctx)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// link signs in to the server, finds or makes the team, and writes team.json.
func (u *up) link(ctx context.Context) (string, error) {
	if err := u.forgetFormer(ctx); err != nil {
		return "", fileHint(err)
	}
	who, err := u.signIn(ctx)
	if err != nil {
		return "", err
	}
	u.told.User = who
	if u.repo == "" {
		return "", leftOut{term.Hint(errors.New(notARepo(u.env)), "run cairn up in the repositories that you work in")}
	}
	before := u.team
	u.team.URL = u.state.URL
	if u.team.AnonKey, err = u.askKey(ctx); err != nil {
		return "", err
	}
	if u.team.Slug == "" {
		u.team.Slug = cmp.Or(link.DefaultSlug(string(u.repo)), "local")
	}
	made, err := u.makeTeam(ctx, who)
	if err != nil {
		return "", err
	}
	s := link.Named(u.env, u.repo, u.team)
	s.Own = true
	u.told.Team = u.team.Slug
	u.told.Repo, _ = collect.Repo(u.env, u.repo)
	text := fmt.Sprintf("%s is of the team %s", u.told.Repo, u.team.Slug)
	if before == u.team {
		if text += " already"; u.read != nil {
			err = s.Dir.Trust(map[string][]byte{project.Team: u.read}) // as it was written before there was trust
		}
		if err != nil {
			return "", fileHint(err)
		}
	} else if err := u.writeLink(ctx); err != nil {
		text += ", for this run: " + err.Error()
	}
	u.told.Linked = before == u.team || fileIs(u.repo.Team())
	if made {
		text += ", made for " + who
	}
	if v, _ := s.Config.Value(config.SyncEnabled); !s.Config.Bool(config.SyncEnabled) && v.Source.Kind != config.Default {
		return text + "; sync_enabled is false, so nothing is collected", nil
	}
	if _, err := config.SetUser(u.home, config.SyncEnabled, "true"); err != nil {
		return "", err
	}
	s.Enabled, u.sync = true, s
	return text, nil
}

func fileIs(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

func (u *up) askKey(ctx context.Context) (string, error) {
	p, err := local.Ask(ctx, u.state)
	return p.AnonKey, err
}

// client is a client of this machine's server for the person who sits here.
func (u *up) client() (*client.Client, error) {
	return client.Open(client.Options{URL: u.state.URL, AnonKey: u.team.AnonKey, Home: u.home, Version: version.Full(), Log: client.OpenLog(u.home)})
}

// signIn makes sure of a session with the server, and returns whose it is. Who
// may read the server's data may be any of its users.
func (u *up) signIn(ctx context.Context) (email string, err error) {
	if u.team.AnonKey == "" {
		if u.team.AnonKey, err = u.askKey(ctx); err != nil {
			return "", err
		}
		defer func() { u.team.AnonKey = "" }()
	}
	c, err := u.client()
	if err != nil {
		return "", err
	}
	if session, err := c.Session(); err == nil && session.SignedIn() {
		email, err := c.Who(ctx)
		if err == nil || !errors.Is(err, client.ErrSignIn) {
			return email, err
		}
	}
	st, err := server.Join(ctx, u.place)
	if err != nil {
		return "", servecmd.Explain(err, u.place)
	}
	defer st.Close()
	accounts := account.New(st.DB)
	email = ownAddress(u.env)
	token, err := accounts.NewClaim(ctx)
	if err == nil {
		return email, c.Claim(ctx, token, email)
	}
	if !errors.Is(err, account.ErrClaimed) {
		return "", err
	}
	who, err := accounts.UserByEmail(ctx, email)
	if errors.Is(err, account.ErrNotFound) {
		who, err = accounts.CreateUser(ctx, account.NewUser{Email: email, Confirmed: true})
	}
	if err != nil {
		return "", err
	}
	if token, _, err = accounts.Issue(ctx, account.Ticket{Kind: account.Invite, User: who.ID, Email: who.Email, RedirectTo: u.state.URL}); err != nil {
		return "", err
	}
	return who.Email, c.Invite(ctx, token)
}

// makeTeam makes sure of the team, and that one is in it.
func (u *up) makeTeam(ctx context.Context, who string) (made bool, err error) {
	c, err := u.client()
	if err != nil {
		return false, err
	}
	if _, err = c.Team(ctx, u.team.Slug); err == nil || !errors.Is(err, client.ErrDenied) {
		return false, err
	}
	if _, err = c.CreateTeam(ctx, u.team.Slug, u.team.Slug); err == nil || !errors.Is(err, client.ErrRefused) {
		return err == nil, err
	}
	st, err := server.Join(ctx, u.place) // another user of this server made it
	if err != nil {
		return false, err
	}
	defer st.Close()
	me, err := account.New(st.DB).UserByEmail(ctx, who)
	if err != nil {
		return false, err
	}
	return false, st.DB.SetMember(ctx, u.team.Slug, me.ID, "owner")
}

// ownAddress is who the owner of a server is called after: git's user.email, or
// where that is none the user of this machine.
func ownAddress(env *Env) string {
	if email, err := account.Address(git.Email(env.Here())); err == nil {
		return email
	}
	name := cmp.Or(env.Getenv("USER"), env.Getenv("LOGNAME"))
	if who, err := osuser.Current(); err == nil && name == "" {
		name = who.Username
	}
	host, _ := os.Hostname()
	return cmp.Or(atom(name), "you") + "@" + cmp.Or(atom(host), "localhost")
}

// atom is a text as a part of an address.
func atom(text string) string {
	if i := strings.LastIndexAny(text, `\/`); i >= 0 {
		text = text[i+1:]
	}
	return strings.Trim(strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '-', r == '.':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return -1
	}, text), "-.")
}
