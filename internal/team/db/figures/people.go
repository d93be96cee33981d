package figures

import (
	"context"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db"
)

// An Activity is what a member did in a range, and when last.
type Activity struct {
	User     uuid.UUID
	Role     string
	JoinedAt time.Time
	Runs     int
	Ships    int
	Retros   int
	Reports  int        // of looks at running sites
	Sessions int        // with an agent, that the reader may see
	Turns    int        // in them
	LastAt   *time.Time // the newest of them in the range, nil where there is none
}

// Members returns all members, the longest in the team first.
func Members(ctx context.Context, tx *db.Tx, r Range) ([]Activity, error) {
	all, err := list(ctx, tx, `select user_id, role, joined_at from team_members where team_id = ? order by joined_at, user_id`, []any{r.Team},
		func(a *Activity) []any { return []any{&a.User, &a.Role, at{&a.JoinedAt}} })
	if err != nil {
		return nil, err
	}
	who := make(map[uuid.UUID]*Activity, len(all))
	for i := range all {
		who[all[i].User] = &all[i]
	}
	for _, kind := range [...]struct {
		table, column, turns string
		to                   func(*Activity) *int
	}{
		{"eval_runs", "run_at", "0", func(a *Activity) *int { return &a.Runs }},
		{"ship_logs", "occurred_at", "0", func(a *Activity) *int { return &a.Ships }},
		{"retro_snapshots", "occurred_at", "0", func(a *Activity) *int { return &a.Retros }},
		{"qa_reports", "occurred_at", "0", func(a *Activity) *int { return &a.Reports }},
		{"session_transcripts", "occurred_at", "sum(total_turns)", func(a *Activity) *int { return &a.Sessions }},
	} {
		type sum struct {
			user     uuid.UUID
			n, turns int
			last     db.Time
		}
		w := r.times(kind.column)
		sums, err := list(ctx, tx, `select user_id, count(*), `+count(kind.turns)+`, max(`+kind.column+`) from `+kind.table+`
			where `+w.text+` and user_id is not null group by 1`, w.args, func(s *sum) []any { return []any{&s.user, &s.n, &s.turns, &s.last} })
		if err != nil {
			return nil, err
		}
		for _, s := range sums {
			a := who[s.user]
			if a == nil {
				continue // has left
			}
			*kind.to(a) += s.n
			a.Turns += s.turns
			if a.LastAt == nil || s.last.Value.After(*a.LastAt) {
				a.LastAt = s.last.Value
			}
		}
	}
	return all, nil
}

// A Fresh is when a repository was last heard of, by kind of row; nil is never.
type Fresh struct {
	Repo                          string
	Run, Ship, Retro, QA, Triaged *time.Time
}

// Freshness returns when each repository of a team was last heard of, by name.
func Freshness(ctx context.Context, tx *db.Tx, team uuid.UUID) ([]Fresh, error) {
	type last struct {
		repo                          string
		run, ship, retro, qa, triaged db.Time
	}
	rows, err := list(ctx, tx, `select repo_slug, max(run), max(ship), max(retro), max(qa), max(triaged) from (
		select repo_slug, max(run_at) as run, cast(null as timestamptz) as ship, cast(null as timestamptz) as retro, cast(null as timestamptz) as qa, cast(null as timestamptz) as triaged from eval_runs where team_id = ? group by 1
		union all select repo_slug, cast(null as timestamptz), max(occurred_at), cast(null as timestamptz), cast(null as timestamptz), cast(null as timestamptz) from ship_logs where team_id = ? group by 1
		union all select repo_slug, cast(null as timestamptz), cast(null as timestamptz), max(occurred_at), cast(null as timestamptz), cast(null as timestamptz) from retro_snapshots where team_id = ? group by 1
		union all select repo_slug, cast(null as timestamptz), cast(null as timestamptz), cast(null as timestamptz), max(occurred_at), cast(null as timestamptz) from qa_reports where team_id = ? group by 1
		union all select repo_slug, cast(null as timestamptz), cast(null as timestamptz), cast(null as timestamptz), cast(null as timestamptz), max(occurred_at) from greptile_triage where team_id = ? group by 1
		) all_kinds group by 1 order by 1`, []any{team, team, team, team, team},
		func(l *last) []any { return []any{&l.repo, &l.run, &l.ship, &l.retro, &l.qa, &l.triaged} })
	if err != nil {
		return nil, err
	}
	var out []Fresh
	for _, l := range rows {
		out = append(out, Fresh{l.repo, l.run.Value, l.ship.Value, l.retro.Value, l.qa.Value, l.triaged.Value})
	}
	return out, nil
}
