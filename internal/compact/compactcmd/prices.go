package compactcmd

import (
	"fmt"

	"cairn/internal/benchmark"
	"cairn/internal/must"
	"cairn/internal/team/cost"
)

// prices are what models cost by the list that evals are billed by. A model that
// it does not have costs an unknown amount.
func prices() func(model string) (benchmark.Price, bool) {
	table := must.Get(cost.Load())
	return func(model string) (benchmark.Price, bool) {
		p, ok := table.Find(model)
		return benchmark.Price{Input: p.Input, Output: p.Output, CacheRead: p.CacheRead, Write5m: p.CacheWrite, Write1h: p.Write1h()}, ok
	}
}

// paid is dollars in a table.
func paid(usd *float64) string {
	if usd == nil {
		return "not known"
	}
	return fmt.Sprintf("$%.2f", *usd)
}
