package result

import "slices"

// AddCosts adds the costs of more calls to costs, model by model.
func AddCosts(costs, more []Cost) []Cost {
	for _, m := range more {
		i := slices.IndexFunc(costs, func(c Cost) bool { return c.Model == m.Model })
		if i < 0 {
			costs = append(costs, m)
			continue
		}
		c := &costs[i]
		c.Calls += m.Calls
		c.InputTokens += m.InputTokens
		c.OutputTokens += m.OutputTokens
		c.CacheReadTokens += m.CacheReadTokens
		c.CacheWriteTokens += m.CacheWriteTokens
		c.CostUSD += m.CostUSD
	}
	return costs
}
