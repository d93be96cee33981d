package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

const (
	mostTogether = 64   // updates that are committed at once at most
	mostRows     = 5000 // rows of them, about
	mostTime     = 100 * time.Millisecond
	mostPrepared = 64   // statements that are kept prepared
	longLog      = 16e3 // pages of the log, 64 MB: from then on the writer waits for a checkpoint
)

// A writer is the one goroutine that writes to SQLite. Updates that wait for
// it are run in one transaction, each behind a savepoint of its own, and
// committed by one fsync: many small writes cost little more than one. What is
// large comes in parts, each a transaction of its own between those of others.
type writer struct {
	db      *sql.DB
	conn    *sql.Conn // what it writes through
	waiting *queue
	done    chan struct{} // closed when the goroutine has ended
	moved   chan struct{} // closed when no checkpoint runs any more
	stmts   map[string]*sql.Stmt
	grown   chan struct{} // something was committed that a checkpoint may move
	batch   time.Duration // for how long updates are put together
	long    chan struct{} // the log is long: writing goes on faster than it is moved
}

func newWriter(ctx context.Context, db *sql.DB) (*writer, error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	w := &writer{db: db, conn: conn, waiting: newQueue(), done: make(chan struct{}), moved: make(chan struct{}),
		batch: mostTime, stmts: map[string]*sql.Stmt{}, grown: make(chan struct{}, 1), long: make(chan struct{}, 1)}
	go w.run()
	go w.checkpoints()
	return w, nil
}

// close ends the writer after what waits. No do may be called after it.
func (w *writer) close() {
	w.waiting.close()
	<-w.done
	<-w.moved
	w.forget()
	w.conn.Close()
	w.db.Close()
}

// prepared returns a statement of the writer's connection.
func (w *writer) prepared(ctx context.Context, query string) (*sql.Stmt, error) {
	if s := w.stmts[query]; s != nil {
		return s, nil
	}
	if len(w.stmts) == mostPrepared {
		w.forget()
	}
	s, err := w.conn.PrepareContext(ctx, query)
	if err == nil {
		w.stmts[query] = s
	}
	return s, err
}

func (w *writer) forget() {
	for _, s := range w.stmts {
		_ = s.Close()
	}
	clear(w.stmts)
}

// checkpoints moves what was committed from the log into the database, beside
// the writer, which would keep everyone waiting for it.
func (w *writer) checkpoints() {
	defer close(w.moved)
	for range w.grown {
		pages, err := checkpoint(w.db.QueryRow)
		if err == nil && pages > longLog {
			signal(w.long)
		}
		select { // more of it at once costs less
		case <-time.After(250 * time.Millisecond):
		case <-w.done:
		}
	}
}

// checkpoint moves what it can without anybody waiting, and returns how long the log is.
func checkpoint(query func(string, ...any) *sql.Row) (pages int, err error) {
	var busy, moved int
	err = query(`pragma wal_checkpoint(passive)`).Scan(&busy, &pages, &moved)
	return pages, err
}

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

func (w *writer) do(ctx context.Context, as Identity, load Load, fn func(*Tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	u := &update{ctx: ctx, fn: fn, err: make(chan error, 1), load: load}
	w.waiting.put(u, as)
	select {
	case err := <-u.err:
		return err
	case <-ctx.Done():
	}
	if w.waiting.withdraw(u) {
		return ctx.Err()
	}
	// No answer but the writer's: it may be committing what the caller no longer waits for.
	return <-u.err
}

func (w *writer) run() {
	defer close(w.done)
	defer close(w.grown)
	for w.waiting.wait() {
		for _, part := range [...]bool{false, true} {
			if first := w.waiting.next(part); first != nil {
				w.commit(first)
			}
		}
		signal(w.grown)
		select {
		case <-w.long:
			// An error is of no account here: the log is kept, and this is tried again.
			_, _ = checkpoint(func(q string, args ...any) *sql.Row { return w.conn.QueryRowContext(context.Background(), q, args...) })
		default:
		}
	}
}

// commit runs an update, and with it what else waits, in one transaction; a part
// alone. A caller that went away must not break the others' transaction, as an
// interrupted statement would, so statements run without its context.
func (w *writer) commit(first *update) {
	ctx := context.Background()
	if first.load.Part { // which comes before its run does
		if _, err := w.conn.ExecContext(ctx, "pragma foreign_keys = off"); err != nil {
			first.err <- err
			return
		}
		defer func() { _, _ = w.conn.ExecContext(ctx, "pragma foreign_keys = on") }()
	}
	tx, err := w.conn.BeginTx(ctx, nil)
	if err != nil {
		first.err <- err
		return
	}
	t := &Tx{tx: tx, dialect: SQLite, writer: w}
	var written []*update
	room := newBatch(w.batch)
	for u, more := first, true; u != nil; {
		err := u.ctx.Err()
		if err == nil {
			err = t.Savepoint(ctx, func() error { return u.run(t) })
		}
		if err != nil {
			u.err <- err
		} else {
			written = append(written, u)
		}
		more = room.takes(u) && !first.load.Part
		if u = nil; more {
			u = w.waiting.next(false)
		}
	}
	answer(written, tx.Commit())
}

// run calls the update's function; its panic is its own error.
func (u *update) run(t *Tx) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("an update panicked: %v", p)
		}
	}()
	return u.fn(t)
}

func answer(batch []*update, err error) {
	for _, u := range batch {
		u.err <- err
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
