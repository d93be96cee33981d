package judge

import (
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
)

// The table of Cohen's paper form: 20 both pass, 15 both fail, 5 only the judge
// passes, 10 only people do. po = .7, pe = .5·.6 + .5·.4 = .5, κ = .4.
func TestValidate(t *testing.T) {
	var questions []Question
	var verdicts []Verdict
	var labels []Label
	add := func(n int, judge, human bool) {
		for range n {
			name := string(rune('A' + len(questions)))
			s := 0.8
			if !judge {
				s = 0.79
			}
			questions = append(questions, Question{CaseName: name, Criteria: []Criterion{{Name: "accuracy", Threshold: 0.8}}})
			verdicts = append(verdicts, Verdict{Scores: map[string]float64{"accuracy": s}})
			labels = append(labels, Label{name, "accuracy", human})
		}
	}
	add(20, true, true)
	add(15, false, false)
	add(5, true, false)
	add(10, false, true)
	// a case that stands twice is nobody's
	for range 2 {
		questions = append(questions, Question{CaseName: "twice", Criteria: questions[0].Criteria})
		verdicts = append(verdicts, verdicts[0])
	}
	labels = append(labels, Label{"twice", "accuracy", true}, Label{"gone", "accuracy", true}, Label{"A", "tone", true})
	found, unmatched := Validate(questions, verdicts, labels)
	if len(found) != 1 || len(unmatched) != 3 {
		t.Fatalf("%+v, %+v", found, unmatched)
	}
	v := found[0]
	if math.Abs(v.Kappa-0.4) > 1e-9 || !v.Known || v.Cases != 50 || v.OnlyJudge != 5 || v.OnlyHuman != 10 {
		t.Errorf("%+v", v)
	}
	if k, n := v.PassRate(); k != 20 || n != 30 {
		t.Errorf("passes found %d of %d", k, n)
	}
	if k, n := v.FailRate(); k != 15 || n != 20 {
		t.Errorf("failures found %d of %d", k, n)
	}
}

func FuzzAnswer(f *testing.F) {
	f.Add(answer(0.5, 1))
	f.Add("```json\n" + answer(1, 0) + "\n```")
	f.Add(`{"criteria":{"accuracy":{"score":1e999}}}`)
	f.Add(`{"criteria":null}`)
	q := question()
	f.Fuzz(func(t *testing.T, text string) {
		scores, reason, err := q.parse(text)
		if err != nil {
			return
		}
		if len(scores) != 2 || len(reason) != 2 {
			t.Fatalf("%v %v", scores, reason)
		}
		for _, s := range scores {
			if !(s >= 0 && s <= 1) {
				t.Fatalf("a score of %v", s)
			}
		}
	})
}

// A label of the whole answer is held against all scores, of all judges together
// and of each.
func TestValidateWhole(t *testing.T) {
	q := Question{CaseName: "a", Criteria: []Criterion{{Name: "accuracy", Threshold: 0.8}, {Name: "tone", Threshold: 0.5}}}
	said := func(accuracy, tone float64) map[string]float64 {
		return map[string]float64{"accuracy": accuracy, "tone": tone}
	}
	v := Verdict{Scores: said(0.85, 0.5), PerJudge: []Opinion{{Model: "one", Scores: said(0.9, 0.6)}, {Model: "two", Scores: said(0.8, 0.4)}, {Model: "three", Err: errors.New("busy")}}}
	found, unmatched := Validate([]Question{q}, []Verdict{v}, []Label{{"a", Whole, true}, {"b", Whole, true}})
	if got := fmt.Sprint(found, unmatched); got != "[{*  1 1 0 0 0 0 false} {* one 1 1 0 0 0 0 false} {* two 1 0 0 0 1 0 true}] [{b * true}]" {
		t.Error(got)
	}
}

// Labels that were kept are read again; where there are none, there are none.
func TestKeptLabels(t *testing.T) {
	dir := t.TempDir()
	if labels, err := KeptLabels(dir, "0123456789ab"); labels != nil || err != nil {
		t.Errorf("%v %v", labels, err)
	}
	if err := os.WriteFile(LabelFile(dir, "../0123456789ab"), []byte(`[{"case":"a","criterion":"*","pass":true}]`), 0o600); err != nil {
		t.Fatal(err)
	}
	labels, err := KeptLabels(dir, "0123456789ab")
	if len(labels) != 1 || labels[0] != (Label{"a", Whole, true}) || err != nil {
		t.Errorf("%v %v", labels, err)
	}
	if err := os.WriteFile(LabelFile(dir, "0123456789ab"), []byte(`{`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := KeptLabels(dir, "0123456789ab"); err == nil || !strings.Contains(err.Error(), "0123456789ab.json") {
		t.Error(err)
	}
}

// Everybody has one word, one's own of two places the first; those who contradict
// each other have none.
func TestCommon(t *testing.T) {
	mine := Over([]Label{{"a", "*", false}}, []Label{{"a", "*", true}, {"b", "*", true}, {"a", "tone", true}})
	if got := fmt.Sprint(mine); got != "[{a * false} {b * true} {a tone true}]" {
		t.Errorf("mine %s", got)
	}
	agreed, disputed := Common([]Voice{{"bob", []Label{{"b", "*", true}, {"c", "*", false}, {"a", "tone", false}}}, {"", mine}, {"eve", []Label{{"a", "tone", true}}}})
	if got := fmt.Sprint(agreed, disputed); got != "[{b * true} {c * false} {a * false}] [{a tone false}]" {
		t.Errorf("agreed and disputed %s", got)
	}
}
