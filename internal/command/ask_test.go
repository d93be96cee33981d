package command

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/creack/pty"
)

func TestConfirm(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]bool{"y\n": true, " YES \n": true, "n\n": false, "\n": false, "yep\n": false} {
		keyboard, terminal, err := pty.Open()
		if errors.Is(err, pty.ErrUnsupported) {
			t.Skip("no terminals to open here")
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(keyboard, answer); err != nil {
			t.Fatal(err)
		}
		var said bytes.Buffer
		got, err := (&Call{Env: &Env{Stdin: terminal, Stderr: &said}}).Confirm(false, "Really?")
		if got != want || err != nil || said.String() != "Really? [y/N] " {
			t.Errorf("%q: %v, %v, said %q", answer, got, err, said.String())
		}
		keyboard.Close()
		terminal.Close()
	}
	pipe := &Call{Env: &Env{Stdin: strings.NewReader("y\n"), Stderr: io.Discard}}
	if got, err := pipe.Confirm(false, "Really?"); got || !errors.Is(err, ErrUsage) {
		t.Errorf("without a terminal: %v, %v", got, err)
	}
	if got, err := (&Call{Env: &Env{Stdin: os.Stdin, Stderr: io.Discard}}).Confirm(true, "Really?"); !got || err != nil {
		t.Errorf("answered beforehand: %v, %v", got, err)
	}
}
