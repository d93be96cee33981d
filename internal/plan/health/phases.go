package health

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"

	"cairn/internal/plan"
	"cairn/internal/plan/doc"
)

// statePhases: every `Phase 3` in STATE.md is a phase of roadmap, disk or
// archive. Without a roadmap that is what is wrong.
func statePhases(l *look) []Finding {
	var out []Finding
	for _, m := range l.lostPhases(l.all) {
		out = append(out, Finding{
			Message: fmt.Sprintf("STATE.md references phase %s, but there is no such phase", m.written),
			Path:    l.Path("STATE.md"), Line: m.line + 1,
		})
	}
	return out
}

// mention is a phase that a line names.
type mention struct {
	id      doc.PhaseID
	written string
	line    int
}

// lostPhases returns the first mention in STATE.md of each phase that is none of all.
func (l *look) lostPhases(all []*plan.Phase) (out []mention) {
	if l.state == nil || l.roadmap == nil {
		return nil
	}
	known := func(id doc.PhaseID) bool {
		return slices.ContainsFunc(all, func(p *plan.Phase) bool { return p.ID.Same(id) }) ||
			slices.ContainsFunc(l.roadmap.Ranges, func(r doc.PhaseRange) bool { return r.Holds(id) }) ||
			slices.ContainsFunc(out, func(m mention) bool { return m.id.Padded() == id.Padded() })
	}
	for i := l.state.Body(); i < l.state.Len(); i++ {
		if l.state.Code(i) || l.past(i) {
			continue
		}
		for _, written := range phaseMentions(l.state.Line(i)) {
			if id, ok := doc.ParsePhaseID(written); ok && !known(id) {
				out = append(out, mention{id, written, i})
			}
		}
	}
	return out
}

// past reports whether a line of STATE.md tells what happened or was decided once:
// of phases that may be gone.
func (l *look) past(i int) bool {
	state := doc.State{Text: l.state}
	evolution, _ := l.state.Section("Roadmap Evolution")
	decisions, _ := state.Decisions()
	for _, s := range []doc.Section{evolution, decisions} {
		if s.Start <= i && i < s.End {
			return true
		}
	}
	for _, f := range l.state.Fields(i, i+1) {
		if strings.EqualFold(f.Name, "Last activity") || strings.EqualFold(f.Name, "Last Activity Description") {
			return true
		}
	}
	return false
}

// phaseMentions returns the ids in `… Phase 3 …`, as they are written.
func phaseMentions(line string) []string {
	var out []string
	low := strings.ToLower(line)
	for at := 0; ; {
		i := strings.Index(low[at:], "phase ")
		if i < 0 {
			return out
		}
		at += i + len("phase ")
		if at > len(line) {
			return out
		}
		end := at
		for end < len(line) && (line[end] >= '0' && line[end] <= '9' || line[end] == '.' && end+1 < len(line) && line[end+1] >= '0' && line[end+1] <= '9' && end > at) {
			end++
		}
		if end > at && end < len(line) && line[end] >= 'A' && line[end] <= 'Z' && (end+1 == len(line) || line[end+1] < 'A') {
			end++
		}
		if end > at {
			out = append(out, line[at:end])
		}
		at = end
	}
}

// inSlug: letters of any script, as phase add takes them from a name.
func inSlug(r rune) bool {
	return r == '-' || r == '_' || unicode.In(r, unicode.L, unicode.M, unicode.Nd)
}

// dirNames: a directory in phases/ has an id, its number two digits or more,
// and a slug.
func dirNames(l *look) []Finding {
	var out []Finding
	for _, e := range l.entries(l.Path("phases")) {
		if !e.Dir || strings.HasPrefix(e.Name, ".") {
			continue
		}
		id, slug, ok := doc.DirPhaseID(e.Name)
		padded := id.Number < 0 || strings.Contains(e.Name, id.Padded())
		if ok && slug != "" && padded && strings.TrimFunc(slug, inSlug) == "" {
			continue
		}
		out = append(out, Finding{
			Message: fmt.Sprintf("phase directory %q has no name such as 02-api", e.Name), Path: l.Path("phases", e.Name),
		})
	}
	return out
}

