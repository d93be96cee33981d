package judge

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
)

// againError is a try that may go better next time.
type againError struct {
	why   string
	after time.Duration // as the server asks
	busy  bool          // the server, for everybody
}

func (e *againError) Error() string { return e.why }

// A gate keeps all from asking a server that said it is busy.
type gate struct {
	mu    sync.Mutex
	until time.Time
}

func (g *gate) close(d time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if t := time.Now().Add(d); t.After(g.until) {
		g.until = t
	}
}

// wait returns when the gate is open, or with the context's error.
func (g *gate) wait(ctx context.Context, rest func(context.Context, time.Duration) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	g.mu.Lock()
	d := time.Until(g.until)
	g.mu.Unlock()
	if d > 0 {
		return rest(ctx, d)
	}
	return nil
}

// networkWhy is a network's error without the address, which may hold a
// password.
func networkWhy(err error) string {
	if errors.Is(err, context.DeadlineExceeded) {
		return "no answer in time"
	}
	var at *url.Error
	if errors.As(err, &at) {
		err = at.Err
	}
	return err.Error()
}

// errorMessage is what a server says of an error, on one line.
func errorMessage(data []byte, status string) string {
	var in struct {
		Error struct {
			Message string `json:"message"`
		} `json:"error"`
	}
	text := status
	if json.Unmarshal(data, &in) == nil && in.Error.Message != "" {
		text = in.Error.Message
	}
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > 300 {
		text = string(r[:300]) + "…"
	}
	return text
}

// hide takes a key out of a text that a server or a network made.
func hide(text, key string) string {
	if key == "" {
		return text
	}
	return strings.ReplaceAll(text, key, "[key]")
}
