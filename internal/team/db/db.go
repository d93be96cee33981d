// Package db keeps a team server's rows: in SQLite or in PostgreSQL. Every SQL
// statement of cairn is in this tree, and nothing above it knows which database
// there is.
//
//	db          opens, migrates, runs transactions as somebody, backs up
//	db/rows     reads and writes of the registry's tables, with the tenant's predicate
//	db/account  users, sessions, one-time tokens, invitations, tokens of CI
//	db/ingest   a pushed run with its cases, results and costs, at once
//	db/quota    how much a team may have, and how much it has
//	db/figures  what the dashboard, the digest and the leaderboard show
//
// SQLite has one writer and many readers. On PostgreSQL each transaction is one
// role (see [Identity]) and row-level security stands behind the predicate.
// HTTP, JSON of requests and anything about files of a repository never belong here.
package db

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"time"
)

// A Dialect is which database there is.
type Dialect uint8

const (
	SQLite Dialect = iota + 1
	PostgreSQL
)

// String is the database's name.
func (d Dialect) String() string {
	if d == SQLite {
		return "SQLite"
	}
	return "PostgreSQL"
}

// A DB is an open database.
type DB struct {
	dialect Dialect
	read    *sql.DB // of SQLite: the readers; of PostgreSQL: the pool
	writer  *writer // of SQLite
	path    string  // of SQLite: the file
	// pooled is the timeout that each transaction sets for itself where a pooler
	// stands before PostgreSQL, 0 where connections are ours.
	pooled      time.Duration
	connections int // at most, of read
	asked       atomic.Int64
	retries     atomic.Int64
	full        atomic.Pointer[full]
	// project: it is a Supabase project's, which has no role of the server's own.
	project bool
}

// Options of Open.
type Options struct {
	// Connections is how many there are at most, 0 for twice the processors and
	// at least 8: of PostgreSQL, of SQLite's readers.
	Connections int
	// Bouncer: a pooler in transaction mode stands before PostgreSQL, so nothing
	// may be prepared on a connection.
	Bouncer bool
	// Timeout of a statement, 0 for 30 s.
	Timeout time.Duration
	// Cache is how much of a SQLite file its writer keeps in memory, in KiB, 0 for
	// 32,000.
	Cache int
}

func (o Options) connections() int {
	return cmp.Or(o.Connections, max(8, 2*runtime.NumCPU()))
}

// Open opens a database: "postgres://…" or the path of a SQLite file, which is
// created. It does not migrate.
func Open(ctx context.Context, url string, o Options) (*DB, error) {
	if o.Timeout == 0 {
		o.Timeout = 30 * time.Second
	}
	if strings.HasPrefix(url, "postgres://") || strings.HasPrefix(url, "postgresql://") {
		return openPostgres(ctx, url, o)
	}
	if scheme, _, ok := strings.Cut(url, "://"); ok {
		return nil, fmt.Errorf("unknown database %s://: use postgres:// or the path of a file", scheme)
	}
	return openSQLite(ctx, url, o)
}

// Dialect says which database it is.
func (d *DB) Dialect() Dialect { return d.dialect }

// Asked is how many questions transactions have asked it so far, as Tx.Query and
// Tx.QueryRow do; those of SQLite's writer are not counted.
func (d *DB) Asked() int64 { return d.asked.Load() }

// Pool is how many connections there are, how many of them are in use, and how
// often one was waited for.
func (d *DB) Pool() (most, used int, waits int64) {
	s := d.read.Stats()
	return s.MaxOpenConnections, s.InUse, s.WaitCount
}

// Retries is how often a transaction was run again so far.
func (d *DB) Retries() int64 { return d.retries.Load() }

// Close waits for what is being written and closes every connection.
func (d *DB) Close() error {
	if d.writer != nil {
		d.writer.close()
	}
	return d.read.Close()
}

// View runs fn in a transaction that only reads, as somebody.
func (d *DB) View(ctx context.Context, as Identity, fn func(*Tx) error) error {
	return d.view(ctx, as, sql.LevelDefault, fn)
}

// Snapshot is View in which every statement sees the database as it was when
// the first one ran.
func (d *DB) Snapshot(ctx context.Context, as Identity, fn func(*Tx) error) error {
	if d.dialect == SQLite { // a transaction is one
		return d.view(ctx, as, sql.LevelDefault, fn)
	}
	return d.view(ctx, as, sql.LevelRepeatableRead, fn)
}

func (d *DB) view(ctx context.Context, as Identity, level sql.IsolationLevel, fn func(*Tx) error) error {
	tx, t, err := d.begin(ctx, as, level)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	return fn(t)
}

// Update runs fn in a transaction, as somebody, and commits it unless fn
// returns an error. When Update returns nil, what fn wrote survives a loss of
// power. fn may be run again after a conflict, so it must not do anything
// outside of the transaction.
func (d *DB) Update(ctx context.Context, as Identity, fn func(*Tx) error) error {
	return d.UpdateLoad(ctx, as, Load{}, fn)
}

// UpdateLoad is Update of something that says how much it writes. PostgreSQL has
// many writers and does not need to know.
func (d *DB) UpdateLoad(ctx context.Context, as Identity, load Load, fn func(*Tx) error) (err error) {
	defer func() {
		if noRoom(err) {
			d.full.Store(&full{time.Now(), err})
		}
	}()
	if d.writer != nil {
		o := origin(ctx, as)
		return d.writer.do(ctx, as, load, func(t *Tx) error { return o.within(context.Background(), t, fn) }) // without ctx: see [writer.commit]
	}
	return d.updatePostgres(ctx, as, fn)
}

// Size is how many bytes the database takes up.
func (d *DB) Size(ctx context.Context) (n int64, err error) {
	query := `select pg_database_size(current_database())`
	if d.dialect == SQLite {
		query = `select page_count * page_size from pragma_page_count(), pragma_page_size()`
	}
	err = d.read.QueryRowContext(ctx, query).Scan(&n)
	return n, err
}
