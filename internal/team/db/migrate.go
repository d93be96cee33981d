package db

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// Migrations only go forward. Each is applied once, whole, and remembered with
// its checksum. One that was released must never be edited: migrations/SHA256SUMS
// pins it. Two were, once; a database that has their first text gets a bridge.
//
//go:embed migrations
var migrations embed.FS

// serverOnly is the first line of a migration that a Supabase project does not get.
const serverOnly = "-- server only\n"

// What can be wrong between a database and this version's migrations.
var (
	ErrNewer  = errors.New("the database was written by a newer version of cairn")
	ErrEdited = errors.New("the database was migrated by an unreleased version of cairn")
	ErrBehind = errors.New("the database is of an older version of cairn")
)

// A Migration is one step of the schema.
type Migration struct {
	Name    string // 0001_auth.sql
	SQL     string
	SHA256  string // of SQL, in hex
	Server  bool   // not for a Supabase project
	Bridges []Bridge
}

// A Bridge turns what another text of a migration made into what today's makes.
type Bridge struct {
	From string // how the other text's SHA-256 begins
	SQL  string
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
			Server: strings.HasPrefix(string(data), serverOnly), Bridges: bridges(dir, path.Base(name))})
	}
	return out
}

// bridges returns those of a migration: bridges/0001_init.658dc34bce3e.sql is
// for a database whose 0001_init.sql had that checksum.
func bridges(dir, name string) (out []Bridge) {
	stem := strings.TrimSuffix(name, ".sql") + "."
	files, _ := fs.Glob(migrations, dir+"/bridges/"+stem+"*.sql") // the pattern is right
	for _, file := range files {
		data, err := migrations.ReadFile(file)
		if err != nil {
			panic(err) // it is embedded
		}
		from := strings.TrimSuffix(strings.TrimPrefix(path.Base(file), stem), ".sql")
		out = append(out, Bridge{From: from, SQL: string(data)})
	}
	return out
}

// A step is what is left to do of a migration.
type step struct {
	Migration
	bridge string // SQL in place of the migration's, "" where none of it was done
}

// left says what a database lacks, by the checksums of what was applied to it:
// nothing, steps in order, [ErrNewer] or [ErrEdited].
func left(applied map[string]string, all []Migration, supabase bool) (steps []step, err error) {
	known := map[string]bool{}
	for _, m := range all {
		known[m.Name] = true
		sum, done := applied[m.Name]
		switch {
		case m.Server && supabase, sum == m.SHA256:
		case !done:
			steps = append(steps, step{Migration: m})
		default:
			i := slices.IndexFunc(m.Bridges, func(b Bridge) bool { return strings.HasPrefix(sum, b.From) })
			if i < 0 {
				return nil, fmt.Errorf("%w: %s is not the one that was released", ErrEdited, m.Name)
			}
			steps = append(steps, step{m, m.Bridges[i].SQL})
		}
	}
	for name := range applied {
		if !known[name] {
			return nil, fmt.Errorf("%w: it has migration %s", ErrNewer, name)
		}
	}
	return steps, nil
}

// Migrate brings the database up to this version's schema, in one transaction,
// and returns the names of the steps it took. Several servers may do it at once.
// supabase leaves out what a Supabase project has of its own.
func (d *DB) Migrate(ctx context.Context, supabase bool) ([]string, error) {
	for attempt := 1; ; attempt++ {
		tx, end, err := d.exclusive(ctx)
		if err != nil {
			return nil, err
		}
		taken, err := migrate(ctx, tx, Migrations(d.dialect), supabase)
		if err = end(err); err == nil {
			return taken, nil
		}
		if !roleMade(err) && !collided(err) || attempt == mostAttempts {
			return nil, err
		}
	}
}

