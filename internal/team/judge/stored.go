package judge

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/result"
)

// Stored gives back what was asked and answered of the results of a run that
// have judge scores, and which those are. A threshold that the run does not
// hold is taken from thresholds; one that is in neither is an error.
func Stored(run *result.Run, thresholds map[string]float64) (at []int, questions []Question, verdicts []Verdict, err error) {
	for i := range run.Results {
		r := &run.Results[i]
		if len(r.JudgeScores) == 0 {
			continue
		}
		var kept struct {
			Judges     []result.Opinion   `json:"judges"`
			Thresholds map[string]float64 `json:"judge_thresholds"`
			X          jsontext.Value     `json:",embed"`
		}
		if len(r.X) > 0 && json.Unmarshal(r.X, &kept) != nil {
			kept.Judges, kept.Thresholds = nil, nil // members of another tool that are called so
		}
		q := Question{CaseName: r.Title(), Scale: r.Scale}
		v := Verdict{Scores: r.JudgeScores}
		for name := range r.JudgeScores {
			t, ok := thresholds[name]
			if !ok {
				t, ok = kept.Thresholds[name]
			}
			if !ok {
				return nil, nil, nil, fmt.Errorf("the run does not say what score of %q passes", name)
			}
			q.Criteria = append(q.Criteria, Criterion{Name: name, Threshold: t})
		}
		slices.SortFunc(q.Criteria, func(a, b Criterion) int { return strings.Compare(a.Name, b.Name) })
		for _, said := range kept.Judges {
			o := Opinion{Model: said.Model, Scores: said.Scores}
			if said.Error != "" || said.Scores == nil {
				o.Err = errors.New(said.Error)
			}
			v.PerJudge = append(v.PerJudge, o)
		}
		at, questions, verdicts = append(at, i), append(questions, q), append(verdicts, v)
	}
	return at, questions, verdicts, nil
}

// OutputOf is what there is to judge of a result: its output, as text where
// that is all there is of it. It is "" where the runner wrote none; a preview
// is not judged, for what was cut off may be what matters.
func OutputOf(r *result.Result) string { return TextOf(r.Output) }

// TextOf is an object as a judge reads it: the text of its only member, or all
// of it as JSON; "" where there is nothing in it.
func TextOf(object jsontext.Value) string {
	var members map[string]jsontext.Value
	if object.Kind() != '{' || json.Unmarshal(object, &members) != nil || len(members) == 0 {
		return ""
	}
	for _, v := range members {
		if len(members) == 1 {
			return plainText(v)
		}
	}
	return indented(object)
}

// InputOf is what the output answers, where the result says so in a member that
// runners have for it: input, prompt, user_message or vars.
func InputOf(r *result.Result) string {
	return ofMembers(r.X, "input", "prompt", "user_message", "vars")
}

// ExpectedOf is a right answer, where the result has one in a member that
// runners have for it: expected, expected_output, ideal or target.
func ExpectedOf(r *result.Result) string {
	return ofMembers(r.X, "expected", "expected_output", "ideal", "target")
}

// ofMembers is the first of an object's members that says something.
func ofMembers(object jsontext.Value, names ...string) string {
	var members map[string]jsontext.Value
	if len(object) == 0 || json.Unmarshal(object, &members) != nil {
		return ""
	}
	for _, name := range names {
		if text := plainText(members[name]); text != "" {
			return text
		}
	}
	return ""
}

// plainText is a string as it is, anything else as JSON.
func plainText(v jsontext.Value) string {
	var text string
	switch {
	case len(v) == 0 || v.Kind() == 'n':
		return ""
	case json.Unmarshal(v, &text) == nil:
		return text
	}
	return indented(v)
}

func indented(v jsontext.Value) string {
	v = v.Clone()
	_ = v.Indent() // it was read before, so it is JSON
	return string(v)
}
