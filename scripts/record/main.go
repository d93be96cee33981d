// Command record plays a session in a terminal and draws it as an SVG:
//
//	go run ./scripts/record COLUMNS < session.txt > session.svg
//
// A line of the session that begins with "$ " is shown and run, one that begins
// with "% " is only run, and "> " goes on with a command. All run in one
// directory, in a real terminal of so many columns. What differs from one
// machine and moment to the next (ids of stored outputs, times of tests, a
// free port) is shown as it was the first time, so that the picture changes only when the
// program does. scripts/record.sh makes the place where it is run.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"

	"github.com/creack/pty"

	"cairn/internal/must"
)

func main() {
	if err := must.Catch(func() { record(os.Args[1:]) }); err != nil {
		fmt.Fprintln(os.Stderr, "record:", err)
		os.Exit(1)
	}
}

func record(args []string) {
	if len(args) != 1 {
		must.Fail(fmt.Errorf("usage: record COLUMNS < session.txt > session.svg"))
	}
	columns, err := strconv.ParseUint(args[0], 10, 16)
	if err != nil || columns < 40 {
		must.Fail(fmt.Errorf("%q columns: a number from 40 on is wanted", args[0]))
	}
	steps := read(os.Stdin)
	var screen []row
	for _, s := range steps {
		out := play(s.command, uint16(columns))
		if !s.shown {
			continue
		}
		if len(screen) > 0 {
			screen = append(screen, nil)
		}
		for i, line := range strings.Split(s.command, "\n") {
			prompt := "$ "
			if i > 0 {
				prompt = "> "
			}
			screen = append(screen, row{{prompt, "dim"}, {line, "cmd"}})
		}
		screen = append(screen, rows(steady(out), int(columns))...)
	}
	draw(os.Stdout, screen, int(columns))
}

// A step is a command, with all its lines.
type step struct {
	command string
	shown   bool
}

func read(r io.Reader) (steps []step) {
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		line := lines.Text()
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "$ "), strings.HasPrefix(line, "% "):
			steps = append(steps, step{line[2:], line[0] == '$'})
		case strings.HasPrefix(line, "> ") && len(steps) > 0:
			steps[len(steps)-1].command += "\n" + line[2:]
		default:
			must.Fail(fmt.Errorf("%q: a line begins with $, %% or >", line))
		}
	}
	must.OK(lines.Err())
	return steps
}

// play runs a command in a terminal and returns what it wrote there. How it
// ends does not matter: a failing test is part of the story.
func play(command string, columns uint16) string {
	cmd := exec.Command("sh", "-c", command)
	tty := must.Get(pty.StartWithSize(cmd, &pty.Winsize{Rows: 50, Cols: columns}))
	defer func() { _ = tty.Close() }()
	out, _ := io.ReadAll(tty) // ends with an error where the terminal's other side is closed
	var exit *exec.ExitError
	if err := cmd.Wait(); err != nil && !errors.As(err, &exit) {
		must.Fail(fmt.Errorf("%s: %w", command, err))
	}
	return strings.ReplaceAll(string(out), "\r\n", "\n")
}

// steady takes out what no two runs have in common.
func steady(out string) string {
	for _, s := range [...]struct{ pattern, as string }{
		{`(compact show) [0-9a-z]{5}\b`, "$1 fhrvb"},
		{`\(\d+\.\d\ds\)`, "(0.00s)"},
		{`\t\d+\.\d{3}s`, "\t0.005s"},
		{`(?m)  \([\d.]+ m?s\)$`, ""},
		{`, as another program has \S+`, ""},
		{`ticket=\S+`, "ticket=…"},
		{`127\.0\.0\.1:\d+`, "127.0.0.1:7373"},
		{`\b[0-9]+(\.[0-9]+)? (ms|s)\b`, "0.4 s"},
	} {
		out = regexp.MustCompile(s.pattern).ReplaceAllString(out, s.as)
	}
	return strings.TrimRight(out, "\n")
}
