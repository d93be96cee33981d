package health

import (
	"fmt"
	"strings"

	"cairn/internal/plan"
)

// unlistedRequirements tells of requirements that a phase of the milestone names and
// REQUIREMENTS.md does not have.
func unlistedRequirements(l *look) (out []Finding) {
	for _, t := range l.traces() {
		if !t.Listed && len(t.Phases) > 0 {
			out = append(out, Finding{
				Message: fmt.Sprintf("%s is a requirement of phase %s, and not in REQUIREMENTS.md", t.ID, strings.Join(t.Phases, ", ")), Path: l.Path("REQUIREMENTS.md"),
			})
		}
	}
	return out
}

// uncoveredRequirements tells of open requirements that no phase has, where phases
// have any.
func uncoveredRequirements(l *look) (out []Finding) {
	used, lines := false, map[string]int{}
	for _, t := range l.traces() {
		used = used || len(t.Phases) > 0
		if len(lines) == 0 {
			for _, it := range l.Requirements().Items {
				lines[it.ID] = it.Line + 1
			}
		}
		if t.Listed && !t.Done && len(t.Phases) == 0 {
			out = append(out, Finding{Message: t.ID + " is in no phase", Path: l.Path("REQUIREMENTS.md"), Line: lines[t.ID]})
		}
	}
	if !used {
		return nil
	}
	return out
}

// traces are the requirements of a plan that lists some.
func (l *look) traces() []plan.Trace {
	if l.text(l.Path("REQUIREMENTS.md")) == nil || l.unreadable(l.Path("ROADMAP.md")) || len(l.Requirements().Items) == 0 {
		return nil
	}
	return l.TraceRequirements(false)
}
