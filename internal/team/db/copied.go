package db

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"
)

// What a copy of another server's rows asks beside package rows; see team/replica.

// Takes is Known of somebody whose address may have been another's until now.
func (d *DB) Takes(ctx context.Context, user uuid.UUID, email string) error {
	if err := d.Do(ctx, `update auth.users set email = 'left-' || lower(hex(id)) || '@cairn.invalid' where email = ? and id <> ?`, email, user); err != nil {
		return err
	}
	return d.Known(ctx, user, email)
}

// OnlyMembers removes everybody else from a team. There has to be somebody.
func (d *DB) OnlyMembers(ctx context.Context, team uuid.UUID, users []uuid.UUID) error {
	args := []any{team}
	for _, u := range users {
		args = append(args, u)
	}
	return d.Do(ctx, `delete from team_members where team_id = ? and user_id not in (?`+strings.Repeat(", ?", len(users)-1)+`)`, args...)
}

// CameSince returns the ids of a team's rows of a table of the registry that came since
// a time.
func (d *DB) CameSince(ctx context.Context, table string, team uuid.UUID, since time.Time) (map[string]bool, error) {
	list, err := All(ctx, d, `select id from `+table+` where team_id = ? and created_at >= ?`, []any{team, since}, func(id *uuid.UUID) []any { return []any{id} })
	ids := make(map[string]bool, len(list))
	for _, id := range list {
		ids[id.String()] = true
	}
	return ids, err
}

// A CameRun is a run of evals: when it was, and when it came.
type CameRun struct {
	ID       uuid.UUID
	At, Came time.Time
}

// RunsSince returns a team's runs that came since a time, in the order in which they came.
func (d *DB) RunsSince(ctx context.Context, team uuid.UUID, since time.Time) ([]CameRun, error) {
	return All(ctx, d, `select id, run_at, created_at from eval_runs where team_id = ? and created_at >= ? order by created_at, id`,
		[]any{team, since}, func(r *CameRun) []any { return []any{&r.ID, Stamp(&r.At), Stamp(&r.Came)} })
}
