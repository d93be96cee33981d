package promptfoo

import (
	"errors"
	"regexp"
	"strings"

	"cairn/internal/team/cases"
)

// Reasons that several types share.
var (
	errCode    = errors.New("cairn does not run code from a configuration; use command to run a program of yours")
	errMarkup  = errors.New("cairn has no such check; use command to run a program of yours")
	errMeasure = errors.New("cairn has no such metric")
	errRunner  = errors.New("cairn does not see how the answer was produced; write it into the output and use equals with path")
	errAcross  = errors.New("it compares the outputs of several providers; use cairn eval judge --type pairwise_check to compare two runs")
	errTalk    = errors.New("cairn has no such metric; ask a judge with quality_check and criteria: relevance")
	errRAG     = errors.New("cairn has no metric for retrieved context; ask a judge with quality_check and criteria in words")
)

// unconverted maps the types without a counterpart to the reason.
var unconverted = map[string]error{
	"javascript": errCode, "python": errCode, "ruby": errCode, "webhook": errCode,
	"is-html": errMarkup, "contains-html": errMarkup, "is-xml": errMarkup, "contains-xml": errMarkup, "is-sql": errMarkup, "contains-sql": errMarkup,
	"is-valid-function-call": errMarkup, "is-valid-openai-function-call": errMarkup, "is-valid-openai-tools-call": errMarkup,
	"bleu": errMeasure, "gleu": errMeasure, "meteor": errMeasure, "perplexity": errMeasure, "perplexity-score": errMeasure, "classifier": errMeasure, "moderation": errMeasure, "guardrails": errMeasure,
	"pi": errMeasure, "is-refusal": errMeasure, "tool-call-f1": errMeasure, "human": errMeasure,
	"finish-reason": errRunner, "trace-span-count": errRunner, "trace-span-duration": errRunner, "trace-error-spans": errRunner,
	"select-best": errAcross, "max-score": errAcross,
	"answer-relevance": errTalk, "context-recall": errRAG, "context-relevance": errRAG, "context-faithfulness": errRAG, "conversation-relevance": errTalk,
	"search-rubric": errors.New("cairn's judges do not search"), "agent-rubric": errors.New("cairn's judges do not run agents"),
}

// expectation converts an assertion of a type.
func (a *assertion) expectation(kind string) (Expectation, error) {
	positive, negated := strings.CutPrefix(kind, "not-")
	if err := unconverted[positive]; err != nil {
		return nil, err
	}
	if p, ok := matching[kind]; ok {
		return a.patterns(p)
	}
	e, err := a.positive(positive)
	if err != nil || !negated {
		return e, err
	}
	return Expectation{{"type", "not"}, {"expectation", e}}, nil
}

func (a *assertion) positive(kind string) (Expectation, error) {
	if p, ok := matching[kind]; ok {
		return a.patterns(p)
	}
	switch kind {
	case "equals":
		if a.value == nil {
			return nil, errors.New("value is missing")
		}
		if v, ok := a.value.(string); !ok || strings.TrimSpace(v) != "" {
			return Expectation{{"type", "equals"}, {"value", a.value}}, nil
		}
		return nil, errors.New("cairn never passes an empty output")
	case "is-json":
		return a.json("json_schema")
	case "contains-json":
		return a.json("contains_json")
	case "levenshtein":
		most, err := whole(a.least(5))
		return a.with("levenshtein", err, Key{"max_distance", most})
	case "rouge-n":
		return a.with("rouge", nil, Key{"min", a.least(0.75)})
	case "similar", "similar:cosine":
		if _, isList := a.value.([]any); isList {
			return a.anyOf(kind)
		}
		return a.with("similar", nil, Key{"threshold", a.least(0.75)})
	case "similar:dot", "similar:euclidean":
		return nil, errors.New("cairn compares embeddings only by cosine")
	case "latency":
		return a.limit("latency", "max_ms")
	case "cost":
		return a.limit("cost", "max_usd")
	case "word-count":
		return a.wordCount()
	case "llm-rubric", "model-graded-closedqa", "g-eval":
		return a.rubric()
	case "factuality", "model-graded-factuality":
		return a.with("reference_check", nil)
	case "trajectory:tool-used":
		return a.used("tool_called", "tool")
	case "skill-used":
		return a.used("skill_used", "skill")
	case "trajectory:tool-sequence":
		return a.sequence()
	}
	if strings.HasPrefix(kind, "promptfoo:redteam:") {
		return nil, errors.New("it grades an attack of promptfoo's red teaming")
	}
	return nil, errors.New("cairn does not know this type")
}

// A match is how texts that are looked for become patterns.
type match struct {
	kind    string
	several bool // the value is a list
	write   func(string) (string, error)
}

// matching are the types that look for texts, with the negations that have a
// type of their own.
var matching = map[string]match{
	"contains":          {"response_contains", false, plainPattern},
	"contains-all":      {"response_contains", true, plainPattern},
	"contains-any":      {"response_contains_any", true, plainPattern},
	"not-contains":      {"response_excludes", false, plainPattern},
	"not-contains-any":  {"response_excludes", true, plainPattern},
	"icontains":         {"response_contains", false, anyCase},
	"icontains-all":     {"response_contains", true, anyCase},
	"icontains-any":     {"response_contains_any", true, anyCase},
	"not-icontains":     {"response_excludes", false, anyCase},
	"not-icontains-any": {"response_excludes", true, anyCase},
	"regex":             {"response_contains", false, expression},
	"not-regex":         {"response_excludes", false, expression},
	"starts-with":       {"response_contains", false, prefix},
}

