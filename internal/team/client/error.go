package client

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"
)

// Kinds of failure; errors.Is tells which one an Error is of.
var (
	ErrNetwork = errors.New("the server cannot be reached") // nothing came back, or nothing of the server's
	ErrBusy    = errors.New("the server is busy")           // 408, 429, 5xx: later
	ErrSignIn  = errors.New("not signed in")                // 401, no session, a session that is over
	ErrFactor  = errors.New("the code of the second factor is missing")
	ErrDenied  = errors.New("not allowed")                    // 403
	ErrRefused = errors.New("the server refuses the request") // any other 4xx: the same request is never taken
)

// An Error says why a request came to nothing.
type Error struct {
	Kind    error
	Status  int           // of the answer; 0 when none came
	Code    string        // the server's: a SQLSTATE, PGRST…, or GoTrue's word
	Message string        // one sentence; the server's if it gave one
	After   time.Duration // what the server asked to wait; 0 when it did not say
	cause   error
}

func (e *Error) Error() string { return cmp.Or(e.Message, e.Kind.Error()) }

func (e *Error) Unwrap() []error {
	if e.cause == nil {
		return []error{e.Kind}
	}
	return []error{e.Kind, e.cause}
}

// NotSignedIn is the error of a server that there is no session with.
func NotSignedIn(url string) error {
	return &Error{Kind: ErrSignIn, Message: "not signed in to " + url}
}

// Hint is what a person does next, "" where nothing is known.
func (e *Error) Hint() string {
	switch e.Kind {
	case ErrNetwork:
		if e.isHere() {
			return "if it is the server of this machine, cairn up starts it again; what waits is kept in the queue"
		}
		return "cairn sync test tells where it fails; what waits is kept in the queue"
	case ErrBusy:
		if Full(e) {
			return "what waits is kept in the queue; cairn team quota shows the limits, and the server's operator can raise them: cairn serve team quota SLUG"
		}
		return "try again later; what waits is kept in the queue"
	case ErrSignIn:
		return "run cairn sync setup"
	case ErrFactor:
		return "cairn sync setup asks for the code of your authenticator app"
	case ErrDenied:
		return "an admin of the team can say what you may do: cairn team members"
	}
	return ""
}

// isHere reports that nobody listens at an address of this machine.
func (e *Error) isHere() bool {
	var op *net.OpError
	if !errors.As(e.cause, &op) || op.Op != "dial" {
		return false
	}
	at, ok := op.Addr.(*net.TCPAddr)
	return ok && at.IP.IsLoopback()
}

// Full reports whether the team has reached a limit of what it may store: what
// was sent waits until there is room.
func Full(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Status == http.StatusInsufficientStorage
}

// final reports whether the same request will never be taken.
func (e *Error) final() bool { return e.Kind == ErrRefused || e.Kind == ErrDenied }

// networkError says in few words what went wrong on the way.
func networkError(base string, err error) *Error {
	text := ""
	var timeout net.Error
	var dns *net.DNSError
	var op *net.OpError
	switch {
	case errors.As(err, &timeout) && timeout.Timeout():
		text = "it took too long to answer"
	case errors.As(err, &dns):
		text = fmt.Sprintf("there is no host %s", dns.Name)
	case strings.Contains(err.Error(), "tls: ") || strings.Contains(err.Error(), "x509: ") || strings.Contains(err.Error(), "gave HTTP response to HTTPS client"):
		text = "no encrypted connection can be made: " + last(err)
	case errors.As(err, &op) && op.Op == "dial":
		text = last(err)
	default:
		text = "the connection was cut: " + last(err)
	}
	return &Error{Kind: ErrNetwork, Message: base + " cannot be reached: " + text, cause: err}
}

// last is the innermost sentence of an error: the outer ones repeat addresses.
func last(err error) string {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err.Error()
		}
		err = inner
	}
}
