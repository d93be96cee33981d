package figures

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db"
)

// Rates returns the days of each suite like PassRates, also of one branch or
// person: those are summed from the runs.
func Rates(ctx context.Context, tx *db.Tx, r Range, suite string) ([]PassRate, error) {
	if r.Branch == "" && r.Who == nil {
		return PassRates(ctx, tx, r, suite, "")
	}
	w := r.runs()
	if suite != "" {
		w.and("suite = ?", suite)
	}
	return db.List(ctx, tx, `select `+text(tx, dayOf(tx, "run_at"))+`, suite, count(*), `+count("sum(passed)")+`, `+count("sum(failed)")+`, `+count("sum(errored)")+`, `+
		count("sum(total_tests)")+`, `+dollars(tx, "sum(total_cost_usd)")+` from eval_runs where `+w.text+` group by 1, 2 order by 1, 2`, w.args, func(p *PassRate) []any {
		return []any{&p.Day, &p.Suite, &p.Runs, &p.Passed, &p.Failed, &p.Errored, &p.Total, &p.CostUSD}
	})
}

// A SuiteSum is what the runs of a suite came to.
type SuiteSum struct {
	Repo, Suite                    string
	Runs                           int
	Passed, Failed, Errored, Total int
	CostUSD                        float64
	LastDay                        string
}

// Suites returns each repository's suites, by name.
func Suites(ctx context.Context, tx *db.Tx, r Range) ([]SuiteSum, error) {
	sums := func(runs, total, cost, last, from string, w where) ([]SuiteSum, error) {
		return db.List(ctx, tx, `select repo_slug, suite, `+runs+`, `+count("sum(passed)")+`, `+count("sum(failed)")+`, `+count("sum(errored)")+`, `+count("sum("+total+")")+`, `+
			dollars(tx, "sum("+cost+")")+`, `+text(tx, "max("+last+")")+` from `+from+` where `+w.text+` group by 1, 2 order by 1, 2`, w.args, func(s *SuiteSum) []any {
			return []any{&s.Repo, &s.Suite, &s.Runs, &s.Passed, &s.Failed, &s.Errored, &s.Total, &s.CostUSD, &s.LastDay}
		})
	}
	if r.Branch != "" || r.Who != nil {
		return sums("count(*)", "total_tests", "total_cost_usd", dayOf(tx, "run_at"), "eval_runs", r.runs())
	}
	w := r.days()
	if r.Repo != "" {
		w.and("repo_slug = ?", r.Repo)
	}
	return sums(count("sum(runs)"), "total", "cost_usd", "day", "daily_evals", w)
}

// A RunRow is a run without its cases.
type RunRow struct {
	ID                              uuid.UUID
	At                              time.Time
	Repo, Suite, Branch, SHA, Label string
	Tool                            string
	User                            uuid.NullUUID
	Passed, Failed, Errored, Total  int
	CostUSD                         float64
	DurationMS                      int64
}

func runRows(ctx context.Context, tx *db.Tx, w where, end string) ([]RunRow, error) {
	return db.List(ctx, tx, `select id, run_at, repo_slug, suite, branch, git_sha, label, tool, user_id, passed, failed, errored, total_tests, `+
		dollars(tx, "total_cost_usd")+`, total_duration_ms from eval_runs where `+w.text+` `+end, w.args, func(s *RunRow) []any {
		return []any{&s.ID, at{&s.At}, &s.Repo, &s.Suite, &s.Branch, &s.SHA, &s.Label, &s.Tool, &s.User, &s.Passed, &s.Failed, &s.Errored, &s.Total, &s.CostUSD, &s.DurationMS}
	})
}

// Runs returns the newest runs of a range, the newest first, most at most; of
// one suite where suite is not nil. They are those before a place in that order.
func Runs(ctx context.Context, tx *db.Tx, r Range, suite *string, after After, most int) ([]RunRow, error) {
	w := r.runs()
	if suite != nil {
		w.and("suite = ?", *suite)
	}
	after.than(&w, "run_at")
	w.args = append(w.args, most)
	return runRows(ctx, tx, w, "order by run_at desc, id desc limit ?")
}

