package grade

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/result"
	"cairn/internal/term"
	"cairn/internal/text"
)

// A Comparison is what Grade writes into Result.Comparison, as far as it is shown:
// the deltas of an A/B test or the tiers of a chain.
type Comparison struct {
	Deltas []Delta `json:"deltas"`
	Tiers  []Tier  `json:"tiers"`
}

// ReadComparison reads what Grade wrote; what is nothing of the kind is empty.
func ReadComparison(r *result.Result) (c Comparison) {
	if len(r.Comparison) == 0 || json.Unmarshal(r.Comparison, &c) != nil {
		return Comparison{}
	}
	return c
}

// abTest is Result.Comparison of an A/B test.
type abTest struct {
	Type          string             `json:"type"`
	Control       map[string]float64 `json:"control_scores"`
	Treatment     map[string]float64 `json:"treatment_scores"`
	Deltas        []Delta            `json:"deltas"`
	Tolerance     float64            `json:"tolerance"`
	FlakyCriteria map[string]float64 `json:"flaky_criteria,omitempty"`
}

// A Delta is how far a treatment's score is from the control's.
type Delta struct {
	Criterion string  `json:"criterion"`
	Control   float64 `json:"control"`
	Treatment float64 `json:"treatment"`
	Delta     float64 `json:"delta"`
	Worse     bool    `json:"worse,omitzero"` // by more than is tolerated
}

// versus compares a treatment's scores with the control's. What is worse by
// more than is tolerated, and what cannot be compared, is a failure.
func (p *paper) versus(controls []*paper) jsontext.Value {
	want := p.kase.Comparison
	t := abTest{Type: want.Type, Tolerance: want.Tolerance, FlakyCriteria: want.Flaky}
	t.Control, t.Treatment = p.bothScores(controls)
	if preferences := p.preferences(); len(preferences) > 0 { // which compare both sides themselves
		t.Control, t.Treatment = maps.Clone(t.Control), maps.Clone(t.Treatment)
		for _, name := range preferences {
			delete(t.Control, name)
			delete(t.Treatment, name)
		}
		if len(t.Control) == 0 && len(t.Treatment) == 0 {
			return nil
		}
	}
	if len(t.Control) == 0 && len(p.notJudged) > 0 {
		p.notJudged = append(p.notJudged, "comparison") // a judge would give the scores
		return nil
	}
	fail := func(format string, args ...any) *result.Failure {
		p.failures = append(p.failures, result.Failure{Type: "threshold", ExpectationType: "comparison", Check: want.Type, Message: fmt.Sprintf(format, args...)})
		return &p.failures[len(p.failures)-1]
	}
	p.decided++
	defer func(before int) {
		if len(p.failures) > before {
			p.failed++
		}
	}(len(p.failures))
	if len(t.Control) == 0 || len(t.Treatment) == 0 {
		fail("no scores to compare (control_scores and treatment_scores in the output or beside it, or judge_scores of the outputs %s@control and %s@treatment)", p.kase.Name, p.kase.Name)
		return nil
	}
	names := maps.Clone(t.Control)
	maps.Copy(names, t.Treatment)
	var worse []result.Detail
	for _, name := range slices.Sorted(maps.Keys(names)) {
		c, ok1 := t.Control[name]
		v, ok2 := t.Treatment[name]
		if !ok1 || !ok2 {
			side := "control"
			if ok1 {
				side = "treatment"
			}
			fail("the %s has no score for %s", side, term.Printable(text.First(name, mostShort))).Criterion = name
			continue
		}
		d := Delta{Criterion: name, Control: c, Treatment: v, Delta: round(v - c)}
		if allowed := want.Allowed(name); d.Delta < -allowed {
			d.Worse = true
			worse = append(worse, result.Detail{Criterion: name, Score: v, Threshold: round(c - allowed)})
		}
		t.Deltas = append(t.Deltas, d)
	}
	if len(worse) > 0 {
		var names []string
		for _, w := range worse {
			names = append(names, w.Criterion)
		}
		f := fail("worse than the control by more than is tolerated: %s", term.Printable(text.First(strings.Join(names, ", "), mostShort)))
		f.Criterion, f.Details, f.Scores = names[0], worse, t.Treatment
		f.Expected, f.Actual = encoded(worse[0].Threshold), encoded(worse[0].Score)
	}
	return written(t)
}

