// Package verifier has a language model asked which lines a compaction should not
// have left out: hooks, shim and run ask by AskChild, which starts `cairn compact
// verify` as a process of its own. What may be asked, and what of an answer counts,
// is decided in compact, which trusts nothing from here.
package verifier

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"

	"cairn/internal/compact"
)

// The environment that names the model's server and the key for it, as
// Anthropic's own clients have it.
const (
	KeyVariable = "ANTHROPIC_API_KEY"
	URLVariable = "ANTHROPIC_BASE_URL"
)

// replyMax is in bytes.
const replyMax = 64 << 10

// A Request is what `cairn compact verify` reads, and a Reply what it prints:
// both as one JSON value.
type (
	Request struct {
		Model    string           `json:"model"`
		Question compact.Question `json:"question"`
	}
	Reply struct {
		compact.Answer
		Error string `json:"error,omitempty"` // the answer cost what it says, and is of no use
	}
)

// AskChild asks in a process of its own, so that neither a hook nor a shim
// holds a client, and so that one that hangs can be killed. Whoever ends our
// group ends it too.
func AskChild(ctx context.Context, req Request, program string, args ...string) (compact.Answer, error) {
	data, err := json.Marshal(req)
	if err != nil {
		return compact.Answer{}, err
	}
	out, errs := limited{limit: replyMax}, limited{limit: replyMax}
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(data), &out, &errs
	cmd.WaitDelay = 100 * time.Millisecond
	err = cmd.Run()
	if ctx.Err() != nil {
		return compact.Answer{}, ctx.Err()
	}
	if err != nil {
		said, _, _ := strings.Cut(string(errs.data), "\n")
		return compact.Answer{}, fmt.Errorf("%w: %s", err, strings.TrimPrefix(said, "cairn: error: "))
	}
	var reply Reply
	if err := json.Unmarshal(out.data, &reply); err != nil {
		return compact.Answer{}, err
	}
	if reply.Error != "" {
		err = errors.New(reply.Error)
	}
	return reply.Answer, err
}

// limited is what a process printed, unless that is more than limit bytes. It
// is not a bytes.Buffer itself, whose ReadFrom would take all there is.
type limited struct {
	data  []byte
	limit int
}

func (l *limited) Write(p []byte) (int, error) {
	if len(l.data)+len(p) > l.limit {
		return 0, io.ErrShortWrite
	}
	l.data = append(l.data, p...)
	return len(p), nil
}
