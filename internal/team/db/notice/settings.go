package notice

import (
	"context"

	"github.com/google/uuid"

	"cairn/internal/team/db"
)

// Settings say when a team gets its digest.
type Settings struct {
	Team     uuid.UUID
	Slug     string
	Timezone string // as Europe/Berlin
	Weekday  int    // 0 is Sunday
	Hour     int
}

// AllSettings returns those of every team, or of one; a team without any has
// the defaults: Monday, 9:00, UTC.
func AllSettings(ctx context.Context, tx *db.Tx, only uuid.UUID) ([]Settings, error) {
	return db.List(ctx, tx, `select t.id, t.slug, coalesce(s.timezone, 'UTC'), coalesce(s.digest_weekday, 1), coalesce(s.digest_hour, 9)
		from teams t left join team_settings s on s.team_id = t.id where t.id = ? or ? order by t.slug`, []any{only, only == uuid.Nil},
		func(s *Settings) []any { return []any{&s.Team, &s.Slug, &s.Timezone, &s.Weekday, &s.Hour} })
}

// People returns the addresses of a team's members by id.
func People(ctx context.Context, tx *db.Tx, team uuid.UUID) (map[uuid.UUID]string, error) {
	type person struct {
		id    uuid.UUID
		email string
	}
	all, err := db.List(ctx, tx, `select m.user_id, coalesce(u.email, '') from team_members m join auth.users u on u.id = m.user_id where m.team_id = ?`, []any{team},
		func(p *person) []any { return []any{&p.id, &p.email} })
	out := map[uuid.UUID]string{}
	for _, p := range all {
		out[p.id] = p.email
	}
	return out, err
}

// Member says whether a user is in a team.
func Member(ctx context.Context, tx *db.Tx, team, user uuid.UUID) (is bool, err error) {
	err = tx.QueryRow(ctx, `select exists (select 1 from team_members where team_id = ? and user_id = ?)`, team, user).Scan(&is)
	return is, err
}
