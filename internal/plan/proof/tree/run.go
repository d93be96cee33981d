package tree

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"os/exec"
	"strings"
	"time"

	"cairn/internal/child"
)

// Ran is what came of a command.
type Ran struct {
	Exit    int // -1: it did not end by itself
	Took    time.Duration
	Hash    string // of all that it printed
	Said    string // the end of it
	Timeout bool
}

// mostSaid is how much of what a command prints is kept: its end.
const mostSaid = 64 << 10

// Run runs a line of the shell in a directory, with both streams in one.
func Run(ctx context.Context, dir string, env []string, line string, limit time.Duration) (Ran, error) {
	inner, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := child.Shell(inner, line)
	said := ending{sum: sha256.New()}
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = dir, env, &said, &said
	began := time.Now()
	err := cmd.Run()
	ran := Ran{Took: time.Since(began), Hash: hex.EncodeToString(said.sum.Sum(nil))[:16], Said: said.text()}
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return ran, ctx.Err()
	case inner.Err() != nil:
		ran.Exit, ran.Timeout = -1, true
	case errors.As(err, &exit):
		ran.Exit = exit.ExitCode()
	case err != nil && !errors.Is(err, exec.ErrWaitDelay): // it ended, and something that it started did not
		return ran, err
	}
	return ran, nil
}

// ending is the end of what is written to it, and a hash of all.
type ending struct {
	data []byte
	sum  hash.Hash
}

func (e *ending) Write(b []byte) (int, error) {
	e.sum.Write(b)
	e.data = append(e.data, b...)
	if over := len(e.data) - mostSaid; over > mostSaid {
		e.data = append(e.data[:0], e.data[over:]...)
	}
	return len(b), nil
}

func (e *ending) text() string {
	return strings.ToValidUTF8(string(e.data[max(0, len(e.data)-mostSaid):]), "")
}
