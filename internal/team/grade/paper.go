package grade

import (
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/cases"
	"cairn/internal/team/result"
)

// paper is one output with the marks it gets.
type paper struct {
	kase *cases.Case
	out  *Output // nil: there is none

	failures  []result.Failure
	failed    int      // expectations that do not hold
	decided   int      // expectations that were checked or judged
	notJudged []string // types that nobody judged
	scores    map[string]float64
	least     map[string]float64 // thresholds of the scores
	opinions  []result.Opinion
	scale     cases.Scale
	reasoning []string
	err       string
	joins     []*part // expectations that join others; settle empties it
	control   *paper  // of an A/B test's treatment
	standard  bool    // an A/B test's control: a pairwise question is about the treatment alone
}

// mark checks what can be checked and returns the questions for a judge.
func (p *paper) mark(types map[string]Type, opts *Options) (questions []question) {
	switch {
	case p.out != nil && p.out.Error != "":
		p.err = p.out.Error
	case p.out == nil || p.out.Raw == nil || p.out.Raw.Kind() == 'n':
		p.err = "no output"
	case p.out.Raw.Kind() != '{':
		p.err = "the output must be an object, a list or a text, not " + kindOf(p.out.Value)
	}
	if p.err != "" {
		return nil
	}
	p.scores = maps.Clone(p.out.JudgeScores)
	for i := range p.kase.Expectations {
		e := &p.kase.Expectations[i]
		if p.standard && e.Type == pairwise {
			continue
		}
		if len(e.Parts) > 0 {
			root, asked := p.joined(e, types, opts)
			if p.joins = append(p.joins, root); root.outcome(false) == unjudged { // else no answer could change it
				questions = append(questions, asked...)
			}
			continue
		}
		t := types[e.Type]
		x := &exam{kase: p.kase, want: e, reads: t.Reads, out: p.out, run: opts.Run}
		if e.Judged == nil {
			t.check(x)
			p.take(x)
			continue
		}
		brought, lacking, profile := p.brought(x, opts)
		switch {
		case len(lacking) > 0 && opts.Judge != nil:
			questions = append(questions, question{p, e, p.question(e, profile), nil})
		case len(lacking) == len(e.Judged.Criteria):
			p.notJudged = append(p.notJudged, e.Type)
		default:
			x.threshold(brought)
			p.take(x)
			p.add(e, brought)
			if len(lacking) > 0 {
				p.notJudged = append(p.notJudged, e.Type+" ("+strings.Join(lacking, ", ")+")")
			}
		}
	}
	return questions
}

// brought returns the scores that the output has for a judged expectation, the
// criteria without one, and the judge's profile.
func (p *paper) brought(x *exam, opts *Options) (scores map[string]float64, lacking []string, profile cases.Profile) {
	profile, _ = opts.Profiles.Find(x.want.Judged.Profile)
	p.scale = profile.Scale
	scores = x.brought()
	for name := range x.want.Judged.Criteria {
		if _, ok := scores[name]; !ok {
			lacking = append(lacking, name)
		}
	}
	slices.Sort(lacking)
	return scores, lacking, profile
}

func (p *paper) question(e *cases.Expectation, profile cases.Profile) Question {
	input := p.kase.Given()
	if input == nil {
		input = map[string]any{}
	}
	data := written(input) // came from YAML: texts, numbers, lists, objects
	expected := ""
	v, _ := p.kase.Expected()
	if given, ok := e.Text("value"); ok {
		v = given
	}
	switch v := v.(type) {
	case nil:
	case string:
		expected = v
	default:
		expected = string(written(v))
	}
	var other jsontext.Value
	if e.Type == pairwise {
		switch {
		case e.Has("value") || p.control == nil && expected != "":
			other, expected = written(map[string]string{"response": expected}), ""
		case p.control != nil && p.control.out != nil:
			other = p.control.out.Raw
		}
	}
	return Question{Expected: expected, Other: other, Suite: p.kase.Suite, Case: p.kase.Name, Description: p.kase.Description, Type: e.Type, Criteria: e.Judged.Criteria, Prompt: e.Judged.Prompt,
		Profile: profile, Input: data, Output: p.out.Raw}
}

