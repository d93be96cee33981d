package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"strings"
	"syscall"

	"cairn/internal/child"
	"cairn/internal/command"
	"cairn/internal/config"
	"cairn/internal/install"
	"cairn/internal/team/client"
	"cairn/internal/term"
	"cairn/internal/text"
	releases "cairn/internal/update"
)

// exitCodes says what they mean: help, the pages and the man pages print it.
var exitCodes = [...]struct {
	code         int
	short, means string
}{
	{command.ExitOK, "ok", "It worked"},
	{command.ExitFailed, "failed", "The work failed"},
	{command.ExitUsage, "usage", "The flags or arguments are wrong"},
	{command.ExitData, "bad input data", "A file or what a server sent cannot be read; nothing was half done"},
	{command.ExitAuth, "not signed in or not allowed", "You are not signed in, or may not do this"},
	{command.ExitGate, "gate or check said no", "A gate or a check said no"},
	{command.ExitNet, "network", "The network or a server did not answer; trying again may help"},
	{command.ExitUnchecked, "not checked", "A gate could not check something, such as without a baseline; no rule failed"},
}

// exitHelp is that table in a paragraph.
func exitHelp() string {
	var parts []string
	for _, c := range exitCodes {
		parts = append(parts, fmt.Sprintf("%d %s", c.code, c.short))
	}
	return text.Wrap("Exit codes: "+strings.Join(parts, " · "), 80)
}

// exitCode says how the process ends after err, and prints err if a person
// should read it.
func exitCode(env *Env, err error) int {
	var status command.Status
	switch {
	case err == nil:
		return command.ExitOK
	case errors.As(err, &status):
		return int(status)
	}
	var start *child.StartError
	if errors.As(err, &start) { // as a shell says it
		fmt.Fprintf(env.Stderr, "cairn: %v\n", err)
		return start.Code
	}
	term.Print(env.Stderr, fileHint(err))
	for _, c := range []struct { // the only table error → exit code; the first match wins
		is   error
		code int
	}{
		{command.ErrUsage, command.ExitUsage},
		{command.ErrData, command.ExitData},
		{command.ErrAuth, command.ExitAuth},
		{command.ErrGate, command.ExitGate},
		{command.ErrNet, command.ExitNet},
		{command.ErrUnchecked, command.ExitUnchecked},
		{config.ErrUnknown, command.ExitUsage},
		{config.ErrByUser, command.ExitUsage},
		{config.ErrFile, command.ExitData},
		{install.ErrSettings, command.ExitData},
		{install.ErrManifest, command.ExitData},
		{releases.ErrReach, command.ExitNet},
		{releases.ErrPage, command.ExitData},
		{releases.ErrChecksum, command.ExitData},
		{client.ErrSignIn, command.ExitAuth},
		{client.ErrFactor, command.ExitAuth},
		{client.ErrDenied, command.ExitAuth},
		{client.ErrNetwork, command.ExitNet},
		{client.ErrBusy, command.ExitNet},
		{client.ErrRefused, command.ExitData},
	} {
		if errors.Is(err, c.is) {
			return c.code
		}
	}
	return command.ExitFailed
}

// fileHint adds what can be done about a file that cannot be written.
func fileHint(err error) error {
	var socket *net.OpError
	switch {
	case term.HintOf(err) != "" || errors.As(err, &socket):
	case errors.Is(err, fs.ErrPermission):
		return term.Hint(err, "make the file and its directory writable for you (chmod u+w), then run this again")
	case errors.Is(err, syscall.ENOTDIR):
		return term.Hint(err, "there is a file where a directory has to be: rename it, then run this again")
	}
	return err
}
