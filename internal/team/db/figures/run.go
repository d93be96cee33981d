package figures

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/wire"
)

// ErrNone says that the team has no such row.
var ErrNone = errors.New("the team has none of that id")

// Run returns a run with its cases, results, payloads and costs, as it was
// pushed; [ErrNone] if the team has none of that id. Results are in the
// order of cases and repeats.
func Run(ctx context.Context, tx *db.Tx, team, id uuid.UUID) (run wire.EvalRun, err error) {
	var averages, categories, meta []byte
	err = tx.QueryRow(ctx, `select id, run_at, ingest_key, repo_slug, branch, git_sha, git_dirty, label, suite, hostname, tool, tool_version, kind, scope,
		judge_tier, tier, prompt_sha, attempt, total_tests, passed, failed, skipped, errored, `+dollars(tx, "total_cost_usd")+`, total_duration_ms, wall_clock_ms,
		judge_averages, by_category, meta, schema_version from eval_runs where team_id = ? and id = ?`, team, id).Scan(
		&run.ID, at{&run.RunAt}, &run.IngestKey, &run.RepoSlug, &run.Branch, &run.GitSHA, &run.GitDirty, &run.Label, &run.Suite, &run.Hostname, &run.Tool,
		&run.ToolVersion, &run.Kind, &run.Scope, &run.JudgeTier, &run.Tier, &run.PromptSHA, &run.Attempt, &run.TotalTests, &run.Passed, &run.Failed,
		&run.Skipped, &run.Errored, &run.TotalCostUSD, &run.TotalDurationMS, &run.WallClockMS, &averages, &categories, &meta, &run.SchemaVersion)
	if errors.Is(err, sql.ErrNoRows) {
		return wire.EvalRun{}, ErrNone
	}
	if err != nil {
		return wire.EvalRun{}, err
	}
	run.JudgeAverages, run.ByCategory, run.Meta = averages, categories, meta
	if run.Results, err = results(ctx, tx, team, id, run.RunAt); err != nil {
		return wire.EvalRun{}, err
	}
	run.Cases, err = db.List(ctx, tx, `select c.id, c.suite, c.name, c.variant, c.category from eval_cases c
		where c.team_id = ? and c.id in (select case_id from eval_results where team_id = ? and run_id = ? and run_at >= ? and run_at <= ?) order by c.id`,
		[]any{team, team, id, run.RunAt.Add(-resultsAway), run.RunAt.Add(resultsAway)},
		func(c *wire.EvalCase) []any { return []any{&c.ID, &c.Suite, &c.Name, &c.Variant, &c.Category} })
	if err != nil {
		return wire.EvalRun{}, err
	}
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

func results(ctx context.Context, tx *db.Tx, team, id uuid.UUID, at time.Time) ([]wire.EvalResult, error) {
	cost := "cost_usd::float8"
	if tx.Dialect() == db.SQLite {
		cost = "cost_usd / 1e6"
	}
	all, err := db.List(ctx, tx, `select case_id, repeat_no, status, score, duration_ms, `+cost+`, turns from eval_results
		where team_id = ? and run_id = ? and run_at >= ? and run_at <= ? order by case_id, repeat_no`, []any{team, id, at.Add(-resultsAway), at.Add(resultsAway)}, func(r *wire.EvalResult) []any {
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
	payloads, err := db.List(ctx, tx, `select case_id, repeat_no, payload from eval_payloads where team_id = ? and run_id = ? and run_at >= ? and run_at <= ? order by case_id, repeat_no`,
		[]any{team, id, at.Add(-resultsAway), at.Add(resultsAway)}, func(p *payload) []any { return []any{&p.id, &p.repeat, &p.text} })
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
