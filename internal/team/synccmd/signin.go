package synccmd

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	xterm "golang.org/x/term"

	"cairn/internal/command"
	"cairn/internal/team/client"
	"cairn/internal/term"
	"cairn/internal/text"
)

// A signIn is a person who signs in to a server.
type signIn struct {
	env                     *command.Env
	client                  *client.Client
	invite, email, provider string
	byPassword, noBrowser   bool

	lines *bufio.Reader
	typed chan string // lines, once something else is waited for beside them
	// typedOnly: no browser will come back, the code has to be typed.
	typedOnly bool
}

func newSignIn(c *command.Call, server *client.Client, email string) *signIn {
	return &signIn{env: c.Env, client: server, email: email, lines: bufio.NewReader(c.Stdin)}
}

// given reports whether the person said how to sign in: then they want to, even
// if they are signed in.
func (in *signIn) given() bool { return in.email != "" || in.provider != "" || in.byPassword }

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
	if err == nil && session.SignedIn() && !in.given() {
		if _, err := in.client.Who(ctx); errors.Is(err, client.ErrSignIn) {
			session = client.Session{} // it is over: there is nothing to keep
		}
	}
	if err == nil && session.SignedIn() && !in.given() {
		keep, err := in.keep(ctx, session)
		if err != nil || keep {
			return err
		}
	}
	switch {
	case in.invite != "":
		return in.invited(ctx)
	case in.byPassword:
		return in.password(ctx)
	case in.email != "":
		return in.mail(ctx, in.email)
	}
	return in.page(ctx)
}

// keep asks whether the session that is there is to stay. An invitation is
// accepted with it.
func (in *signIn) keep(ctx context.Context, session client.Session) (bool, error) {
	if in.invite != "" {
		err := in.join(ctx, client.InviteToken(in.invite))
		return err == nil, err
	}
	if !term.IsTerminal(in.env.Stdin) {
		return true, nil
	}
	fmt.Fprintf(in.env.Stderr, "You are signed in to %s as %s. Re-auth or keep? [r/K] ", in.client.URL(), term.Line(session.Email))
	return !strings.HasPrefix(strings.ToLower(strings.TrimSpace(in.line())), "r"), nil
}

