package evalpage

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"cairn/internal/team/result"
	"cairn/internal/text"
)

// An Attempt is one answer, and why it counts as right or wrong.
type Attempt struct {
	Try    int     `json:"try"`
	Status string  `json:"status"`
	Facts  string  `json:"facts,omitzero"` // model, time, cost, tokens, turns
	Answer []Text  `json:"answer,omitempty"`
	Error  string  `json:"error,omitzero"`
	Checks []Check `json:"checks,omitempty"` // that did not hold
	Held   []Held  `json:"held,omitempty"`   // all that the runner lists
	Scores []Score `json:"scores,omitempty"`
	Reason string  `json:"reason,omitzero"` // of the judges
	Judges []Judge `json:"judges,omitempty"`
	More   []Text  `json:"more,omitempty"` // what else the runner wrote
	Trace  string  `json:"trace,omitzero"` // an https address
}

// A Check is one expectation that did not hold.
type Check struct {
	Kind     string   `json:"kind,omitzero"`
	Says     string   `json:"says"`
	Expected string   `json:"expected,omitzero"`
	Actual   string   `json:"actual,omitzero"`
	Details  []string `json:"details,omitempty"`
}

// A Score is what judges gave for one criterion; Name is "" for the whole.
type Score struct {
	Name  string `json:"name,omitzero"`
	Score string `json:"score"`
	Least string `json:"least,omitzero"` // what passes, where the run says it
	Short bool   `json:"short,omitzero"` // it is below that
}

// A Judge is what one of several said.
type Judge struct {
	Model string `json:"model"`
	Said  string `json:"said"`
}

func attemptOf(r *result.Result) Attempt {
	_, rest := asked(r)
	a := Attempt{Try: r.Try(), Status: string(r.Status), Answer: answered(r), Error: shown(r.Error), Reason: shown(r.JudgeReasoning), Trace: traceOf(rest)}
	facts := []string{Visible(r.Model), text.Some(r.DurationMS, text.Millis), text.Some(r.CostUSD, text.Dollars), tokensOf(rest)}
	if n := cmp.Or(string(find(rest, []string{"turns"})), string(find(rest, []string{"turns_used"}))); n != "" && len(n) < 8 && strings.Trim(n, "0123456789") == "" {
		facts = append(facts, n+" turns")
	}
	a.Facts = strings.Join(slices.DeleteFunc(facts, func(s string) bool { return s == "" }), " · ")
	for _, f := range r.Failures {
		a.Checks = append(a.Checks, checkOf(f))
	}
	a.Held = heldOf(find(rest, []string{"checks"}), 0)
	a.judged(r, rest)
	for _, m := range rest {
		if m.name == "checks" && a.Held == nil {
			// another tool's member of that name
		} else if slices.Contains(shownElsewhere, m.name) || slices.Contains(usageNames, m.name) || a.Trace != "" && slices.Contains(traceNames, m.name) {
			continue
		}
		if said := plain(m.value); said != "" {
			a.More = append(a.More, textOf(m.name, said))
		}
	}
	if len(r.Comparison) > 0 && r.Comparison.Kind() != 'n' {
		a.More = append(a.More, textOf("comparison", plain(r.Comparison)))
	}
	return a
}

// judged adds what judges gave and said.
func (a *Attempt) judged(r *result.Result, rest []member) {
	var opinions []result.Opinion
	least := map[string]float64{}
	if json.Unmarshal(find(rest, []string{"judges"}), &opinions) != nil {
		opinions = nil // another tool's member of that name
	}
	if json.Unmarshal(find(rest, []string{"judge_thresholds"}), &least) != nil {
		least = nil
	}
	of := ""
	if r.Scale != "" && !r.Scale.Is("") {
		of = " of " + Visible(string(r.Scale))
	}
	if r.Score != nil {
		a.Scores = append(a.Scores, Score{Score: scoreText(*r.Score) + of})
	}
	for _, name := range sortedNames(r.JudgeScores) {
		s := Score{Name: Visible(name), Score: scoreText(r.JudgeScores[name]) + of}
		if t, ok := least[name]; ok {
			s.Least, s.Short = scoreText(t), r.JudgeScores[name] < t
		}
		a.Scores = append(a.Scores, s)
	}
	if len(opinions) < 2 {
		return
	}
	for _, o := range opinions {
		said := []string{}
		for _, name := range sortedNames(o.Scores) {
			said = append(said, Visible(name)+" "+scoreText(o.Scores[name]))
		}
		if o.Error != "" {
			said = append(said, "did not answer: "+shown(o.Error))
		}
		a.Judges = append(a.Judges, Judge{Visible(o.Model), strings.Join(said, ", ")})
	}
}

func checkOf(f result.Failure) Check {
	kind := slices.DeleteFunc([]string{cmp.Or(f.ExpectationType, f.Check, f.Type), f.Criterion, f.Pattern}, func(s string) bool { return s == "" })
	c := Check{Kind: shown(strings.Join(kind, " · ")), Says: shown(cmp.Or(strings.TrimSpace(f.Message), "failed without a reason")),
		Expected: shown(plain(f.Expected)), Actual: shown(plain(f.Actual))}
	for _, d := range f.Details {
		c.Details = append(c.Details, Visible(d.Criterion)+" "+scoreText(d.Score)+", must be at least "+scoreText(d.Threshold))
	}
	return c
}

// mostSaid is how many bytes of a message a page has.
const mostSaid = 64 << 10

// shown is a message as a page has it.
func shown(said string) string {
	if said = strings.TrimSpace(said); len(said) <= mostSaid {
		return Visible(said)
	}
	return fmt.Sprintf("%s… (%s more)", Visible(strings.ToValidUTF8(said[:mostSaid], "")), text.Bytes(int64(len(said)-mostSaid)))
}

// whyOf is the first reason that a result gives for not having passed.
func whyOf(r *result.Result) string {
	if r.Status == result.Pass || r.Status == result.Skip {
		return ""
	}
	for _, f := range r.Failures {
		if f.Message != "" {
			return f.Message
		}
	}
	return cmp.Or(r.Error, r.JudgeReasoning)
}

func sortedNames[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
