package reader

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/result"
)

// kept is what a row says that has no member of its own in a result, by names
// that all forms of the file share.
func (row *promptfooRow) kept() jsontext.Value {
	var comment, cached, checks, vars jsontext.Value
	if row.Vars.Kind() == '{' && len(row.Vars) > 2 {
		vars = valid(row.Vars)
	}
	if g := row.Grading; g != nil {
		comment, checks = quoted(g.Comment), checksOf(once(g.Components), 0)
	}
	if row.Response.Cached {
		cached = jsontext.Value("true")
	}
	metadata := row.Metadata
	if metadata.Kind() != '{' {
		metadata = row.TestCase.Metadata
	}
	return object(member{"vars", vars}, member{"prompt", quoted(row.Prompt.Raw)}, member{"metadata", givenMembers(metadata)},
		member{"tokens", row.Tokens.kept()}, member{"checks", checks}, member{"other_scores", row.otherScores()},
		member{"finish_reason", quoted(row.Response.Finish)}, member{"cached", cached}, member{"comment", comment})
}

// givenMembers is an object without the members that promptfoo adds itself, whose
// names begin with an underscore; nil where nothing is left.
func givenMembers(v jsontext.Value) jsontext.Value {
	if v.Kind() != '{' || len(v) <= 2 {
		return nil
	}
	var all map[string]jsontext.Value
	if json.Unmarshal(v, &all, foreign()) != nil {
		return nil
	}
	var list []member
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if !strings.HasPrefix(name, "_") {
			list = append(list, member{name, valid(all[name])})
		}
	}
	return object(list...)
}

// otherScores are the scores outside 0 to 1, which cannot be compared.
func (row *promptfooRow) otherScores() jsontext.Value {
	var list []member
	add := func(name string, s *float64) {
		if s != nil && (*s < 0 || *s > 1) {
			list = append(list, member{name, numeral(*s)})
		}
	}
	add("score", row.Score)
	for _, name := range slices.Sorted(maps.Keys(row.NamedScores)) {
		add(name, row.NamedScores[name])
	}
	return object(list...)
}

// kept are the tokens of an answer, those of its grading apart.
func (t *promptfooTokens) kept() jsontext.Value {
	var list []member
	add := func(name string, n float64) {
		if n > 0 {
			list = append(list, member{name, numeral(n)})
		}
	}
	for _, u := range [...]struct {
		of string
		*promptfooUsage
	}{{"", &t.promptfooUsage}, {"grading_", &t.Grading}} {
		add(u.of+"input", u.Prompt)
		add(u.of+"output", u.Completion)
		add(u.of+"cached", u.Cached)
		add(u.of+"reasoning", u.Details.Reasoning)
		if u.Prompt == 0 && u.Completion == 0 && u.Total != u.Cached { // some providers say a sum alone
			add(u.of+"total", u.Total)
		}
	}
	return object(list...)
}

// once drops the members of a set that the file lists again after it.
func once(list []promptfooComponent) (kept []promptfooComponent) {
	again := map[string]int{}
	for _, g := range list {
		if len(g.Inner) == 0 && again[g.sign()] > 0 {
			again[g.sign()]--
			continue
		}
		for _, in := range g.Inner {
			again[in.sign()]++
		}
		kept = append(kept, g)
	}
	return kept
}

// sign is the same for two components that say the same.
func (g *promptfooComponent) sign() string {
	var a promptfooAssertion
	if g.Assertion != nil {
		a = *g.Assertion
	}
	return fmt.Sprint(g.Pass, string(optional(g.Score)), a.Type, a.Metric, string(a.Value), g.Reason)
}

// asserted is what a component checked: an assertion, or a set of them.
func (g *promptfooComponent) asserted() promptfooAssertion {
	switch {
	case g.Assertion != nil:
		return *g.Assertion
	case g.Metadata.Set != nil:
		return *g.Metadata.Set
	}
	return promptfooAssertion{}
}

const (
	deepestCheck = 8
	mostChecks   = 100
)

// checksOf lists what was checked, passed or not, with its weight.
func checksOf(list []promptfooComponent, depth int) jsontext.Value {
	if len(list) == 0 || depth > deepestCheck {
		return nil
	}
	var checks []jsontext.Value
	for i := range list[:min(len(list), mostChecks)] {
		g := &list[i]
		a := g.asserted()
		checks = append(checks, object(member{"passed", jsontext.Value(fmt.Sprint(g.Pass))}, member{"score", optional(g.Score)},
			member{"type", quoted(a.Type)}, member{"metric", quoted(a.Metric)}, member{"reason", quoted(message(g.Reason))},
			member{"value", valid(a.Value)}, member{"threshold", optional(a.Threshold)}, member{"weight", optional(a.Weight)},
			member{"checks", checksOf(g.Inner, depth+1)}))
	}
	return array(checks)
}

// failures lists the assertions that did not hold; a set of them counts by its
// members.
func (g *promptfooComponent) failures(list []result.Failure, depth int) []result.Failure {
	if g.Pass || len(list) >= mostChecks {
		return list
	}
	if len(g.Inner) > 0 && depth < deepestCheck {
		before := len(list)
		for i := range g.Inner {
			list = g.Inner[i].failures(list, depth+1)
		}
		if len(list) > before {
			return list
		}
	}
	f := result.Failure{Type: "deterministic", Message: message(g.Reason), Actual: optional(g.Score)}
	if a := g.asserted(); a.Type != "" {
		f.ExpectationType, f.Criterion = a.Type, a.Metric
		if len(a.Value) <= mostMessage {
			f.Expected = valid(a.Value)
		}
		if a.Threshold != nil {
			f.Type, f.Expected = "threshold", numeral(*a.Threshold)
		}
	}
	return append(list, f)
}

// count adds what a row used. The tokens of grading are those of another model,
// which the file names at most as the test's own.
func (p *promptfoo) count(row *promptfooRow) {
	if t := &row.Tokens; row.Provider.ID != "" && (t.Prompt != 0 || t.Completion != 0 || row.Cost != 0) {
		p.used(row.Provider.ID, &t.promptfooUsage, row.Cost)
	}
	if t := &row.Tokens.Grading; t.Prompt != 0 || t.Completion != 0 {
		name := "grading"
		if by := grader(row.TestCase.Options.Grader); by != "" {
			name += " by " + by
		}
		p.used(name, t, 0)
	}
}

func (p *promptfoo) used(model string, t *promptfooUsage, usd float64) {
	p.run.Costs = result.AddCosts(p.run.Costs, []result.Cost{{Model: model, Calls: whole(t.NumRequests), InputTokens: whole(t.Prompt), OutputTokens: whole(t.Completion),
		CacheReadTokens: whole(t.Details.CacheRead), CacheWriteTokens: whole(t.Details.CacheWrite), CostUSD: usd}})
}

// grader is the name of a provider: a text, or an object with an id.
func grader(v jsontext.Value) string {
	if v.Kind() == '"' {
		return oneLine(asText(v), mostName)
	}
	var named promptfooProvider
	if v.Kind() == '{' && json.Unmarshal(v, &named, foreign()) == nil {
		return oneLine(named.ID, mostName)
	}
	return ""
}
