package promptfoo

import (
	"errors"
	"fmt"
	"math"
	"path"
	"strings"

	"cairn/internal/team/cases"
)

// assertion converts one assertion, or those of a set, and returns its weight.
// It notes the ones that cannot be converted.
func (r *Reader) assertion(n cases.Node, vars map[string]any, name string, depth int) (list []Expectation, weight float64) {
	weight = 1
	at := n.Place()
	n, kind, err := r.resolved(n)
	if err == nil && depth > 5 {
		err = errors.New("sets of assertions are nested too deep")
	}
	if w := n.Get("weight"); err == nil && w.There() {
		if number, ok := w.Number(); ok {
			weight = number
		}
	}
	if kind == "assert-set" && err == nil {
		return r.set(n, vars, name, depth), weight
	}
	r.made.Assertions++
	fields, _ := n.Fields()
	for _, f := range fields {
		switch f.Name {
		case "type", "value", "threshold", "weight", "metric", "transform", "contextTransform", "$ref":
		case "provider":
			r.leave(f.At, name, "provider", "set the judge in a judge profile")
		case "rubricPrompt":
			r.leave(f.At, name, "rubricPrompt", grading["rubricPrompt"])
		default:
			r.leave(f.At, name, kind+"."+f.Name, "an expectation has no such setting")
		}
	}
	var e Expectation
	if err == nil {
		e, err = r.converted(n, kind, vars, weight)
	}
	if err != nil {
		r.lose(at, name, kind, err.Error())
		return nil, weight
	}
	if metric := said(n.Get("metric")); metric != "" {
		e = append(e, Key{"description", metric})
	}
	r.made.Converted++
	return []Expectation{e}, weight
}

// resolved follows a reference to a template of the configuration.
func (r *Reader) resolved(n cases.Node) (_ cases.Node, kind string, err error) {
	if ref, ok := n.Get("$ref").Text(); ok {
		target := r.config
		steps, within := strings.CutPrefix(ref, "#/")
		for step := range strings.SplitSeq(steps, "/") {
			target = target.Get(step)
		}
		if !within || !target.There() {
			return n, "$ref", fmt.Errorf("%s points to nothing in the configuration", ref)
		}
		n = target
	}
	kind, ok := n.Get("type").Text()
	if !ok {
		return n, "assert", errors.New("it has no type")
	}
	return n, kind, nil
}

// set converts a set: all of it has to hold, or the share that is its threshold.
func (r *Reader) set(n cases.Node, vars map[string]any, name string, depth int) []Expectation {
	var parts []Expectation
	before := len(r.made.Lost)
	for _, item := range r.several(n.Get("assert"), ".") {
		list, weight := r.assertion(item, vars, name, depth+1)
		for _, e := range list {
			parts = append(parts, e.weighing(weight))
		}
	}
	threshold, given := n.Get("threshold").Number()
	switch {
	case len(parts) == 0:
		return nil
	case given && len(r.made.Lost) > before:
		// without what was lost the threshold would mean something else
		for range parts {
			r.made.Converted--
		}
		r.lose(n.Place(), name, "assert-set", "its threshold includes an assertion that could not be converted")
		return nil
	}
	e := Expectation{{"type", "all_of"}}
	if given && threshold > 0 && threshold <= 1 {
		e = append(e, Key{"threshold", threshold})
	}
	e = append(e, Key{"expectations", parts})
	if metric := said(n.Get("metric")); metric != "" {
		e = append(e, Key{"description", metric})
	}
	return []Expectation{e}
}

// converted converts one assertion, without its weight, and tries whether the
// cases take it.
func (r *Reader) converted(n cases.Node, kind string, vars map[string]any, weight float64) (Expectation, error) {
	switch {
	case weight == 0:
		return nil, errors.New("its weight is 0, so it decides nothing")
	case weight < 0:
		return nil, errors.New("its weight is below 0")
	case n.Get("transform").There():
		return nil, errors.New("transform runs code; write the value into the output and read it with path")
	case n.Get("contextTransform").There():
		return nil, errors.New("contextTransform runs code")
	}
	value := n.Get("value").Value()
	if s, ok := value.(string); ok && strings.HasPrefix(s, "file://") {
		var err error
		if value, err = r.valueFile(s); err != nil {
			return nil, err
		}
	}
	if !foreign[strings.TrimPrefix(kind, "not-")] {
		filled, err := fillAll(value, vars)
		if err != nil {
			return nil, err
		}
		value = filled
	}
	a := assertion{value: value}
	a.threshold, a.limited = n.Get("threshold").Number()
	if t := n.Get("threshold"); t.There() && !a.limited {
		return nil, errors.New("threshold must be a number")
	}
	e, err := a.expectation(kind)
	if err != nil {
		return nil, err
	}
	return e, r.taken(e)
}

// valueFile reads the value of an assertion from a file.
func (r *Reader) valueFile(name string) (any, error) {
	file, _, _ := strings.Cut(inDir(".", name), ":") // a function of it
	switch strings.ToLower(path.Ext(file)) {
	case ".js", ".cjs", ".mjs", ".ts", ".cts", ".mts", ".py", ".rb":
		return nil, errCode
	}
	return r.content(file)
}

// taken reads the expectation as a case would have it.
func (r *Reader) taken(e Expectation) error {
	text, err := Write([]Case{{Name: "c", Expectations: []Expectation{e}}}, "")
	if err != nil {
		return err
	}
	l := cases.Loader{Specs: r.Specs, Stdin: strings.NewReader(text)}
	_, problems, err := l.Load([]string{cases.Stdin})
	if wrong := problems.Errors(); err == nil && len(wrong) > 0 {
		return errors.New(wrong[0].What)
	}
	return err
}

// foreign are types whose value is code, not a template.
var foreign = map[string]bool{"javascript": true, "python": true, "ruby": true}

// An assertion is the part of one that expectations are made from.
type assertion struct {
	value     any
	threshold float64
	limited   bool // there is a threshold
}

// text is the value as a text.
func (a *assertion) text() (string, error) {
	if s, ok := scalar(a.value); ok {
		return s, nil
	}
	if a.value == nil {
		return "", errors.New("value is missing")
	}
	return "", errors.New("value must be a text")
}

// separated is texts, of one text those between its commas.
func (a *assertion) separated() (list []string, err error) {
	s, ok := a.value.(string)
	if !ok {
		return a.texts()
	}
	for one := range strings.SplitSeq(s, ",") {
		list = append(list, strings.TrimSpace(one))
	}
	return list, nil
}

// texts is the value as a list of texts, or as a list of one.
func (a *assertion) texts() (list []string, err error) {
	items, ok := a.value.([]any)
	if !ok {
		items = []any{a.value}
	}
	for _, item := range items {
		s, err := (&assertion{value: item}).text()
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	if len(list) == 0 {
		return nil, errors.New("value is an empty list")
	}
	return list, nil
}

// least is the threshold, or what it is without one.
func (a *assertion) least(otherwise float64) float64 {
	if a.limited {
		return a.threshold
	}
	return otherwise
}

// whole checks that a threshold is a whole number, 0 or more.
func whole(f float64) (float64, error) {
	if f < 0 || f != math.Trunc(f) {
		return 0, fmt.Errorf("threshold must be a whole number, 0 or more, not %v", f)
	}
	return f, nil
}
