package result

import "strings"

// Derive fills in what follows from the rest: counts of categories, the sum of
// costs, and kind, scope and judge tier from the one word that older runners
// have for the three.
func (run *Run) Derive() {
	switch strings.ToLower(run.Tier) {
	case "quick":
		fill(&run.Scope, "quick")
	case "fast", "haiku":
		fill(&run.JudgeTier, "fast")
	case "standard", "sonnet":
		fill(&run.JudgeTier, "standard")
	case "full", "opus":
		fill(&run.JudgeTier, "full")
	case "e2e", "llm-judge", "unit":
		fill(&run.Kind, strings.ToLower(run.Tier))
	}
	if run.Total <= len(run.Results) {
		run.Recount()
	}
	if run.TotalCostUSD == 0 {
		for i := range run.Results {
			run.TotalCostUSD += run.Results[i].CostUSD
		}
	}
	if run.TotalCostUSD == 0 {
		for _, c := range run.Costs {
			run.TotalCostUSD += c.CostUSD
		}
	}
	if run.DurationSeconds == 0 {
		for i := range run.Results {
			run.DurationSeconds += run.Results[i].DurationMS / 1000
		}
	}
}

// Recount makes the counts those of the results. Counts of categories stay
// where no result names one.
func (run *Run) Recount() {
	run.Counts = Counts{}
	var categories Categories
	for i := range run.Results {
		r := &run.Results[i]
		run.Count(r.Status)
		if r.Category == "" {
			continue
		}
		if categories == nil {
			categories = Categories{}
		}
		n := categories[r.Category]
		n.Count(r.Status)
		categories[r.Category] = n
	}
	if categories != nil {
		run.ByCategory = categories
	}
}

func fill(to *string, value string) {
	if *to == "" {
		*to = value
	}
}
