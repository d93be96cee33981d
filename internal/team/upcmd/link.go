package upcmd

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
	"syscall"

	"cairn/internal/atomicfile"
	"cairn/internal/command"
	"cairn/internal/config"
	"cairn/internal/git"
	"cairn/internal/home"
	"cairn/internal/must"
	"cairn/internal/project"
	"cairn/internal/team/client"
	"cairn/internal/team/collect"
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
func (u *up) elsewhere() bool {
	u.repo = repoFor(u.Env)
	if u.repo == "" {
		return false
	}
	dir := project.Open(u.home, u.repo)
	team, data, err := config.ReadTeam(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, atomicfile.ErrOutside): // who writes it says so
		return false
	case err != nil:
		must.Fail(command.Data(term.Hint(err, "correct it, or remove it and run cairn up again")))
	}
	if key := u.ownKey(); key == team.AnonKey && key != "" {
		u.team, u.read = team, data
		return false
	}
	if !isLoopback(team.URL) {
		u.team = team
		return true
	}
	if state, err := local.Read(u.place.Dir); err == nil && link.CleanURL(state.URL) == link.CleanURL(team.URL) && u.ownKey() == "" {
		u.team.Slug = team.Slug // its data cannot be read before they are brought up to date
		return false
	}
	// Nobody is asked by the word of a file that came with the repository.
	if c, err := client.Open(client.Options{URL: team.URL, AnonKey: team.AnonKey, Home: u.home, Version: version.Full()}); err == nil && dir.Trusts(project.Team, data) {
		if about, cairns, err := c.About(u); err == nil && cairns && about.AnonKey == team.AnonKey {
			u.team = team
			return true // another directory's, of this machine
		}
	}
	if top, ok := git.Top(string(u.repo)); ok && git.Tracked(u, top, u.repo.Team()) {
		must.Fail(command.Data(term.Hint(fmt.Errorf("%s is committed and names %s, a server that only the machine of who committed it has", u.repo.Team(), term.Line(team.URL)),
			"git rm --cached .cairn/team.json, then run cairn up again")))
	}
	u.team.Slug = team.Slug
	return false
}

