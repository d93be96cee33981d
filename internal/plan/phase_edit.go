package plan

import (
	"fmt"
	"strings"

	"cairn/internal/must"
	"cairn/internal/plan/doc"
	"cairn/internal/term"
)

// PhaseEdit is what to change of a phase; nil leaves a field as it is.
type PhaseEdit struct {
	Name         *string
	Goal         *string
	DependsOn    *string
	Requirements *string
	Mode         *string
}

// EditPhase changes a phase of the current milestone in the roadmap: its name
// wherever that stands, and the fields of its section. A field that is not
// there is added. The directory keeps its name.
func (tx *Tx) EditPhase(id doc.PhaseID, e PhaseEdit) *Phase {
	r := tx.needRoadmap()
	p := tx.Phase(id)
	if p == nil || p.Section == nil || !p.current {
		must.Fail(term.Hint(&PhaseError{id.String(), "has no section in the milestone of ROADMAP.md"}, "cairn plan phase list shows the phases"))
	}
	if e.DependsOn != nil {
		for _, ref := range doc.PhaseRefs(*e.DependsOn) {
			if ref.ID.Same(p.ID) {
				must.Fail(&PhaseError{id.String(), "cannot depend on itself"})
			}
		}
	}
	if e.Name != nil {
		tx.renamePhase(r, p, doc.OneLine(*e.Name))
	}
	if e.Goal != nil && p.Box != nil { // the checklist still has the template's words, or the old goal
		line := r.Line(p.Box.Line)
		old, _ := p.Field(r, "Goal")
		if at := strings.LastIndex(line, " - "); at >= 0 && doc.Placeholder(line[at+3:]) {
			r.SetLine(p.Box.Line, line[:at+3]+doc.OneLine(*e.Goal))
		} else if before, ok := strings.CutSuffix(line, " - "+old.Value); ok && old.Value != "" {
			r.SetLine(p.Box.Line, before+" - "+doc.OneLine(*e.Goal))
		}
	}
	// Later fields first in the file's usual order, so that one that is added
	// finds those before it.
	for _, f := range []struct {
		name  string
		value *string
	}{{"Goal", e.Goal}, {"Mode", e.Mode}, {"Depends on", e.DependsOn}, {"Requirements", e.Requirements}} {
		if f.value != nil {
			setSectionField(r, p, f.name, doc.OneLine(*f.value))
		}
	}
	if e.Requirements != nil {
		tx.retraceOnly(doc.RequirementIDs(*e.Requirements))
	}
	return p
}

// setSectionField writes a field of the phase's section, or adds it after the
// fields that the section begins with.
func setSectionField(r *doc.Roadmap, p *Phase, name, value string) {
	again := doc.ReadRoadmap(r.Text)
	section, ok := again.Phase(p.ID)
	if !ok {
		return
	}
	if f, ok := again.PhaseField(section, name); ok {
		again.SetField(f, value)
		return
	}
	at, form := section.Start, "**%s:** %s"
	for _, before := range []string{"Goal", "Mode", "Depends on"} {
		if f, ok := again.PhaseField(section, before); ok && f.Bold {
			at, form = max(at, f.Line+1), fieldForm(again.Line(f.Line))
		}
	}
	again.Insert(at, fmt.Sprintf(form, name, value))
}

// renamePhase writes another name into the heading, the checklist, the
// progress table and, if the phase is the current one, STATE.md.
func (tx *Tx) renamePhase(r *doc.Roadmap, p *Phase, name string) {
	if strings.TrimSpace(name) == "" {
		must.Fail(&PhaseError{p.ID.String(), "needs a name"})
	}
	r.SetLine(p.Section.Line, replaceName(r.Line(p.Section.Line), p.Section.Name, name))
	if p.Box != nil {
		r.SetLine(p.Box.Line, replaceName(r.Line(p.Box.Line), p.Box.Name, name))
	}
	if row, ok := r.ProgressRow(p.ID, tx.milestoneVersion(r)); ok {
		cell := row.Cell("Phase")
		at := strings.Index(cell, row.Written) + len(row.Written)
		for at < len(cell) && strings.IndexByte(".: ", cell[at]) >= 0 {
			at++
		}
		r.SetCell(row.Table, row.Row, 0, cell[:at]+name)
	}
	tx.editState(func(s *State) {
		if current, ok := s.currentPhase(); ok && current.Same(p.ID) {
			s.moveTo(current, name)
		}
	})
}

// replaceName replaces the phase's name after its id and colon.
func replaceName(line, from, to string) string {
	colon := strings.IndexByte(line, ':') + 1
	i := strings.Index(line[colon:], from)
	if from == "" || i < 0 {
		return line[:colon] + " " + to
	}
	return line[:colon+i] + to + line[colon+i+len(from):]
}
