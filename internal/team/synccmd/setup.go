package synccmd

import (
	"cmp"
	"errors"
	"fmt"

	"cairn/internal/answer"
	"cairn/internal/command"
	"cairn/internal/config"
	"cairn/internal/must"
	"cairn/internal/team/client"
	"cairn/internal/team/link"
	"cairn/internal/term"
)

func setupCommand() *command.Command {
	return &command.Command{
		Path:  "sync setup",
		Short: "Sign in to the team's server and turn sync on",
		Long: `Signs in to the server that .cairn/team.json names: in the browser, or where there
is none with a link to open elsewhere and a code to paste. The session is stored
in ~/.cairn/auth.json, which only you can read. Then sync_enabled is set to true.

--invite accepts the invitation that an admin sent you (cairn team invite),
--email has the server send a link, --password asks for a password.`,
		Examples: []string{"cairn sync setup", "cairn sync setup --invite 'https://team.example.com/join?token=…'"},
		Flags: []command.Flag{
			{Name: "url", Default: "", Help: "`URL` of the server, in place of the one in .cairn/team.json"},
			{Name: "invite", Default: "", Help: "`LINK` of an invitation, or the token in it"},
			{Name: "email", Default: "", Help: "your e-mail address: the server sends a link or a code"},
			{Name: "provider", Default: "", Help: "sign in with `NAME`, such as github or google"},
			{Name: "password", Default: false, Help: "sign in with a password, which is asked for"},
			{Name: "no-browser", Default: false, Help: "print the link and open no browser"},
			{Name: "sign-out", Default: false, Help: "end the session, here and on the server"},
		},
		Effect: command.Writes, Waits: true, Run: setup,
	}
}

// signedIn is what --json prints of a session.
type signedIn struct {
	URL      string        `json:"url"`
	SignedIn bool          `json:"signed_in"`
	Email    string        `json:"email,omitzero"`
	Team     string        `json:"team,omitzero"`
	Pulse    *client.Pulse `json:"pulse,omitzero"`
}

func setup(c *command.Call) (*answer.Answer, error) {
	s := setupTeam(c)
	server := must.Get(s.Person())
	if c.Bool("sign-out") {
		return signOut(c, server)
	}
	in := newSignIn(c, server, c.String("email"))
	in.invite, in.provider = c.String("invite"), c.String("provider")
	in.byPassword, in.noBrowser = c.Bool("password"), c.Bool("no-browser")
	must.OK(in.run(c))
	must.OK(s.Accept())
	return finishSetup(c, s, server)
}

// setupTeam is the team to sign in for. --url needs no repository.
func setupTeam(c *command.Call) *link.Checkout {
	s, err := link.Find(c.Env)
	if errors.Is(err, link.ErrUntrusted) {
		err = nil // to sign in there is to trust it
	}
	here := ""
	if s != nil {
		here = s.File.URL
	}
	url, invited := c.String("url"), client.InviteServer(c.String("invite"))
	if url == "" && s == nil && err == nil {
		url = invited
	}
	switch named := cmp.Or(url, here); {
	case err == nil && invited != "" && named != "" && link.CleanURL(named) != invited:
		must.Fail(command.Usage(term.Hint(fmt.Errorf("the invitation is of %s, and %s is the server here", invited, link.CleanURL(named)), "add --url %s if you trust it", invited)))
	case url == "" && err != nil:
		must.OK(err)
		return nil
	case url == "" && s == nil:
		must.Fail(link.NoTeam("cairn sync init --url URL --team NAME writes it; cairn sync setup --url URL signs in without"))
	case url != "" && (s == nil || err != nil || link.CleanURL(here) != link.CleanURL(url)):
		return link.Named(c.Env, "", config.Team{URL: url})
	}
	return s
}

func signOut(c *command.Call, server *client.Client) (*answer.Answer, error) {
	a := &answer.Answer{Data: signedIn{URL: server.URL()}, View: answer.Line("signed out of %s", server.URL()), Done: true}
	session, err := server.Session()
	if err == nil && !session.SignedIn() {
		a.View = answer.Line("not signed in to %s", server.URL())
		return a, nil
	}
	return a, term.Hint(server.SignOut(c), "the session is gone from this machine; on the server it may last until an admin ends it")
}

// finishSetup switches sync on and says who is there.
func finishSetup(c *command.Call, s *link.Checkout, server *client.Client) (*answer.Answer, error) {
	file, err := config.SetUser(s.Home, config.SyncEnabled, "true")
	if err != nil {
		return nil, term.Hint(err, "you are signed in; set sync_enabled=true in %s yourself", cmp.Or(file, s.Home.Config()))
	}
	session := must.Get(server.Session())
	who := ""
	if session.Email != "" {
		who = " as " + term.Line(session.Email)
	}
	data := signedIn{URL: server.URL(), SignedIn: true, Email: session.Email}
	view := answer.Views{answer.Line("signed in to %s%s", server.URL(), who)}
	team, err := server.Team(c, "")
	if err != nil {
		return &answer.Answer{Data: data, View: view, Err: err}, nil
	}
	pulse, err := server.Pulse(c, team)
	if err != nil {
		return &answer.Answer{Data: data, View: view, Err: err}, nil
	}
	data.Team, data.Pulse = s.File.Slug, &pulse
	s.DrainBehind(true)
	return &answer.Answer{
		Data: data, View: append(view, answer.Line("%s: %s", s.Name(), pulse)), Done: true,
		Hint: "cairn eval push FILE shares a result; cairn sync pull brings the team's",
	}, nil
}
