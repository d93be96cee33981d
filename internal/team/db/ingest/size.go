package ingest

import (
	"fmt"

	"cairn/internal/team/postgrest"
	"cairn/internal/team/table"
	"cairn/internal/team/wire"
)

// Most rows of a run.
const (
	MostResults = 1_000_000
	mostCosts   = 1_000
)

// checkSizes holds the number of rows and the length of every text to their limits.
func checkSizes(run *wire.EvalRun) error {
	switch {
	case len(run.Cases) > MostResults:
		return tooMany("cases", len(run.Cases))
	case len(run.Results) > MostResults:
		return tooMany("results", len(run.Results))
	case len(run.Costs) > mostCosts:
		return tooMany("costs", len(run.Costs))
	}
	text := func(p *string) string {
		if p == nil {
			return ""
		}
		return *p
	}
	sizes := sizes{table: table.Find("eval_runs")}
	sizes.check("repo_slug", len(run.RepoSlug))
	sizes.check("branch", len(run.Branch))
	sizes.check("git_sha", len(run.GitSHA))
	sizes.check("label", len(run.Label))
	sizes.check("suite", len(run.Suite))
	sizes.check("hostname", len(run.Hostname))
	sizes.check("tool", len(run.Tool))
	sizes.check("tool_version", len(run.ToolVersion))
	sizes.check("kind", len(run.Kind))
	sizes.check("tier", len(run.Tier))
	sizes.check("prompt_sha", len(text(run.PromptSHA)))
	sizes.check("judge_averages", len(run.JudgeAverages))
	sizes.check("by_category", len(run.ByCategory))
	sizes.check("meta", len(run.Meta))
	sizes.table = table.Find("eval_costs")
	for i := range run.Costs {
		sizes.check("model", len(run.Costs[i].Model))
		sizes.check("price_table", len(run.Costs[i].PriceTable))
	}
	sizes.table = table.Find("eval_cases")
	name, suite, category := sizes.limit("name"), sizes.limit("suite"), sizes.limit("category") // looked up once: there may be very many
	for i := range run.Cases {
		if c := &run.Cases[i]; max(len(c.Name), len(c.Variant), len(c.OwnID)) > name || len(c.Suite) > suite || len(c.Category) > category {
			sizes.check("name", len(c.Name))
			sizes.check("variant", max(len(c.Variant), len(c.OwnID)))
			sizes.check("suite", len(c.Suite))
			sizes.check("category", len(c.Category))
		}
	}
	return sizes.err
}

func tooMany(what string, have int) error {
	most := MostResults
	if what == "costs" {
		most = mostCosts
	}
	return &postgrest.Error{Status: 413, Code: "54000", Message: fmt.Sprintf("a run has at most %d %s, not %d", most, what, have)}
}

// sizes notes the first value of a table's rows that is too long.
type sizes struct {
	table *table.Table
	err   error
}

func (s *sizes) limit(column string) int { return s.table.Column(column).Limit() }

func (s *sizes) check(column string, have int) {
	if most := s.limit(column); have > most && s.err == nil {
		s.err = postgrest.TooLong(s.table.Name, column, most, have)
	}
}
