package client

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/result"
	"cairn/internal/team/wire"
)

// A PayloadRow is a row of eval_payloads.
type PayloadRow struct {
	CaseID  int64          `json:"case_id"`
	Repeat  int            `json:"repeat_no"`
	Payload jsontext.Value `json:"payload"`
}

// RunFromRows puts a run together from its row of eval_runs and the rows of its
// results, their cases and payloads, and its costs, as requests for them give
// them. Rows of payloads may be missing: the run then says less.
func RunFromRows(row wire.EvalRun, cases []wire.EvalCase, results []wire.EvalResult, payloads []PayloadRow, costs []wire.EvalCost) (*result.Run, error) {
	type key struct {
		id     int64
		repeat int
	}
	said := make(map[key]jsontext.Value, len(payloads))
	for _, p := range payloads {
		said[key{p.CaseID, p.Repeat}] = p.Payload
	}
	row.Cases, row.Costs = cases, costs
	row.Results = slices.Clone(results)
	for i := range row.Results {
		r := &row.Results[i]
		r.Payload = said[key{r.CaseID, r.Repeat}]
	}
	return RunOf(row)
}

// RunOf is the way back from EvalRun: what compare, trend and leaderboard make
// of it is what they make of the run itself. Results are in the order of suite,
// name, variant and attempt.
func RunOf(w wire.EvalRun) (*result.Run, error) {
	var meta runMeta
	if w.Meta != nil {
		if err := json.Unmarshal(w.Meta, &meta); err != nil {
			meta = runMeta{} // of another client
		}
	}
	said := func(column, value string) string {
		if slices.Contains(meta.Unsaid, column) {
			return ""
		}
		return value
	}
	run := &result.Run{
		SchemaVersion: result.Version, ID: result.IDOf(w.IngestKey), IngestKey: w.IngestKey,
		Label: w.Label, Suite: w.Suite, Timestamp: result.Time{Time: w.RunAt.UTC()}, Repo: w.RepoSlug,
		GitBranch: w.Branch, GitSHA: w.GitSHA, GitDirty: w.GitDirty != nil && *w.GitDirty, Hostname: w.Hostname,
		Tool: w.Tool, ToolVer: w.ToolVersion, AppVersion: meta.Version,
		Kind: said("kind", w.Kind), Scope: said("scope", w.Scope), Tier: said("tier", w.Tier),
		DurationSeconds: cmp.Or(meta.DurationSeconds, float64(w.TotalDurationMS)/1000),
		TotalCostUSD:    cmp.Or(meta.TotalCostUSD, w.TotalCostUSD),
		WallClockMS:     meta.WallClockMS, X: meta.X,
	}
	run.Counts = result.Counts{Total: w.TotalTests, Passed: w.Passed, Failed: w.Failed, Skipped: w.Skipped, Errored: w.Errored}
	if w.JudgeTier != nil {
		run.JudgeTier = *w.JudgeTier
	}
	if w.PromptSHA != nil {
		run.PromptSHA = *w.PromptSHA
	}
	if w.WallClockMS != nil && run.WallClockMS == 0 {
		run.WallClockMS = float64(*w.WallClockMS)
	}
	if w.ByCategory != nil {
		if json.Unmarshal(w.ByCategory, &run.ByCategory) != nil {
			run.ByCategory = nil // of another client
		}
	}
	for _, c := range w.Costs {
		one := result.Cost{Model: c.Model, Calls: c.Calls, InputTokens: c.InputTokens, OutputTokens: c.OutputTokens,
			CacheReadTokens: c.CacheReadTokens, CacheWriteTokens: c.CacheWriteTokens, X: meta.Costs[c.Model]}
		if c.PriceTable == "" { // counted, not estimated
			one.CostUSD = c.EstimatedCostUSD
		}
		run.Costs = append(run.Costs, one)
	}
	return run, resultsOf(run, &w, &meta)
}

func resultsOf(run *result.Run, w *wire.EvalRun, meta *runMeta) error {
	cases := make(map[int64]*wire.EvalCase, len(w.Cases))
	for i := range w.Cases {
		cases[w.Cases[i].ID] = &w.Cases[i]
	}
	for _, row := range w.Results {
		c := cases[row.CaseID]
		if c == nil {
			return fmt.Errorf("run %s has a result of case %d, which the server does not name", run.ID, row.CaseID)
		}
		r := result.Result{Name: c.Name, Variant: c.Variant, Category: c.Category, Model: meta.Model, Scale: meta.Scale}
		if c.Suite != run.Suite {
			r.Suite = c.Suite
		}
		if row.Repeat > 0 {
			r.Attempt = row.Repeat + 1
		}
		if row.DurationMS != nil {
			r.DurationMS = float64(*row.DurationMS)
		}
		if row.CostUSD != nil {
			r.CostUSD = sixDigits(*row.CostUSD)
		}
		if row.Score != nil {
			score := shortest(*row.Score)
			r.Score = &score
		}
		if row.Payload != nil {
			if err := json.Unmarshal(row.Payload, &r); err != nil {
				return fmt.Errorf("run %s: the payload of %s: %w", run.ID, c.Name, err)
			}
		}
		if row.Status < 0 || row.Status >= len(statuses) {
			return fmt.Errorf("run %s: %s has status %d, which is not known", run.ID, c.Name, row.Status)
		}
		r.Set(statuses[row.Status])
		run.Results = append(run.Results, r)
	}
	slices.SortStableFunc(run.Results, func(a, b result.Result) int {
		return cmp.Or(cmp.Compare(a.Suite, b.Suite), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Variant, b.Variant), cmp.Compare(a.Attempt, b.Attempt))
	})
	return nil
}
