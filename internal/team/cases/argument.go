package cases

import (
	"slices"
	"strings"

	"cairn/internal/term"
)

// valueReader reads the value of one key and says what is wrong with it.
type valueReader struct {
	key *Key
	say func(at Position, format string, args ...any)
}

// wanted says what the value must be instead.
func (r valueReader) wanted(n *node, what string) (any, bool) {
	r.say(n.at, "%s must be %s, not %s", r.key.Name, what, n.described())
	return nil, false
}

// read turns what was written into an argument.
func (r valueReader) read(n *node) (value any, ok bool) {
	if w, _ := n.word(); len(r.key.Among) > 0 && !slices.Contains(r.key.Among, w) {
		return r.wanted(n, "one of "+strings.Join(r.key.Among, ", "))
	}
	switch r.key.Kind {
	case Number, Count, Percent, Share:
		return r.number(n)
	case Text, Grade, Where, OneOf:
		w, ok := n.word()
		switch {
		case !ok:
			return r.wanted(n, "a text")
		case strings.TrimSpace(w) == "":
			r.say(n.at, "%s is empty", r.key.Name)
			return nil, false
		}
		return r.text(n, w)
	case Texts:
		return several(r, n, func(w string) (string, error) { return w, nil })
	case Patterns:
		return several(r, n, ParsePattern)
	case Places:
		return several(r, n, ParsePath)
	case Bool:
		if n.kind != boolean {
			return r.wanted(n, "true or false")
		}
		return n.text == "true", true
	case Scalar:
		if n.kind == object || n.kind == list || n.kind == null {
			return r.wanted(n, "a text, a number, true or false")
		}
		return n.value(), true
	case Matches:
		return r.matches(n)
	case Any:
		if n.kind == null {
			return r.wanted(n, "a value")
		}
		return n.value(), true
	case Shape:
		if n.kind != object && n.kind != boolean {
			return r.wanted(n, "a JSON Schema (an object)")
		}
		schema, err := ParseSchema(n.value())
		if err != nil {
			r.say(n.at, "%s is not a usable JSON Schema: %s", r.key.Name, term.Line(err.Error()))
		}
		return schema, err == nil
	}
	return r.wanted(n, r.key.Kind.String())
}

func (r valueReader) number(n *node) (any, bool) {
	if n.kind != number {
		return r.wanted(n, "a number")
	}
	switch r.key.Kind {
	case Count:
		if n.number != float64(int64(n.number)) || n.number < 0 || n.number > 1e12 {
			return r.wanted(n, "a whole number, 0 or more")
		}
	case Percent:
		if n.number < 0 || n.number > 100 {
			return r.wanted(n, "a percentage from 0 to 100")
		}
	case Share:
		if n.number < 0 || n.number > 1 {
			return r.wanted(n, "a number from 0 to 1")
		}
	}
	return n.number, true
}

func (r valueReader) text(n *node, w string) (any, bool) {
	switch r.key.Kind {
	case Grade:
		if _, ok := Severity(w); !ok {
			return r.wanted(n, "one of these (harmless to worst): "+Severities())
		}
	case Where:
		return parsed(r, n, w, ParsePath)
	case OneOf:
		p, ok := parsed(r, n, w, ParsePattern)
		return []Pattern{p}, ok
	}
	return w, true
}

// parsed is what a text says, if it can be parsed.
func parsed[T any](r valueReader, n *node, w string, parse func(string) (T, error)) (T, bool) {
	v, err := parse(w)
	if err != nil {
		r.say(n.at, "%s", err)
	}
	return v, err == nil
}

// several reads texts, patterns or paths; one stands for a list of one.
func several[T any](r valueReader, n *node, parse func(string) (T, error)) (any, bool) {
	items := n.list()
	if len(items) == 0 {
		r.say(n.at, "%s is an empty list", r.key.Name)
		return nil, false
	}
	var values []T
	all := true
	for _, item := range items {
		w, ok := item.word()
		if !ok {
			r.wanted(item, "a text")
			all = false
			continue
		}
		v, ok := parsed(r, item, w, parse)
		values, all = append(values, v), all && ok
	}
	return values, all
}

func (r valueReader) matches(n *node) (any, bool) {
	if n.kind != object || len(n.fields) == 0 {
		return r.wanted(n, "an object such as {query: housing}")
	}
	var matches []Match
	all := true
	for _, f := range n.fields {
		path, ok := parsed(r, &node{at: f.at}, f.name, ParsePath)
		if !ok {
			all = false
			continue
		}
		m := Match{Path: path, Given: f.name, Value: f.value.value()}
		switch f.value.kind {
		case str:
			p, ok := parsed(r, f.value, f.value.text, ParsePattern)
			m.Pattern, all = &p, all && ok
		case null:
			r.say(f.at, "%s.%s has no value", r.key.Name, shown(f.name))
			all = false
		}
		matches = append(matches, m)
	}
	return matches, all
}

// described says what stands there: a short scalar itself, else its kind.
func (n *node) described() string {
	switch n.kind {
	case number, boolean:
		return shown(n.text)
	case str:
		return "the text \"" + shown(n.text) + "\""
	}
	return n.kind.String()
}
