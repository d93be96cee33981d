package figures

import (
	"context"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db"
)

// An Alert is an eval that got worse.
type Alert struct {
	ID                        uuid.UUID
	Repo, Suite, Branch, Kind string
	State                     string // pending, firing, resolved
	Run                       uuid.NullUUID
	P, Expected, Observed     float64
	Cases                     int
	Opened                    time.Time
	Fired, Resolved           db.Time
}

// Alerts returns those that are open, or were in a range, the newest first. It
// counts Branch.
func Alerts(ctx context.Context, tx *db.Tx, r Range, after After, most int) ([]Alert, error) {
	w := where{text: "team_id = ? and opened_at < ? and (state <> 'resolved' or coalesce(resolved_at, opened_at) >= ?)", args: []any{r.Team, r.To, r.From}}
	if r.Repo != "" {
		w.and("repo_slug = ?", r.Repo)
	}
	if r.Branch != "" {
		w.and("branch = ?", r.Branch)
	}
	after.than(&w, "opened_at")
	w.args = append(w.args, most)
	return db.List(ctx, tx, `select id, repo_slug, suite, branch, kind, state, run_id, p, expected, observed, cases, opened_at, fired_at, resolved_at from alerts where `+w.text+`
		order by opened_at desc, id desc limit ?`, w.args, func(a *Alert) []any {
		return []any{&a.ID, &a.Repo, &a.Suite, &a.Branch, &a.Kind, &a.State, &a.Run, &a.P, &a.Expected, &a.Observed, &a.Cases, at{&a.Opened}, &a.Fired, &a.Resolved}
	})
}

// A Channel is where a team is told, without its address: that is a secret.
type Channel struct {
	Kind, Name     string
	Alerts, Digest bool
	Created        time.Time
	LastSent       db.Time
	Failed         int // messages that were given up
	Error          string
}

// Channels returns them by name. The database shows them to admins only; who
// asks for another team's admin checks that first.
func Channels(ctx context.Context, tx *db.Tx, team uuid.UUID) ([]Channel, error) {
	return db.List(ctx, tx, `select c.kind, c.name, c.alerts, c.digest, c.created_at, max(d.sent_at), count(d.failed_at), coalesce(max(case when d.failed_at is not null then d.error end), '')
		from team_channels c left join deliveries d on d.team_id = c.team_id and d.channel_id = c.id where c.team_id = ? group by c.id, c.kind, c.name, c.alerts, c.digest, c.created_at order by c.name`,
		[]any{team}, func(c *Channel) []any {
			return []any{&c.Kind, &c.Name, &c.Alerts, &c.Digest, at{&c.Created}, &c.LastSent, &c.Failed, &c.Error}
		})
}

// A Schedule is when a team's digest is made; none where nobody set it.
type Schedule struct {
	Timezone      string
	Weekday, Hour int
}

// Schedules returns the team's, if it has one.
func Schedules(ctx context.Context, tx *db.Tx, team uuid.UUID) ([]Schedule, error) {
	return db.List(ctx, tx, `select timezone, digest_weekday, digest_hour from team_settings where team_id = ?`, []any{team},
		func(s *Schedule) []any { return []any{&s.Timezone, &s.Weekday, &s.Hour} })
}
