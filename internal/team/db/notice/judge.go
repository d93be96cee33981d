package notice

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"

	"cairn/internal/team/alert"
	"cairn/internal/team/db"
	"cairn/internal/team/db/figures"
)

// A Waiting is a run that is to be judged.
type Waiting struct {
	Team uuid.UUID
	alert.Series
	Run   uuid.UUID
	RunAt time.Time
	Total int // cases and repeats that it should have
}

// NextRuns returns runs that wait, the oldest of their series each, most at most.
func NextRuns(ctx context.Context, tx *db.Tx, now time.Time, most int) ([]Waiting, error) {
	all, err := db.List(ctx, tx, `select w.team_id, w.run_id, w.run_at, r.repo_slug, r.suite, r.branch, r.kind, r.total_tests
		from (select * from cairn.judgments where due_at <= ? order by run_at, run_id limit ?) w
		join eval_runs r on r.team_id = w.team_id and r.id = w.run_id order by w.run_at, w.run_id`, []any{now, most}, func(w *Waiting) []any {
		return []any{&w.Team, &w.Run, db.Stamp(&w.RunAt), &w.Repo, &w.Suite, &w.Branch, &w.Kind, &w.Total}
	})
	if err != nil {
		return nil, err
	}
	type key struct {
		team uuid.UUID
		alert.Series
	}
	seen := map[key]bool{}
	return slices.DeleteFunc(all, func(w Waiting) bool {
		k := key{w.Team, w.Series}
		again := seen[k]
		seen[k] = true
		return again
	}), nil
}

// Judging keeps other servers from judging until the transaction ends, and says
// whether this one may.
func Judging(ctx context.Context, tx *db.Tx) (bool, error) {
	if tx.Dialect() == db.SQLite {
		return true, nil // it has one writer
	}
	return db.One[bool](ctx, tx, `select pg_try_advisory_xact_lock(hashtext('cairn.judge'))`)
}

// Judged takes a run off the list, and says whether it was on it.
func Judged(ctx context.Context, tx *db.Tx, w Waiting) (was bool, err error) {
	n, err := tx.Exec(ctx, `delete from cairn.judgments where team_id = ? and run_id = ?`, w.Team, w.Run)
	return n == 1, err
}

// Later leaves a run that is not whole yet for another time.
func Later(ctx context.Context, tx *db.Tx, w Waiting, due time.Time) error {
	return tx.Do(ctx, `update cairn.judgments set due_at = ? where team_id = ? and run_id = ?`, due, w.Team, w.Run)
}

// Active returns how many series of a team had a push since a time.
func Active(ctx context.Context, tx *db.Tx, team uuid.UUID, since time.Time) (int, error) {
	return db.One[int](ctx, tx, `select count(*) from (select distinct repo_slug, suite, branch, kind from eval_runs where team_id = ? and run_at >= ?) s`, team, since)
}

// Cases returns how the cases of a run went, and how many results it has.
func Cases(ctx context.Context, tx *db.Tx, w Waiting) (run alert.Run, results int, err error) {
	runs, results, err := tallies(ctx, tx, w.Team, []alert.Run{{ID: w.Run, At: w.RunAt}})
	if err != nil {
		return run, 0, err
	}
	return runs[0], results, nil
}

// History returns the newest runs of the main branch before a run that it can
// be judged by. What was made while an alert was open there is not among them,
// unless it became the usual.
func History(ctx context.Context, tx *db.Tx, w Waiting) ([]alert.Run, error) {
	runs, err := db.List(ctx, tx, `select r.id, r.run_at from eval_runs r where r.team_id = ? and r.repo_slug = ? and r.suite = ? and r.kind = ?
		and branch in ('main', 'master') and r.run_at < ? and r.id <> ? and not exists (select 1 from alerts a
			where a.team_id = ? and a.repo_slug = ? and a.suite = ? and a.kind = ? and a.branch = r.branch and a.outcome in ('', 'recovered', 'quiet')
			and a.began_at <= r.run_at and (a.state <> 'resolved' or r.run_at < a.run_at))
		order by r.run_at desc limit ?`,
		[]any{w.Team, w.Repo, w.Suite, w.Kind, w.RunAt, w.Run, w.Team, w.Repo, w.Suite, w.Kind, alert.HistoryRuns},
		func(r *alert.Run) []any { return []any{&r.ID, db.Stamp(&r.At)} })
	if err != nil || len(runs) == 0 {
		return nil, err
	}
	runs, _, err = tallies(ctx, tx, w.Team, runs)
	return runs, err
}

