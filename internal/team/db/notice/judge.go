package notice

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/alert"
	"cairn/internal/team/db"
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
		return []any{&w.Team, &w.Run, at{&w.RunAt}, &w.Repo, &w.Suite, &w.Branch, &w.Kind, &w.Total}
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
func Judging(ctx context.Context, tx *db.Tx) (mine bool, err error) {
	if tx.Dialect() == db.SQLite {
		return true, nil // it has one writer
	}
	err = tx.QueryRow(ctx, `select pg_try_advisory_xact_lock(hashtext('cairn.judge'))`).Scan(&mine)
	return mine, err
}

// Judged takes a run off the list, and says whether it was on it.
func Judged(ctx context.Context, tx *db.Tx, w Waiting) (was bool, err error) {
	n, err := tx.Exec(ctx, `delete from cairn.judgments where team_id = ? and run_id = ?`, w.Team, w.Run)
	return n == 1, err
}

// Later leaves a run that is not whole yet for another time.
func Later(ctx context.Context, tx *db.Tx, w Waiting, due time.Time) error {
	_, err := tx.Exec(ctx, `update cairn.judgments set due_at = ? where team_id = ? and run_id = ?`, due, w.Team, w.Run)
	return err
}

// Active returns how many series of a team had a push since a time.
func Active(ctx context.Context, tx *db.Tx, team uuid.UUID, since time.Time) (n int, err error) {
	err = tx.QueryRow(ctx, `select count(*) from (select distinct repo_slug, suite, branch, kind from eval_runs where team_id = ? and run_at >= ?) s`, team, since).Scan(&n)
	return n, err
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
		func(r *alert.Run) []any { return []any{&r.ID, at{&r.At}} })
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
	return runs, results, err
}

// Name fills in what the worst cases are called.
func Name(ctx context.Context, tx *db.Tx, team uuid.UUID, worst []alert.Worst) error {
	for i := range worst {
		var name, variant string
		err := tx.QueryRow(ctx, `select name, variant from eval_cases where team_id = ? and id = ?`, team, worst[i].Case).Scan(&name, &variant)
		if none(err) != nil {
			return err
		}
		worst[i].Name = strings.TrimSpace(name + " " + variant)
	}
	return nil
}
