package compare

import (
	"fmt"
	"maps"
	"slices"

	"cairn/internal/team/result"
	"cairn/internal/team/stats"
	"cairn/internal/text"
)

// A figure is what one attempt says of something; ok is false where it says
// nothing.
type figure func(*result.Result) (v float64, ok bool)

func judged(r *result.Result) bool { return r.Status == result.Pass || r.Status == result.Fail }

func passed(r *result.Result) (float64, bool) {
	if r.Status == result.Pass {
		return 1, true
	}
	return 0, judged(r)
}

func costOf(r *result.Result) (float64, bool) { return r.CostUSD, judged(r) }

func durationOf(r *result.Result) (float64, bool) { return r.DurationMS, judged(r) }

func wholeScore(r *result.Result) (float64, bool) {
	if r.Score == nil || !judged(r) {
		return 0, false
	}
	return *r.Score, true
}

func criterion(name string) figure {
	return func(r *result.Result) (float64, bool) {
		v, ok := r.JudgeScores[name]
		return v, ok && judged(r)
	}
}

// criteria lists the judges' criteria of the attempts, by name.
func criteria(attempts []*result.Result) []string {
	var found map[string]bool
	for _, r := range attempts {
		for name := range r.JudgeScores {
			if found == nil {
				found = map[string]bool{}
			}
			found[name] = true
		}
	}
	if found == nil {
		return nil
	}
	return sorted(found)
}

// scaleOf is the scale of the scores of a case, written in one way; ok is false
// where its attempts have several.
func scaleOf(attempts []*result.Result) (scale string, ok bool) {
	for i, r := range attempts {
		if i > 0 && !r.Scale.Is(attempts[0].Scale) {
			return "", false
		}
	}
	if len(attempts) == 0 || attempts[0].Scale == "" {
		return "0-1", true
	}
	lo, hi, err := attempts[0].Scale.Bounds()
	if err != nil {
		return "", false
	}
	return fmt.Sprintf("%g-%g", lo, hi), true
}

// scale is scaleOf the attempts that r sums, which it mostly says itself.
func (r *Ran) scale(attempts []*result.Result) (string, bool) {
	if r.Scale != "" {
		return r.Scale, true
	}
	return scaleOf(attempts)
}

func sorted[V any](named map[string]V) []string { return slices.Sorted(maps.Keys(named)) }

func values(attempts []*result.Result, of figure) []float64 {
	found := make([]float64, 0, 4)
	for _, r := range attempts {
		if v, ok := of(r); ok {
			found = append(found, v)
		}
	}
	return found
}

func meanOf(attempts []*result.Result, of figure) (mean float64, ok bool) {
	if len(attempts) == 1 {
		return of(attempts[0])
	}
	v := values(attempts, of)
	if len(v) == 0 {
		return 0, false
	}
	return stats.Mean(v), true
}

// means of A and B over the first attempts with the figure, as many as both
// have; ok is false where one has none.
func means(a, b []*result.Result, of figure) (before, after float64, ok bool) {
	if len(a) == 1 && len(b) == 1 { // nearly all
		before, okA := of(a[0])
		after, okB := of(b[0])
		return before, after, okA && okB
	}
	va, vb := values(a, of), values(b, of)
	n := min(len(va), len(vb))
	if n == 0 {
		return 0, 0, false
	}
	return stats.Mean(va[:n]), stats.Mean(vb[:n]), true
}

const (
	mostMessages = 5
	mostPreview  = 2000 // characters
)

// explain tells why attempts did not pass.
func (r *Ran) explain(attempts []*result.Result) {
	if r == nil {
		return
	}
	say := func(text string) {
		if text != "" && len(r.Messages) < mostMessages && !slices.Contains(r.Messages, text) {
			r.Messages = append(r.Messages, text)
		}
	}
	for _, a := range attempts {
		if a.Status == result.Pass || a.Status == result.Skip {
			continue
		}
		for _, f := range a.Failures {
			say(f.Message)
		}
		say(a.Error)
		if len(a.Failures) == 0 && a.Error == "" {
			say(a.JudgeReasoning)
		}
		if r.Preview == "" {
			r.Preview = text.First(a.ResponsePreview, mostPreview)
		}
	}
	if r.Preview == "" && len(attempts) > 0 {
		r.Preview = text.First(attempts[0].ResponsePreview, mostPreview)
	}
}
