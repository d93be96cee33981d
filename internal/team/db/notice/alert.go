package notice

import (
	"context"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"

	"cairn/internal/team/alert"
	"cairn/internal/team/db"
)

// A detail is what an alert has beside its columns.
type detail struct {
	Worst []alert.Worst `json:"worst,omitempty"`
}

const alertColumns = `id, repo_slug, suite, branch, kind, state, outcome, began_at, pushes, good, run_id, run_at, p, expected, observed, cases, detail, opened_at, fired_at, resolved_at`

type alertRow struct {
	alert.Alert
	team   uuid.UUID
	run    uuid.NullUUID
	runAt  *time.Time
	detail []byte
}

func (r *alertRow) fields() []any {
	return []any{&r.ID, &r.Repo, &r.Suite, &r.Branch, &r.Kind, &r.State, &r.Outcome, at{&r.BeganAt}, &r.Pushes, &r.Good, &r.run, maybe{&r.runAt}, &r.P,
		&r.Expected, &r.Observed, &r.Cases, &r.detail, at{&r.OpenedAt}, maybe{&r.FiredAt}, maybe{&r.ResolvedAt}}
}

func (r *alertRow) alert() (*alert.Alert, error) {
	var d detail
	if err := json.Unmarshal(r.detail, &d); err != nil {
		return nil, err
	}
	a := r.Alert
	a.Run, a.Worst = r.run.UUID, d.Worst
	if r.runAt != nil {
		a.RunAt = *r.runAt
	}
	return &a, nil
}

// Open returns the open alert of a series, nil where there is none.
func Open(ctx context.Context, tx *db.Tx, team uuid.UUID, s alert.Series) (*alert.Alert, error) {
	var r alertRow
	err := tx.QueryRow(ctx, `select `+alertColumns+` from alerts where team_id = ? and repo_slug = ? and suite = ? and branch = ? and kind = ? and state <> 'resolved'`,
		team, s.Repo, s.Suite, s.Branch, s.Kind).Scan(r.fields()...)
	if err != nil {
		return nil, none(err)
	}
	return r.alert()
}

// An Open alert of a team.
type OpenAlert struct {
	Team uuid.UUID
	alert.Alert
}

// QuietSince returns open alerts to whose series nothing was pushed since a time.
func QuietSince(ctx context.Context, tx *db.Tx, since time.Time, most int) (out []OpenAlert, err error) {
	rows, err := db.List(ctx, tx, `select team_id, `+alertColumns+` from alerts where state <> 'resolved' and run_at < ? order by run_at limit ?`, []any{since, most},
		func(r *alertRow) []any { return append([]any{&r.team}, r.fields()...) })
	for i := range rows {
		a, err := rows[i].alert()
		if err != nil {
			return nil, err
		}
		out = append(out, OpenAlert{rows[i].team, *a})
	}
	return out, err
}

// Save keeps an alert, a new one or one that went on.
func Save(ctx context.Context, tx *db.Tx, team uuid.UUID, a *alert.Alert) error {
	data, err := json.Marshal(detail{Worst: a.Worst})
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `insert into alerts (team_id, `+alertColumns+`) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		on conflict (team_id, id) do update set state = excluded.state, outcome = excluded.outcome, pushes = excluded.pushes, good = excluded.good,
			run_id = excluded.run_id, run_at = excluded.run_at, p = excluded.p, expected = excluded.expected, observed = excluded.observed,
			cases = excluded.cases, detail = excluded.detail, fired_at = excluded.fired_at, resolved_at = excluded.resolved_at`,
		team, a.ID, a.Repo, a.Suite, a.Branch, a.Kind, string(a.State), string(a.Outcome), a.BeganAt, a.Pushes, a.Good, a.Run, a.RunAt, a.P, a.Expected,
		a.Observed, a.Cases, string(data), a.OpenedAt, db.Time{Value: a.FiredAt}, db.Time{Value: a.ResolvedAt})
	return err
}

// LastFired returns when a series last began to fire, nil for never.
func LastFired(ctx context.Context, tx *db.Tx, team uuid.UUID, s alert.Series) (last *time.Time, err error) {
	err = tx.QueryRow(ctx, `select max(fired_at) from alerts where team_id = ? and repo_slug = ? and suite = ? and branch = ? and kind = ?`,
		team, s.Repo, s.Suite, s.Branch, s.Kind).Scan(maybe{&last})
	return last, err
}
