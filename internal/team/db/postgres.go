package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
)

// mostAttempts is how often a transaction is run that others get in the way of.
const mostAttempts = 5

// connLife is how long a connection is used at most, and connIdle how long it
// stays open unused.
const (
	connLife = 30 * time.Minute
	connIdle = 5 * time.Minute
)

// connectTime is how long a connection may take to be made, unless the URL has a
// connect_timeout: who asks is told soon that there is none.
const connectTime = 5 * time.Second

func openPostgres(ctx context.Context, url string, o Options) (*DB, error) {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, errors.New("the database's URL cannot be read; it must be postgres://USER:PASSWORD@HOST:5432/NAME") // never the error itself: it has the password
	}
	if !strings.Contains(url, "connect_timeout") {
		config.ConnectTimeout = connectTime
	}
	if o.Bouncer {
		config.DefaultQueryExecMode = pgx.QueryExecModeExec
	} else {
		config.RuntimeParams["statement_timeout"] = strconv.FormatInt(o.Timeout.Milliseconds(), 10)
		config.RuntimeParams["timezone"] = "UTC"
	}
	pool := stdlib.OpenDB(*config)
	n := o.connections()
	pool.SetMaxOpenConns(n)
	pool.SetMaxIdleConns(n)
	// A balancer or a pooler between may have moved, and memory of a session grows.
	pool.SetConnMaxLifetime(connLife)
	pool.SetConnMaxIdleTime(connIdle)
	if err := pool.PingContext(ctx); err != nil {
		pool.Close()
		return nil, err
	}
	d := &DB{dialect: PostgreSQL, read: pool, connections: n}
	if o.Bouncer {
		d.pooled = o.Timeout
	}
	return d, nil
}

// collided says whether a transaction was ended for another's sake.
func collided(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (pg.Code == "40001" || pg.Code == "40P01")
}

// updatePostgres runs a transaction again that another got in the way of, and
// once on a new connection when its own ended, as by a restart. One whose commit
// was under way is not run again: it may have been done.
func (d *DB) updatePostgres(ctx context.Context, as Identity, fn func(*Tx) error) error {
	renewed := false
	for attempt := 1; ; attempt++ {
		committing, err := d.once(ctx, as, fn)
		switch {
		case err == nil:
			return nil
		case collided(err) && attempt < mostAttempts:
		case !committing && !renewed && ended(err):
			renewed = true
			d.renew()
		default:
			return err
		}
		d.retries.Add(1)
	}
}

func (d *DB) once(ctx context.Context, as Identity, fn func(*Tx) error) (committing bool, err error) {
	tx, err := d.read.BeginTx(ctx, &sql.TxOptions{})
	if err != nil {
		return false, err
	}
	defer tx.Rollback()
	t := d.tx(tx)
	if err := t.become(ctx, as); err != nil {
		return false, err
	}
	if err := fn(t); err != nil {
		return false, err
	}
	return true, tx.Commit()
}

// begin begins a transaction that reads, as somebody: on a new connection when
// the one it was given has ended.
func (d *DB) begin(ctx context.Context, as Identity, level sql.IsolationLevel) (*sql.Tx, *Tx, error) {
	for renewed := false; ; renewed = true {
		tx, err := d.read.BeginTx(ctx, &sql.TxOptions{ReadOnly: true, Isolation: level})
		if err == nil {
			t := d.tx(tx)
			if err = t.become(ctx, as); err == nil {
				return tx, t, nil
			}
			_ = tx.Rollback()
		}
		if d.dialect != PostgreSQL || renewed || !ended(err) {
			return nil, nil, err
		}
		d.renew()
		d.retries.Add(1)
	}
}

// renew closes the connections that nobody uses: when one has ended, all have.
func (d *DB) renew() {
	d.read.SetMaxIdleConns(0)
	d.read.SetMaxIdleConns(d.connections)
}

// What can be wrong with somebody else's database. No error says where it is or
// how one signs in to it.
var (
	ErrUnreachable = errors.New("the database cannot be reached")
	ErrPassword    = errors.New("the database refuses the user or the password")
	ErrRights      = errors.New("the database's user may not create what is needed")
	ErrServer      = errors.New("it is the database of a cairn server")
	ErrNotSupabase = errors.New("this is not a Supabase project: it lacks the schema auth, or a role")
)

// MigrateSupabase brings a Supabase project's schema up to this version's and
// tells each step that it took. Again it takes none.
func MigrateSupabase(ctx context.Context, url string, step func(name string)) error {
	d, err := Open(ctx, url, Options{Connections: 1, Bouncer: true}) // a project's address may be its pooler's
	if err != nil {
		return reached(err)
	}
	defer d.Close()
	if err := d.isSupabase(ctx); err != nil {
		return reached(err)
	}
	taken, err := d.Migrate(ctx, true)
	if err != nil {
		return reached(err)
	}
	for _, name := range taken {
		step(name)
	}
	_, err = d.read.ExecContext(ctx, reload)
	return reached(err)
}

// OpenProject opens a Supabase project's database for what the server does
// itself elsewhere: judging, telling. ServerItself is then the user of the URL,
// who owns the tables. [ErrServer] says that a cairn server looks after it.
func OpenProject(ctx context.Context, url string) (*DB, error) {
	d, err := Open(ctx, url, Options{Connections: 4, Bouncer: true})
	if err != nil {
		return nil, reached(err)
	}
	d.project = true
	var ours bool
	if err = d.read.QueryRowContext(ctx, `select to_regclass('cairn.secrets') is not null`).Scan(&ours); err == nil && ours {
		err = ErrServer
	}
	if err == nil {
		err = d.isSupabase(ctx)
	}
	if err == nil {
		err = d.Ready(ctx)
	}
	if err != nil {
		d.Close()
		return nil, reached(err)
	}
	return d, nil
}

