package db

import (
	"context"
	"database/sql"
	"errors"
)

// Note keeps a value that the servers of a database, and the verbs that look
// after them, have in common, such as their public URL.
func (d *DB) Note(ctx context.Context, name, value string) error {
	return d.Update(ctx, ServerItself, func(t *Tx) error {
		_, err := t.Exec(ctx, `insert into cairn.secrets (name, value) values (?, ?) on conflict (name) do update set value = excluded.value`, name, []byte(value))
		return err
	})
}

// Noted returns it, "" where there is none.
func (d *DB) Noted(ctx context.Context, name string) (string, error) {
	var value []byte
	err := d.View(ctx, ServerItself, func(t *Tx) error {
		err := t.QueryRow(ctx, `select value from cairn.secrets where name = ?`, name).Scan(&value)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		return err
	})
	return string(value), err
}
