package reader

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"cairn/internal/must"
	"cairn/internal/team/result"
)

// readOpenAI reads the record of OpenAI's evals: a line for the spec, one for each
// event of a sample, one for the report.
func readOpenAI(data []byte, c *collector) *result.Run {
	run := &result.Run{Tool: "openai/evals", Kind: "eval"}
	samples := map[string]*sampleEvents{}
	var order []*sampleEvents
	model, reported := "", false
	objects(data, func(r row) {
		switch {
		case r["spec"].Kind() == '{':
			spec := r.part("spec")
			if spec["completion_fns"] == nil && spec["eval_name"] == nil {
				must.Fail(errors.New("a JSON object with spec, but neither a record of OpenAI evals nor another known format of results"))
			}
			run.Suite, run.Timestamp = oneLine(spec.text("eval_name"), mostName), stamp(spec.text("created_at"))
			var fns []string
			if spec["completion_fns"].Kind() == '[' {
				decode(spec["completion_fns"], &fns)
			}
			model = oneLine(strings.Join(fns, ", "), mostName)
		case r["final_report"] != nil:
			reported = true
			run.X = object(member{"final_report", valid(r["final_report"])})
		case r["sample_id"] != nil:
			id := r.text("sample_id")
			s := samples[id]
			if s == nil {
				s = &sampleEvents{id: id}
				samples[id] = s
				order = append(order, s)
			}
			s.event(r.text("type"), r.part("data"))
		}
	})
	if !reported {
		c.warn("the run is not finished: it has no final report")
	}
	for _, s := range order {
		run.Results = append(run.Results, s.result(model))
		if s.input+s.output > 0 {
			run.Costs = result.AddCosts(run.Costs, []result.Cost{{Model: cmp.Or(model, unknownModel), Calls: s.calls, InputTokens: whole(s.input), OutputTokens: whole(s.output)}})
		}
	}
	return run
}

// sampleEvents is what was recorded of one sample.
type sampleEvents struct {
	id, prompt, answer string
	matches            []row
	metrics            row
	failed             string
	input, output      float64
	calls              int64
}

func (s *sampleEvents) event(kind string, data row) {
	switch kind {
	case "sampling":
		s.prompt, s.answer = conversation(data.text("prompt")), data.text("sampled")
		if list := texts(data["sampled"]); list != nil {
			s.answer = strings.Join(list, "\n")
		}
		usage := data.part("usage")
		s.input, s.output = s.input+usage.figure("prompt_tokens"), s.output+usage.figure("completion_tokens")
		s.calls++
	case "match":
		s.matches = append(s.matches, data)
	case "metrics":
		s.metrics = data
	case "error":
		s.failed = cmp.Or(data.text("message"), data.text("error"), data.text("type"), "an error")
	}
}

// conversation is what a list of messages says, or a text as it is.
func conversation(said string) string {
	var list []row
	if !strings.HasPrefix(said, "[") || must.Catch(func() { decode([]byte(said), &list) }) != nil {
		return said
	}
	var lines []string
	for _, m := range list {
		lines = append(lines, m.text("role")+": "+m.text("content"))
	}
	return strings.Join(lines, "\n")
}

func (s *sampleEvents) result(model string) result.Result {
	r := result.Result{CaseID: s.id, Name: oneLine(s.id, mostName), Model: model}
	if s.answer != "" {
		respond(&r, quote(s.answer))
	}
	expected := ""
	r.Set(result.Pass)
	for _, m := range s.matches {
		expected = cmp.Or(expected, m.text("expected"))
		if m.text("correct") != "true" {
			picked := cmp.Or(m.text("picked"), m.text("sampled"))
			fail(&r, message(fmt.Sprintf("expected %s, picked %s", m.text("expected"), picked)))
		}
	}
	var other []member
	for _, name := range slices.Sorted(maps.Keys(s.metrics)) {
		f, ok := number(asText(s.metrics[name]))
		switch {
		case !ok:
		case f >= 0 && f <= 1:
			addScore(&r, name, f)
		default:
			other = append(other, member{name, numeral(f)})
		}
	}
	if score, ok := r.JudgeScores["score"]; ok && len(s.matches) == 0 && score < 1 {
		fail(&r, message(strings.TrimSpace(fmt.Sprintf("score %v %s", score, s.metrics.text("choice")))))
	} else if !ok && len(s.matches) == 0 {
		broke(&r, cmp.Or(message(s.failed), "not judged: no match and no score"))
	}
	asks(&r, s.prompt)
	r.X = object(member{"input", quoted(beginning(s.prompt))}, member{"expected", quoted(expected)}, member{"other_scores", object(other...)}, tokensOf(s.input, s.output, 0, 0))
	return r
}
