package figures

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"cairn/internal/team/db"
)

// A Usage is how somebody worked with an agent on a day, in one repository on
// one machine.
type Usage struct {
	ID                                 uuid.UUID
	At                                 time.Time
	User                               uuid.NullUUID
	Day, Repo, Hostname, Agent         string
	Sessions, Turns, Prompts           int64
	PromptChars                        int64
	Tools                              map[string]float64 // calls
	Outputs, TokensBefore, TokensAfter int64
}

// Usages returns the days of a range, the oldest first; of what was sent
// several times the newest. It counts Who.
func Usages(ctx context.Context, tx *db.Tx, r Range) ([]Usage, error) {
	var w where
	w.and("team_id = ? and date >= ? and date < ?", r.Team, date(tx, r.From), date(tx, r.To))
	if r.Repo != "" {
		w.and("repo_slug = ?", r.Repo)
	}
	r.by(&w)
	return usages(ctx, tx, `where nth = 1 order by date, repo_slug, hostname, agent, id`, w)
}

const day = 24 * time.Hour

func usages(ctx context.Context, tx *db.Tx, end string, w where, more ...any) ([]Usage, error) {
	type row struct {
		Usage
		tools []byte
	}
	rows, err := db.List(ctx, tx, `select id, occurred_at, user_id, `+text(tx, "date")+`, repo_slug, hostname, agent, sessions, turns, prompts, prompt_chars, tools, outputs, tokens_before, tokens_after
		from (select id, occurred_at, user_id, date, repo_slug, hostname, agent, sessions, turns, prompts, prompt_chars, tools, outputs, tokens_before, tokens_after, row_number() over (partition by user_id, hostname, agent, repo_slug, date order by occurred_at desc, created_at desc, id) as nth from usage_days where `+w.text+`) s `+end,
		append(w.args, more...), func(s *row) []any {
			return []any{&s.ID, db.Stamp(&s.At), &s.User, &s.Day, &s.Repo, &s.Hostname, &s.Agent, &s.Sessions, &s.Turns, &s.Prompts, &s.PromptChars, &s.tools, &s.Outputs, &s.TokensBefore, &s.TokensAfter}
		})
	if err != nil {
		return nil, err
	}
	var out []Usage
	for _, s := range rows {
		var tools map[string]jsontext.Value
		if json.Unmarshal(s.tools, &tools) == nil {
			s.Tools = map[string]float64{}
			for name, v := range tools {
				if n := plainNumber(v); n != nil {
					s.Tools[name] = *n
				}
			}
		}
		out = append(out, s.Usage)
	}
	return out, nil
}

// date is a day as a parameter.
func date(tx *db.Tx, t time.Time) any {
	if tx.Dialect() == db.SQLite {
		return t.UTC().Format(time.DateOnly)
	}
	return t.UTC().Truncate(day)
}

// A Spend is what one model was used for in a week, in every repository.
type Spend struct {
	Week         string
	Model        string
	Calls        int64
	InputTokens  int64
	OutputTokens int64
	CostUSD      float64
}