// reload tells the project's PostgREST that there are new tables.
const reload = `notify pgrst, 'reload schema'`

// missing is what a Supabase project has and this database lacks, as SQL that
// gives a text, ” for nothing.
const missing = `select coalesce(string_agg(what, ', '), '') from (
  select 'role ' || r as what from unnest(array['anon', 'authenticated', 'service_role']) r where not exists (select from pg_catalog.pg_roles where rolname = r)
  union all select 'auth.users' where to_regclass('auth.users') is null
  union all select 'auth.uid()' where to_regprocedure('auth.uid()') is null) m`

func (d *DB) isSupabase(ctx context.Context) error {
	var lacks string
	if err := d.read.QueryRowContext(ctx, missing).Scan(&lacks); err != nil {
		return err
	}
	var users bool // those of our own server have other columns
	if lacks == "" {
		err := d.read.QueryRowContext(ctx, `select to_regclass('cairn.secrets') is not null`).Scan(&users)
		if err != nil || users {
			lacks = "it is the database of a cairn server"
		}
	}
	if lacks != "" {
		return fmt.Errorf("%w (%s)", ErrNotSupabase, lacks)
	}
	return nil
}

// reached turns what a driver says of a database into what a person can act on.
func reached(err error) error {
	var pg *pgconn.PgError
	var network net.Error
	var connect *pgconn.ConnectError
	switch {
	case err == nil, errors.Is(err, ErrNotSupabase), errors.Is(err, ErrServer), errors.Is(err, ErrEmpty), errors.Is(err, ErrNewer), errors.Is(err, ErrEdited), errors.Is(err, ErrBehind):
		return err
	case errors.As(err, &pg):
		switch {
		case strings.HasPrefix(pg.Code, "28"), strings.Contains(pg.Message, "Tenant or user not found"):
			return ErrPassword
		case pg.Code == "3D000":
			return fmt.Errorf("%w: it has no such database", ErrUnreachable)
		case pg.Code == "42501":
			return fmt.Errorf("%w: %s", ErrRights, pg.Message)
		case strings.HasPrefix(pg.Code, "53"), strings.HasPrefix(pg.Code, "57P"), strings.HasPrefix(pg.Code, "08"):
			return fmt.Errorf("%w: %s", ErrUnreachable, pg.Message)
		}
		return err
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("%w: no answer in time", ErrUnreachable)
	case errors.As(err, &connect), errors.As(err, &network):
		return fmt.Errorf("%w: %s", ErrUnreachable, why(err))
	}
	return err
}

// why is the innermost reason, without the address.
func why(err error) string {
	if _, ok := errors.AsType[*net.DNSError](err); ok {
		return "its name is not known"
	}
	text := err.Error()
	return text[strings.LastIndex(text, ": ")+1:]
}

// Script returns the steps for a Supabase project as one text to paste into its
// SQL editor. It does what MigrateSupabase does: everything or nothing, what was
// done before is not done again, and each step is remembered with its checksum.
func Script() string {
	var b strings.Builder
	b.WriteString(`-- The tables of a team, for a Supabase project. Run all of it in the SQL editor, as the user postgres.
-- It may be run again: what is there stays as it is.
begin;
select pg_advisory_xact_lock(hashtext('cairn.migrate'));
do $cairn$ declare lacks text; begin
  lacks := (` + missing + `);
  if lacks <> '' then raise exception 'this is not a Supabase project: it lacks %', lacks; end if;
end $cairn$;
`)
	for _, q := range firstSteps(PostgreSQL) {
		b.WriteString(q + ";\n")
	}
	var names []string
	for _, m := range Migrations(PostgreSQL) {
		names = append(names, quoted(m.Name))
		if m.Server {
			continue
		}
		fmt.Fprintf(&b, `
do $cairn$ declare was text; begin
  select sha256 into was from cairn.migrations where name = %[1]s;
  if was = %[2]s then return; end if;
%[4]s  if was is not null then raise exception 'migration %% is not the one that was applied to this database', %[1]s; end if;
  execute $step$
%[3]s$step$;
  insert into cairn.migrations (name, sha256) values (%[1]s, %[2]s);
end $cairn$;
`, quoted(m.Name), quoted(m.SHA256), m.SQL, scriptBridges(m))
	}
	fmt.Fprintf(&b, `
do $cairn$ declare newer text; begin
  select name into newer from cairn.migrations where name not in (%s) limit 1;
  if newer is not null then raise exception 'the database was written by a newer version of cairn: it has migration %%', newer; end if;
end $cairn$;
commit;
%s;
`, strings.Join(names, ", "), reload)
	return b.String()
}

// scriptBridges takes a project from another text of a migration to today's.
func scriptBridges(m Migration) string {
	var b strings.Builder
	for _, from := range m.Bridges {
		fmt.Fprintf(&b, `  if was like '%s%%' then execute $step$
%s$step$;
    update cairn.migrations set sha256 = %s where name = %s;
    return; end if;
`, from.From, from.SQL, quoted(m.SHA256), quoted(m.Name))
	}
	return b.String()
}

// quoted is a text of ours as SQL.
func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }
