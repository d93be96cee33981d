package figures

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/wire"
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
		return []any{&s.ID, db.Stamp(&s.At), &s.Repo, &s.Suite, &s.Branch, &s.SHA, &s.Label, &s.Tool, &s.User, &s.Passed, &s.Failed, &s.Errored, &s.Total, &s.CostUSD, &s.DurationMS}
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

// NewestOfSuites returns so many of the newest runs of each repository's suites,
// the oldest of a suite first.
func NewestOfSuites(ctx context.Context, tx *db.Tx, r Range, each int) ([]RunRow, error) {
	w := r.runs()
	w.text = `team_id = ? and id in (select id from (select id, row_number() over (partition by repo_slug, suite order by run_at desc, id desc) as nth from eval_runs where ` + w.text + `) s where nth <= ?)`
	w.args = append(append([]any{r.Team}, w.args...), each)
	return runRows(ctx, tx, w, "order by repo_slug, suite, run_at, id")
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
	const atOnce = 2000
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

// ErrNone says that the team has no such row.
var ErrNone = errors.New("the team has none of that id")

// Run returns a run with its cases, results, payloads and costs, as it was
// pushed; [ErrNone] if the team has none of that id. Results are in the
// order of cases and repeats.
func Run(ctx context.Context, tx *db.Tx, team, id uuid.UUID) (run wire.EvalRun, err error) {
	return RunPart(ctx, tx, team, id, nil)
}

// RunPart is Run with the results of some cases only, in so far as the run has
// them; nil is all.
func RunPart(ctx context.Context, tx *db.Tx, team, id uuid.UUID, only []int64) (run wire.EvalRun, err error) {
	var averages, categories, meta []byte
	err = tx.QueryRow(ctx, `select id, run_at, ingest_key, repo_slug, branch, git_sha, git_dirty, label, suite, hostname, tool, tool_version, kind, scope,
		judge_tier, tier, prompt_sha, attempt, total_tests, passed, failed, skipped, errored, `+dollars(tx, "total_cost_usd")+`, total_duration_ms, wall_clock_ms,
		judge_averages, by_category, meta, schema_version from eval_runs where team_id = ? and id = ?`, team, id).Scan(
		&run.ID, db.Stamp(&run.RunAt), &run.IngestKey, &run.RepoSlug, &run.Branch, &run.GitSHA, &run.GitDirty, &run.Label, &run.Suite, &run.Hostname, &run.Tool,
		&run.ToolVersion, &run.Kind, &run.Scope, &run.JudgeTier, &run.Tier, &run.PromptSHA, &run.Attempt, &run.TotalTests, &run.Passed, &run.Failed,
		&run.Skipped, &run.Errored, &run.TotalCostUSD, &run.TotalDurationMS, &run.WallClockMS, &averages, &categories, &meta, &run.SchemaVersion)
	if err != nil {
		return wire.EvalRun{}, db.None(err, ErrNone)
	}
	run.JudgeAverages, run.ByCategory, run.Meta = averages, categories, meta
	if run.Results, err = results(ctx, tx, team, id, run.RunAt, only); err != nil {
		return wire.EvalRun{}, err
	}
	// by id, not by a join: before a new database has statistics, that took PostgreSQL half a minute
	var ids []int64
	for _, r := range run.Results {
		if len(ids) == 0 || ids[len(ids)-1] != r.CaseID { // they are in order
			ids = append(ids, r.CaseID)
		}
	}
	cases, err := Cases(ctx, tx, team, ids)
	if err != nil {
		return wire.EvalRun{}, err
	}
	for _, c := range cases {
		run.Cases = append(run.Cases, wire.EvalCase{ID: c.ID, Suite: c.Suite, Name: c.Name, Variant: c.Variant, Category: c.Category})
	}
	slices.SortFunc(run.Cases, func(a, b wire.EvalCase) int { return cmp.Compare(a.ID, b.ID) })
	run.Costs, err = db.List(ctx, tx, `select model, calls, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, `+
		dollars(tx, "estimated_cost_usd")+`, price_table from eval_costs where team_id = ? and run_id = ? order by model`, []any{team, id},
		func(c *wire.EvalCost) []any {
			return []any{&c.Model, &c.Calls, &c.InputTokens, &c.OutputTokens, &c.CacheReadTokens, &c.CacheWriteTokens, &c.EstimatedCostUSD, &c.PriceTable}
		})
	return run, err
}

// resultsAway is how far a result's own time may be from its run's: a push gives
// both the same, other clients the day. With it a look-up is in one month, not in all.
const resultsAway = day

// span is the time in which results of runs are, for look-ups by run.
func span(at []time.Time) (from, to time.Time) {
	return slices.MinFunc(at, time.Time.Compare).Add(-resultsAway), slices.MaxFunc(at, time.Time.Compare).Add(resultsAway)
}

// among is a condition that a column has one of some values; nil is any.
func among(column string, values []int64) (condition string, args []any) {
	if values == nil {
		return "", nil
	}
	for _, v := range values {
		args = append(args, v)
	}
	return " and " + column + " in (null" + strings.Repeat(", ?", len(values)) + ")", args
}

func results(ctx context.Context, tx *db.Tx, team, id uuid.UUID, at time.Time, only []int64) ([]wire.EvalResult, error) {
	among, some := among("case_id", only)
	args := append([]any{team, id, at.Add(-resultsAway), at.Add(resultsAway)}, some...)
	cost := "cost_usd::float8"
	if tx.Dialect() == db.SQLite {
		cost = "cost_usd / 1e6"
	}
	all, err := db.List(ctx, tx, `select case_id, repeat_no, status, score, duration_ms, `+cost+`, turns from eval_results
		where team_id = ? and run_id = ? and run_at >= ? and run_at <= ?`+among+` order by case_id, repeat_no`, args, func(r *wire.EvalResult) []any {
		return []any{&r.CaseID, &r.Repeat, &r.Status, &r.Score, &r.DurationMS, &r.CostUSD, &r.Turns}
	})
	if err != nil {
		return nil, err
	}
	type payload struct {
		id     int64
		repeat int
		text   []byte
	}
	payloads, err := db.List(ctx, tx, `select case_id, repeat_no, payload from eval_payloads where team_id = ? and run_id = ? and run_at >= ? and run_at <= ?`+among+` order by case_id, repeat_no`,
		args, func(p *payload) []any { return []any{&p.id, &p.repeat, &p.text} })
	if err != nil {
		return nil, err
	}
	for i := range all { // both are in one order
		r := &all[i]
		for len(payloads) > 0 && (payloads[0].id < r.CaseID || payloads[0].id == r.CaseID && payloads[0].repeat < r.Repeat) {
			payloads = payloads[1:]
		}
		if len(payloads) > 0 && payloads[0].id == r.CaseID && payloads[0].repeat == r.Repeat {
			r.Payload = jsontext.Value(payloads[0].text)
		}
	}
	return all, nil
}

// Variants returns the cases that are one with another but for the variant, that
// one among them.
func Variants(ctx context.Context, tx *db.Tx, team uuid.UUID, c Case) ([]Case, error) {
	return db.List(ctx, tx, `select id, repo_slug, suite, name, variant, category from eval_cases where team_id = ? and repo_slug = ? and suite = ? and name = ? order by variant, id limit 100`,
		[]any{team, c.Repo, c.Suite, c.Name}, func(c *Case) []any { return []any{&c.ID, &c.Repo, &c.Suite, &c.Name, &c.Variant, &c.Category} })
}

// A Pull is a merged pull request.
type Pull struct{ URL, SHA string }

// Pulls returns the newest pull requests of a repository: that of a commit first,
// where it has one, then any other, which shows the repository's host.
func Pulls(ctx context.Context, tx *db.Tx, team uuid.UUID, repo, sha string) ([]Pull, error) {
	const most = 2
	return db.List(ctx, tx, `select pr_url, git_sha from ship_logs where team_id = ? and repo_slug = ? and pr_url like 'https://%'
		order by case when git_sha = ? then 0 else 1 end, occurred_at desc, id limit ?`, []any{team, repo, sha, most}, func(p *Pull) []any { return []any{&p.URL, &p.SHA} })
}
