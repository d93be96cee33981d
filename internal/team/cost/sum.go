package cost

import (
	"math"
	"slices"

	"cairn/internal/team/result"
)

// A Summary is what a run cost.
type Summary struct {
	Title  string // what was summed: the run's label, may be empty
	Tier   string // of the run's judges, may be empty
	Rows   []Row  // in the run's order
	Total  Row    // Known is true when at least one row is; Unknown tells whether all are
	AtFull Tiered
	AtFast Tiered

	// Unknown are the models whose cost is in no sum, in the run's order.
	Unknown []string
	// PricesAsOf is the day of the oldest price that was used, as 2026-10-24,
	// or "" where none was.
	PricesAsOf string
	// Notes say what prices that were used leave out, one for each model.
	Notes []string
}

// A Row is the tokens of one model and what they cost.
type Row struct {
	result.Cost
	USD    float64
	Known  bool
	Counted bool // by the runner itself, not estimated from tokens
}

// Tiered is what the run would cost with every vendor's model of a tier.
// Partial says that rows could not be priced so.
type Tiered struct {
	USD     float64
	Known   bool
	Partial bool
}

// Sum adds up the costs of a run. A run that lists no costs but a total has one
// row for it.
func Sum(run *result.Run, t Table) Summary {
	s := Summary{Title: run.Label, Tier: run.JudgeTier}
	s.Total.Model = "TOTAL"
	costs := run.Costs
	if len(costs) == 0 && run.TotalCostUSD > 0 {
		costs = []result.Cost{{Model: "(not told by model)", CostUSD: run.TotalCostUSD}}
	}
	for _, c := range costs {
		r := Row{Cost: c, Counted: c.CostUSD > 0}
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
