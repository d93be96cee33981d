package cli

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"cairn/internal/command"

	"cairn/internal/team/client"
	"cairn/internal/term"
	"cairn/internal/text"
)

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
	provider := in.opts.provider
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
				return command.Usage(term.Hint(errors.New("an address is wanted"), "cairn sync setup --email you@example.com"))
			}
			return in.mail(ctx, email)
		default:
			return command.Auth(errors.New("the project has no way to sign in: an admin can switch on mail or a provider"))
		}
	}
	mayPaste := term.IsTerminal(in.env.Stdin) || in.opts.noBrowser
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
	if !in.opts.noBrowser && in.env.SeesBrowser() {
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
	return in.finish(ctx, ch, cb, in.opts.email, comesBack)
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
			return nil, command.Usagef("CAIRN_SIGNIN_PORT is %q; a number is wanted", in.env.Getenv("CAIRN_SIGNIN_PORT"))
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
