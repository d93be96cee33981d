package result

// AddCosts adds the costs of more calls to costs, model by model.
func AddCosts(costs, more []Cost) []Cost {
	for _, m := range more {
		added := false
		for i := range costs {
			if c := &costs[i]; c.Model == m.Model {
				c.Calls += m.Calls
				c.InputTokens += m.InputTokens
				c.OutputTokens += m.OutputTokens
				c.CacheReadTokens += m.CacheReadTokens
				c.CacheWriteTokens += m.CacheWriteTokens
				c.CostUSD += m.CostUSD
				added = true
			}
		}
		if !added {
			costs = append(costs, m)
		}
	}
	return costs
}
