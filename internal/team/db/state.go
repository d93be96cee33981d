package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

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