// roleMade says whether a server of another database of the cluster made or
// granted the same roles meanwhile. Roles are the cluster's, and the lock that
// keeps servers apart is one database's.
func roleMade(err error) bool {
	var pg *pgconn.PgError
	if !errors.As(err, &pg) {
		return false
	}
	return pg.Code == "23505" && pg.SchemaName == "pg_catalog" || pg.Code == "42710" || pg.Code == "XX000" && strings.HasPrefix(pg.Message, "tuple concurrently")
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

// alone takes every table before the first step changes one. An older server may
// be writing, and would come to them in another order than the steps: this way
// two that wait for each other do so at the beginning, where little is lost, and
// what comes later waits behind. The steps then have as long as they need. A
// Supabase project's other tables are not ours to take.
const alone = `do $$ declare t regclass; begin
	for t in select c.oid from pg_catalog.pg_class c where relkind in ('r', 'p') and not relispartition and pg_has_role(relowner, 'usage')
		and relnamespace in (select oid from pg_catalog.pg_namespace where nspname in ('auth', 'public', 'cairn')) order by 1 loop
		execute format('lock table %s in access exclusive mode', t); end loop;
	perform set_config('statement_timeout', '0', true); end $$`

func migrate(ctx context.Context, tx *Tx, all []Migration, supabase bool) (taken []string, err error) {
	applied, err := tx.applied(ctx)
	if err != nil {
		return nil, err
	}
	steps, err := left(applied, all, supabase)
	if err != nil {
		return nil, err
	}
	if len(steps) > 0 && tx.dialect == PostgreSQL && !supabase {
		if _, err := tx.Exec(ctx, alone); err != nil {
			return nil, fmt.Errorf("waiting for those who use the tables: %w", err)
		}
	}
	for _, s := range steps {
		if _, err := tx.tx.ExecContext(ctx, cmp.Or(s.bridge, s.SQL)); err != nil {
			return nil, fmt.Errorf("migration %s: %w", s.Name, err)
		}
		if _, err := tx.Exec(ctx, `insert into cairn.migrations (name, sha256) values (?, ?) on conflict (name) do update set sha256 = excluded.sha256`, s.Name, s.SHA256); err != nil {
			return nil, err
		}
		taken = append(taken, s.Name)
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

// ErrEmpty says that no server has been at the database yet.
var ErrEmpty = errors.New("the database is empty")

// Ready says whether the database answers and has this version's schema: nil,
// [ErrEmpty], [ErrNewer], [ErrEdited] or [ErrBehind].
func (d *DB) Ready(ctx context.Context) error {
	tx, err := d.read.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	defer tx.Rollback()
	t := d.tx(tx)
	switch there, err := t.migrated(ctx); {
	case err != nil:
		return err
	case !there:
		return ErrEmpty
	}
	applied, err := t.sums(ctx)
	if err != nil {
		return err
	}
	steps, err := left(applied, Migrations(d.dialect), d.project)
	if err == nil && len(steps) > 0 {
		err = fmt.Errorf("%w: it lacks %d of this version's migrations, the first is %s", ErrBehind, len(steps), steps[0].Name)
	}
	return err
}

// migrated says whether the table of migrations is there. On PostgreSQL it
// becomes the server's role first: the connection's own may not look.
func (t *Tx) migrated(ctx context.Context) (there bool, err error) {
	if t.dialect == SQLite {
		err = t.QueryRow(ctx, `select exists (select 1 from sqlite_schema where type = 'table' and name = 'cairn_migrations')`).Scan(&there)
		return there, err
	}
	if t.project {
		err = t.QueryRow(ctx, `select to_regclass('cairn.migrations') is not null`).Scan(&there)
		return there, err
	}
	var role bool
	if err := t.QueryRow(ctx, `select exists (select 1 from pg_roles where rolname = 'cairn_server' and pg_has_role(current_user, oid, 'member'))`).Scan(&role); err != nil || !role {
		return false, err
	}
	if err := t.QueryRow(ctx, `select exists (select 1 from pg_namespace n join pg_class c on c.relnamespace = n.oid where n.nspname = 'cairn' and c.relname = 'migrations')`).Scan(&there); err != nil || !there {
		return false, err
	}
	return true, t.become(ctx, ServerItself)
}
