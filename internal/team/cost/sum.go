package cost

import (
	"math"
	"slices"

	"cairn/internal/team/result"
)

// A Summary is what a run cost. Its JSON is what cairn eval cost --json prints.
type Summary struct {
	Label  string `json:"label"`
	Tier   string `json:"judge_tier"` // of the run's judges, may be empty
	Rows   []Row  `json:"models"`     // in the run's order
	Total  Row    `json:"total"`      // of the rows whose cost is known
	AtFull Tiered `json:"at_full_tier"`
	AtFast Tiered `json:"at_fast_tier"`

	// Unknown are the models whose cost is in no sum, in the run's order.
	Unknown []string `json:"unknown"`
	// PricesAsOf is the day of the oldest price that was used, as 2026-10-24,
	// or "" where none was.
	PricesAsOf string `json:"prices_as_of"`
	// Notes say what prices that were used leave out, one for each model.
	Notes []string `json:"notes"`
}

// A Row is the tokens of one model and what they cost.
type Row struct {
	Model            string  `json:"model"`
	Calls            int64   `json:"calls"`
	InputTokens      int64   `json:"input_tokens"`
	OutputTokens     int64   `json:"output_tokens"`
	CacheReadTokens  int64   `json:"cache_read_tokens"`
	CacheWriteTokens int64   `json:"cache_write_tokens"`
	USD              float64 `json:"cost_usd"`
	Known            bool    `json:"known"`   // of the total: whether a row is
	Counted          bool    `json:"counted"` // by the runner itself, not estimated from tokens
}

// untold reports whether there were calls and no word of their tokens.
func (r *Row) untold() bool {
	return r.Calls > 0 && r.InputTokens == 0 && r.OutputTokens == 0 && r.CacheReadTokens == 0 && r.CacheWriteTokens == 0
}

// Tiered is what the run would cost with every vendor's model of a tier.
// Partial says that rows could not be priced so.
type Tiered struct {
	USD     float64 `json:"cost_usd"`
	Known   bool    `json:"known"`
	Partial bool    `json:"partial"`
}

// Untold is the model of what a run cost where its runner tells a sum alone.
const Untold = "(not told by model)"

// Sum adds up the costs of a run. A run that lists no costs but a total has one
// row for it.
func Sum(run *result.Run, t Table) Summary {
	s := Summary{Label: run.Label, Tier: run.JudgeTier, Rows: []Row{}, Unknown: []string{}, Notes: []string{}}
	s.Total.Model = "TOTAL"
	costs := run.Costs
	if len(costs) == 0 && run.TotalCostUSD > 0 {
		costs = []result.Cost{{Model: Untold, CostUSD: run.TotalCostUSD}}
	}
	for _, c := range costs {
		r := Row{c.Model, c.Calls, c.InputTokens, c.OutputTokens, c.CacheReadTokens, c.CacheWriteTokens, 0, false, c.CostUSD > 0}
		r.USD, r.Known = t.Of(c)
		s.Rows = append(s.Rows, r)
		s.count(r)
		s.AtFull.add(t.AtTier(c, Full))
		s.AtFast.add(t.AtTier(c, Fast))
		if p, ok := t.Find(c.Model); ok && r.Known && !r.Counted {
			s.used(p)
		}
	}
	return s
}

func (s *Summary) count(r Row) {
	t := &s.Total
	t.Calls, t.InputTokens, t.OutputTokens = add(t.Calls, r.Calls), add(t.InputTokens, r.InputTokens), add(t.OutputTokens, r.OutputTokens)
	t.CacheReadTokens, t.CacheWriteTokens = add(t.CacheReadTokens, r.CacheReadTokens), add(t.CacheWriteTokens, r.CacheWriteTokens)
	if !r.Known {
		s.Unknown = append(s.Unknown, r.Model)
		return
	}
	t.USD += r.USD
	t.Known, t.Counted = true, t.Counted || r.Counted
}

func (s *Summary) used(p Price) {
	if p.AsOf != "" && (s.PricesAsOf == "" || p.AsOf < s.PricesAsOf) {
		s.PricesAsOf = p.AsOf
	}
	if note := p.ID + ": " + p.Note; p.Note != "" && !slices.Contains(s.Notes, note) {
		s.Notes = append(s.Notes, note)
	}
}

func (t *Tiered) add(usd float64, known bool) {
	if !known {
		t.Partial = true
		return
	}
	t.USD, t.Known = t.USD+usd, true
}

// add is a sum that stays at the largest number instead of going below zero.
func add(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}