// written is a value of ours as JSON, nil where that cannot be.
func written(v any) jsontext.Value {
	data, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		return nil
	}
	return data
}

// round takes away what a difference of floats has too much.
func round(f float64) float64 {
	const digits = 1e9
	if f > 1e6 || f < -1e6 {
		return f
	}
	return math.Copysign(math.Floor(math.Abs(f)*digits+0.5)/digits, f)
}

// bothScores finds the scores of both sides: from the outputs of both, else
// beside the output, else in it. Of several controls it is their mean.
func (p *paper) bothScores(controls []*paper) (control, treatment map[string]float64) {
	if len(controls) > 0 {
		sum, n := map[string]float64{}, map[string]float64{}
		for _, c := range controls {
			for name, s := range c.ownScores() {
				sum[name] += s
				n[name]++
			}
		}
		for name := range sum {
			sum[name] /= n[name]
		}
		return sum, p.ownScores()
	}
	var beside any // nil where it is no JSON
	_ = json.Unmarshal(p.out.Comparison, &beside)
	inside, _ := lookup(p.out.Value, "comparison")
	for _, place := range []any{beside, inside, p.out.Value} {
		control, treatment = scoresAt(place, "control_scores"), scoresAt(place, "treatment_scores")
		if control != nil || treatment != nil {
			break
		}
	}
	return control, treatment
}

// preferences are the criteria of pairwise questions.
func (p *paper) preferences() (names []string) {
	for i := range p.kase.Expectations {
		for e := range p.kase.Expectations[i].Leaves() {
			if e.Type == pairwise {
				names = append(names, slices.Collect(maps.Keys(e.Judged.Criteria))...)
			}
		}
	}
	return names
}

// ownScores are those of judges, or else the output's own.
func (p *paper) ownScores() map[string]float64 {
	if len(p.scores) > 0 || p.out == nil {
		return p.scores
	}
	for _, name := range []string{"judge_scores", "scores"} {
		if s := scoresAt(p.out.Value, name); s != nil {
			return s
		}
	}
	return nil
}

func scoresAt(v any, name string) map[string]float64 {
	object, ok := inObject(v, as[map[string]any], name)
	if !ok {
		return nil
	}
	return numbers(object)
}

// chain is Result.Comparison of a chain of tiers.
type chain struct {
	Type  string `json:"type"`
	Tiers []Tier `json:"tiers"`
}

// A Tier is what came of one step of a chain.
type Tier struct {
	Tier       string             `json:"tier"`
	Model      string             `json:"model,omitzero"`
	InputFrom  string             `json:"input_from,omitzero"`
	OutputFile string             `json:"output_file,omitzero"`
	Status     result.Status      `json:"status"`
	Held       int                `json:"held"` // expectations that hold
	Of         int                `json:"of"`   // of those that were checked or judged
	Error      string             `json:"error,omitzero"`
	Failures   []string           `json:"failures,omitempty"` // messages
	Scores     map[string]float64 `json:"judge_scores,omitempty"`
	DurationMS float64            `json:"duration_ms,omitzero"`
	CostUSD    float64            `json:"cost_usd,omitzero"`
}

// beside shows the tiers of a case, of the same attempt as far as there is one.
func beside(t *task, attempt int) jsontext.Value {
	c := chain{Type: "tier_chain"}
	for i, of := range t.kase.Chain {
		papers := t.tiers[i]
		if i == len(t.tiers)-1 {
			papers = t.finals
		}
		p := papers[0]
		if attempt < len(papers) {
			p = papers[attempt]
		}
		row := Tier{Tier: of.Name, Model: of.Model, InputFrom: of.InputFrom, OutputFile: of.OutputFile, Status: p.status(),
			Held: p.decided - p.failed, Of: p.decided, Error: p.err, Scores: p.scores}
		if p.out != nil {
			row.DurationMS, row.CostUSD, row.Model = p.out.DurationMS, p.out.spent(), cmp.Or(p.out.Model, of.Model)
		}
		for _, f := range p.failures {
			row.Failures = append(row.Failures, f.Message)
		}
		c.Tiers = append(c.Tiers, row)
	}
	return written(c)
}
