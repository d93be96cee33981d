package db

import (
	"context"

	"github.com/google/uuid"
)

// Touch counts a change of what a team's pages show, for the zero team of every
// team's. The databases' triggers do it for all writes but those of tables that
// are of months in SQLite, and the drop of a month.
func (t *Tx) Touch(ctx context.Context, team uuid.UUID) error {
	columns, values, key, more := "team_id", "id", "team_id", ""
	if t.dialect == PostgreSQL {
		columns, values, key, more = "team_id, shard, revised", "id, 0, 1", "team_id, shard", ", revised = v.revised + 1"
	}
	of := "on conflict (" + key + ") do update set n = v.n + 1" + more
	_, err := t.Exec(ctx, `insert into cairn.team_versions as v (`+columns+`) select `+values+` from teams where id = ? or ? `+of, team, team == uuid.Nil)
	return err
}
