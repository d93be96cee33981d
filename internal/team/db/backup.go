package db

import (
	"context"
	"errors"
	"fmt"
)

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
