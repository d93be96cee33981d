package db

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

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
	var dns *net.DNSError
	if errors.As(err, &dns) {
		return "its name is not known"
	}
	text := err.Error()
	return text[strings.LastIndex(text, ": ")+1:]
}
