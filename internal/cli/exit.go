package cli

import (
	"errors"
	"fmt"
	"strings"

	"cairn/internal/child"
	"cairn/internal/install"
	"cairn/internal/team/client"
	"cairn/internal/term"
	"cairn/internal/text"
	releases "cairn/internal/update"
)

// The exit codes of every verb.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
	exitData   = 3
	exitAuth   = 4
	exitGate   = 5
	exitNet    = 6
)

// exitCodes says what they mean: help, the pages and the man pages print it.
var exitCodes = [...]struct {
	code         int
	short, means string
}{
	{exitOK, "ok", "It worked"},
	{exitFailed, "failed", "The work failed"},
	{exitUsage, "usage", "The flags or arguments are wrong"},
	{exitData, "bad input data", "A file or what a server sent cannot be read; nothing was half done"},
	{exitAuth, "not signed in or not allowed", "You are not signed in, or may not do this"},
	{exitGate, "gate or check said no", "A gate or a check said no"},
	{exitNet, "network", "The network or a server did not answer; trying again may help"},
}

// exitHelp is that table in a paragraph.
func exitHelp() string {
	var parts []string
	for _, c := range exitCodes {
		parts = append(parts, fmt.Sprintf("%d %s", c.code, c.short))
	}
	return text.Wrap("Exit codes: "+strings.Join(parts, " · "), 80)
}

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
	{client.ErrFactor, exitAuth},
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
