package evalcmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"

	"cairn/internal/child"
	"cairn/internal/command"
	"cairn/internal/team/grade"
	"cairn/internal/term"
)

// mostSaid is how much of what a program prints is kept: its end.
const mostSaid = 4 << 10

// programs runs what cases name, where --allow-commands says that this is
// wanted; else it is nil, and nothing is run.
func programs(c *command.Call) grade.Runner {
	if !c.Bool("allow-commands") {
		return nil
	}
	return func(p grade.Program) (grade.Ran, error) { return runProgram(c, p) }
}

func runProgram(c *command.Call, p grade.Program) (ran grade.Ran, err error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, p.Timeout)
	defer cancel()
	var cmd *exec.Cmd
	name := p.Line
	if name != "" {
		cmd = child.Shell(ctx, p.Line)
	} else {
		name, cmd = p.Args[0], exec.CommandContext(ctx, p.Args[0], p.Args[1:]...)
		child.EndTogether(cmd)
	}
	var said ending
	cmd.Dir = c.Path(p.Dir)
	cmd.Env = append(os.Environ(), "CAIRN_CASE="+strings.ReplaceAll(p.Case, "\x00", ""))
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(p.Stdin), &said, &said
	err = cmd.Run()
	ran.Said = said.text()
	var exit *exec.ExitError
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return ran, fmt.Errorf("%s did not end within %s", command.Shown(name), p.Timeout)
	case ctx.Err() != nil:
		return ran, errors.New("stopped")
	case errors.As(err, &exit) && exit.Exited():
		ran.Exit = exit.ExitCode()
		return ran, nil
	case errors.Is(err, exec.ErrWaitDelay) || errors.Is(err, os.ErrClosed): // it ended with 0, and something that it started did not
		return ran, nil
	}
	return ran, err
}

// ending is the end of what is written to it.
type ending struct{ data []byte }

func (e *ending) Write(b []byte) (int, error) {
	e.data = append(e.data, b...)
	if over := len(e.data) - mostSaid; over > mostSaid {
		e.data = append(e.data[:0], e.data[over:]...)
	}
	return len(b), nil
}

// text is on one line, and without what a terminal would take for a command.
func (e *ending) text() string {
	s := strings.ToValidUTF8(string(e.data[max(0, len(e.data)-mostSaid):]), "")
	return term.Line(strings.TrimSpace(s))
}
