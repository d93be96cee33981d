package db

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// Migrations only go forward. Each is applied once, whole, and remembered with
// its checksum; one that was applied must never be edited.
//
//go:embed migrations
var migrations embed.FS

// serverOnly is the first line of a migration that a Supabase project does not get.
const serverOnly = "-- server only\n"

// ErrNewer says that a newer version of cairn has been at the database.
var ErrNewer = errors.New("the database was written by a newer version of cairn")

// A Migration is one step of the schema.
type Migration struct {
	Name   string // 0001_auth.sql
	SQL    string
	SHA256 string // of SQL, in hex
	Server bool   // not for a Supabase project
}

// Migrations returns a database's steps in order.
func Migrations(d Dialect) []Migration {
	dir := "migrations/postgres"
	if d == SQLite {
		dir = "migrations/sqlite"
	}
	names, err := fs.Glob(migrations, dir+"/*.sql")
	if err != nil {
		panic(err) // the pattern is a constant
	}
	var out []Migration
	for _, name := range names {
		data, err := migrations.ReadFile(name)
		if err != nil {
			panic(err) // it is embedded
		}
		sum := sha256.Sum256(data)
		out = append(out, Migration{Name: path.Base(name), SQL: string(data), SHA256: hex.EncodeToString(sum[:]),
			Server: strings.HasPrefix(string(data), serverOnly)})
	}
	return out
}

// Migrate brings the database up to this version's schema, in one transaction,
// and returns the names of the steps it took. Several servers may do it at once.
// supabase leaves out what a Supabase project has of its own.
func (d *DB) Migrate(ctx context.Context, supabase bool) ([]string, error) {
	tx, end, err := d.exclusive(ctx)
	if err != nil {
		return nil, err
	}
	taken, err := migrate(ctx, tx, Migrations(d.dialect), supabase)
	return taken, end(err)
}

// exclusive begins a transaction as whoever the connection is, which is the
// owner of the tables when there are any yet.
func (d *DB) exclusive(ctx context.Context) (*Tx, func(error) error, error) {
	pool := d.read
	if d.writer != nil {
		pool = d.writer.db
	}
	tx, err := pool.BeginTx(ctx, &sql.TxOptions{})
	if err != nil {
		return nil, nil, err
	}
	end := func(err error) error {
		if err != nil {
			tx.Rollback()
			return err
		}
		return tx.Commit()
	}
	return d.tx(tx), end, nil
}

func migrate(ctx context.Context, tx *Tx, steps []Migration, supabase bool) ([]string, error) {
	applied, err := tx.applied(ctx)
	if err != nil {
		return nil, err
	}
	var taken []string
	for _, m := range steps {
		sum, done := applied[m.Name]
		delete(applied, m.Name)
		switch {
		case m.Server && supabase, done && sum == m.SHA256:
			continue
		case done:
			return nil, fmt.Errorf("migration %s is not the one that was applied to this database", m.Name)
		}
		if _, err := tx.tx.ExecContext(ctx, m.SQL); err != nil {
			return nil, fmt.Errorf("migration %s: %w", m.Name, err)
		}
		if _, err := tx.Exec(ctx, `insert into cairn.migrations (name, sha256) values (?, ?)`, m.Name, m.SHA256); err != nil {
			return nil, err
		}
		taken = append(taken, m.Name)
	}
	for name := range applied {
		return nil, fmt.Errorf("%w: it has migration %s", ErrNewer, name)
	}
	return taken, nil
}

// applied returns the checksums of the steps that were taken, by name, and
// keeps other servers from taking any meanwhile.
func (t *Tx) applied(ctx context.Context) (map[string]string, error) {
	if t.dialect == PostgreSQL {
		if _, err := t.Exec(ctx, `select pg_advisory_xact_lock(hashtext('cairn.migrate'))`); err != nil {
			return nil, err
		}
	}
	for _, q := range firstSteps(t.dialect) {
		if _, err := t.Exec(ctx, q); err != nil {
			return nil, err
		}
	}
	return t.sums(ctx)
}

func (t *Tx) sums(ctx context.Context) (map[string]string, error) {
	rows, err := t.Query(ctx, `select name, sha256 from cairn.migrations`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out := map[string]string{}
	for rows.Next() {
		var name, sum string
		if err := rows.Scan(&name, &sum); err != nil {
			return nil, err
		}
		out[name] = sum
	}
	return out, rows.Err()
}

// firstSteps make room for what is remembered of steps.
func firstSteps(d Dialect) []string {
	if d == SQLite {
		return []string{`create table if not exists cairn.migrations (name text primary key, sha256 text not null, applied_at text not null default current_timestamp) strict`}
	}
	return []string{
		`create schema if not exists cairn`,
		`create table if not exists cairn.migrations (name text primary key, sha256 text not null, applied_at timestamptz not null default now())`,
	}
}