// tallies fills in the cases of runs, and counts the results.
func tallies(ctx context.Context, tx *db.Tx, team uuid.UUID, runs []alert.Run) ([]alert.Run, int, error) {
	place := map[uuid.UUID]int{}
	first, last := runs[0].At, runs[0].At
	args := []any{team}
	for i, r := range runs {
		place[r.ID] = i
		args = append(args, r.ID)
		if r.At.Before(first) {
			first = r.At
		}
		if r.At.After(last) {
			last = r.At
		}
	}
	// The times let PostgreSQL look into their months only.
	type row struct {
		run uuid.UUID
		alert.Tally
		results int
	}
	rows, err := db.List(ctx, tx, `select run_id, case_id, sum(case status when 0 then 1 else 0 end), sum(case status when 1 then 1 else 0 end), count(*)
		from eval_results where team_id = ? and run_id in (?`+strings.Repeat(", ?", len(runs)-1)+`) and run_at >= ? and run_at <= ? group by run_id, case_id`,
		append(args, first, last), func(r *row) []any { return []any{&r.run, &r.Case, &r.Passed, &r.Failed, &r.results} })
	results := 0
	for _, r := range rows {
		i := place[r.run]
		runs[i].Cases = append(runs[i].Cases, r.Tally)
		results += r.results
	}
	if err == nil {
		err = follow(ctx, tx, team, runs)
	}
	return runs, results, err
}

// follow has the cases called as the newest run of the suite calls them, where prompts
// have other numbers there.
func follow(ctx context.Context, tx *db.Tx, team uuid.UUID, runs []alert.Run) error {
	ids, went := make([]uuid.UUID, len(runs)), make([][]figures.Ended, len(runs))
	for i, r := range runs {
		ids[i] = r.ID
		for _, t := range r.Cases {
			went[i] = append(went[i], figures.Ended{Case: t.Case})
		}
	}
	tried, err := figures.TriedWith(ctx, tx, team, ids)
	if err != nil {
		return err
	}
	followed, _, err := figures.Follow(ctx, tx, team, tried, went)
	if err != nil {
		return err
	}
	for i := range runs {
		for k := range followed[i] {
			runs[i].Cases[k].Case = followed[i][k].Case
		}
	}
	return nil
}

// Name fills in what the worst cases are called.
func Name(ctx context.Context, tx *db.Tx, team uuid.UUID, worst []alert.Worst) error {
	for i := range worst {
		var name, variant string
		err := tx.QueryRow(ctx, `select name, variant from eval_cases where team_id = ? and id = ?`, team, worst[i].Case).Scan(&name, &variant)
		if db.None(err, nil) != nil {
			return err
		}
		worst[i].Name = strings.TrimSpace(name + " " + variant)
	}
	return nil
}

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
	return []any{&r.ID, &r.Repo, &r.Suite, &r.Branch, &r.Kind, &r.State, &r.Outcome, db.Stamp(&r.BeganAt), &r.Pushes, &r.Good, &r.run, db.MaybeStamp(&r.runAt), &r.P,
		&r.Expected, &r.Observed, &r.Cases, &r.detail, db.Stamp(&r.OpenedAt), db.MaybeStamp(&r.FiredAt), db.MaybeStamp(&r.ResolvedAt)}
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
		return nil, db.None(err, nil)
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
	return tx.Do(ctx, `insert into alerts (team_id, `+alertColumns+`) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		on conflict (team_id, id) do update set state = excluded.state, outcome = excluded.outcome, pushes = excluded.pushes, good = excluded.good,
			run_id = excluded.run_id, run_at = excluded.run_at, p = excluded.p, expected = excluded.expected, observed = excluded.observed,
			cases = excluded.cases, detail = excluded.detail, fired_at = excluded.fired_at, resolved_at = excluded.resolved_at`,
		team, a.ID, a.Repo, a.Suite, a.Branch, a.Kind, string(a.State), string(a.Outcome), a.BeganAt, a.Pushes, a.Good, a.Run, a.RunAt, a.P, a.Expected,
		a.Observed, a.Cases, string(data), a.OpenedAt, db.Time{Value: a.FiredAt}, db.Time{Value: a.ResolvedAt})
}

// LastFired returns when a series last began to fire, nil for never.
func LastFired(ctx context.Context, tx *db.Tx, team uuid.UUID, s alert.Series) (last *time.Time, err error) {
	err = tx.QueryRow(ctx, `select max(fired_at) from alerts where team_id = ? and repo_slug = ? and suite = ? and branch = ? and kind = ?`,
		team, s.Repo, s.Suite, s.Branch, s.Kind).Scan(db.MaybeStamp(&last))
	return last, err
}
