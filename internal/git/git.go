// Package git runs the user's git in a directory and gives back what it
// printed. It starts no program that the repository names, but hooks and filters
// for what is a person's own work. What several callers ask of a repository, it answers: where it is
// and which branch is checked out.
//
// It is a leaf: everything may import it and it imports none of ours. Which
// other commands are run, and what their output means, belongs to those who
// call.
package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// Timeout ends a git whose context has no deadline of its own. Commands that
// run the user's hooks want a longer one.
const Timeout = 30 * time.Second

// Run runs git in dir and returns what it wrote to standard output, without
// the space around it. A git that fails is an [*Error].
func Run(ctx context.Context, dir string, args ...string) (string, error) {
	out, err := Output(ctx, dir, args...)
	return strings.TrimSpace(string(out)), err
}

// Output runs git in dir and returns its standard output byte for byte, also
// what a git that failed had written.
func Output(ctx context.Context, dir string, args ...string) ([]byte, error) {
	return OutputEnv(ctx, dir, nil, args...)
}

// OutputEnv is Output with more variables in git's environment, such as
// GIT_INDEX_FILE=path.
func OutputEnv(ctx context.Context, dir string, env []string, args ...string) ([]byte, error) {
	if _, ok := ctx.Deadline(); !ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, Timeout)
		defer cancel()
	}
	with, env, err := safely(ctx, dir, env, args)
	if err != nil {
		return nil, &Error{Args: args, Err: err}
	}
	return start(ctx, dir, env, with)
}

func start(ctx context.Context, dir string, env, args []string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir, cmd.Env = dir, env
	cmd.WaitDelay = 2 * time.Second // a hook's child may hold the pipes
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if err == nil {
		return stdout.Bytes(), nil
	}
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return stdout.Bytes(), &Error{Args: args, Stderr: stderr.String(), Err: err}
}

// Error is a git that failed or could not be started.
type Error struct {
	Args   []string
	Stderr string // as git wrote it
	Err    error  // an [*exec.ExitError], the context's error, or why git did not start
}

// maxMessage bounds what an error quotes: a hook may have written pages.
const maxMessage = 400

// Error gives the git command and what it complained about, in one line.
func (e *Error) Error() string {
	said := oneLine(e.Stderr)
	var exit *exec.ExitError
	if said == "" || !errors.As(e.Err, &exit) {
		said = strings.TrimPrefix(e.Err.Error(), "exec: ")
	}
	sub, _ := subcommand(e.Args)
	if sub == "" {
		sub = strings.Join(e.Args, " ")
	}
	if strings.Contains(e.Stderr, "promisor remote") {
		said = "something is missing in this partial clone, and cairn fetches nothing; git log --numstat does"
	}
	return fmt.Sprintf("git %s: %s", sub, said)
}

func (e *Error) Unwrap() error { return e.Err }

// Code returns the exit code of the git that err is about: 0 for nil, -1
// when it did not end by itself.
func Code(err error) int {
	if err == nil {
		return 0
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	return -1
}

// subcommand returns what git is asked for: the first argument that is not
// an option of git itself, and where that is.
func subcommand(args []string) (string, int) {
	for i := 0; i < len(args); i++ {
		switch {
		case args[i] == "-c" || args[i] == "-C":
			i++
		case !strings.HasPrefix(args[i], "-"):
			return args[i], i
		}
	}
	return "", len(args)
}

// oneLine joins the lines that say something.
func oneLine(s string) string {
	var said []string
	for line := range strings.Lines(s) {
		line = strings.TrimSpace(line)
		for _, label := range []string{"fatal: ", "error: "} {
			line = strings.TrimPrefix(line, label)
		}
		if line != "" && !strings.HasPrefix(line, "hint: ") {
			said = append(said, line)
		}
	}
	out := strings.Join(said, "; ")
	if len(out) > maxMessage {
		out = strings.ToValidUTF8(out[:maxMessage], "") + "…"
	}
	return out
}
