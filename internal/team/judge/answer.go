package judge

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
)

// parse reads an answer. It takes what a judge was asked for and nothing less:
// every criterion once, no others, each score a number from 0 to 1, which is
// put on the question's scale.
func (q *Question) parse(text string) (scores map[string]float64, reason map[string]string, err error) {
	lo, hi, err := q.Scale.Bounds()
	if err != nil {
		return nil, nil, err
	}
	var a struct {
		Criteria map[string]struct {
			Reasoning string   `json:"reasoning"`
			Score     *float64 `json:"score"`
		} `json:"criteria"`
	}
	if err := json.Unmarshal([]byte(unfenced(text)), &a); err != nil {
		return nil, nil, wrong("it is not the JSON asked for")
	}
	if a.Criteria == nil {
		return nil, nil, wrong(`it has no "criteria"`)
	}
	scores, reason = map[string]float64{}, map[string]string{}
	for _, c := range q.Criteria {
		one, ok := a.Criteria[c.Name]
		switch {
		case !ok:
			return nil, nil, wrong("%q is missing", c.Name)
		case one.Score == nil:
			return nil, nil, wrong("%q has no score", c.Name)
		case !(*one.Score >= 0 && *one.Score <= 1):
			return nil, nil, wrong("the score of %q is %v, not from 0 to 1", c.Name, *one.Score)
		}
		scores[c.Name], reason[c.Name] = lo+*one.Score*(hi-lo), strings.TrimSpace(one.Reasoning)
	}
	if len(a.Criteria) != len(q.Criteria) {
		return nil, nil, wrong("it scores criteria that were not asked for")
	}
	return scores, reason, nil
}

func wrong(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrAnswer, fmt.Sprintf(format, args...))
}

// unfenced is an answer without the code fence that some models put around it.
// Nothing else is looked for: an object in the middle of prose may be one that
// the judged output talked the judge into quoting.
func unfenced(text string) string {
	text = strings.TrimSpace(text)
	if rest, ok := strings.CutPrefix(text, "```"); ok {
		rest = strings.TrimPrefix(rest, "json")
		if body, ok := strings.CutSuffix(rest, "```"); ok {
			return strings.TrimSpace(body)
		}
	}
	return text
}

// repair asks for a better answer after err.
func repair(err error) string {
	return fmt.Sprintf("That answer was not usable: %s. Judge again and answer with the one JSON object that was described, every criterion asked for and no others, each score a number from 0 to 1.",
		strings.TrimPrefix(err.Error(), ErrAnswer.Error()+": "))
}
