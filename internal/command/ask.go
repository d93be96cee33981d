package command

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"time"

	xterm "golang.org/x/term"

	"cairn/internal/term"
)

// Confirm asks a question on the terminal; only y or yes is yes. Without a
// terminal the answer has to be given beforehand, by --yes.
func (c *Call) Confirm(yes bool, question string) (bool, error) {
	if yes {
		return true, nil
	}
	if !term.IsTerminal(c.Stdin) {
		return false, Usage(term.Hint(errors.New("nobody to ask: "+question), "add --yes"))
	}
	answer := strings.ToLower(c.ask(question + " [y/N] "))
	return answer == "y" || answer == "yes", nil
}

// ask returns what is typed in answer to a question.
func (c *Call) ask(question string) string {
	fmt.Fprint(c.Stderr, question)
	answer, _ := bufio.NewReader(c.Stdin).ReadString('\n')
	return strings.TrimSpace(answer)
}

// ConfirmName has the name of something typed that is to be deleted for good.
func (c *Call) ConfirmName(yes bool, name string) (bool, error) {
	if yes {
		return true, nil
	}
	if !term.IsTerminal(c.Stdin) {
		return false, Usage(term.Hint(errors.New("nobody to ask whether "+name+" is to be deleted"), "add --yes"))
	}
	if c.ask(fmt.Sprintf("This deletes everything of %s, for good. Type its slug to go on: ", name)) != name {
		return false, Usage(errors.New("that is not its slug: nothing was deleted"))
	}
	return true, nil
}

// Secret reads what is secret from the terminal without showing it, or the first
// line of stdin.
func (c *Call) Secret(what string) (string, error) {
	var line []byte
	var err error
	if term.IsTerminal(c.Stdin) {
		fmt.Fprint(c.Stderr, what+" (it is not shown): ")
		line, err = xterm.ReadPassword(int(c.Stdin.(*os.File).Fd()))
		fmt.Fprintln(c.Stderr)
	} else {
		line, err = c.ReadLine()
	}
	if err != nil {
		return "", fmt.Errorf("the %s cannot be read: %w", what, err)
	}
	text := strings.TrimSpace(string(line))
	if text == "" {
		return "", Usagef("no %s came on stdin", what)
	}
	return text, nil
}

// Interruptible ends with Ctrl-C. A second one ends the process: who is asked
// for something at the terminal is not waited for.
func Interruptible(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

// Since reads how far to look back: 30d, 12h, 2w, a date, or all, which is the
// zero time.
func Since(text string, now time.Time) (time.Time, error) {
	if text == "all" {
		return time.Time{}, nil
	}
	if day, err := time.ParseInLocation(time.DateOnly, text, now.Location()); err == nil {
		return day, nil
	}
	var n int
	var unit string
	if _, err := fmt.Sscanf(text, "%d%s", &n, &unit); err == nil && n >= 0 && n < 100_000 {
		switch unit {
		case "h":
			return now.Add(-time.Duration(n) * time.Hour), nil
		case "d":
			return now.AddDate(0, 0, -n), nil
		case "w":
			return now.AddDate(0, 0, -7*n), nil
		}
	}
	return time.Time{}, Usagef("--since must be 30d, 12h, 2w, 2026-01-31 or all, not %q", term.Line(text))
}

// Shown is the name of a file in a message; - is stdin.
func Shown(name string) string {
	if name == "-" {
		return "stdin"
	}
	return term.Printable(name)
}
