package grade

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"cairn/internal/team/cases"
	"cairn/internal/text"
)

func toolTypes() []Type {
	return []Type{
		{cases.Spec{Name: "tool_called", Category: "Tool calling", Reads: toolCalls,
			About: "The tool was called; with input_contains, in one call every named member of the input contains the pattern (or equals the number, true or false). " +
				"With required: false the tool need not be called, but if it is, its input has to be so. Calls are {name, input}, or as OpenAI and Anthropic write them.",
			Keys: []cases.Key{{Name: "tool", Kind: cases.Text, Required: true}, {Name: "required", Kind: cases.Bool, Default: "true"}, {Name: "input_contains", Kind: cases.Matches}}}, of((*exam).calls, toolCalled)},
		{cases.Spec{Name: "tool_not_called", Category: "Tool calling", Reads: toolCalls,
			About: "The tool was not called. An output that does not list its calls fails; an empty list passes.",
			Keys:  []cases.Key{{Name: "tool", Kind: cases.Text, Required: true}}}, of((*exam).calls, toolNotCalled)},
	}
}

var toolCalls = []string{"tool_calls", "tools"}

type call struct {
	name  string
	input any
}

// calls reads the calls of the output.
func (x *exam) calls() (calls []call, ok bool) {
	l, ok := x.readList()
	for i, v := range l.all {
		name, ok := member(v, asText, "name", "tool", "tool_name")
		input, _ := member(v, asAny, "input", "arguments", "args", "parameters")
		if function, nested := lookup(v, "function"); nested && !ok {
			name, ok = member(function, asText, "name")
			input, _ = member(function, asAny, "arguments")
		}
		if !ok {
			x.fail("%s[%d] has no name of a tool", l.at, i)
			return nil, false
		}
		if s, isText := input.(string); isText { // arguments as JSON in a text
			var decoded any
			if json.Unmarshal([]byte(s), &decoded) == nil {
				input = decoded
			}
		}
		calls = append(calls, call{name, input})
	}
	return calls, ok
}

func toolCalled(x *exam, calls []call) {
	tool, matches := x.text("tool"), x.want.Matches("input_contains")
	called, least := 0, matches
	for _, c := range calls {
		if c.name != tool {
			continue
		}
		called++
		var missed []cases.Match
		for _, m := range matches {
			if v, ok := m.Path.In(c.input); !ok || !holds(m, v) {
				missed = append(missed, m)
			}
		}
		if len(missed) == 0 {
			return
		}
		if called == 1 || len(missed) < len(least) {
			least = missed
		}
	}
	if called == 0 {
		if x.want.Bool("required") {
			var names []string
			for _, c := range calls {
				names = append(names, c.name)
			}
			x.differ(tool, names, "tool %s was not called", tool)
		}
		return
	}
	for _, m := range least {
		f := x.fail("tool %s was called %d×, never with %s in input.%s", tool, called, spoken(m.Value), text.First(m.Given, mostShort))
		f.Expected = encoded(m.Value)
		if m.Pattern != nil {
			f.Pattern = m.Pattern.Given
		}
	}
}

// holds reports whether a value of the output is what a match asks for. Of a
// list one entry has to be.
func holds(m cases.Match, v any) bool {
	if m.Pattern == nil {
		return same(m.Value, v)
	}
	switch v := v.(type) {
	case string:
		return m.Pattern.In(v)
	case []any:
		return slices.ContainsFunc(v, func(item any) bool { return holds(m, item) })
	case map[string]any, nil:
		return false
	}
	return m.Pattern.In(strings.Trim(spoken(v), `"`))
}

func toolNotCalled(x *exam, calls []call) {
	tool, n := x.text("tool"), 0
	for _, c := range calls {
		if c.name == tool {
			n++
		}
	}
	if n > 0 {
		x.differ(0, n, "tool %s was called %d×", tool, n)
	}
}
