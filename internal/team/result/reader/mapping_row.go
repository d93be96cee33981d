package reader

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/must"
	"cairn/internal/team/result"
)

// add makes a result of a row.
func (t *table) add(line int, r row) {
	one := result.Result{}
	wrong := func(m mapped, v jsontext.Value, kind string) {
		must.Fail(fmt.Errorf("line %d: %s must be %s, not %q", line, m.of(), kind, oneLine(asText(v), 40)))
	}
	var own []member
	var ended *result.Status
	for _, m := range t.m {
		v := r.get(m.column)
		if m.always != nil {
			v = quote(*m.always)
		}
		said := strings.TrimSpace(asText(v))
		if said == "" {
			continue
		}
		figure := func() float64 {
			f, ok := number(said)
			if !ok {
				wrong(m, v, "a number")
			}
			return f
		}
		criterion, isCriterion := strings.CutPrefix(m.member, "score_")
		switch {
		case m.member == "name":
			if one.Name = oneLine(said, mostName); one.Name != said { // two long ones may begin alike
				one.CaseID = cmp.Or(one.CaseID, result.ContentID(said))
			}
		case m.member == "passed" || m.member == "status":
			status, ok := statusOf(said)
			if !ok {
				wrong(m, v, "true, false, pass, fail, skip or error")
			}
			if ended == nil || m.member == "status" {
				ended = &status
			}
		case m.member == "case_id":
			one.CaseID = said
		case m.member == "attempt":
			one.Attempt = int(figure())
		case m.member == "score":
			f := figure()
			one.Score = &f
		case isCriterion && criterion != "":
			addScore(&one, criterion, figure())
		case m.member == "scale":
			one.Scale = result.Scale(said)
		case m.member == "cost_usd":
			one.CostUSD = figure()
		case m.member == "duration_ms":
			one.DurationMS = figure()
		case m.member == "error":
			one.Error = message(said)
		case m.member == "message":
			fail(&one, message(said))
		case m.member == "reason":
			one.JudgeReasoning = message(said)
		case m.member == "tags":
			one.Tags = strings.FieldsFunc(said, func(c rune) bool { return c == ',' || c == ' ' || c == '[' || c == ']' || c == '"' })
		case m.member == "output":
			respond(&one, v)
		case t.text(&one, m.member) != nil:
			*t.text(&one, m.member) = oneLine(said, mostValue)
		default:
			if m.member == "input" {
				asks(&one, said)
			}
			own = append(own, member{m.member, valid(v)})
		}
	}
	if one.Name == "" {
		t.requireColumns()
		must.Fail(fmt.Errorf("line %d: %s is empty", line, t.named("name").of()))
	}
	t.settle(line, &one, ended)
	one.X = object(own...)
	t.run.Results = append(t.run.Results, one)
}

// settle sets the status of the case. A case that did not pass and has an error is
// an error.
func (t *table) settle(line int, r *result.Result, ended *result.Status) {
	failures := r.Failures
	switch {
	case ended == nil && r.Error != "":
		r.Set(result.Error)
	case ended == nil:
		m := t.named("status")
		if m.member == "" {
			m = t.named("passed")
		}
		must.Fail(fmt.Errorf("line %d: %s is empty", line, m.of()))
	case *ended == result.Fail && r.Error != "":
		r.Set(result.Error)
	default:
		r.Set(*ended)
	}
	r.Failures = nil
	switch r.Status {
	case result.Fail:
		if r.Failures = failures; len(failures) == 0 {
			fail(r, cmp.Or(r.JudgeReasoning, "failed without a message"))
		}
	case result.Error:
		if r.Error == "" {
			broke(r, "error without a message")
			if len(failures) > 0 {
				r.Error = failures[0].Message
			}
		}
	default:
		r.Error = ""
	}
}

func (t *table) text(r *result.Result, name string) *string {
	switch name {
	case "suite":
		return &r.Suite
	case "category":
		return &r.Category
	case "variant":
		return &r.Variant
	case "model":
		return &r.Model
	}
	return nil
}

func (t *table) named(name string) mapped {
	for _, m := range t.m {
		if m.member == name {
			return m
		}
	}
	return mapped{}
}

// of is the name of a column in messages.
func (m mapped) of() string {
	if m.column == m.member {
		return m.member
	}
	return m.member + " (" + oneLine(m.column, 60) + ")"
}

// statusOf reads the words for an outcome, those for yes and no among them.
func statusOf(said string) (result.Status, bool) {
	switch strings.ToLower(said) {
	case "true", "yes", "y", "1", "1.0", "correct", "✓":
		return result.Pass, true
	case "false", "no", "n", "0", "0.0", "incorrect", "wrong", "✗":
		return result.Fail, true
	}
	s, err := result.StatusOf(said)
	return s, err == nil
}
