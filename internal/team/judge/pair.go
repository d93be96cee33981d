package judge

import (
	"fmt"

	"cairn/internal/team/result"
)

// order is which of two outputs a judge reads first. Judges prefer one position,
// so each is asked in both orders, and the mean of both answers counts. One who
// always takes the first gives 0.5, a tie.
type order int

const (
	only order = iota // there is one output
	outputFirst
	outputSecond
)

// pairs joins the two answers of each judge, which follow each other.
func pairs(q *Question, opinions []Opinion) []Opinion {
	if q.Type != Pairwise {
		return opinions
	}
	var joined []Opinion
	for i := 0; i+1 < len(opinions); i += 2 {
		joined = append(joined, pair(q, &opinions[i], &opinions[i+1]))
	}
	return joined
}

func pair(q *Question, first, second *Opinion) Opinion {
	o := Opinion{Model: first.Model, Cached: first.Cached && second.Cached, Err: first.Err}
	if o.Err == nil {
		o.Err = second.Err
	}
	for _, u := range []result.Cost{first.Usage, second.Usage} {
		switch {
		case u.Calls == 0:
		case o.Usage.Calls == 0:
			o.Usage = u
		default:
			o.Usage = result.AddCosts([]result.Cost{o.Usage}, []result.Cost{u})[0]
		}
	}
	if o.Err != nil {
		return o
	}
	o.Scores, o.Reason = map[string]float64{}, map[string]string{}
	for _, c := range q.Criteria {
		a, b := first.Scores[c.Name], second.Scores[c.Name]
		o.Scores[c.Name] = (a + b) / 2
		o.Reason[c.Name] = fmt.Sprintf("read first: %s; read second: %s", first.Reason[c.Name], second.Reason[c.Name])
	}
	return o
}
