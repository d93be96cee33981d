package rule

import (
	"encoding/json"
	"regexp"
	"sort"
	"strings"

	"cairn/internal/compact/command"
)

// A Target is what a rule is chosen for.
type Target struct {
	Tool    string // "Bash" when ""
	Command command.Parsed
	Sample  string // the beginning, and if known the end, of the output
}

// Find returns the id of the rule for t, or "" when only the generic one
// fits. The commands decide: the longest matching prefix, ties by id. When no
// command matches, when the one that does runs another tool, or when several
// commands of different rules wrote the output, the content decides. A rule
// that knows no content of its own (a listing, matches) is not for an output
// that a command without a rule began.
func (l *Library) Find(t Target) string {
	tool := t.Tool
	if tool == "" {
		tool = "Bash"
	}
	entries := l.entries(tool)
	byCommand, wrapper, mixed, foreign := "", false, false, false
	for _, call := range t.Command.Calls {
		if call.Silent {
			continue
		}
		found := matchCall(entries, call)
		if byCommand != "" && found.id != byCommand || foreign && found.id != "" && len(found.patterns) == 0 {
			mixed = true
		}
		foreign = foreign || found.id == "" && call.Name != "echo" && call.Name != "printf"
		byCommand, wrapper = found.id, found.wrapper
	}
	if byCommand != "" && !wrapper && !mixed {
		return byCommand
	}
	if id := sniff(entries, t.Sample); id != "" {
		return id
	}
	if mixed {
		return ""
	}
	return byCommand
}

// matchCall returns the rule whose command prefix of call is longest, an empty
// one when there is none.
func matchCall(entries []entry, call command.Call) (found entry) {
	best := 0
	for i := range entries {
		for _, prefix := range entries[i].commands {
			if !strings.HasPrefix(prefix, call.Name) {
				continue
			}
			words := strings.Fields(prefix)
			if len(words) > best && call.HasPrefix(words) {
				best, found = len(words), entries[i]
			}
		}
	}
	return found
}

// sniff returns the rule with the most patterns found in the sample.
func sniff(entries []entry, sample string) string {
	best, id := 0, ""
	for i := range entries {
		n := 0
		for j, p := range entries[i].patterns {
			if lit := entries[i].literals[j]; lit != "" && !strings.Contains(sample, lit) {
				continue
			}
			if re, err := regexp.Compile("(?m)" + p); err == nil && re.MatchString(sample) {
				n++
			}
		}
		if n > best {
			best, id = n, entries[i].id
		}
	}
	return id
}

// entries returns what matching needs of every rule for a tool, by id.
func (l *Library) entries(tool string) []entry {
	out := make([]entry, 0, len(index)+len(l.user))
	for i := range index {
		if l.user[index[i].id] == nil && forTool(index[i].tools, tool) {
			out = append(out, index[i])
		}
	}
	if len(l.user) == 0 {
		return out
	}
	for id := range l.user {
		r, err := l.Rule(id)
		if err != nil || r == nil || !forTool(r.Match.Tools, tool) {
			continue
		}
		out = append(out, entry{
			id: id, tools: r.Match.Tools, commands: r.Match.Commands, wrapper: r.Match.Wrapper,
			patterns: r.Match.Patterns, literals: make([]string, len(r.Match.Patterns)),
		})
	}
	sort.Slice(out, func(i, j int) bool { return out[i].id < out[j].id })
	return out
}

func forTool(tools []string, tool string) bool {
	if len(tools) == 0 {
		return tool == "Bash"
	}
	for _, t := range tools {
		if t == tool || strings.HasSuffix(t, "*") && strings.HasPrefix(tool, t[:len(t)-1]) {
			return true
		}
	}
	return false
}

// Generic is the rule for what no rule fits: clean, fold repeats, keep both
// ends and every failure.
func Generic() *Rule {
	return &Rule{
		ID: "generic", Source: "built-in",
		Primitives: Primitives{
			Dedupe:   &Dedupe{Normalize: true},
			Truncate: &Truncate{HeadLines: 30, TailLines: 20, OnFailure: &Window{HeadLines: 30, TailLines: 40}},
		},
	}
}

// JSON returns r as a rule file would hold it.
func (r *Rule) JSON() ([]byte, error) { return json.MarshalIndent(r, "", "  ") }
