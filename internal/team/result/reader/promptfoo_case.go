package reader

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/must"
	"cairn/internal/team/result"
)

// promptfoo puts a run together from rows.
type promptfoo struct {
	run    result.Run
	c      *collector
	cases  []promptfooCase
	texts  []promptfooPrompt // of the columns, where the file lists them: the raw ones are templates
	listed bool              // the file holds a list of rows, maybe an empty one
}

// promptfooCase is a result with what its identity comes from, until all
// prompts are known.
type promptfooCase struct {
	result.Result
	test, column                        float64
	description, vars, provider, prompt string
	input                               string // the variables that are not empty
}

func newPromptfoo(c *collector) *promptfoo {
	return &promptfoo{run: result.Run{Tool: "promptfoo", Kind: "eval"}, c: c}
}

func (p *promptfoo) add(row *promptfooRow) {
	k := promptfooCase{
		test: row.TestIdx, column: row.PromptIdx, provider: cmp.Or(row.Provider.Label, row.Provider.ID), prompt: cmp.Or(row.Prompt.Label, row.Prompt.Raw),
		description: cmp.Or(row.TestCase.Description, row.Description),
	}
	k.vars, k.input = promptfooVars(row.Vars)
	r := &k.Result
	r.Name = cmp.Or(oneLine(k.description, mostName), oneLine(strings.ReplaceAll(k.vars, "\n", ", "), 80), "(no description)")
	r.DurationMS, r.CostUSD, r.Model = row.LatencyMS, row.Cost, row.Provider.ID
	respond(r, row.Response.Output)
	p.category(r, row.TestCase.Metadata)
	r.X = row.kept()
	p.verdict(r, row)
	p.scores(r, row)
	p.count(row)
	p.cases = append(p.cases, k)
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
	r.Tags = texts(m.Tags)
}

// verdict keeps errors apart from failures.
func (p *promptfoo) verdict(r *result.Result, row *promptfooRow) {
	said := message(asText(row.Error))
	reason := -1.0
	if row.FailureReason != nil {
		reason = *row.FailureReason
	}
	switch {
	case row.Success == nil:
		must.Fail(fmt.Errorf("testIdx %v, promptIdx %v: success: missing; true or false is wanted", row.TestIdx, row.PromptIdx))
	case *row.Success:
		r.Set(result.Pass)
		return
	case reason == 2, reason == -1 && row.Grading == nil && said != "": // before failureReason, what was not graded could not be judged
		broke(r, cmp.Or(said, "error without a message"))
		return
	}
	r.Set(result.Fail)
	if row.Grading != nil {
		for _, g := range once(row.Grading.Components) {
			r.Failures = g.failures(r.Failures, 0)
		}
		if len(r.Failures) == 0 && row.Grading.Reason != "" {
			fail(r, message(row.Grading.Reason))
		}
	}
	if len(r.Failures) == 0 {
		fail(r, cmp.Or(said, "failed without a reason"))
	}
}

// scores takes figures of 0 to 1, which promptfoo means them to be.
func (p *promptfoo) scores(r *result.Result, row *promptfooRow) {
	if s := row.Score; s != nil && r.Status != result.Error {
		if *s >= 0 && *s <= 1 {
			r.Score = s
		} else {
			p.c.warn("%s: its score %v is outside 0 to 1: it is kept in other_scores and not compared", oneLine(r.Name, 60), *s)
		}
	}
	for name, s := range row.NamedScores {
		switch {
		case s == nil:
		case *s < 0 || *s > 1:
			p.c.warn("%s: its score of %s, %v, is outside 0 to 1: it is kept in other_scores and not compared", oneLine(r.Name, 60), oneLine(name, 40), *s)
		default:
			addScore(r, strings.ToValidUTF8(name, "\ufffd"), *s)
		}
	}
}

// promptfooVars writes variables as lines "name=value" in the order of their
// names: the same from JSON, which has types, and from CSV and XML, which have
// none. Variables that promptfoo adds itself begin with an underscore. One that is
// empty may be one that only other tests have: input is without it.
func promptfooVars(v jsontext.Value) (all, input string) {
	if v.Kind() != '{' {
		return "", ""
	}
	var vars map[string]jsontext.Value
	if json.Unmarshal(v, &vars, foreign()) != nil {
		return "", ""
	}
	var lines, given []string
	for name, value := range vars {
		if strings.HasPrefix(name, "_") || name == "sessionId" {
			continue
		}
		if value.Kind() == '{' || value.Kind() == '[' {
			if value = valid(value); value != nil && value.Canonicalize() != nil {
				continue
			}
		}
		said := asText(value)
		lines = append(lines, name+"="+said)
		if said != "" {
			given = append(given, name+"="+said)
		}
	}
	slices.Sort(lines)
	if all = strings.Join(lines, "\n"); len(given) == len(lines) {
		return all, all
	}
	slices.Sort(given)
	return all, strings.Join(given, "\n")
}
