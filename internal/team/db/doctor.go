package db

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"cairn/internal/team/table"
)

// Connected is who a server is in PostgreSQL.
type Connected struct {
	User      string
	Superuser bool // it, or a role of it, is above row-level security
	Lacks     []string
	Open      []string // tables of the registry without row-level security, or without a policy
	ClockSkew float64  // seconds by which the database's clock is ahead
	Version   string
}

// Connected looks at the connection's rights and at the tables'. It is the zero
// value for SQLite.
func (d *DB) Connected(ctx context.Context) (c Connected, err error) {
	if d.dialect == SQLite {
		return c, nil
	}
	tx, err := d.read.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return c, err
	}
	defer tx.Rollback()
	t := d.tx(tx)
	err = t.QueryRow(ctx, `select rolname, rolsuper or rolbypassrls, current_setting('server_version') from pg_roles where rolname = current_user`).Scan(&c.User, &c.Superuser, &c.Version)
	if err != nil {
		return c, err
	}
	for _, role := range [...]Role{Anon, Authenticated, Service, Server} {
		var has bool
		if err := t.QueryRow(ctx, `select coalesce((select pg_has_role(current_user, oid, 'member') from pg_roles where rolname = ?), false)`, string(role)).Scan(&has); err != nil {
			return c, err
		}
		if !has {
			c.Lacks = append(c.Lacks, string(role))
		}
	}
	if err := t.QueryRow(ctx, `select extract(epoch from clock_timestamp())::float8`).Scan(&c.ClockSkew); err != nil {
		return c, err
	}
	guarded, err := t.texts(ctx, `select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
		where n.nspname = 'public' and c.relrowsecurity and exists (select 1 from pg_policy p where p.polrelid = c.oid)`)
	if err != nil {
		return c, err
	}
	all := " " + strings.Join(guarded, " ") + " "
	for _, tb := range table.All() {
		if !strings.Contains(all, " "+tb.Name+" ") {
			c.Open = append(c.Open, tb.Name)
		}
	}
	return c, nil
}

// Counts are how much a server keeps.
type Counts struct {
	Teams, Users, Runs int64
}

// Counts counts them.
func (d *DB) Counts(ctx context.Context) (c Counts, err error) {
	err = d.Get(ctx, `select (select count(*) from teams), (select count(*) from auth.users where not bot), (select coalesce(sum(runs), 0) from daily_evals)`, nil, &c.Teams, &c.Users, &c.Runs)
	if err != nil {
		return c, fmt.Errorf("counting: %w", err)
	}
	return c, nil
}
