package ingest

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/wire"
)

// rowsAtOnce is how many rows one statement inserts at most.
const rowsAtOnce = 200

// store does in SQLite what push_eval_run does in PostgreSQL.
func store(ctx context.Context, tx *db.Tx, as db.Identity, push wire.EvalPush) (wire.EvalPushed, error) {
	out, err := storeRun(ctx, tx, as, push)
	if err != nil || out.Duplicate {
		return out, err
	}
	for _, part := range [...]func(context.Context, *db.Tx, *wire.EvalPush) error{storeCases, storeResults, storePayloads} {
		if err := part(ctx, tx, &push); err != nil {
			return wire.EvalPushed{}, err
		}
	}
	rows, bytes := stored(&push)
	return out, tx.Stored(ctx, push.Team, push.Run.RunAt, rows, bytes)
}

// stored is how many results and payloads a run has, and their bytes.
func stored(push *wire.EvalPush) (rows, bytes int) {
	for i := range push.Run.Results {
		rows++
		if r := &push.Run.Results[i]; hasPayload(r) {
			rows++
			bytes += len(r.Payload)
		}
	}
	return rows, bytes
}

func hasPayload(r *wire.EvalResult) bool { return r.Payload != nil && r.Payload.Kind() == '{' }

// storeRun stores the run's own row and its costs, or finds that it is there.
func storeRun(ctx context.Context, tx *db.Tx, as db.Identity, push wire.EvalPush) (wire.EvalPushed, error) {
	run := &push.Run
	n, err := tx.ExecOften(ctx, `insert into eval_runs (team_id, id, run_at, ingest_key, user_id, repo_slug, branch, git_sha, git_dirty, label, suite,
		hostname, tool, tool_version, kind, scope, judge_tier, tier, prompt_sha, attempt, total_tests, passed, failed, skipped, errored,
		total_cost_usd, total_duration_ms, wall_clock_ms, judge_averages, by_category, meta, schema_version)
		values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing`,
		push.Team, run.ID, run.RunAt, run.IngestKey, uuid.NullUUID{UUID: as.User, Valid: as.User != uuid.Nil}, run.RepoSlug, run.Branch,
		run.GitSHA, run.GitDirty, run.Label, run.Suite, run.Hostname, run.Tool, run.ToolVersion, cmp.Or(run.Kind, "eval"),
		cmp.Or(run.Scope, "standard"), run.JudgeTier, cmp.Or(run.Tier, "standard"), run.PromptSHA, cmp.Or(run.Attempt, 1),
		run.TotalTests, run.Passed, run.Failed, run.Skipped, run.Errored, micros(run.TotalCostUSD), run.TotalDurationMS, run.WallClockMS,
		document(run.JudgeAverages), document(run.ByCategory), cmp.Or(document(run.Meta), any("{}")), cmp.Or(run.SchemaVersion, 1))
	if err != nil {
		return wire.EvalPushed{}, err
	}
	if n == 0 {
		return there(ctx, tx, as, push)
	}
	return wire.EvalPushed{ID: run.ID}, storeCosts(ctx, tx, &push)
}

// there is the answer for a run that cannot be inserted: it is there, or its id
// is another run's. A run of another repository is not there for a token of one.
func there(ctx context.Context, tx *db.Tx, as db.Identity, push wire.EvalPush) (wire.EvalPushed, error) {
	out := wire.EvalPushed{Duplicate: true}
	err := tx.QueryRow(ctx, `select id from eval_runs where team_id = ? and ingest_key = ? and (repo_slug = ? or ?)`, push.Team, push.Run.IngestKey, as.Repo, as.Repo == "").Scan(&out.ID)
	if errors.Is(err, sql.ErrNoRows) {
		return wire.EvalPushed{}, double("eval_runs")
	}
	return out, err
}

