package db

import (
	"context"

	"github.com/google/uuid"
)

// Touch counts a change of what a team's pages show, for the zero team of every
// team's. The databases' triggers do it for all writes but those of tables that
// are of months in SQLite, and the drop of a month.
func (t *Tx) Touch(ctx context.Context, team uuid.UUID) error {
	columns, values := "team_id", "id"
	if t.dialect == PostgreSQL {
		columns, values = "team_id, shard", "id, 0"
	}
	of := "on conflict (" + columns + ") do update set n = v.n + 1"
	_, err := t.Exec(ctx, `insert into cairn.team_versions as v (`+columns+`) select `+values+` from teams where id = ? or ? `+of, team, team == uuid.Nil)
	return err
}