// phasesWithoutDir: a phase of the milestone that is complete has a directory.
// One that nothing was done for yet needs none.
func phasesWithoutDir(l *look) []Finding {
	var out []Finding
	for _, p := range l.phases {
		if p.Dir != "" || p.Claimed() != doc.SaysDone || l.archived(p.ID) {
			continue
		}
		out = append(out, Finding{
			Message: fmt.Sprintf("Phase %s is in ROADMAP.md, but has no directory", p.ID), Path: l.Path("ROADMAP.md"), Line: roadmapLine(p),
		})
	}
	return out
}

func (l *look) archived(id doc.PhaseID) bool {
	for _, p := range l.all {
		if p.Archived != "" && p.ID.Same(id) {
			return true
		}
	}
	return false
}

func roadmapLine(p *plan.Phase) int {
	switch {
	case p.Section != nil:
		return p.Section.Line + 1
	case p.Box != nil:
		return p.Box.Line + 1
	}
	return 0
}

func dirsWithoutPhase(l *look) []Finding {
	if l.roadmap == nil {
		return nil
	}
	var out []Finding
	for _, p := range l.dirs() {
		if _, ok := l.roadmap.Phase(p.ID); ok {
			continue
		}
		if _, ok := l.roadmap.Box(p.ID); ok || p.Empty() || len(p.Claims()) > 0 {
			continue
		}
		out = append(out, Finding{Message: fmt.Sprintf("Phase %s exists on disk, but is not in ROADMAP.md", p.ID.Padded()), Path: p.Dir})
	}
	return out
}

// validation: research that plans the validation is followed by a
// VALIDATION.md, unless that step is off.
func validation(l *look) []Finding {
	if !l.settings.Bool("workflow.nyquist_validation") {
		return nil
	}
	var out []Finding
	for _, p := range l.dirs() {
		name := p.File("RESEARCH")
		if name == "" || p.File("VALIDATION") != "" {
			continue
		}
		name = path.Join(p.Dir, name)
		if t := l.text(name); t != nil {
			if s, ok := t.Section("Validation Architecture"); ok {
				out = append(out, Finding{
					Message: fmt.Sprintf("Phase %s: RESEARCH.md has a Validation Architecture, but there is no VALIDATION.md", p.ID.Padded()),
					Path:    name, Line: s.Line + 1,
				})
			}
		}
	}
	return out
}

// stateTicked: the phase that STATE.md works on is not ticked in the roadmap,
// unless everything is complete.
func stateTicked(l *look) []Finding {
	if l.state == nil || l.roadmap == nil {
		return nil
	}
	state := doc.State{Text: l.state}
	f, ok := l.state.Field(l.state.Body(), l.state.Len(), "Current Phase")
	if !ok {
		f, ok = state.PositionField("Phase")
	}
	first, _, _ := strings.Cut(f.Value, " ")
	id, isID := doc.ParsePhaseID(first)
	if !ok || !isID || isDone(state.Value("Status")) || isDone(l.state.Front().Get("status").Text()) {
		return nil
	}
	if !slices.ContainsFunc(l.phases, func(p *plan.Phase) bool { return p.ID.Same(id) && l.Closed(p) }) {
		return nil // nor where the roadmap contradicts itself: D010 says so
	}
	return []Finding{{
		Message: fmt.Sprintf("STATE.md is at phase %s, which ROADMAP.md shows as complete", first), Path: l.Path("STATE.md"), Line: f.Line + 1,
		Fix: "cairn plan phase complete " + first + " goes on to the next phase",
	}}
}

func isDone(status string) bool {
	status = strings.ToLower(status)
	return strings.Contains(status, "complete") || strings.Contains(status, "done")
}
