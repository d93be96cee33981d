package db

import (
	"context"
	"crypto/rand"
)

// Secret returns the server's secret of a name: 32 random bytes that are made
// once and are the same for every server of the database.
func (d *DB) Secret(ctx context.Context, name string) (value []byte, err error) {
	made := make([]byte, 32)
	if _, err := rand.Read(made); err != nil {
		return nil, err
	}
	err = d.Update(ctx, ServerItself, func(tx *Tx) error {
		if _, err := tx.Exec(ctx, `insert into cairn.secrets (name, value) values (?, ?) on conflict do nothing`, name, made); err != nil {
			return err
		}
		return tx.QueryRow(ctx, `select value from cairn.secrets where name = ?`, name).Scan(&value)
	})
	return value, err
}
