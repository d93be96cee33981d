package account

import (
	"context"

	"cairn/internal/team/db"
)

// Secret returns the value of a name, the same to every server of the database.
// make is called when there is none yet; of several servers that do so at once,
// one wins.
func (a *Accounts) Secret(ctx context.Context, name string, make func() []byte) ([]byte, error) {
	value, err := a.secret(ctx, name)
	if err != nil || value != nil {
		return value, err
	}
	fresh := make()
	err = a.update(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, `insert into cairn.secrets (name, value, created_at) values (?, ?, ?) on conflict (name) do nothing`, name, fresh, a.now())
		return err
	})
	if err != nil {
		return nil, err
	}
	return a.secret(ctx, name)
}

// secret returns nil when there is none.
func (a *Accounts) secret(ctx context.Context, name string) ([]byte, error) {
	var value []byte
	err := a.view(ctx, func(tx *db.Tx) error {
		return maybe(tx.QueryRow(ctx, `select value from cairn.secrets where name = ?`, name).Scan(&value))
	})
	return value, err
}
