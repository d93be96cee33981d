package plan

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"cairn/internal/plan/doc"
)

// Synced tells what SyncProgress found of one phase.
type Synced struct {
	Phase     string `json:"phase"`
	Plans     int    `json:"plan_count"`
	Summaries int    `json:"summary_count"`
	Status    string `json:"status"` // Planned, In Progress or Complete
	Complete  bool   `json:"complete"`
}

// SyncProgress brings what the roadmap says of a phase's plans up to what its
// directory holds: its Plans field, its row, and the boxes of plans that have
// a summary. With tick, a phase whose plans all have one is completed there;
// else that is left to CompletePhase. What was ticked by hand stays ticked.
func (tx *Tx) SyncProgress(p *Phase, tick bool) Synced {
	s := Synced{Phase: p.ID.String(), Plans: len(p.Plans), Summaries: p.Executed(), Status: "Planned", Complete: p.Complete()}
	status := p.DiskStatus()
	if open := p.Box != nil && !p.Box.Done; open && !tick && status == StatusComplete {
		status = StatusPartial
	}
	switch {
	case status == StatusComplete:
		s.Status = "Complete"
	case s.Summaries > 0:
		s.Status = "In Progress"
	}
	r := tx.needRoadmap()
	if s.Plans == 0 {
		return s
	}
	writeProgress(r, p, tx.milestoneVersion(r), status, tx.now().Format(time.DateOnly))
	tx.listPlans(p)
	return s
}

// listPlans puts a phase's plans in the place of the line TBD that its list begins with.
func (tx *Tx) listPlans(p *Phase) {
	r := tx.Roadmap()
	i := slices.IndexFunc(r.Phases, func(s doc.RoadmapPhase) bool {
		return p.Section != nil && s.ID == p.Section.ID && s.Line == p.Section.Line
	})
	if i < 0 || len(p.Plans) == 0 {
		return
	}
	for _, it := range r.Items(r.Phases[i].Start, r.Phases[i].End) {
		if !it.Box || !strings.EqualFold(strings.Trim(it.Text, "*_ "), "TBD") {
			continue
		}
		mark, _, _ := strings.Cut(r.Line(it.Line), "[")
		lines := make([]string, len(p.Plans))
		for n, f := range p.Plans {
			box := "[ ] "
			if f.Summary != "" {
				box = "[x] "
			}
			lines[n] = mark + box + f.ID
			if t := tx.ReadIfThere(path.Join(p.Dir, f.Path)); t != nil && doc.ReadPlan(t).Objective != "" {
				lines[n] += ": " + doc.ReadPlan(t).Objective
			}
		}
		r.SetLine(it.Line, lines[0])
		r.Insert(it.Line+1, lines[1:]...)
		return
	}
}

// writeProgress writes a phase's progress wherever the roadmap has it. The
// number of lines stays.
func writeProgress(r *doc.Roadmap, p *Phase, version string, status Status, date string) {
	counts := fmt.Sprintf("%d/%d", p.Executed(), len(p.Plans))
	complete := status == StatusComplete
	if p.Section != nil {
		word := "executed"
		if complete {
			word = "complete"
		}
		if f, ok := r.PhaseField(*p.Section, "Plans"); ok && f.Bold {
			r.SetField(f, counts+" plans "+word)
		}
		tickPlans(r, p, p.Section.Start, p.Section.End)
	}
	if p.Box != nil {
		tickPlans(r, p, p.Box.Line+1, boxEnd(r, *p.Box))
		if complete {
			r.Tick(p.Box.Item, true)
			if line := r.Line(p.Box.Line); !strings.Contains(line, "(completed ") {
				r.SetLine(p.Box.Line, strings.TrimRight(line, " ")+" (completed "+date+")")
			}
		}
	}
	at, ok := p.row(r, version)
	if !ok {
		return
	}
	tb, row := at.Table, at.Row
	word := "In Progress"
	switch {
	case complete:
		word = "Complete"
		if column := tb.Column("Completed"); strings.Trim(tb.Cell(row, column), "-— ") == "" {
			r.SetCell(tb, row, column, date)
		}
	case p.Executed() == 0:
		word = "Planned"
	}
	r.SetCell(tb, row, tb.Column("Plans Complete", "Plans"), counts)
	if complete || p.Box == nil || !p.Box.Done {
		r.SetCell(tb, row, tb.Column("Status"), word)
	}
}

// row returns the phase's row in the table of progress: that of its own
// milestone, where it is known, else of the current one.
func (p *Phase) row(r *doc.Roadmap, version string) (doc.ProgressRow, bool) {
	if p.Milestone != "" {
		version = p.Milestone
	}
	return r.ProgressRow(p.ID, version)
}

// tickPlans ticks the boxes of the plans that have a summary.
func tickPlans(r *doc.Roadmap, p *Phase, from, to int) {
	for _, it := range r.Items(from, to) {
		for _, f := range p.Plans {
			if it.Box && f.Summary != "" && isPlanItem(it.Text, f.ID) {
				r.Tick(it, true)
			}
		}
	}
}

// isPlanItem reports whether a list item begins with the plan: `02-01: store`,
// `02-01-PLAN.md — store`, `**02-01**`.
func isPlanItem(text, id string) bool {
	text = strings.TrimLeft(text, "*`[_")
	for _, name := range []string{id, CanonicalPlanID(id)} {
		if rest, ok := strings.CutPrefix(text, name); ok && (rest == "" || !isPlanByte(rest[0]) || strings.HasPrefix(rest, "-PLAN")) {
			return true
		}
	}
	return false
}