// storeCases names the cases of a run. What somebody else had named by an id,
// before ids were computed here, is corrected; a case that the runner knows by an
// id of its own keeps its first name.
func storeCases(ctx context.Context, tx *db.Tx, push *wire.EvalPush) error {
	var plain, own []wire.EvalCase
	for _, c := range push.Run.Cases {
		if c.OwnID == "" {
			plain = append(plain, c)
		} else {
			own = append(own, c)
		}
	}
	for _, part := range [...]struct {
		cases []wire.EvalCase
		wrong string
	}{
		{plain, "repo_slug <> excluded.repo_slug or suite <> excluded.suite or name <> excluded.name or variant <> excluded.variant"},
		{own, "repo_slug <> excluded.repo_slug or suite <> excluded.suite"},
	} {
		err := insert(ctx, tx, `insert into eval_cases (team_id, id, repo_slug, suite, name, variant, category) values`,
			` on conflict (team_id, id) do update set repo_slug = excluded.repo_slug, suite = excluded.suite, name = excluded.name,
			variant = excluded.variant, category = excluded.category where `+part.wrong,
			part.cases, func(c *wire.EvalCase) []any {
				return []any{push.Team, c.ID, push.Run.RepoSlug, c.Suite, c.Name, c.Variant, c.Category}
			})
		if err != nil {
			return err
		}
	}
	return nil
}

func storeResults(ctx context.Context, tx *db.Tx, push *wire.EvalPush) error {
	if len(push.Run.Results) == 0 {
		return nil
	}
	table, err := tx.Month(ctx, "eval_results", push.Run.RunAt)
	if err != nil {
		return err
	}
	return insert(ctx, tx, `insert into `+table+` (team_id, run_id, run_at, case_id, repeat_no, status, score, duration_ms, cost_usd, turns) values`, "",
		push.Run.Results, func(r *wire.EvalResult) []any {
			var cost any
			if r.CostUSD != nil {
				cost = micros(*r.CostUSD)
			}
			return []any{push.Team, push.Run.ID, push.Run.RunAt, r.CaseID, r.Repeat, r.Status, r.Score, r.DurationMS, cost, r.Turns}
		})
}

func storePayloads(ctx context.Context, tx *db.Tx, push *wire.EvalPush) error {
	var some []wire.EvalResult
	for _, r := range push.Run.Results {
		if hasPayload(&r) {
			some = append(some, r)
		}
	}
	if len(some) == 0 {
		return nil
	}
	table, err := tx.Month(ctx, "eval_payloads", push.Run.RunAt)
	if err != nil {
		return err
	}
	return insert(ctx, tx, `insert into `+table+` (team_id, run_id, run_at, case_id, repeat_no, payload) values`, "",
		some, func(r *wire.EvalResult) []any {
			return []any{push.Team, push.Run.ID, push.Run.RunAt, r.CaseID, r.Repeat, string(r.Payload)}
		})
}

func storeCosts(ctx context.Context, tx *db.Tx, push *wire.EvalPush) error {
	return insert(ctx, tx, `insert into eval_costs (team_id, run_id, model, run_at, calls, input_tokens, output_tokens, cache_read_tokens,
		cache_write_tokens, estimated_cost_usd, price_table) values`, "",
		push.Run.Costs, func(c *wire.EvalCost) []any {
			return []any{push.Team, push.Run.ID, c.Model, push.Run.RunAt, c.Calls, c.InputTokens, c.OutputTokens, c.CacheReadTokens,
				c.CacheWriteTokens, micros(c.EstimatedCostUSD), c.PriceTable}
		})
}

// insert puts rows in, many in a statement.
func insert[Row any](ctx context.Context, tx *db.Tx, head, tail string, rows []Row, values func(*Row) []any) error {
	for chunk := range slices.Chunk(rows, rowsAtOnce) {
		var args []any
		for i := range chunk {
			args = append(args, values(&chunk[i])...)
		}
		one := " (?" + strings.Repeat(", ?", len(args)/len(chunk)-1) + ")"
		if _, err := tx.ExecOften(ctx, head+one+strings.Repeat(","+one, len(chunk)-1)+tail, args...); err != nil {
			return err
		}
	}
	return nil
}

// micros is how SQLite keeps dollars: in millionths.
func micros(usd float64) int64 { return int64(math.Round(usd * 1e6)) }

// document is JSON without white space, as a text; null where there is none.
func document(v jsontext.Value) any {
	if v == nil || v.Kind() == 'n' {
		return nil
	}
	v = v.Clone()
	if err := v.Compact(); err != nil {
		return string(v) // the database refuses it
	}
	return string(v)
}
