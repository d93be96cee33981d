package judge

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/result"
)

// Apply writes a verdict into a result: scores, reasoning, what each judge
// said (in the member "judges", their thresholds in "judge_thresholds"), and a failure for criteria below their
// threshold. What judges said of the same type before is replaced; scores on
// another scale go, for the two are never mixed.
//
// A result without a verdict becomes an error, unless it has failed already; a
// pass that the judges deny becomes a failure; a failure becomes a pass only if
// nothing but the judges of before had failed it.
func Apply(r *result.Result, q *Question, v *Verdict) {
	failed := len(r.Failures)
	r.Failures = slices.DeleteFunc(slices.Clone(r.Failures), func(f result.Failure) bool {
		return f.Type == "threshold" && f.ExpectationType == q.Type
	})
	onlyJudges := failed > 0 && len(r.Failures) == 0
	if v.Err != nil {
		if r.Status == result.Pass || onlyJudges {
			r.Set(result.Error)
			r.Error = notJudged + v.Err.Error()
		}
		return
	}
	if !r.Scale.Is(q.Scale) {
		r.JudgeScores, r.Scale = nil, q.Scale
	}
	if r.JudgeScores == nil {
		r.JudgeScores = map[string]float64{}
	}
	for name, s := range v.Scores {
		r.JudgeScores[name] = s
	}
	r.JudgeReasoning = v.Reasoning(q)
	thresholds := map[string]float64{}
	for _, c := range q.Criteria {
		thresholds[c.Name] = c.Threshold
	}
	r.X = WithMember(r.X, "judges", written(v.Said()))
	r.X = WithMember(r.X, "judge_thresholds", written(thresholds))
	if f, ok := v.failure(q); ok {
		r.Failures = append(r.Failures, f)
		r.Set(result.Fail)
		r.Error = ""
	} else if onlyJudges || Unjudged(r) && len(r.Failures) == 0 {
		r.Set(result.Pass)
		r.Error = ""
	}
}

const notJudged = "not judged: "

// Unjudged reports whether a result is an error because judges did not answer.
func Unjudged(r *result.Result) bool {
	return r.Status == result.Error && strings.HasPrefix(r.Error, notJudged)
}

// failure is what did not reach its threshold.
func (v *Verdict) failure(q *Question) (f result.Failure, ok bool) {
	worst := 0.0
	for _, c := range q.Criteria {
		s := v.Scores[c.Name]
		if s >= c.Threshold {
			continue
		}
		f.Details = append(f.Details, result.Detail{Criterion: c.Name, Score: s, Threshold: c.Threshold})
		if by := c.Threshold - s; by > worst {
			worst = by
			f.Criterion, f.Expected, f.Actual = c.Name, written(c.Threshold), written(s)
		}
	}
	if len(f.Details) == 0 {
		return f, false
	}
	f.Type, f.ExpectationType, f.Scores = "threshold", q.Type, v.Scores
	f.Message = fmt.Sprintf("%s failed: %d of %d criteria below threshold", strings.ReplaceAll(q.Type, "_", " "), len(f.Details), len(q.Criteria))
	return f, true
}

// Reasoning is what the judges said, a line for each criterion and judge.
func (v *Verdict) Reasoning(q *Question) string {
	var b strings.Builder
	for _, c := range q.Criteria {
		for _, o := range v.PerJudge {
			if o.Err != nil {
				continue
			}
			fmt.Fprintf(&b, "%s %.2f", c.Name, o.Scores[c.Name])
			if len(v.PerJudge) > 1 {
				b.WriteString(" (" + o.Model + ")")
			}
			b.WriteString(": " + strings.Join(strings.Fields(o.Reason[c.Name]), " ") + "\n")
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// Said are the opinions as a result holds them.
func (v *Verdict) Said() (list []result.Opinion) {
	for _, o := range v.PerJudge {
		one := result.Opinion{Model: o.Model, Scores: o.Scores, Cached: o.Cached}
		if o.Err != nil {
			one.Scores, one.Error = nil, o.Err.Error()
		}
		list = append(list, one)
	}
	return list
}

// written is a value as JSON, nil where that cannot be.
func written(v any) jsontext.Value {
	data, err := encode(v)
	if err != nil {
		return nil
	}
	return data
}

// WithMember puts a member into an object of members that nobody knows.
func WithMember(object jsontext.Value, name string, value jsontext.Value) jsontext.Value {
	members := map[string]jsontext.Value{}
	if len(object) > 0 && json.Unmarshal(object, &members) != nil || value == nil {
		return object
	}
	members[name] = value
	data, err := json.Marshal(members, json.Deterministic(true))
	if err != nil {
		return object
	}
	return data
}
