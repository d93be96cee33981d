package reader

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/result"
)

// inspectSample is one sample in one epoch.
type inspectSample struct {
	ID     jsontext.Value          `json:"id"` // a text or a number
	Epoch  float64                 `json:"epoch"`
	Input  jsontext.Value          `json:"input"`
	Target jsontext.Value          `json:"target"`
	Scores map[string]inspectScore `json:"scores"`
	Output struct {
		Model      string         `json:"model"`
		Completion string         `json:"completion"`
		Choices    jsontext.Value `json:"choices"`
		Stopped    string         `json:"-"`
	} `json:"output"`
	TotalTime float64        `json:"total_time"` // seconds
	Error     *inspectError  `json:"error"`
	Limit     *inspectLimit  `json:"limit"`
	Metadata  jsontext.Value `json:"metadata"`

	Usage map[string]inspectUsage `json:"model_usage"`

	asked, answered string // the beginnings of them
	input           string // result.ContentID of all that was asked
}

type inspectLimit struct {
	Type string `json:"type"`
}

type inspectScore struct {
	Value       jsontext.Value `json:"value"`
	Answer      jsontext.Value `json:"answer"`
	Explanation jsontext.Value `json:"explanation"`
}

const mostResponse = 64 << 10 // bytes of an answer that are kept

// settle keeps of the large members what a result needs.
func (s *inspectSample) settle() {
	asked := content(s.Input)
	if asked != "" {
		s.input = result.ContentID(asked)
	}
	s.asked = beginning(asked)
	s.answered = s.Output.Completion
	var choices []struct {
		Message struct {
			Content jsontext.Value `json:"content"`
		} `json:"message"`
		Stopped string `json:"stop_reason"`
	}
	if json.Unmarshal(s.Output.Choices, &choices, foreign()) == nil && len(choices) > 0 {
		s.answered = cmp.Or(s.answered, content(choices[0].Message.Content))
		s.Output.Stopped = oneLine(choices[0].Stopped, mostName)
	}
	s.answered = beginning(s.answered)
	if s.Metadata = some(s.Metadata); len(s.Metadata) > mostResponse {
		s.Metadata = nil
	}
	s.Input, s.Output.Choices, s.Output.Completion = nil, nil, ""
}

// beginning is what is kept of a text that may be a whole document.
func beginning(s string) string {
	if len(s) > mostResponse {
		s = strings.ToValidUTF8(s[:mostResponse], "") + "…"
	}
	return strings.Clone(s)
}

// kept is what a sample says that has no member of its own in a result.
func (s *inspectSample) kept() jsontext.Value {
	var sum inspectUsage
	for _, u := range s.Usage {
		sum.Input, sum.Output, sum.CacheRead, sum.CacheWrite = sum.Input+u.Input, sum.Output+u.Output, sum.CacheRead+u.CacheRead, sum.CacheWrite+u.CacheWrite
	}
	var checks []jsontext.Value
	for _, name := range slices.Sorted(maps.Keys(s.Scores)) {
		score := s.Scores[name]
		answer := score.Answer
		if asText(answer) == s.answered {
			answer = nil // said once
		}
		checks = append(checks, object(member{"type", quote(name)}, member{"value", valid(score.Value)}, member{"answer", valid(answer)}, member{"reason", quoted(message(asText(score.Explanation)))}))
	}
	target := some(s.Target)
	if asText(target) == "" || len(target) > mostResponse {
		target = nil
	}
	return object(member{"input", quoted(s.asked)}, member{"expected", target}, member{"metadata", s.Metadata}, tokensOf(sum.Input, sum.Output, sum.CacheRead, sum.CacheWrite),
		member{"checks", array(checks)}, member{"finish_reason", quoted(s.Output.Stopped)})
}