func (p *paper) take(x *exam) {
	if x.err != "" {
		if p.err == "" {
			p.err = x.err
		}
		return
	}
	p.decided++
	if len(x.failures) == 0 {
		return
	}
	p.failed++
	if more := len(x.failures) - mostFailures; more > 1 {
		x.failures = x.failures[:mostFailures]
		x.fail("and %d more", more)
	}
	p.failures = append(p.failures, x.failures...)
}

// mostFailures is how many are told of one expectation: a text may have a
// thousand wrong links.
const mostFailures = 20

// add keeps scores; a second one of the same name gets the type before it.
func (p *paper) add(e *cases.Expectation, scores map[string]float64) {
	if p.scores == nil {
		p.scores = map[string]float64{}
	}
	if p.least == nil {
		p.least = map[string]float64{}
	}
	for name, least := range e.Judged.Criteria {
		s, ok := scores[name]
		if before, there := p.scores[name]; there && before != s {
			name = e.Type + "." + name
		}
		if ok {
			p.scores[name], p.least[name] = s, least
		}
	}
}

// answered takes a judge's verdict, on an expectation of its own or on a part.
func (p *paper) answered(e *cases.Expectation, of *part, v *Verdict) {
	p.heard(v.Opinions)
	x := &exam{kase: p.kase, want: e, out: p.out}
	if v.Err != nil {
		x.err = notJudged + v.Err.Error()
	} else {
		x.threshold(v.Scores)
		p.add(e, v.Scores)
	}
	if of == nil {
		p.take(x)
	} else {
		of.exam, of.is = x, x.outcome()
	}
	if v.Reasoning != "" {
		p.reasoning = append(p.reasoning, v.Reasoning)
	}
}

// notJudged begins the error of a result that no judge could answer; eval judge
// knows by it that the result may be judged once more.
const notJudged = "not judged: "

// heard keeps what each judge said. The same judges asked about another
// expectation add to what they said before.
func (p *paper) heard(opinions []result.Opinion) {
	if len(p.opinions) != len(opinions) || slices.ContainsFunc(opinions, func(o result.Opinion) bool { return o.Error != "" }) {
		p.opinions = append(p.opinions, opinions...)
		return
	}
	for i, o := range opinions {
		before := &p.opinions[i]
		if before.Model != o.Model || before.Error != "" {
			p.opinions = append(p.opinions, o)
			continue
		}
		before.Scores = maps.Clone(before.Scores)
		maps.Copy(before.Scores, o.Scores)
		before.Cached = before.Cached && o.Cached
	}
}

// status is how the paper ends. What fails without a judge fails with one; what
// only a judge could tell and nobody judged is skipped.
func (p *paper) status() result.Status {
	switch {
	case len(p.failures) > 0:
		return result.Fail
	case p.err != "":
		return result.Error
	case p.decided == 0:
		return result.Skip
	}
	return result.Pass
}

// result makes the entry of the standard format.
func (p *paper) result() result.Result {
	c := p.kase
	r := result.Result{Name: c.Name, Suite: c.Suite, Category: c.Category, Tags: c.Tags, Failures: p.failures, JudgeScores: p.scores, Scale: p.scale,
		JudgeReasoning: strings.Join(p.reasoning, "\n\n"), Error: p.err}
	if o := p.out; o != nil {
		r.Variant, r.Attempt, r.DurationMS, r.CostUSD, r.Model = o.Variant, o.Attempt, o.DurationMS, o.spent(), o.Model
		if r.Comparison = o.Comparison; o.Raw.Kind() == '{' {
			r.Output = o.Raw
		}
		r.ResponsePreview = preview(o.Value)
	}
	r.Set(p.status())
	var more struct {
		NotJudged  []string           `json:"not_judged,omitempty"`
		Judges     []result.Opinion   `json:"judges,omitempty"`
		Thresholds map[string]float64 `json:"judge_thresholds,omitempty"`
	}
	more.NotJudged, more.Judges, more.Thresholds = p.notJudged, p.opinions, p.least
	if data := written(more); len(data) > len("{}") {
		r.X = data
	}
	return r
}

// preview is the beginning of what a person would read of an output.
func preview(v any) string {
	s, _ := member(v, asText, "response", "body", "text", "answer", "structured_content", "content", "title")
	const most = 200
	s = strings.Join(strings.Fields(s[:min(len(s), 8*most)]), " ")
	s = strings.ToValidUTF8(s, "")
	if r := []rune(s); len(r) > most {
		s = string(r[:most]) + "…"
	}
	return s
}
