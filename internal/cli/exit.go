package cli

import (
	"errors"

	"cairn/internal/child"
	"cairn/internal/install"
	"cairn/internal/team/client"
	"cairn/internal/term"
	releases "cairn/internal/update"
)

// The exit codes of every verb; help prints this table.
const (
	exitOK     = 0
	exitFailed = 1 // the work failed
	exitUsage  = 2 // wrong flags or arguments
	exitData   = 3 // bad input data
	exitAuth   = 4 // not signed in, or not allowed
	exitGate   = 5 // a gate or a check said no
	exitNet    = 6 // network
)

const exitHelp = `Exit codes: 0 ok · 1 failed · 2 usage · 3 bad input data · 4 not signed in or
not allowed · 5 gate or check said no · 6 network`

// Kinds of failure that have a code of their own. A verb wraps its error in
// one of them, or returns an error of a domain that codes lists.
var (
	errUsage = errors.New("usage")
	errData  = errors.New("bad input data")
	errAuth  = errors.New("not signed in")
	errGate  = errors.New("check said no")
	errNet   = errors.New("network")
)

// codes is the only table error → exit code. The first match wins.
var codes = []struct {
	is   error
	code int
}{
	{errUsage, exitUsage},
	{errData, exitData},
	{errAuth, exitAuth},
	{errGate, exitGate},
	{errNet, exitNet},
	{install.ErrSettings, exitData},
	{install.ErrManifest, exitData},
	{releases.ErrReach, exitNet},
	{releases.ErrPage, exitData},
	{releases.ErrChecksum, exitData},
	{client.ErrSignIn, exitAuth},
	{client.ErrDenied, exitAuth},
	{client.ErrNetwork, exitNet},
	{client.ErrBusy, exitNet},
	{client.ErrRefused, exitData},
}

// kinded puts a kind behind an error without changing what it says.
type kinded struct {
	error
	kind error
}

func (k kinded) Unwrap() []error { return []error{k.error, k.kind} }

func withKind(kind, err error) error {
	if err == nil {
		return nil
	}
	return kinded{err, kind}
}

// exitStatus ends the process with a code that is not an error of ours, such
// as the exit code of the command that `cairn run` ran.
type exitStatus int

func (exitStatus) Error() string { return "exit status" }

// exitCode says how the process ends after err, and prints err if a person
// should read it.
func exitCode(env *Env, err error) int {
	var status exitStatus
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &status):
		return int(status)
	}
	term.Print(env.Stderr, err)
	var start *child.StartError
	if errors.As(err, &start) {
		return start.Code
	}
	for _, c := range codes {
		if errors.Is(err, c.is) {
			return c.code
		}
	}
	return exitFailed
}
