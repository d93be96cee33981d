package db

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"

	_ "modernc.org/sqlite" // the driver "sqlite"
)

// openSQLite opens a file with many readers and one writer. busy_timeout stands
// first, so that the other pragmas wait for a file that another process, for
// example a backup, has locked.
func openSQLite(ctx context.Context, file string, o Options) (*DB, error) {
	pragmas := url.Values{"_pragma": {
		"busy_timeout(10000)", "journal_mode(WAL)", "journal_size_limit(200000000)", "synchronous(FULL)",
		"foreign_keys(ON)", "temp_store(MEMORY)", fmt.Sprintf("cache_size(-%d)", cmp.Or(o.Cache, 32000)),
		"wal_autocheckpoint(0)", // the writer has it done beside it
	}, "_txlock": {"immediate"}}
	dsn := "file:" + (&url.URL{Path: file}).EscapedPath() + "?" + pragmas.Encode()
	write, err := sql.Open("sqlite", dsn)
	if err != nil {
		return nil, err
	}
	write.SetMaxOpenConns(2) // the writer's, and one for checkpoints, backups and migrations
	w, err := newWriter(ctx, write)
	if err != nil {
		write.Close()
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	// A reader's own cache is small: there are many, and the system caches the file for all of them.
	pragmas["_pragma"] = append(pragmas["_pragma"], "query_only(ON)", "cache_size(-8000)")
	pragmas.Set("_txlock", "deferred")
	read, err := sql.Open("sqlite", "file:"+(&url.URL{Path: file}).EscapedPath()+"?"+pragmas.Encode())
	if err != nil {
		w.close()
		return nil, err
	}
	n := o.connections()
	read.SetMaxOpenConns(n)
	read.SetMaxIdleConns(n)
	return &DB{dialect: SQLite, read: read, connections: n, writer: w, path: file}, nil
}

// ErrNoBackup says that a PostgreSQL is backed up by its own tools.
var ErrNoBackup = errors.New("PostgreSQL has its own tools for a backup")

// Backup writes a copy of an SQLite database, as it is at one moment, into a
// file that is empty or not there. Others read and write meanwhile.
func (d *DB) Backup(ctx context.Context, file string) error {
	if d.writer == nil {
		return ErrNoBackup
	}
	_, err := d.writer.db.ExecContext(ctx, `vacuum into ?`, file)
	return err
}

// Check reads all of an SQLite database and returns what is wrong with it, nil
// where nothing is. On PostgreSQL it checks nothing: its pages have checksums.
func (d *DB) Check(ctx context.Context) error {
	if d.writer == nil {
		return nil
	}
	var text string
	if err := d.read.QueryRowContext(ctx, `select group_concat(integrity_check, '; ') from (select integrity_check from pragma_integrity_check limit 10)`).Scan(&text); err != nil {
		return err
	}
	if text != "ok" {
		return fmt.Errorf("the database is damaged: %s", text)
	}
	var table string
	var n int
	if err := d.read.QueryRowContext(ctx, `select coalesce(min("table"), ''), count(*) from pragma_foreign_key_check`).Scan(&table, &n); err != nil {
		return err
	}
	if n > 0 {
		return fmt.Errorf("%d rows, the first in %s, belong to rows that are not there", n, table)
	}
	return nil
}
