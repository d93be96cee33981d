package dashboard

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"
)

// TestWantedByNobody: when the last reader of a page goes away, its queries are
// cancelled, and those that had not begun do not begin.
func TestWantedByNobody(t *testing.T) {
	t.Parallel()
	c := newAnswers()
	c.turns = make(chan struct{}, 1)
	ask := func(ctx context.Context, repo string, of func(context.Context) (*reply, error)) <-chan error {
		out := make(chan error, 1)
		go func() {
			_, err := c.make(ctx, &request{team: Team{ID: uuid.UUID{1}, Version: 1}, filter: Filter{Repo: repo}}, of)
			out <- err
		}()
		return out
	}
	ctx, away := context.WithCancel(t.Context())
	soon, awaySoon := context.WithCancel(t.Context())
	wanted := func(n int) {
		for now := -1; now != n; time.Sleep(time.Millisecond) {
			c.mu.Lock()
			now = len(c.wanted)
			c.mu.Unlock()
		}
	}
	running, ended := make(chan struct{}), make(chan struct{})
	first := ask(ctx, "a", func(ctx context.Context) (*reply, error) {
		close(running)
		<-ctx.Done()
		close(ended)
		return nil, ctx.Err()
	})
	<-running
	second := ask(soon, "b", func(context.Context) (*reply, error) {
		t.Error("made for nobody")
		return &reply{}, nil
	})
	wanted(2)
	awaySoon()
	wanted(1)
	away()
	<-ended
	for _, one := range []<-chan error{first, second} {
		if err := <-one; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
	made := &reply{title: "c"}
	if err := <-ask(t.Context(), "b", func(context.Context) (*reply, error) { return made, nil }); err != nil {
		t.Error(err)
	}
	if err := <-ask(t.Context(), "d", func(context.Context) (*reply, error) { panic("a view fails") }); err == nil {
		t.Error("a panic is an answer")
	}
	wanted(0)
}