// An After is a row of a list that is in the order of a time and an id, both
// descending; what follows it is wanted. The zero one is before all.
type After struct {
	At time.Time
	ID uuid.UUID
}

func (a After) than(w *where, column string) {
	if !a.At.IsZero() {
		w.and(column+" <= ? and ("+column+" < ? or id < ?)", a.At, a.At, a.ID)
	}
}

// OneRun returns a run without its cases; none where the team has none of that id.
func OneRun(ctx context.Context, tx *db.Tx, team, id uuid.UUID) ([]RunRow, error) {
	return runRows(ctx, tx, where{text: "team_id = ? and id = ?", args: []any{team, id}}, "")
}

// An Ended is how a case went in a run; repeats are of their own.
type Ended struct {
	Case   int64
	Status uint8 // 0 pass, 1 fail, 2 skip, 3 error
}

// Results returns how the cases of runs went, of each run in the order of cases
// and repeats. at are the runs' times: only their months are looked at.
func Results(ctx context.Context, tx *db.Tx, team uuid.UUID, runs []uuid.UUID, at []time.Time) (map[uuid.UUID][]Ended, error) {
	months, err := tx.Months(ctx, "eval_results")
	if err != nil || len(runs) == 0 {
		return nil, err
	}
	from, to := span(at)
	out := make(map[uuid.UUID][]Ended, len(runs))
	const atOnce = 200
	for _, table := range months {
		month := strings.TrimPrefix(table, "eval_results_")
		var here []any
		for i, id := range runs {
			if month == table || month == at[i].UTC().Format("200601") {
				here = append(here, id)
			}
		}
		for some := range slices.Chunk(here, atOnce) {
			rows, err := tx.Query(ctx, `select run_id, case_id, status from `+table+` where team_id = ? and run_at >= ? and run_at <= ? and run_id in (?`+strings.Repeat(", ?", len(some)-1)+`) order by 1, 2, repeat_no`,
				append([]any{team, from, to}, some...)...)
			if err != nil {
				return nil, err
			}
			defer rows.Close()
			for rows.Next() {
				var run uuid.UUID
				var one Ended
				if err := rows.Scan(&run, &one.Case, &one.Status); err != nil {
					return nil, err
				}
				out[run] = append(out[run], one)
			}
			if err := rows.Err(); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// A Case is what a result is of.
type Case struct {
	ID                                   int64
	Repo, Suite, Name, Variant, Category string
}

// Cases returns the cases of some ids.
func Cases(ctx context.Context, tx *db.Tx, team uuid.UUID, ids []int64) (out []Case, err error) {
	const atOnce = 200
	for some := range slices.Chunk(ids, atOnce) {
		args := []any{team}
		for _, id := range some {
			args = append(args, id)
		}
		more, err := db.List(ctx, tx, `select id, repo_slug, suite, name, variant, category from eval_cases where team_id = ? and id in (?`+strings.Repeat(", ?", len(some)-1)+`) order by name, variant, id`,
			args, func(c *Case) []any { return []any{&c.ID, &c.Repo, &c.Suite, &c.Name, &c.Variant, &c.Category} })
		if err != nil {
			return nil, err
		}
		out = append(out, more...)
	}
	return out, nil
}

// A Pusher is who pushed runs: a person, or a bot of CI.
type Pusher struct {
	User uuid.UUID
	Runs int
}

// Pushers returns everybody who pushed a run in a range.
func Pushers(ctx context.Context, tx *db.Tx, r Range) ([]Pusher, error) {
	w := r.runs()
	return db.List(ctx, tx, `select user_id, count(*) from eval_runs where `+w.text+` and user_id is not null group by 1 order by 2 desc, 1`, w.args,
		func(p *Pusher) []any { return []any{&p.User, &p.Runs} })
}