func (in *signIn) invited(ctx context.Context) error {
	token := client.InviteToken(in.invite)
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
	in.invite = ""
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
	email := in.email
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
		return command.Usage(term.Hint(errors.New("the e-mail address or the password is missing"), "--email names the address; the password is read from the terminal or from stdin"))
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

// signInTime is how long a sign-in may take.
const signInTime = 5 * time.Minute

// page signs in with a page of the server, in a browser that is here or
// elsewhere. Without one, cairn's server or the project has to have some other
// way.
func (in *signIn) page(ctx context.Context) error {
	_, cairns, err := in.client.About(ctx)
	if err != nil {
		return err
	}
	provider := in.provider
	if !cairns && provider == "" {
		names, mail, err := in.client.Providers(ctx)
		switch {
		case err != nil:
			return err
		case len(names) == 1:
			provider = names[0]
		case len(names) > 1:
			return command.Usage(term.Hint(errors.New("the project has several providers: "+strings.Join(names, ", ")), "choose one: cairn sync setup --provider %s", names[0]))
		case mail:
			email := in.ask("Address: ")
			if email == "" {
				return command.Usage(term.Hint(errors.New("the e-mail address is missing"), "cairn sync setup --email you@example.com"))
			}
			return in.mail(ctx, email)
		default:
			return command.Auth(errors.New("the project has no way to sign in: an admin can switch on mail or a provider"))
		}
	}
	mayPaste := term.IsTerminal(in.env.Stdin) || in.noBrowser
	if provider == "" && !mayPaste && !in.env.SeesBrowser() {
		return nobodyHere(fmt.Errorf("not signed in to %s, and there is no terminal and no browser to sign in with", in.client.URL()))
	}
	return in.browser(ctx, provider != "", func(ch client.Challenge, redirect string, here bool) string {
		if provider != "" {
			return in.client.ProviderURL(ch, provider, redirect)
		}
		return in.client.PageURL(ch, redirect, !here)
	})
}

// nobodyHere adds what a program can do that has nobody to sign in.
func nobodyHere(err error) error {
	return command.Auth(term.Hint(err, "run cairn sync setup in a terminal first; without one, cairn sync setup --invite LINK, or --email ADDRESS --password with the password on stdin"))
}

// browser sends a browser to a page and takes the code that it comes back with,
// or that somebody pastes. here is false where the browser will be another
// machine's, which cannot come back; comesBack says that the page does so anyhow.
func (in *signIn) browser(ctx context.Context, comesBack bool, page func(ch client.Challenge, redirect string, here bool) string) error {
	cb, err := in.callback()
	if err != nil {
		return err
	}
	defer cb.Close()
	ch := client.NewChallenge()
	if !in.noBrowser && in.env.SeesBrowser() {
		comesBack = true
		link := page(ch, cb.URL(), true)
		if in.env.OpenBrowser(link) == nil {
			fmt.Fprintf(in.env.Stderr, "Sign in in the browser. If none opened, open\n\n  %s\n\n", link)
		} else {
			fmt.Fprintf(in.env.Stderr, "Open this in a browser:\n\n  %s\n\n", link)
		}
	} else {
		fmt.Fprintf(in.env.Stderr, "Open this on any machine:\n\n  %s\n\nThen paste the code, or the address of the page that it ends on, here.\nA sign-in link or code that an admin gave you works here too.\n\n", page(ch, cb.URL(), false))
	}
	return in.finish(ctx, ch, cb, in.email, comesBack)
}

// finish signs in with what comes first: the code of the browser, or what
// somebody pastes: that code, the address that the browser ended on, a link, or
// the six digits that were mailed to an address or that an admin gave.
// comesBack says that the browser may come without anybody typing.
func (in *signIn) finish(ctx context.Context, ch client.Challenge, cb *client.Callback, email string, comesBack bool) error {
	signedIn := false
	in.typedOnly = !comesBack
	code, err := in.wait(ctx, cb, func(ctx context.Context, text string) (string, error) {
		if digits := strings.ReplaceAll(text, " ", ""); isCode(digits) {
			if email == "" {
				email = in.ask("Address that the code is for: ")
			}
			signedIn = true
			return "", in.client.Code(ctx, email, digits)
		}
		u, err := url.Parse(text)
		if err != nil || !strings.HasSuffix(u.Path, "/verify") {
			return client.Pasted(text)
		}
		if signedIn, err = in.client.Link(ctx, text); signedIn || err != nil {
			return "", err
		}
		return in.client.Follow(ctx, text)
	})
	if err != nil || signedIn {
		return err
	}
	return in.client.Exchange(ctx, ch, code)
}

// isCode reports whether a text is the code of a mail: six digits of ours, up
// to ten of a Supabase project.
func isCode(text string) bool {
	return len(text) >= 6 && len(text) <= 10 && strings.Trim(text, "0123456789") == ""
}

// mail has the server send a mail, and takes its link or code.
func (in *signIn) mail(ctx context.Context, email string) error {
	cb, err := in.callback()
	if err != nil {
		return err
	}
	defer cb.Close()
	ch := client.NewChallenge()
	mailed := true
	err = in.client.SendMail(ctx, ch, email, cb.URL())
	var e *client.Error
	switch {
	case errors.As(err, &e) && e.Code == "email_provider_disabled": // an admin may have given a link or a code
		mailed = false
		fmt.Fprintf(in.env.Stderr, "%s sends no mail. Paste the link or the code that an admin of the server gave you (cairn serve user link %s).\n\n", in.client.URL(), term.Line(email))
	case err != nil:
		return err
	default:
		fmt.Fprintf(in.env.Stderr, "A mail is on its way to %s. Open its link here, or paste the link or the code.\n\n", term.Line(email))
	}
	return in.finish(ctx, ch, cb, email, mailed)
}

func (in *signIn) callback() (*client.Callback, error) {
	ports := client.Ports()
	if in.env.Getenv("CAIRN_SIGNIN_PORT") != "" { // of a tunnel, or where ours are taken
		port, err := strconv.Atoi(in.env.Getenv("CAIRN_SIGNIN_PORT"))
		if err != nil {
			return nil, command.Usagef("CAIRN_SIGNIN_PORT must be a number, not %q", in.env.Getenv("CAIRN_SIGNIN_PORT"))
		}
		ports = []int{port}
	}
	cb, err := client.NewCallback(ports)
	return cb, term.Hint(err, "CAIRN_SIGNIN_PORT names another port")
}

// wait returns the code that came first, by the browser or by the keyboard.
func (in *signIn) wait(ctx context.Context, cb *client.Callback, read func(context.Context, string) (string, error)) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, signInTime)
	defer cancel()
	type answer struct {
		code string
		err  error
	}
	came := make(chan answer, 1)
	go func() {
		code, err := cb.Wait(ctx)
		came <- answer{code, err}
	}()
	in.listen()
	var a answer
	for typed, waiting := in.typed, true; waiting; {
		select {
		case a = <-came:
			waiting = false
		case line, more := <-typed:
			switch text := strings.TrimSpace(line); {
			case !more && in.typedOnly:
				return "", nobodyHere(errors.New("no code came on stdin"))
			case !more:
				typed = nil // nobody types; the browser may come
			case text != "":
				a.code, a.err = read(ctx, text)
				waiting = false
			}
		}
	}
	if errors.Is(a.err, context.DeadlineExceeded) {
		return "", command.Auth(term.Hint(fmt.Errorf("nobody signed in within %s", text.Duration(signInTime)),
			"if the browser ended on another page, an admin of a Supabase project has to allow %s under Authentication, URL Configuration", "http://127.0.0.1:*/**"))
	}
	return a.code, a.err
}
