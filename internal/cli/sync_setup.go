package cli

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	xterm "golang.org/x/term"

	"cairn/internal/command"
	"cairn/internal/config"
	"cairn/internal/team/client"
	"cairn/internal/team/link"
	"cairn/internal/term"
)

type setupOptions struct {
	url, invite, email, provider string
	password, noBrowser, signOut bool
}

// given reports whether the user said how to sign in: then they want to, even
// if they are signed in.
func (o setupOptions) given() bool { return o.email != "" || o.provider != "" || o.password }

func newSyncSetup(env *Env) *cobra.Command {
	var opts setupOptions
	cmd := &cobra.Command{
		Use:   "setup",
		Short: "Sign in to the team's server and switch sync on",
		Long: `Signs in to the server that .cairn/team.json names: in the browser, or where
there is none by a link to open elsewhere and a code to paste. The session is
kept in ~/.cairn/auth.json, for you only. Then sync_enabled is set to true.

--invite takes what an admin sent you (cairn team invite), --email has the
server send a link, --password asks for a password.`,
		Example: "  cairn sync setup\n  cairn sync setup --invite 'https://team.example.com/join?token=…'",
		Args:    usageArgs(cobra.NoArgs),
		RunE:    func(*cobra.Command, []string) error { return runSyncSetup(env, opts) },
	}
	f := cmd.Flags()
	f.StringVar(&opts.url, "url", "", "the server, instead of the one that .cairn/team.json names")
	f.StringVar(&opts.invite, "invite", "", "an invitation: its link or the token in it")
	f.StringVar(&opts.email, "email", "", "your address: the server sends a link or a code")
	f.StringVar(&opts.provider, "provider", "", "sign in with it, such as github or google")
	f.BoolVar(&opts.password, "password", false, "sign in with a password, which is asked for")
	f.BoolVar(&opts.noBrowser, "no-browser", false, "print the link instead of opening a browser")
	f.BoolVar(&opts.signOut, "sign-out", false, "end the session, here and on the server")
	return cmd
}

func runSyncSetup(env *Env, opts setupOptions) error {
	ctx, stop := command.Interruptible(context.Background())
	defer stop()
	s, err := setupTeam(env, opts)
	if err != nil {
		return err
	}
	o := s.Options()
	o.CI = client.CI{} // this is about a person's session
	c, err := client.Open(o)
	if err != nil {
		return err
	}
	if opts.signOut {
		return signOut(ctx, env, c)
	}
	in := &signIn{env: env, client: c, opts: opts, lines: bufio.NewReader(env.Stdin)}
	if err := in.run(ctx); err != nil {
		return err
	}
	if err := s.Accept(); err != nil {
		return err
	}
	return finishSetup(ctx, s, c)
}

// setupTeam is the team to sign in for. --url needs no repository.
func setupTeam(env *Env, opts setupOptions) (*link.Checkout, error) {
	s, err := link.Find(env)
	if errors.Is(err, link.ErrUntrusted) {
		err = nil // to sign in there is to trust it
	}
	invited := client.InviteServer(opts.invite)
	if opts.url == "" && s == nil && err == nil {
		opts.url = invited
	}
	switch named := cmp.Or(opts.url, teamURL(s)); {
	case err == nil && invited != "" && named != "" && link.CleanURL(named) != invited:
		return nil, command.Usage(term.Hint(fmt.Errorf("the invitation is of %s, and %s is the server here", invited, link.CleanURL(named)), "add --url %s if you trust it", invited))
	case opts.url == "" && err != nil:
		return nil, err
	case opts.url == "" && s == nil:
		return nil, link.NoTeam("cairn sync init --url URL --team NAME writes it; cairn sync setup --url URL signs in without")
	case opts.url == "":
		return s, nil
	}
	if s == nil || err != nil || link.CleanURL(s.File.URL) != link.CleanURL(opts.url) {
		s = link.Named(env, "", config.Team{URL: opts.url})
	}
	return s, nil
}

func teamURL(s *link.Checkout) string {
	if s == nil {
		return ""
	}
	return s.File.URL
}

func signOut(ctx context.Context, env *Env, c *client.Client) error {
	session, err := c.Session()
	if err == nil && !session.SignedIn() {
		fmt.Fprintf(env.Stdout, "not signed in to %s\n", c.URL())
		return nil
	}
	if err := c.SignOut(ctx); err != nil {
		return term.Hint(err, "the session is gone from this machine; on the server it may last until an admin ends it")
	}
	fmt.Fprintf(env.Stdout, "signed out of %s\n", c.URL())
	return nil
}

// finishSetup switches sync on and tells who is there.
func finishSetup(ctx context.Context, s *link.Checkout, c *client.Client) error {
	env := s.Env
	file, err := config.SetUser(s.Home, config.SyncEnabled, "true")
	if err != nil {
		return term.Hint(err, "you are signed in; set sync_enabled=true in %s yourself", cmp.Or(file, s.Home.Config()))
	}
	session, err := c.Session()
	if err != nil {
		return err
	}
	who := ""
	if session.Email != "" {
		who = " as " + term.Line(session.Email)
	}
	fmt.Fprintf(env.Stdout, "signed in to %s%s\n", c.URL(), who)
	team, err := c.Team(ctx, "")
	if err != nil {
		return err
	}
	pulse, err := c.Pulse(ctx, team)
	if err != nil {
		return err
	}
	fmt.Fprintf(env.Stdout, "%s: %s\n", s.Name(), pulseText(pulse))
	term.PrintHint(env.Stderr, "cairn eval push FILE shares a result; cairn sync pull brings the team's")
	s.DrainBehind(true)
	return nil
}

