package reader

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/must"
	"cairn/internal/team/result"
)

// promptfoo puts a run together from rows.
type promptfoo struct {
	run     result.Run
	c       *collector
	cases   []promptfooCase
	columns map[string]float64 // prompt label → the first column it stands in
	listed  bool               // the file holds a list of rows, maybe an empty one
}

// promptfooCase is a result with what its identity comes from, until all
// prompts are known.
type promptfooCase struct {
	result.Result
	test, column                        float64
	description, vars, provider, prompt string
}

func newPromptfoo(c *collector) *promptfoo {
	return &promptfoo{run: result.Run{Tool: "promptfoo", Kind: "eval"}, c: c, columns: map[string]float64{}}
}

func (p *promptfoo) add(row *promptfooRow) {
	k := promptfooCase{
		test: row.TestIdx, column: row.PromptIdx, provider: cmp.Or(row.Provider.Label, row.Provider.ID), prompt: cmp.Or(row.Prompt.Label, row.Prompt.Raw),
		description: cmp.Or(row.TestCase.Description, row.Description), vars: promptfooVars(row.Vars),
	}
	if at, ok := p.columns[k.prompt]; !ok || k.column < at {
		p.columns[k.prompt] = k.column
	}
	r := &k.Result
	r.Name = cmp.Or(oneLine(k.description, mostName), oneLine(strings.ReplaceAll(k.vars, "\n", ", "), 80), "(no description)")
	r.DurationMS, r.CostUSD, r.Model = row.LatencyMS, row.Cost, row.Provider.ID
	respond(r, row.Response.Output)
	p.category(r, row.TestCase.Metadata)
	if row.Vars.Kind() == '{' && len(row.Vars) > 2 && len(row.Vars) < 4096 {
		r.X = object(member{"vars", valid(row.Vars)})
	}
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
	var tags []string
	if m.Tags.Kind() == '[' && json.Unmarshal(m.Tags, &tags, foreign()) == nil {
		r.Tags = tags
	}
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
		broke(r, cmp.Or(said, "an error that the file does not tell"))
		return
	}
	r.Set(result.Fail)
	if row.Grading != nil {
		for i := range row.Grading.Components {
			r.Failures = row.Grading.Components[i].failures(r.Failures, 0)
		}
		if len(r.Failures) == 0 && row.Grading.Reason != "" {
			fail(r, message(row.Grading.Reason))
		}
	}
	if len(r.Failures) == 0 {
		fail(r, cmp.Or(said, "failed without a reason"))
	}
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
			addScore(r, strings.ToValidUTF8(name, "\ufffd"), *s)
		}
	}
}

func (p *promptfoo) count(row *promptfooRow) {
	t := &row.Tokens
	if row.Provider.ID == "" || t.Prompt == 0 && t.Completion == 0 && row.Cost == 0 {
		return
	}
	p.run.Costs = result.AddCosts(p.run.Costs, []result.Cost{{Model: row.Provider.ID, Calls: whole(t.NumRequests), InputTokens: whole(t.Prompt), OutputTokens: whole(t.Completion),
		CacheReadTokens: whole(t.Details.CacheRead), CacheWriteTokens: whole(t.Details.CacheWrite), CostUSD: row.Cost}})
}

// promptfooRow is one answer of one provider to one prompt with one test's
// variables, as promptfoo 0.121 writes it.
type promptfooRow struct {
	TestIdx       float64             `json:"testIdx"`
	PromptIdx     float64             `json:"promptIdx"`
	Success       *bool               `json:"success"`
	FailureReason *float64            `json:"failureReason"` // 0 none, 1 an assertion, 2 an error
	Score         *float64            `json:"score"`
	NamedScores   map[string]*float64 `json:"namedScores"`
	LatencyMS     float64             `json:"latencyMs"`
	Cost          float64             `json:"cost"`
	Error         jsontext.Value      `json:"error"`
	Provider      promptfooProvider   `json:"provider"`
	Prompt        promptfooPrompt     `json:"prompt"`
	Vars          jsontext.Value      `json:"vars"`
	Description   string              `json:"description"`
	Response      promptfooResponse   `json:"response"`
	Grading       *promptfooGrade     `json:"gradingResult"`
	Tokens        promptfooTokens     `json:"tokenUsage"`
	TestCase      struct {
		Description string         `json:"description"`
		Metadata    jsontext.Value `json:"metadata"`
	} `json:"testCase"`
}

type promptfooPrompt struct {
	Label string `json:"label"`
	Raw   string `json:"raw"`
}

// promptfooResponse is an object, and in the oldest files a text.
type promptfooResponse struct {
	Output jsontext.Value `json:"output"`
}

