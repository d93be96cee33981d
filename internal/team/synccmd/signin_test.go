package synccmd

import (
	"bufio"
	"cairn/internal/command"
	"cairn/internal/team/client"
	"cairn/internal/term"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"
)

// Nobody comes back from the browser: the time is up, and what to do is said.
func TestSyncSignInTakesTooLong(t *testing.T) {
	t.Parallel()
	cb, err := client.NewCallback([]int{0})
	if err != nil {
		t.Fatal(err)
	}
	defer cb.Close()
	silent, _ := io.Pipe()
	in := &signIn{env: &command.Env{Stderr: io.Discard}, lines: bufio.NewReader(silent)}
	ctx, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	code, err := in.wait(ctx, cb, nil)
	if code != "" || !errors.Is(err, command.ErrAuth) || !strings.Contains(err.Error(), "nobody signed in within 5") || !strings.Contains(term.HintOf(err), "http://127.0.0.1:*/**") {
		t.Errorf("%q, %v: %s", code, err, term.HintOf(err))
	}
}