// a signIn is one run of the verb.
type signIn struct {
	env    *Env
	client *client.Client
	opts   setupOptions
	lines  *bufio.Reader
	typed  chan string // lines, once something else is waited for beside them
	// typedOnly: no browser will come back, the code has to be typed.
	typedOnly bool
}

// run signs in, and asks for the second factor where the account has one.
func (in *signIn) run(ctx context.Context) error {
	err := in.first(ctx)
	for tries := 0; tries < mostFactorTries && errors.Is(err, client.ErrFactor); tries++ {
		code := strings.ReplaceAll(in.ask("Code of your authenticator app: "), " ", "")
		if code == "" {
			return term.Hint(err, "run cairn sync setup in a terminal, or give the code in another line on stdin")
		}
		if wrong := in.client.Factor(ctx, code); !isWrongCode(wrong) {
			return wrong
		}
		fmt.Fprintln(in.env.Stderr, "That code is wrong or was used before.")
	}
	return err
}

const mostFactorTries = 3

func isWrongCode(err error) bool {
	var e *client.Error
	return errors.As(err, &e) && e.Code == "mfa_verification_failed"
}

func (in *signIn) first(ctx context.Context) error {
	session, err := in.client.Session()
	if err == nil && session.SignedIn() && !in.opts.given() {
		if _, err := in.client.Who(ctx); errors.Is(err, client.ErrSignIn) {
			session = client.Session{} // it is over: there is nothing to keep
		}
	}
	if err == nil && session.SignedIn() && !in.opts.given() {
		keep, err := in.keep(ctx, session)
		if err != nil || keep {
			return err
		}
	}
	switch {
	case in.opts.invite != "":
		return in.invited(ctx)
	case in.opts.password:
		return in.password(ctx)
	case in.opts.email != "":
		return in.mail(ctx, in.opts.email)
	}
	return in.page(ctx)
}

// keep asks whether the session that is there is to stay. An invitation is
// accepted with it.
func (in *signIn) keep(ctx context.Context, session client.Session) (bool, error) {
	if in.opts.invite != "" {
		err := in.join(ctx, client.InviteToken(in.opts.invite))
		return err == nil, err
	}
	if !term.IsTerminal(in.env.Stdin) {
		return true, nil
	}
	fmt.Fprintf(in.env.Stderr, "You are signed in to %s as %s. Re-auth or keep? [r/K] ", in.client.URL(), term.Line(session.Email))
	answer := strings.ToLower(strings.TrimSpace(in.line()))
	return !strings.HasPrefix(answer, "r"), nil
}

func (in *signIn) invited(ctx context.Context) error {
	token := client.InviteToken(in.opts.invite)
	_, cairns, err := in.client.About(ctx)
	if err != nil {
		return err
	}
	if cairns {
		err := in.client.Invite(ctx, token)
		var e *client.Error
		if !errors.As(err, &e) {
			return err
		}
		switch e.Code {
		case "user_already_exists": // whoever has the account signs in first
			fmt.Fprintln(in.env.Stderr, "The invited address has an account: sign in to it to accept.")
		case "otp_expired":
			return term.Hint(err, "an invitation works once, for seven days: ask for another")
		case "conflict":
			return term.Hint(err, "cairn sync setup")
		default:
			return err
		}
	}
	in.opts.invite = ""
	if err := in.run(ctx); err != nil {
		return err
	}
	return in.join(ctx, token)
}

// join accepts an invitation as who is signed in.
func (in *signIn) join(ctx context.Context, token string) error {
	err := in.client.Join(ctx, token)
	if err != nil && strings.Contains(err.Error(), "for another address") {
		return term.Hint(err, "cairn sync setup --sign-out, then accept the invitation again")
	}
	return err
}

func (in *signIn) password(ctx context.Context) error {
	email := in.opts.email
	if email == "" {
		email = in.ask("Address: ")
	}
	fmt.Fprint(in.env.Stderr, "Password: ")
	var password string
	if f, ok := in.env.Stdin.(*os.File); ok && term.IsTerminal(f) {
		b, err := xterm.ReadPassword(int(f.Fd()))
		if fmt.Fprintln(in.env.Stderr); err != nil {
			return err
		}
		password = string(b)
	} else {
		password = strings.TrimRight(in.line(), "\r\n")
	}
	if email == "" || password == "" {
		return command.Usage(term.Hint(errors.New("an address and a password are wanted"), "--email names the address; the password is read from the terminal or from stdin"))
	}
	return term.Hint(in.client.Password(ctx, email, password), "is it the right address and password? --email sends a link instead")
}

func (in *signIn) ask(question string) string {
	fmt.Fprint(in.env.Stderr, question)
	return strings.TrimSpace(in.line())
}

// line is the next line that is typed, "" at the end.
func (in *signIn) line() string {
	if in.typed != nil {
		return <-in.typed
	}
	line, _ := in.lines.ReadString('\n')
	return line
}

// listen hands lines to a channel from now on: a read cannot be called off, so
// one goroutine reads them all.
func (in *signIn) listen() {
	if in.typed != nil {
		return
	}
	typed := make(chan string)
	in.typed = typed
	go func() {
		defer close(typed)
		for {
			line, err := in.lines.ReadString('\n')
			if line != "" {
				typed <- line
			}
			if err != nil {
				return
			}
		}
	}()
}
