package reader

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/result"
)

// promptfoo puts a run together from rows.
type promptfoo struct {
	run     result.Run
	c       *collector
	cases   []promptfooCase
	columns map[string]float64 // prompt label → the first column it stands in
	costs   map[string]*result.Cost
	listed  bool // the file holds a list of rows, maybe an empty one
}

// promptfooCase is a result with what its identity comes from, until all
// prompts are known.
type promptfooCase struct {
	result.Result
	test, column                        float64
	description, vars, provider, prompt string
}

func newPromptfoo(c *collector) *promptfoo {
	return &promptfoo{run: result.Run{Tool: "promptfoo", Kind: "eval"}, c: c, columns: map[string]float64{}, costs: map[string]*result.Cost{}}
}

func (p *promptfoo) add(row *promptfooRow) error {
	k := promptfooCase{
		test: row.TestIdx, column: row.PromptIdx, provider: row.Provider.name(), prompt: row.Prompt.Label,
		description: row.Description, vars: promptfooVars(row.Vars),
	}
	if row.TestCase.Description != "" {
		k.description = row.TestCase.Description
	}
	if k.prompt == "" {
		k.prompt = row.Prompt.Raw
	}
	if at, ok := p.columns[k.prompt]; !ok || k.column < at {
		p.columns[k.prompt] = k.column
	}
	r := &k.Result
	if r.Name = oneLine(k.description, mostName); r.Name == "" {
		if r.Name = oneLine(strings.ReplaceAll(k.vars, "\n", ", "), 80); r.Name == "" {
			r.Name = "(no description)"
		}
	}
	r.DurationMS, r.CostUSD, r.Model = row.LatencyMS, row.Cost, row.Provider.ID
	respond(r, row.Response.Output)
	p.category(r, row.TestCase.Metadata)
	if row.Vars.Kind() == '{' && len(row.Vars) > 2 && len(row.Vars) < 4096 {
		r.X = object(member{"vars", valid(row.Vars)})
	}
	if err := p.verdict(r, row); err != nil {
		return err
	}
	p.scores(r, row)
	p.count(row)
	p.cases = append(p.cases, k)
	return nil
}

// category takes what the test's metadata says.
func (p *promptfoo) category(r *result.Result, metadata jsontext.Value) {
	if metadata.Kind() != '{' {
		return
	}
	var m struct {
		Category jsontext.Value `json:"category"`
		Tags     jsontext.Value `json:"tags"`
	}
	if json.Unmarshal(metadata, &m, foreign()) != nil {
		return
	}
	r.Category = oneLine(asText(m.Category), mostName)
	var tags []string
	if m.Tags.Kind() == '[' && json.Unmarshal(m.Tags, &tags, foreign()) == nil {
		r.Tags = tags
	}
}

// verdict keeps errors apart from failures.
func (p *promptfoo) verdict(r *result.Result, row *promptfooRow) error {
	said := message(asText(row.Error))
	reason := -1.0
	if row.FailureReason != nil {
		reason = *row.FailureReason
	}
	switch {
	case row.Success == nil:
		return fmt.Errorf("testIdx %v, promptIdx %v: success: missing; true or false is wanted", row.TestIdx, row.PromptIdx)
	case *row.Success:
		r.Set(result.Pass)
		return nil
	case reason == 2, reason == -1 && row.Grading == nil && said != "": // before failureReason, what was not graded could not be judged
		r.Set(result.Error)
		if r.Error = said; said == "" {
			r.Error = "an error that the file does not tell"
		}
		return nil
	}
	r.Set(result.Fail)
	if row.Grading != nil {
		for i := range row.Grading.Components {
			r.Failures = row.Grading.Components[i].failures(r.Failures, 0)
		}
		if len(r.Failures) == 0 && row.Grading.Reason != "" {
			r.Failures = []result.Failure{{Message: message(row.Grading.Reason)}}
		}
	}
	if len(r.Failures) == 0 {
		if said == "" {
			said = "failed without a reason"
		}
		r.Failures = []result.Failure{{Message: said}}
	}
	return nil
}

// failures lists the assertions that did not hold; a set of them counts by its
// members.
func (g *promptfooComponent) failures(list []result.Failure, depth int) []result.Failure {
	const deepest, most = 8, 100
	if g.Pass || len(list) >= most {
		return list
	}
	if len(g.Inner) > 0 && depth < deepest {
		before := len(list)
		for i := range g.Inner {
			list = g.Inner[i].failures(list, depth+1)
		}
		if len(list) > before {
			return list
		}
	}
	f := result.Failure{Type: "deterministic", Message: message(g.Reason)}
	if g.Score != nil {
		f.Actual = jsontext.Value(fmt.Sprint(*g.Score))
	}
	if a := g.Assertion; a != nil {
		f.ExpectationType, f.Criterion = a.Type, a.Metric
		if len(a.Value) <= mostMessage {
			f.Expected = valid(a.Value)
		}
		if a.Threshold != nil {
			f.Type, f.Expected = "threshold", jsontext.Value(fmt.Sprint(*a.Threshold))
		}
	}
	return append(list, f)
}

// scores takes figures of 0 to 1, which promptfoo means them to be.
func (p *promptfoo) scores(r *result.Result, row *promptfooRow) {
	if s := row.Score; s != nil && r.Status != result.Error {
		if *s >= 0 && *s <= 1 {
			r.Score = s
		} else {
			p.c.warn("%s: its score %v is outside 0 to 1 and was left out", oneLine(r.Name, 60), *s)
		}
	}
	for name, s := range row.NamedScores {
		switch {
		case s == nil:
		case *s < 0 || *s > 1:
			p.c.warn("%s: its score of %s, %v, is outside 0 to 1 and was left out", oneLine(r.Name, 60), oneLine(name, 40), *s)
		default:
			if r.JudgeScores == nil {
				r.JudgeScores = map[string]float64{}
			}
			r.JudgeScores[strings.ToValidUTF8(name, "\ufffd")] = *s
		}
	}
}

func (p *promptfoo) count(row *promptfooRow) {
	t := &row.Tokens
	if row.Provider.ID == "" || t.Prompt == 0 && t.Completion == 0 && row.Cost == 0 {
		return
	}
	cost := p.costs[row.Provider.ID]
	if cost == nil {
		cost = &result.Cost{Model: row.Provider.ID}
		p.costs[row.Provider.ID] = cost
	}
	cost.Calls += whole(t.NumRequests)
	cost.InputTokens += whole(t.Prompt)
	cost.OutputTokens += whole(t.Completion)
	cost.CacheReadTokens += whole(t.Details.CacheRead)
	cost.CacheWriteTokens += whole(t.Details.CacheWrite)
	cost.CostUSD += row.Cost
}
