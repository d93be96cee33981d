package db

import (
	"context"
	"database/sql"
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
		"foreign_keys(ON)", "temp_store(MEMORY)", "cache_size(-32000)",
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