// repoFor is the repository that is worked in: the directory itself where there
// is none, but never a home.
func repoFor(env *command.Env) home.Repo {
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
func notARepo(env *command.Env) string {
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

// useTeam takes the team that the repository has elsewhere.
func (u *up) useTeam() {
	s := must.Get(link.Find(u.Env))
	if s == nil {
		return
	}
	u.told.Server, u.told.Team, u.told.Linked = link.CleanURL(s.File.URL), s.File.Slug, true
	c := must.Get(s.Client())
	session := must.Get(c.Session())
	switch {
	case !s.Enabled && session.SignedIn():
		u.say(Step{Name: "repository", Text: fmt.Sprintf("it has the team %s on %s, and sync_enabled is false: nothing is sent", s.Name(), c.URL())})
		return
	case !session.SignedIn() && !c.Automatic():
		must.Fail(command.Auth(term.Hint(fmt.Errorf("this repository has the team %s on %s, and you are not signed in there", s.Name(), c.URL()), "cairn sync setup")))
	}
	u.sync, u.told.User = s, session.Email
	u.say(Step{Name: "repository", OK: true, Text: fmt.Sprintf("it has the team %s on %s: no server is started here", s.Name(), c.URL())})
}

// forgetFormer removes sessions for addresses that the server had: a stranger
// may have them now.
func (u *up) forgetFormer() {
	sessions, err := client.Sessions(u.home)
	if err != nil {
		return // the sign-in tells
	}
	for _, url := range u.state.Formerly {
		if _, ok := sessions[link.CleanURL(url)]; !ok {
			continue
		}
		u.forget(url)
	}
}

// link signs in to the server, finds or makes the team, and writes team.json.
func (u *up) link() string {
	u.forgetFormer()
	before := u.team
	process := must.Get(local.Ask(u, u.state))
	u.team.URL, u.team.AnonKey = u.state.URL, process.AnonKey
	who := u.signIn()
	u.told.User = who
	if u.repo == "" {
		must.Fail(leftOut{term.Hint(errors.New(notARepo(u.Env)), "run cairn up in the repositories that you work in")})
	}
	if u.team.Slug == "" {
		u.team.Slug = cmp.Or(link.DefaultSlug(string(u.repo)), "local")
	}
	made := u.makeTeam(who)
	s := link.Named(u.Env, u.repo, u.team)
	s.Own = true
	u.told.Team = u.team.Slug
	u.told.Repo, _ = collect.Repo(u.Env, u.repo)
	text := fmt.Sprintf("linked %s to team %q", u.told.Repo, u.team.Slug)
	if before == u.team {
		if text = fmt.Sprintf("%s is linked to team %q", u.told.Repo, u.team.Slug); u.read != nil {
			must.OK(s.Dir.Trust(map[string][]byte{project.Team: u.read})) // as it was written before there was trust
		}
	} else if err := u.writeLink(); err != nil {
		text += " for this run: " + err.Error()
	}
	u.told.Linked = before == u.team || exists(u.repo.Team())
	if made {
		text += " (owner " + who + ")"
	}
	if v, _ := s.Config.Value(config.SyncEnabled); !s.Config.Bool(config.SyncEnabled) && v.Source.Kind != config.Default {
		return text + "; sync_enabled is false, so nothing is collected"
	}
	must.Get(config.SetUser(u.home, config.SyncEnabled, "true"))
	s.Enabled, u.sync = true, s
	return text
}

// writeLink writes team.json and keeps it out of git: the server is of this
// machine alone, and to others the file would name a server of their own. The
// pattern goes to .git/info/exclude, which is never committed, and goes first.
func (u *up) writeLink() error {
	if err := link.Exclude(u.repo, true); err != nil && !isReadOnly(err) {
		return fmt.Errorf("it is not written, as it would not be kept out of git: %w", err)
	}
	err := config.WriteTeam(project.Open(u.home, u.repo), u.team)
	if isReadOnly(err) {
		return errors.New("the repository cannot be written to")
	}
	return err
}

func isReadOnly(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)
}

// client is a client of this machine's server for the person who sits here.
func (u *up) client() *client.Client {
	return must.Get(client.Open(client.Options{URL: u.state.URL, AnonKey: u.team.AnonKey, Home: u.home, Version: version.Full(), Log: client.OpenLog(u.home)}))
}

// signIn makes sure of a session with the server, and returns whose it is. Who
// may read the server's data may be any of its users.
func (u *up) signIn() (email string) {
	c := u.client()
	if session, err := c.Session(); err == nil && session.SignedIn() {
		email, err := c.Who(u)
		if err == nil || !errors.Is(err, client.ErrSignIn) {
			must.OK(err)
			return email
		}
	}
	st, err := server.Join(u, u.place)
	if err != nil {
		must.Fail(servecmd.Explain(err, u.place))
	}
	defer st.Close()
	accounts := account.New(st.DB)
	email = ownAddress(u.Env)
	token, err := accounts.NewClaim(u)
	if err == nil {
		must.OK(c.Claim(u, token, email))
		return email
	}
	if !errors.Is(err, account.ErrClaimed) {
		must.Fail(err)
	}
	who, err := accounts.UserByEmail(u, email)
	if errors.Is(err, account.ErrNotFound) {
		who, err = accounts.CreateUser(u, account.NewUser{Email: email, Confirmed: true})
	}
	must.OK(err)
	token, _ = must.Get2(accounts.Issue(u, account.Ticket{Kind: account.Invite, User: who.ID, Email: who.Email, RedirectTo: u.state.URL}))
	must.OK(c.Invite(u, token))
	return who.Email
}

// makeTeam makes sure of the team, and that one is in it.
func (u *up) makeTeam(who string) (made bool) {
	c := u.client()
	made, err := c.EnsureTeam(u, u.team.Slug, "")
	if !errors.Is(err, client.ErrRefused) {
		must.OK(err)
		return made
	}
	st := must.Get(server.Join(u, u.place)) // another user of this server made it
	defer st.Close()
	must.OK(st.DB.SetMember(u, u.team.Slug, must.Get(account.New(st.DB).UserByEmail(u, who)).ID, "owner"))
	return false
}

// ownAddress is who the owner of a server is called after: git's user.email, or
// where that is none the user of this machine.
func ownAddress(env *command.Env) string {
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