func (a *assertion) patterns(m match) (Expectation, error) {
	read := a.texts
	if m.several {
		read = a.separated
	}
	list, err := read()
	if err != nil {
		return nil, err
	}
	var patterns []any
	for _, s := range list {
		if s == "" {
			return nil, errors.New("every text contains an empty text")
		}
		pattern, err := m.write(s)
		if err != nil {
			return nil, err
		}
		patterns = append(patterns, pattern)
	}
	return Expectation{{"type", m.kind}, {"patterns", patterns}}, nil
}

// plainPattern is a text as a pattern: quoted where it looks like an expression.
func plainPattern(s string) (string, error) {
	p, err := cases.ParsePattern(s)
	if err == nil && p.In(s) && s[0] != '/' {
		return s, nil
	}
	return "/" + regexp.QuoteMeta(s) + "/", nil
}

func prefix(s string) (string, error) { return `/\A` + regexp.QuoteMeta(s) + "/", nil }

func anyCase(s string) (string, error) { return "/" + regexp.QuoteMeta(s) + "/i", nil }

func expression(s string) (string, error) {
	pattern := "/" + s + "/"
	if strings.HasPrefix(s, "(?i)") {
		pattern = "/" + s[len("(?i)"):] + "/i"
	}
	_, err := cases.ParsePattern(pattern)
	return pattern, err
}

// with is an expectation that compares with the value.
func (a *assertion) with(kind string, err error, keys ...Key) (Expectation, error) {
	if err != nil {
		return nil, err
	}
	s, err := a.text()
	if err != nil {
		return nil, err
	}
	return append(Expectation{{"type", kind}, {"value", s}}, keys...), nil
}

// anyOf joins an assertion for each of the values: one has to hold.
func (a *assertion) anyOf(kind string) (Expectation, error) {
	var parts []Expectation
	for _, v := range a.value.([]any) {
		one := assertion{value: v, threshold: a.threshold, limited: a.limited}
		e, err := one.positive(kind)
		if err != nil {
			return nil, err
		}
		parts = append(parts, e)
	}
	return Expectation{{"type", "any_of"}, {"expectations", parts}}, nil
}

func (a *assertion) limit(kind, key string) (Expectation, error) {
	if !a.limited {
		return nil, errors.New("threshold is missing")
	}
	return Expectation{{"type", kind}, {key, a.threshold}}, nil
}

// json is an expectation of JSON, with a schema where there is one.
func (a *assertion) json(kind string) (Expectation, error) {
	e := Expectation{{"type", kind}}
	schema := a.value
	if s, ok := schema.(string); ok && strings.TrimSpace(s) != "" {
		docs, err := cases.ParseYAML("", []byte(s))
		if err != nil || len(docs) != 1 {
			return nil, errors.New("the schema must be JSON or YAML")
		}
		schema = docs[0].Value()
	}
	switch schema.(type) {
	case nil, string:
		return e, nil
	}
	return append(e, Key{"schema", schema}), nil
}

func (a *assertion) wordCount() (Expectation, error) {
	e := Expectation{{"type", "word_count_range"}}
	switch v := a.value.(type) {
	case float64:
		return append(e, Key{"min", v}, Key{"max", v}), nil
	case map[string]any:
		for _, key := range []string{"min", "max"} {
			if n, ok := v[key].(float64); ok {
				e = append(e, Key{key, n})
			}
		}
		if len(e) > 1 {
			return e, nil
		}
	}
	return nil, errors.New("value must be a number or {min, max}")
}

// rubric is a question in words to a judge.
func (a *assertion) rubric() (Expectation, error) {
	lines, err := a.texts()
	if err != nil {
		return nil, err
	}
	words := strings.TrimSpace(strings.Join(lines, "\n"))
	if words == "" {
		return nil, errors.New("value is missing")
	}
	if !strings.ContainsAny(words, " \n") { // a word alone is the name of a criterion
		words = "Is this so: " + words
	}
	e := Expectation{{"type", "quality_check"}, {"criteria", words}}
	if a.limited && a.threshold > 0 {
		e = append(e, Key{"threshold", a.threshold})
	}
	return e, nil
}

// used is an expectation of tools or skills, each of which has to be used.
func (a *assertion) used(kind, key string) (Expectation, error) {
	names, ok := a.value.([]any)
	if !ok {
		names = []any{a.value}
	}
	var parts []Expectation
	for _, n := range names {
		name, ok := n.(string)
		if !ok || name == "" || strings.ContainsAny(name, "*?") {
			return nil, errors.New("value must be a name or a list of names, without * and ?")
		}
		parts = append(parts, Expectation{{"type", kind}, {key, name}})
	}
	switch len(parts) {
	case 0:
		return nil, errors.New("value is an empty list")
	case 1:
		return parts[0], nil
	}
	return Expectation{{"type", "all_of"}, {"expectations", parts}}, nil
}

func (a *assertion) sequence() (Expectation, error) {
	steps, exact := a.value, false
	if object, ok := steps.(map[string]any); ok {
		mode, _ := object["mode"].(string)
		steps, exact = object["steps"], mode == "exact"
	}
	list, ok := steps.([]any)
	if !ok {
		return nil, errors.New("value must be a list of names, without * and ?")
	}
	for _, s := range list {
		if name, ok := s.(string); !ok || strings.ContainsAny(name, "*?") {
			return nil, errors.New("value must be a list of names, without * and ?")
		}
	}
	e := Expectation{{"type", "tool_sequence"}, {"tools", list}}
	if exact {
		e = append(e, Key{"exact", true})
	}
	return e, nil
}
