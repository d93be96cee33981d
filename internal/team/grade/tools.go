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
			Also: []cases.Also{{Name: "trajectory:tool-used"}, {Name: "trajectory:tool-args-match", How: "with input_contains"}},
			About: "The tool was called; with input_contains, in one call every named member of the input contains the pattern (or equals the number, true or false). " +
				"With required: false the tool need not be called, but if it is, its input has to be so. Calls are {name, input}, or as OpenAI and Anthropic write them.",
			Keys: []cases.Key{{Name: "tool", Kind: cases.Text, Required: true}, {Name: "required", Kind: cases.Bool, Default: "true"}, {Name: "input_contains", Kind: cases.Matches}}}, of((*exam).calls, toolCalled)},
		{cases.Spec{Name: "tool_not_called", Category: "Tool calling", Reads: toolCalls,
			About: "The tool was not called. An output that does not list its calls fails; an empty list passes.",
			Keys:  []cases.Key{{Name: "tool", Kind: cases.Text, Required: true}}}, of((*exam).calls, toolNotCalled)},
		{cases.Spec{Name: "tool_sequence", Category: "Tool calling", Reads: toolCalls, Also: []cases.Also{{Name: "trajectory:tool-sequence"}, {Name: "tool_order"}},
			About: "The tools were called in this order. Other calls may come before, between and after; with exact: true there are no others.",
			Keys:  []cases.Key{{Name: "tools", Kind: cases.Texts, Required: true}, {Name: "exact", Kind: cases.Bool, Default: "false"}}}, of((*exam).calls, toolSequence)},
		{cases.Spec{Name: "skill_used", Category: "Tool calling", Reads: append(toolCalls[:len(toolCalls):len(toolCalls)], skillLists...), Also: []cases.Also{{Name: "skill_called"}},
			About: "The skill was used: a call of the tool Skill names it, or the list of skills does (texts, or objects with name or skill). With required: false it was not used; the output must have a list of calls or skills.",
			Keys:  []cases.Key{{Name: "skill", Kind: cases.Text, Required: true}, {Name: "required", Kind: cases.Bool, Default: "true"}}}, skillUsed},
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
	if !ok {
		return nil, false
	}
	return x.callsIn(l)
}

func (x *exam) callsIn(l entries) (calls []call, ok bool) {
	for i, v := range l.all {
		name, ok := member(v, asText, "name", "tool", "tool_name")
		input, _ := member(v, asAny, "input", "arguments", "args", "parameters")
		if function, nested := lookup(v, "function"); nested && !ok {
			name, ok = member(function, asText, "name")
			input, _ = member(function, asAny, "arguments")
		}
		if !ok {
			x.absent("%s[%d] has no name of a tool", l.at, i)
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
	return calls, true
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
			v, ok := m.Path.In(c.input)
			x.lacks = x.lacks || !ok
			if !ok || !x.holds(m, v) {
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
func (x *exam) holds(m cases.Match, v any) bool {
	if m.Pattern == nil {
		return same(m.Value, v)
	}
	switch v := v.(type) {
	case string:
		return x.finds(*m.Pattern, v)
	case []any:
		return slices.ContainsFunc(v, func(item any) bool { return x.holds(m, item) })
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

func toolSequence(x *exam, calls []call) {
	var names []string
	for _, c := range calls {
		names = append(names, c.name)
	}
	want := x.want.Texts("tools")
	if x.want.Bool("exact") {
		if !slices.Equal(names, want) {
			x.differ(want, names, "the calls must be exactly %s, not %s", inOrder(want), inOrder(names))
		}
		return
	}
	next := 0
	for _, name := range names {
		if next < len(want) && name == want[next] {
			next++
		}
	}
	if next < len(want) {
		x.differ(want, names, "tool %s was not called%s; calls: %s", text.First(want[next], mostShort), after(want[:next]), inOrder(names))
	}
}

func after(before []string) string {
	if len(before) == 0 {
		return ""
	}
	return " after " + inOrder(before)
}

func inOrder(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return text.First(strings.Join(names, ", "), mostShort)
}

// skillLists are where an output lists the skills that were used.
var skillLists = []string{"skill_calls", "skills_used", "skills"}

func skillUsed(x *exam) {
	skill, wanted := x.text("skill"), x.want.Bool("required")
	var used []string
	listed := false
	for _, path := range x.places(skillLists) {
		if v, ok := lookup(x.out.Value, path); ok {
			if list, ok := asList(v); ok {
				listed = true
				for _, one := range list {
					if name, ok := member(one, asText, "name", "skill"); ok {
						used = append(used, name)
					}
				}
			}
		}
	}
	if x.want.Path == nil {
		trial := exam{kase: x.kase, want: x.want, reads: toolCalls, out: x.out}
		if calls, ok := trial.calls(); ok {
			listed = true
			for _, c := range calls {
				if strings.EqualFold(c.name, "skill") {
					name, _ := inObject(c.input, asText, "skill", "name", "command")
					used = append(used, name)
				}
			}
		}
	}
	has := slices.Contains(used, skill)
	switch {
	case !listed:
		x.absent("output has no list of calls or of skills (looked at %s)", strings.Join(x.places(x.reads), ", "))
	case wanted && !has:
		x.differ(skill, used, "skill %s was not used; skills: %s", text.First(skill, mostShort), inOrder(used))
	case !wanted && has:
		x.differ(nil, used, "skill %s was used", text.First(skill, mostShort))
	}
}
