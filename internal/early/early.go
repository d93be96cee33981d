// Package early answers an agent before the rest of the program is there: an event
// of its hooks, and the end of a failed call's shell. Agents call it many times a
// minute, and most of what a call took was the initialization of packages that only
// servers and databases need.
//
// It answers in its own initialization and ends the process. Go initializes packages
// in the order of their import paths, each when those it imports are (the language's
// specification says so); this one comes before all that sort behind it. It must
// therefore import little: cobra, net/http and templates are not to be among
// it, deps_test.go says. Package cli imports it, and calls the same functions
// for other forms of the same commands.
package early

import (
	"os"
	"strings"

	_ "cairn/internal/early/stack" // before all else
	"cairn/internal/host"
	"cairn/internal/outside"
)

func init() {
	if answers(os.Args) {
		os.Exit(0)
	}
}

// answers reports whether the line is one of those that are answered here, having
// done it. Help is not.
func answers(args []string) bool {
	if len(args) < 3 || strings.HasPrefix(args[2], "-") {
		return false
	}
	env := &outside.Env{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv}
	switch {
	case args[1] == "hook" && len(args) == 3:
		Hook(env, args[2], "")
	case args[1] == "hook" && len(args) == 5 && args[3] == "--only":
		Hook(env, args[2], host.Part(args[4]))
	case args[1] == "shell-exit" && len(args) == 3:
		ShellExit(env, args[2])
	default:
		return false
	}
	return true
}
