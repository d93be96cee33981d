// Package judge asks language models how well an output meets criteria, and
// says how far several judges agree.
//
// A judge gives every criterion a score from 0 to 1 with its reasoning. An
// answer that leaves a criterion out, or scores outside that range, is an error
// of that call: never a zero, never a pass. The judged output is data; the
// prompts, which are files beside the code, fence it and say so.
//
// The command line imports it, for `eval judge` and `eval grade --judge`. It
// speaks to the endpoints it is given and reads no environment; which cases
// are judged by whom, what a token costs and where answers are kept is decided
// by the caller.
package judge

import (
	"errors"
	"fmt"
	"slices"

	"cairn/internal/team/result"
	"cairn/internal/team/stats"
)

// A Question is one output to be judged.
type Question struct {
	CaseName    string
	Type        string       // one of Kinds; another one is asked as quality_check
	Criteria    []Criterion  // at least one, each name once
	Input       string       // what the output answers; may be empty
	Expected    string       // a right answer, for the judge to compare with; may be empty
	Output      string       // text or JSON
	Other       string       // of a pairwise question: the other output
	System      string       // what a profile adds to the judge's instructions
	Models      []string     // who judges; none is the model of the tier
	Tier        string       // fast, standard or full; "" is standard
	Judges      int          // how many answers are asked for, of the models in turn; at least one of each
	Combine     string       // what becomes of several scores: median, mean or min; "" is median
	Scale       result.Scale // of thresholds and scores, "" is 0 to 1; judges always score from 0 to 1
	Temperature *float64     // nil leaves it to the model, as newer ones demand

	order order // of a pairwise question that is asked
}

// A Criterion is one thing to be scored.
type Criterion struct {
	Name      string
	Threshold float64 // the least score that passes; judges are not told
	Rubric    string  // what the scores mean; "" takes what is built in for the name
}

// An Opinion is one judge's answer, or why there is none.
type Opinion struct {
	Model  string
	Scores map[string]float64
	Reason map[string]string // of each score
	Usage  result.Cost       // of all calls that this took, none when cached
	Cached bool
	Err    error
}

// A Verdict is what all judges of a question say together.
type Verdict struct {
	// Scores are the medians of the judges if the question asks for nothing
	// else: so one that is far off does not decide, and a criterion passes if
	// most judges pass it. Of an even number it is the mean of the two in the
	// middle.
	Scores   map[string]float64
	PerJudge []Opinion
	Usage    []result.Cost // by model
	// Err says why there is no verdict: not more than half of the judges
	// answered. The first of their errors is in it.
	Err error
}

// ErrAnswer is an answer that cannot be used, also after asking again.
var ErrAnswer = errors.New("the judge's answer cannot be used")

// verdict joins opinions.
func verdict(q *Question, opinions []Opinion) Verdict {
	v := Verdict{PerJudge: opinions}
	answered := 0
	for i := range opinions {
		o := &opinions[i]
		if errors.Is(o.Err, ErrBudget) { // or some would decide where all were asked for
			v.Err = o.Err
		}
		if o.Usage.Calls > 0 {
			v.Usage = result.AddCosts(v.Usage, []result.Cost{o.Usage})
		}
		if o.Err == nil {
			answered++
		} else if v.Err == nil {
			v.Err = o.Err
		}
	}
	if 2*answered <= len(opinions) || errors.Is(v.Err, ErrBudget) {
		return v
	}
	v.Err = nil
	v.Scores = make(map[string]float64, len(q.Criteria))
	for _, c := range q.Criteria {
		var scores []float64
		for _, o := range opinions {
			if o.Err == nil {
				scores = append(scores, o.Scores[c.Name])
			}
		}
		v.Scores[c.Name] = combine(q.Combine, scores)
	}
	return v
}

// combine makes one score of several.
func combine(how string, scores []float64) float64 {
	slices.Sort(scores)
	n := len(scores)
	switch {
	case how == "min":
		return scores[0]
	case how == "mean":
		return stats.Mean(scores)
	case n%2 == 1:
		return scores[n/2]
	}
	return (scores[n/2-1] + scores[n/2]) / 2
}

// Check says what is wrong with a question's criteria, scale or combining.
func (q *Question) Check() error {
	if len(q.Criteria) == 0 {
		return errors.New("no criteria to judge by")
	}
	lo, hi, err := q.Scale.Bounds()
	if err != nil {
		return err
	}
	if !slices.Contains([]string{"", "median", "mean", "min"}, q.Combine) {
		return fmt.Errorf("scores cannot be combined by %q; use median, mean or min", q.Combine)
	}
	if q.Type == Similar && (len(q.Criteria) != 1 || q.Criteria[0].Name != similarity) {
		return errors.New("similar takes no criterion but similarity")
	}
	for i, c := range q.Criteria {
		if c.Name == "" {
			return errors.New("a criterion has no name")
		}
		if !(c.Threshold >= lo && c.Threshold <= hi) {
			return fmt.Errorf("the threshold of %s is %v, not from %v to %v", c.Name, c.Threshold, lo, hi)
		}
		if slices.ContainsFunc(q.Criteria[:i], func(other Criterion) bool { return other.Name == c.Name }) {
			return errors.New("the criterion " + c.Name + " stands twice")
		}
	}
	return nil
}

// Lacks names what is missing to ask the question, "" if nothing is.
func (q *Question) Lacks() string {
	switch {
	case q.Output == "":
		return "output"
	case (q.Type == Similar || q.Type == Reference) && q.Expected == "":
		return "right answer (expected)"
	case q.Type == Pairwise && q.Other == "":
		return "counterpart in the other run"
	}
	return ""
}

// JudgedTier is the tier that judges, "" where models are named.
func (q *Question) JudgedTier() string {
	if len(q.Models) > 0 {
		return ""
	}
	return q.Tier
}

// Lost counts the questions without a verdict and returns the first error.
func Lost(verdicts []Verdict) (n int, first error) {
	for _, v := range verdicts {
		if v.Err == nil {
			continue
		}
		if n++; first == nil {
			first = v.Err
		}
	}
	return n, first
}