// content is the text of a message, of a list of parts, or of the last message
// of a conversation.
func content(v jsontext.Value) string {
	if v.Kind() != '[' {
		return asText(v)
	}
	var parts []struct {
		Type    string         `json:"type"`
		Text    string         `json:"text"`
		Content jsontext.Value `json:"content"`
	}
	if json.Unmarshal(v, &parts, foreign()) != nil || len(parts) == 0 {
		return ""
	}
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(p.Text)
	}
	if last := parts[len(parts)-1].Content; b.Len() == 0 && last.Kind() == '"' {
		return asText(last)
	}
	return b.String()
}

func (s *inspectSample) result(log *inspectLog, scales map[string]result.Scale, c *collector) result.Result {
	id := asText(s.ID)
	r := result.Result{
		CaseID: id, Name: oneLine(id, mostName), Model: log.Eval.Model,
		DurationMS: max(0, s.TotalTime*1000), ResponsePreview: preview(s.answered), X: s.kept(),
	}
	r.SetContent(result.Identity{Input: s.input})
	if s.ID.Kind() == '0' || r.Name == "" {
		r.Name = strings.TrimSuffix(oneLine(id+": "+s.asked, 80), ": ")
	}
	if s.Epoch > 1 {
		r.Attempt = int(min(s.Epoch, 1e6))
	}
	if s.answered != "" {
		r.Output = object(member{"response", quote(s.answered)})
	}
	switch {
	case s.Error != nil:
		broke(&r, cmp.Or(message(s.Error.Message), "the sample ended in an error"))
	case len(s.Scores) == 0 && s.Limit != nil && s.Limit.Type != "":
		broke(&r, "not scored: the limit of "+oneLine(s.Limit.Type, 40)+" was reached")
	case len(s.Scores) == 0:
		broke(&r, "not scored")
	default:
		s.judge(&r, scales, c)
	}
	return r
}

// judge settles the verdict: every scorer has to say correct. "C" is correct,
// "P" half, "I" not, "N" no answer; a number is correct from 1, as Inspect's
// accuracy counts it.
func (s *inspectSample) judge(r *result.Result, scales map[string]result.Scale, c *collector) {
	r.Set(result.Pass)
	var explained []string
	unscored := ""
	for _, name := range slices.Sorted(maps.Keys(s.Scores)) {
		score := s.Scores[name]
		parts, known := grades(score.Value)
		if !known {
			c.warn("%s: the value of the scorer %s is not a grade and was left out", oneLine(r.Name, 60), oneLine(name, 40))
			unscored = cmp.Or(unscored, name)
			continue
		}
		for _, g := range parts {
			if g.value < 1 {
				f := result.Failure{ExpectationType: name, Criterion: g.name, Actual: valid(score.Value), Message: message(fmt.Sprintf("%s says %s, answer: %s", g.of(name), g.said, asText(score.Answer)))}
				f.Message = strings.TrimSuffix(f.Message, ", answer:")
				if t := valid(s.Target); len(t) > 4 && len(t) < mostMessage { // "" and [] say nothing
					f.Expected = t
				}
				r.Set(result.Fail)
				r.Failures = append(r.Failures, f)
			}
		}
		if e := message(asText(score.Explanation)); e != "" && e != message(asText(score.Answer)) && e != r.ResponsePreview {
			explained = append(explained, e)
		}
		s.keep(r, name, parts, scales[name])
	}
	if unscored != "" && r.Status == result.Pass { // a scorer that says nothing does not say correct
		broke(r, "not scored: the value of "+oneLine(unscored, 40)+" is not a grade")
	}
	r.Failures = r.Failures[:min(len(r.Failures), 100)]
	r.JudgeReasoning = message(strings.Join(explained, "\n"))
}

// keep puts a scorer's figures where they are compared. A case has one scale;
// scorers of another cannot stand beside it.
func (s *inspectSample) keep(r *result.Result, name string, parts []grade, scale result.Scale) {
	if scale == "-" || (r.Score != nil || len(r.JudgeScores) > 0) && r.Scale != scale {
		return
	}
	r.Scale = scale
	if len(s.Scores) == 1 && len(parts) == 1 && parts[0].name == "" {
		r.Score = &parts[0].value
		return
	}
	for _, g := range parts {
		addScore(r, g.of(name), g.value)
	}
}
