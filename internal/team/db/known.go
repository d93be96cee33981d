package db

import (
	"context"

	"github.com/google/uuid"
)

// Known makes a user of another server's in a copy of its rows, or changes the
// address; nobody can sign in as them.
func (d *DB) Known(ctx context.Context, user uuid.UUID, email string) error {
	return d.Update(ctx, ServerItself, func(t *Tx) error {
		_, err := t.Exec(ctx, `insert into auth.users (id, email) values (?, ?) on conflict (id) do update set email = excluded.email`, user, email)
		return err
	})
}
