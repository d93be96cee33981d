package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// mostTogether is how many updates are committed at once at most.
const mostTogether = 64

// A writer is the one goroutine that writes to SQLite. Updates that wait for
// it are run in one transaction, each behind a savepoint of its own, and
// committed by one fsync: many small writes cost little more than one.
type writer struct {
	db   *sql.DB
	jobs chan *job
	done chan struct{} // closed when the goroutine has ended
}

type job struct {
	ctx context.Context
	fn  func(*Tx) error
	err chan error
}

func newWriter(db *sql.DB) *writer {
	w := &writer{db: db, jobs: make(chan *job, mostTogether), done: make(chan struct{})}
	go w.run()
	return w
}

// close ends the writer after what waits. No do may be called after it.
func (w *writer) close() {
	close(w.jobs)
	<-w.done
	w.db.Close()
}

func (w *writer) do(ctx context.Context, fn func(*Tx) error) error {
	j := &job{ctx: ctx, fn: fn, err: make(chan error, 1)}
	select {
	case w.jobs <- j:
	case <-ctx.Done():
		return ctx.Err()
	}
	// No answer but the writer's: it may be committing what the caller no longer waits for.
	return <-j.err
}

func (w *writer) run() {
	defer close(w.done)
	for first := range w.jobs {
		batch := []*job{first}
	collect:
		for len(batch) < mostTogether {
			select {
			case j, ok := <-w.jobs:
				if !ok {
					break collect
				}
				batch = append(batch, j)
			default:
				break collect
			}
		}
		w.commit(batch)
	}
}

// commit runs a batch. A caller that went away must not break the others'
// transaction, as an interrupted statement would, so statements run without
// its context.
func (w *writer) commit(batch []*job) {
	ctx := context.Background()
	tx, err := w.db.BeginTx(ctx, nil)
	if err != nil {
		answer(batch, err)
		return
	}
	t := &Tx{tx: tx, dialect: SQLite}
	var written []*job
	for _, j := range batch {
		if j.ctx.Err() != nil {
			j.err <- j.ctx.Err()
			continue
		}
		err := t.Savepoint(ctx, func() error { return j.run(t) })
		if err != nil {
			j.err <- err
			continue
		}
		written = append(written, j)
	}
	answer(written, tx.Commit())
}

// run calls the job's function; its panic is its own error.
func (j *job) run(t *Tx) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("an update panicked: %v", p)
		}
	}()
	return j.fn(t)
}

func answer(batch []*job, err error) {
	for _, j := range batch {
		j.err <- err
	}
}

// Savepoint runs fn and takes back what it wrote if it returns an error; the
// transaction goes on.
func (t *Tx) Savepoint(ctx context.Context, fn func() error) error {
	if _, err := t.tx.ExecContext(ctx, "savepoint part"); err != nil {
		return err
	}
	if err := fn(); err != nil {
		_, undo := t.tx.ExecContext(ctx, "rollback to savepoint part")
		_, release := t.tx.ExecContext(ctx, "release savepoint part")
		return errors.Join(err, undo, release)
	}
	_, err := t.tx.ExecContext(ctx, "release savepoint part")
	return err
}
