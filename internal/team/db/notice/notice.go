// Package notice keeps what a team is told: which runs wait to be judged and
// what they are judged by, alerts, and the messages that are to be delivered.
//
// A change of an alert and the messages about it are written in one
// transaction; a message is claimed before it is sent, so that of several
// servers one sends it. team/herald calls this package. What is bad is
// team/alert's to say; HTTP and the words of messages never belong here.
package notice

import (
	"context"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db"
)

// Slug returns what a team is called in addresses and commands.
func Slug(ctx context.Context, tx *db.Tx, team uuid.UUID) (slug string, err error) {
	return db.One[string](ctx, tx, `select slug from teams where id = ?`, team)
}

// Counts are for the server's figures.
type Counts struct {
	Firing    int64 // alerts
	Waiting   int64 // messages that are not delivered yet
	Failed    int64 // messages that were given up, as long as they are kept
	Unjudged  int64 // runs
	Delivered int64
}

// Count counts over all teams.
func Count(ctx context.Context, d *db.DB) (c Counts, err error) {
	err = d.Get(ctx, `select (select count(*) from alerts where state = 'firing'),
			(select count(*) from deliveries where sent_at is null and failed_at is null), (select count(*) from deliveries where failed_at is not null),
			(select count(*) from deliveries where sent_at is not null), (select count(*) from cairn.judgments)`, nil, &c.Firing, &c.Waiting, &c.Failed, &c.Delivered, &c.Unjudged)
	return c, err
}

// keep is how long what is over is kept.
const keep = 90 * 24 * time.Hour

// Sweep removes messages that were delivered or given up long ago, alerts that
// nobody was told of, and runs that are too old to be judged.
func Sweep(ctx context.Context, d *db.DB, now time.Time, stale time.Duration) (rows int64, err error) {
	err = d.Update(ctx, db.ServerItself, func(tx *db.Tx) error {
		rows = 0
		for _, q := range [...]struct {
			query  string
			before time.Time
		}{
			{`delete from deliveries where coalesce(sent_at, failed_at) < ?`, now.Add(-keep)},
			{`delete from alerts where outcome = 'passed' and resolved_at < ?`, now.Add(-keep)},
			{`delete from cairn.judgments where run_at < ?`, now.Add(-stale)},
			{`delete from cairn.past_receivers where refused_at is null and asked_at < ?`, now.Add(-askAgain)},
		} {
			n, err := tx.Exec(ctx, q.query, q.before)
			if err != nil {
				return err
			}
			rows += n
		}
		return nil
	})
	return rows, err
}

// Settings say when a team gets its digest, and whether that ranks people.
type Settings struct {
	Team     uuid.UUID
	Slug     string
	Timezone string // as Europe/Berlin
	Weekday  int    // 0 is Sunday
	Hour     int
	Ranked   bool
}

// AllSettings returns those of every team, or of one; a team without any has
// the defaults: Monday, 9:00, UTC, nobody ranked.
func AllSettings(ctx context.Context, tx *db.Tx, only uuid.UUID) ([]Settings, error) {
	return db.List(ctx, tx, `select t.id, t.slug, coalesce(s.timezone, 'UTC'), coalesce(s.digest_weekday, 1), coalesce(s.digest_hour, 9), s.people_ranked is not null and s.people_ranked
		from teams t left join team_settings s on s.team_id = t.id where t.id = ? or ? order by t.slug`, []any{only, only == uuid.Nil},
		func(s *Settings) []any { return []any{&s.Team, &s.Slug, &s.Timezone, &s.Weekday, &s.Hour, &s.Ranked} })
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
func Member(ctx context.Context, tx *db.Tx, team, user uuid.UUID) (bool, error) {
	return db.One[bool](ctx, tx, `select exists (select 1 from team_members where team_id = ? and user_id = ?)`, team, user)
}