func (r *promptfooResponse) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	if dec.PeekKind() != '{' {
		return json.UnmarshalDecode(dec, &r.Output)
	}
	type object promptfooResponse
	return json.UnmarshalDecode(dec, (*object)(r))
}

// promptfooProvider is an object, or its ID alone.
type promptfooProvider struct {
	ID    string `json:"id"`
	Label string `json:"label"`
}

func (p *promptfooProvider) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	if dec.PeekKind() == '"' {
		return json.UnmarshalDecode(dec, &p.ID)
	}
	type object promptfooProvider
	return json.UnmarshalDecode(dec, (*object)(p))
}

type promptfooGrade struct {
	Pass       bool                 `json:"pass"`
	Score      *float64             `json:"score"`
	Reason     string               `json:"reason"`
	Components []promptfooComponent `json:"componentResults"`
}

type promptfooComponent struct {
	Pass      bool                 `json:"pass"`
	Score     *float64             `json:"score"`
	Reason    string               `json:"reason"`
	Assertion *promptfooAssertion  `json:"assertion"`
	Inner     []promptfooComponent `json:"componentResults"`
}

type promptfooAssertion struct {
	Type      string         `json:"type"`
	Metric    string         `json:"metric"`
	Value     jsontext.Value `json:"value"`
	Threshold *float64       `json:"threshold"`
}

type promptfooTokens struct {
	Prompt      float64 `json:"prompt"`
	Completion  float64 `json:"completion"`
	NumRequests float64 `json:"numRequests"`
	Details     struct {
		CacheRead  float64 `json:"cacheReadInputTokens"`
		CacheWrite float64 `json:"cacheCreationInputTokens"`
	} `json:"completionDetails"`
}

// finish gives each case its variant and identity, in the order of the tests:
// promptfoo writes rows as they end.
func (p *promptfoo) finish() *result.Run {
	slices.SortStableFunc(p.cases, func(a, b promptfooCase) int {
		return cmp.Or(cmp.Compare(a.test, b.test), cmp.Compare(a.column, b.column))
	})
	names := p.promptNames()
	for i := range p.cases {
		k := &p.cases[i]
		prompt := names[k.prompt]
		k.Variant = strings.TrimSuffix(oneLine(k.provider, mostName)+" · "+prompt, " · ")
		sum := sha256.New()
		for _, part := range [...]string{k.description, k.vars, prompt, k.provider} {
			fmt.Fprintf(sum, "%d:%s", len(part), part)
		}
		k.CaseID = hex.EncodeToString(sum.Sum(nil)[:8])
		p.run.Results = append(p.run.Results, k.Result)
	}
	p.run.NumberAttempts()
	slices.SortFunc(p.run.Costs, func(a, b result.Cost) int { return strings.Compare(a.Model, b.Model) })
	return &p.run
}

// promptNames says how each prompt is called. A prompt without a label of its
// own is labeled with its text; there its number is taken, so that a case stays
// the same case when the prompt was edited, which is what evals are for.
func (p *promptfoo) promptNames() map[string]string {
	labels := slices.SortedFunc(maps.Keys(p.columns), func(a, b string) int {
		return cmp.Or(cmp.Compare(p.columns[a], p.columns[b]), strings.Compare(a, b))
	})
	names := make(map[string]string, len(labels))
	for i, label := range labels {
		switch file, _, isFile := strings.Cut(label, ": "); {
		case label == "":
			names[label] = ""
		case isFile && !strings.ContainsAny(file, " \n{") && strings.Contains(file, "."):
			names[label] = file // prompts/short.txt: and its text
		case strings.Contains(label, "{{") || strings.Contains(label, "\n") || len(label) > 60:
			names[label] = fmt.Sprintf("prompt %d", i+1)
		default:
			names[label] = label
		}
	}
	return names
}

// promptfooVars writes variables as lines "name=value" in the order of their
// names: the same from JSON, which has types, and from CSV and XML, which have
// none. Variables that promptfoo adds itself begin with an underscore.
func promptfooVars(v jsontext.Value) string {
	if v.Kind() != '{' {
		return ""
	}
	var vars map[string]jsontext.Value
	if json.Unmarshal(v, &vars, foreign()) != nil {
		return ""
	}
	var lines []string
	for name, value := range vars {
		if strings.HasPrefix(name, "_") || name == "sessionId" {
			continue
		}
		if value.Kind() == '{' || value.Kind() == '[' {
			if value = valid(value); value != nil && value.Canonicalize() != nil {
				continue
			}
		}
		lines = append(lines, name+"="+asText(value))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}
