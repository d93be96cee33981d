package rule

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"cairn/internal/compact/shell"
)

// A Turn is one of several commands whose outputs follow each other without a
// word between them: the content tells where each begins.
type Turn struct {
	Call shell.Call // the zero value where only the content is known
	ID   string     // its rule; "" where the output may be that of any tool
	by   suspect
}

// Hits returns how many of its patterns text has.
func (t *Turn) Hits(text string) int { return t.by.hits(text) }

// Turns returns the commands that wrote one output, in order, if the sample is
// that of several: those of the command line, or behind one that runs a project's
// hooks whatever tools the sample looks like. It is empty where one rule is enough.
func (l *Library) Turns(t Target) (out []Turn) {
	entries := l.entries(cmp.Or(t.Tool, "Bash"))
	told := false // one besides the first can be told by its content
	for _, call := range t.Command.Calls {
		if call.Silent {
			continue
		}
		e := matchCall(entries, call)
		turn := Turn{Call: call}
		switch {
		case call.Filtered, e != nil && (e.Match.Source || e.Tier != BuiltIn):
			return nil
		case e == nil || e.Match.Wrapper || e.Data || !e.prints():
		case e.Match.Hooks:
			if len(out) == 0 {
				hooks := l.hookTurns(t)
				out, told = append(append(out, turn), hooks...), len(hooks) > 0
				continue
			}
		default:
			turn.ID = e.ID
			for i, p := range e.Match.Patterns {
				turn.by.patterns = append(turn.by.patterns, &suspicion{pattern: p, needs: e.needs[i]})
			}
		}
		if n := len(out); n > 0 && out[n-1].ID == turn.ID && turn.ID != "" {
			continue
		}
		told = told || len(out) > 0 && turn.Hits(t.sample()) > 0
		out = append(out, turn)
	}
	if !told {
		return nil
	}
	return out
}

// hookTurns are the tools that the sample looks like, in the order they appear.
// What looks like several of them is the one it looks like most, and behind a
// test runner there is none: tests print what any tool does.
func (l *Library) hookTurns(t Target) (out []Turn) {
	sample := t.sample()
	first, hits := map[string]int{}, map[string]int{}
	for _, s := range l.Suspects(t.Tool, sample) {
		hits[s.id] = s.hits(sample)
		switch {
		case hits[s.id] == 0:
			continue
		case s.id == "lint/hooks":
			return nil // it says itself which tool comes
		case !s.tool || strings.HasPrefix(s.id, "git/"):
			continue
		}
		first[s.id] = math.MaxInt
		n := 0
		for line := range strings.Lines(sample) {
			if s.hits(line) > 0 {
				first[s.id] = n
				break
			}
			n++
		}
		out = append(out, Turn{ID: s.id, by: s})
	}
	tests := func(t Turn) bool { return strings.HasPrefix(t.ID, "tests/") }
	all := slices.Clone(out)
	out = slices.DeleteFunc(out, func(a Turn) bool {
		return slices.ContainsFunc(all, func(b Turn) bool {
			return (first[a.ID] == first[b.ID] || tests(a) && tests(b)) && hits[a.ID] < hits[b.ID]
		})
	})
	slices.SortStableFunc(out, func(a, b Turn) int { return cmp.Compare(first[a.ID], first[b.ID]) })
	if i := slices.IndexFunc(out, tests); i >= 0 {
		out = out[:i+1]
	}
	return out
}
