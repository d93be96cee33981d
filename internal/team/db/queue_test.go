package db

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
)

// order opens a database, stops its writer, puts updates by name and returns
// the order in which they were run once it goes on.
func order(t *testing.T, put func(later func(name string, as Identity, load Load))) string {
	t.Helper()
	d, err := Open(t.Context(), filepath.Join(t.TempDir(), "x.db"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if _, err := d.Migrate(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	d.writer.batch = time.Hour // a slow machine would end it between two updates
	var mu sync.Mutex
	var ran []string
	var wg sync.WaitGroup
	begun, goOn := make(chan struct{}), make(chan struct{})
	wg.Go(func() {
		_ = d.UpdateLoad(t.Context(), ServerItself, Load{Part: true}, func(*Tx) error {
			close(begun)
			<-goOn
			return nil
		})
	})
	<-begun
	n := 0
	put(func(name string, as Identity, load Load) {
		n++
		wg.Go(func() {
			err := d.UpdateLoad(context.Background(), as, load, func(tx *Tx) error {
				mu.Lock()
				defer mu.Unlock()
				ran = append(ran, name)
				_, err := tx.Exec(t.Context(), `insert into cairn.jobs (name, due_at) values (?, 0)`, name)
				return err
			})
			if err != nil {
				t.Error(name, err)
			}
		})
		q := d.writer.waiting
		for waiting := 0; waiting < n; { // until it is in the queue
			q.mu.Lock()
			waiting = len(q.first)
			for _, turns := range []*turns{&q.small, &q.parts} {
				for _, list := range turns.of {
					waiting += len(list)
				}
			}
			q.mu.Unlock()
		}
	})
	close(goOn)
	wg.Wait()
	return strings.Join(ran, " ")
}

// What is small does not wait for the end of what is large, sign-in comes before
// everything, and teams take turns, however much one of them sends.
func TestTurns(t *testing.T) {
	big, small := uuid.New(), uuid.New()
	a, b := Identity{Role: Authenticated, User: uuid.New()}, Identity{Role: Authenticated, User: uuid.New()}
	part, other := Load{Team: big, Rows: 2000, Part: true}, Load{Team: small, Rows: 2000, Part: true}
	got := order(t, func(later func(string, Identity, Load)) {
		for _, name := range []string{"p1", "p2", "p3", "p4"} {
			later(name, a, part)
		}
		later("q1", b, other)
		later("q2", b, other)
		for _, name := range []string{"a1", "a2", "a3"} {
			later(name, a, Load{})
		}
		later("b1", b, Load{Team: small, Rows: 100})
		later("sign-in", ServerItself, Load{})
	})
	// The parts take turns, too, and everything else is there before the second of them.
	if want := "sign-in a1 b1 a2 a3 p1 q1 p2 q2 p3 p4"; got != want {
		t.Errorf("in the order\n     %s\nwant %s", got, want)
	}
}

// A batch ends where it has many rows: who comes then waits for those, not for all.
func TestBatchHasFewRows(t *testing.T) {
	b := newBatch(mostTime)
	n := 1
	for b.takes(&update{load: Load{Rows: 1200}}) {
		n++
	}
	if n > 5 {
		t.Errorf("%d updates of 1,200 rows in a transaction", n)
	}
}

// Who goes away before the writer began is not written.
func TestWithdrawn(t *testing.T) {
	d, err := Open(t.Context(), filepath.Join(t.TempDir(), "x.db"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	begun, goOn := make(chan struct{}), make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		_ = d.Update(t.Context(), ServerItself, func(*Tx) error { close(begun); <-goOn; return nil })
	})
	<-begun
	for _, load := range []Load{{}, {Part: true, Team: uuid.New()}, {Team: uuid.New()}} {
		ctx, cancel := context.WithCancel(t.Context())
		cancelled := make(chan error)
		go func() {
			cancelled <- d.UpdateLoad(ctx, ServerItself, load, func(*Tx) error { t.Error("was written"); return nil })
		}()
		cancel()
		if err := <-cancelled; !errors.Is(err, context.Canceled) {
			t.Errorf("%+v: %v", load, err)
		}
	}
	close(goOn)
	wg.Wait()
	if q := d.writer.waiting; len(q.first) > 0 || slices.Max([]int{len(q.small.order), len(q.parts.order)}) > 0 {
		t.Errorf("left: %+v", q)
	}
}
