package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
)

// A Tx is a running transaction. Statements are written once for both
// databases: ? is a parameter, auth. and cairn. are the schemas of what no
// request may name.
type Tx struct {
	tx      *sql.Tx
	dialect Dialect
	writer  *writer       // of SQLite, while it writes
	pooled  time.Duration // of DB
	project bool          // of DB
	asked   *atomic.Int64 // of DB, nil of the writer
}

func (d *DB) tx(tx *sql.Tx) *Tx {
	return &Tx{tx: tx, dialect: d.dialect, pooled: d.pooled, project: d.project, asked: &d.asked}
}

// Dialect says which database it runs in.
func (t *Tx) Dialect() Dialect { return t.dialect }

// Project says whether the database is a Supabase project's, which lacks what
// only a server of ours needs.
func (t *Tx) Project() bool { return t.project }

// Exec runs a statement and returns how many rows it changed.
func (t *Tx) Exec(ctx context.Context, query string, args ...any) (int64, error) {
	res, err := t.tx.ExecContext(ctx, t.rewrite(query), t.arguments(args)...)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

// Do is Exec where it does not matter how many rows there were.
func (t *Tx) Do(ctx context.Context, query string, args ...any) error {
	_, err := t.Exec(ctx, query, args...)
	return err
}

// Do is a transaction of the server itself with one statement.
func (d *DB) Do(ctx context.Context, query string, args ...any) error {
	return d.Update(ctx, ServerItself, func(t *Tx) error { return t.Do(ctx, query, args...) })
}

// Get scans the row of a query that the server itself asks, in a transaction of its own.
func (d *DB) Get(ctx context.Context, query string, args []any, into ...any) error {
	return d.View(ctx, ServerItself, func(t *Tx) error { return t.QueryRow(ctx, query, args...).Scan(into...) })
}

// ExecOften is Exec of one statement that comes again and again in the same
// words: SQLite keeps it prepared, with the triggers that it fires.
func (t *Tx) ExecOften(ctx context.Context, query string, args ...any) (int64, error) {
	if t.writer == nil {
		return t.Exec(ctx, query, args...)
	}
	stmt, err := t.writer.prepared(ctx, t.rewrite(query))
	if err != nil {
		return 0, err
	}
	res, err := stmt.ExecContext(ctx, t.arguments(args)...)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

// Query returns rows. They must be closed before the next statement.
func (t *Tx) Query(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	t.count()
	return t.tx.QueryContext(ctx, t.rewrite(query), t.arguments(args)...)
}

// Prepare is for a query that comes again and again. The caller closes it.
func (t *Tx) Prepare(ctx context.Context, query string) (*sql.Stmt, error) {
	t.count()
	return t.tx.PrepareContext(ctx, t.rewrite(query))
}

// QueryRow returns at most one row; Scan of none is sql.ErrNoRows.
func (t *Tx) QueryRow(ctx context.Context, query string, args ...any) *sql.Row {
	t.count()
	return t.tx.QueryRowContext(ctx, t.rewrite(query), t.arguments(args)...)
}

// IDs returns the ids that a query selects.
func (t *Tx) IDs(ctx context.Context, query string, args ...any) (out []uuid.UUID, err error) {
	return List(ctx, t, query, args, func(id *uuid.UUID) []any { return []any{id} })
}

// IDs asks as the server itself for the ids that a query selects.
func (d *DB) IDs(ctx context.Context, query string, args ...any) (out []uuid.UUID, err error) {
	err = d.View(ctx, ServerItself, func(tx *Tx) error {
		out, err = tx.IDs(ctx, query, args...)
		return err
	})
	return out, err
}

func (t *Tx) count() {
	if t.asked != nil {
		t.asked.Add(1)
	}
}

// rewrite turns a statement into the dialect's: $1, $2 for PostgreSQL, and
// tables auth_… and cairn_… for SQLite, which has no schemas. No ? and no schema's
// name may stand in a quoted text: values are parameters.
func (t *Tx) rewrite(query string) string {
	if t.dialect == SQLite {
		return schemas.Replace(query)
	}
	var b strings.Builder
	for n := 1; ; n++ {
		before, after, found := strings.Cut(query, "?")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		b.WriteString("$" + strconv.Itoa(n))
		query = after
	}
}

var schemas = strings.NewReplacer("auth.", "auth_", "cairn.", "cairn_") // built at its first use

// arguments puts values into the form that SQLite keeps them in: a UUID as 16
// bytes, a time as microseconds since 1970, a list as JSON. PostgreSQL has types
// for them.
func (t *Tx) arguments(args []any) []any {
	out := make([]any, len(args))
	for i, a := range args {
		out[i] = t.argument(a)
	}
	return out
}

func (t *Tx) argument(a any) any {
	if t.dialect != SQLite {
		if v, ok := a.(Time); ok {
			return v.Value
		}
		return a
	}
	switch v := a.(type) {
	case uuid.UUID:
		return v[:]
	case uuid.NullUUID:
		if !v.Valid {
			return nil
		}
		return v.UUID[:]
	case time.Time:
		return v.UnixMicro()
	case Time:
		if v.Value == nil {
			return nil
		}
		return v.Value.UnixMicro()
	case []string:
		data, _ := json.Marshal(v)
		return string(data)
	}
	return a
}

// A Time scans and binds a timestamp of either database; nil is null.
type Time struct{ Value *time.Time }

// At is a Time that is not null.
func At(v time.Time) Time { return Time{&v} }

// Scan implements sql.Scanner.
func (t *Time) Scan(src any) error {
	t.Value = nil
	switch v := src.(type) {
	case nil:
	case int64:
		at := time.UnixMicro(v).UTC()
		t.Value = &at
	case time.Time:
		at := v.UTC()
		t.Value = &at
	default:
		return fmt.Errorf("a timestamp is kept as %T", src)
	}
	return nil
}

var _ driver.Valuer = uuid.UUID{}

// Never is a time that does not come.
var Never = time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)
