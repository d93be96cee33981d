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