// Spending returns cost by week and model, the oldest week first. It has no
// repositories: daily sums of costs do not.
func Spending(ctx context.Context, tx *db.Tx, r Range) ([]Spend, error) {
	w := r.days()
	return db.List(ctx, tx, `select `+weekOf(tx, "day")+`, model, `+count("sum(calls)")+`, `+count("sum(input_tokens)")+`, `+count("sum(output_tokens)")+`, `+
		dollars(tx, "sum(cost_usd)")+` from daily_costs where `+w.text+` group by 1, 2 order by 1, 6 desc, 2`, w.args, func(s *Spend) []any {
		return []any{&s.Week, &s.Model, &s.Calls, &s.InputTokens, &s.OutputTokens, &s.CostUSD}
	})
}

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
	all, err := db.List(ctx, tx, `select user_id, role, joined_at from team_members where team_id = ? order by joined_at, user_id`, []any{r.Team},
		func(a *Activity) []any { return []any{&a.User, &a.Role, db.Stamp(&a.JoinedAt)} })
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
		sums, err := db.List(ctx, tx, `select user_id, count(*), `+count(kind.turns)+`, max(`+kind.column+`) from `+kind.table+`
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
	Plan, Usage, Spend            *time.Time
}

// Freshness returns when each repository of a team was last heard of, by name.
func Freshness(ctx context.Context, tx *db.Tx, team uuid.UUID) ([]Fresh, error) {
	runs, err := FreshRuns(ctx, tx, Range{Team: team})
	if err != nil {
		return nil, err
	}
	records, err := FreshRecords(ctx, tx, Range{Team: team})
	return JoinFresh(runs, records), err
}

// A freshKind is a table of what is heard of.
type freshKind struct {
	table, column string
	to            func(*Fresh) **time.Time
}

// FreshRuns is Freshness of runs alone.
func FreshRuns(ctx context.Context, tx *db.Tx, r Range) ([]Fresh, error) {
	return freshness(ctx, tx, r.Team, freshKind{"eval_runs", "run_at", func(f *Fresh) **time.Time { return &f.Run }})
}

// FreshRecords is Freshness of all else.
func FreshRecords(ctx context.Context, tx *db.Tx, r Range) ([]Fresh, error) {
	return freshness(ctx, tx, r.Team,
		freshKind{"ship_logs", "occurred_at", func(f *Fresh) **time.Time { return &f.Ship }},
		freshKind{"retro_snapshots", "occurred_at", func(f *Fresh) **time.Time { return &f.Retro }},
		freshKind{"qa_reports", "occurred_at", func(f *Fresh) **time.Time { return &f.QA }},
		freshKind{"greptile_triage", "occurred_at", func(f *Fresh) **time.Time { return &f.Triaged }},
		freshKind{"plan_snapshots", "occurred_at", func(f *Fresh) **time.Time { return &f.Plan }},
		freshKind{"usage_days", "occurred_at", func(f *Fresh) **time.Time { return &f.Usage }},
		freshKind{"spend_days", "occurred_at", func(f *Fresh) **time.Time { return &f.Spend }})
}

// JoinFresh puts runs to records.
func JoinFresh(runs, records []Fresh) (out []Fresh) {
	found := map[string]Fresh{}
	for _, f := range records {
		found[f.Repo] = f
	}
	for _, f := range runs {
		one := found[f.Repo]
		one.Repo, one.Run = f.Repo, f.Run
		found[f.Repo] = one
	}
	for _, repo := range slices.Sorted(maps.Keys(found)) {
		out = append(out, found[repo])
	}
	return out
}

// freshness takes one step in an index for each repository and each time,
// however many rows there are.
func freshness(ctx context.Context, tx *db.Tx, team uuid.UUID, kinds ...freshKind) (out []Fresh, err error) {
	type last struct {
		repo string
		at   db.Time
	}
	found := map[string]*Fresh{}
	for _, kind := range kinds {
		of := " from " + kind.table + " where team_id = ? and repo_slug > ''" // telemetry may name none
		rows, err := db.List(ctx, tx, `with recursive repos (repo) as (select min(repo_slug)`+of+`
			union all select (select min(repo_slug)`+of+` and repo_slug > repo) from repos where repo is not null)
			select repo, (select max(`+kind.column+`)`+of+` and repo_slug = repo) from repos where repo is not null`,
			[]any{team, team, team}, func(l *last) []any { return []any{&l.repo, &l.at} })
		if err != nil {
			return nil, err
		}
		for _, l := range rows {
			if found[l.repo] == nil {
				found[l.repo] = &Fresh{Repo: l.repo}
			}
			*kind.to(found[l.repo]) = l.at.Value
		}
	}
	for _, repo := range slices.Sorted(maps.Keys(found)) {
		out = append(out, *found[repo])
	}
	return out, nil
}

// A Heard is when somebody's machine last proved that its path to the server works.
type Heard struct {
	User     uuid.NullUUID
	Hostname string
	At       time.Time
}

// Heartbeats returns the newest of each person and machine, the newest first.
func Heartbeats(ctx context.Context, tx *db.Tx, team uuid.UUID) ([]Heard, error) {
	return db.List(ctx, tx, `select user_id, hostname, max(created_at) from sync_heartbeats where team_id = ? group by 1, 2 order by 3 desc, 2 limit 200`,
		[]any{team}, func(h *Heard) []any { return []any{&h.User, &h.Hostname, db.Stamp(&h.At)} })
}
