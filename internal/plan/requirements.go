package plan

import (
	"path"
	"slices"
	"strings"

	"cairn/internal/must"
	"cairn/internal/plan/doc"
)

// Requirements reads REQUIREMENTS.md; nil without an error when there is none.
func (tx *Tx) Requirements() *doc.Requirements {
	t := tx.ReadIfThere(tx.Path("REQUIREMENTS.md"))
	if t == nil {
		return nil
	}
	return doc.ReadRequirements(t)
}

// Marked says what became of requirements that were to be marked complete.
type Marked struct {
	Complete []string `json:"marked_complete"`
	Already  []string `json:"already_complete"`
	NotFound []string `json:"not_found"`
}

// MarkComplete ticks the requirements and writes Complete into their
// traceability rows. A row that says Blocked is left alone: somebody wrote it.
func MarkComplete(q *doc.Requirements, ids []string) Marked {
	m := Marked{Complete: []string{}, Already: []string{}, NotFound: []string{}}
	for _, id := range ids {
		it, listed := q.Item(id)
		row := q.Row(id)
		switch {
		case !listed && row < 0:
			m.NotFound = append(m.NotFound, id)
			continue
		case listed && !it.Done, isOpen(q.Cell(row, "Status")):
			m.Complete = append(m.Complete, id)
		default:
			m.Already = append(m.Already, id)
		}
		if listed {
			q.Tick(it.Item, true)
		}
		if isOpen(q.Cell(row, "Status")) {
			q.SetCell(q.Trace, row, q.Trace.Column("Status"), "Complete")
		}
	}
	return m
}

// isOpen: the states of a requirement that completion ends.
func isOpen(status string) bool {
	return strings.EqualFold(status, "Pending") || strings.EqualFold(status, "In Progress")
}

// Trace is what is known of one requirement.
type Trace struct {
	ID     string   `json:"id"`
	What   string   `json:"requirement"`
	Listed bool     `json:"listed"` // in REQUIREMENTS.md, with a box
	Done   bool     `json:"done"`
	Traced bool     `json:"traced"` // in the traceability table
	Phase  string   `json:"phase"`  // as the traceability table has it, or ""
	Status string   `json:"status"` // likewise
	Phases []string `json:"phases"` // those that name it in the roadmap
	Plans  []string `json:"plans"`  // those that name it in their frontmatter
}

// TraceRequirements joins the requirements with the table, the roadmap and,
// if withPlans, the plans of the milestone. Ids that only the table, roadmap
// or plans know come last.
func (tx *Tx) TraceRequirements(withPlans bool) []Trace {
	q := tx.Requirements()
	var out []Trace
	of := func(id string) *Trace {
		i := slices.IndexFunc(out, func(t Trace) bool { return strings.EqualFold(t.ID, id) })
		if i < 0 {
			out = append(out, Trace{ID: id, Phases: []string{}, Plans: []string{}})
			i = len(out) - 1
		}
		return &out[i]
	}
	if q != nil {
		for _, it := range q.Items {
			t := of(it.ID)
			t.What, t.Done, t.Listed = it.What, it.Done, true
		}
		for i := range q.Trace.Rows {
			for _, id := range doc.RequirementIDs(q.Trace.Cell(i, 0)) {
				t := of(id)
				t.Phase, t.Status, t.Traced = q.Cell(i, "Phase"), q.Cell(i, "Status"), true
			}
		}
	}
	phases := tx.Phases(Current)
	r := tx.Roadmap()
	for _, p := range phases {
		for _, id := range p.Requirements(r) {
			t := of(id)
			t.Phases = append(t.Phases, p.ID.String())
		}
		if !withPlans {
			continue
		}
		for _, f := range p.Plans {
			for _, id := range tx.PlanRequirements(p, f) {
				t := of(id)
				t.Plans = append(t.Plans, f.ID)
			}
		}
	}
	return out
}

// Requirements returns the ids that the phase's section of the roadmap names.
func (p *Phase) Requirements(r *doc.Roadmap) []string {
	f, _ := p.Field(r, "Requirements")
	return doc.RequirementIDs(f.Value)
}

// PlanRequirements returns the ids in the frontmatter of a plan.
func (tx *Tx) PlanRequirements(p *Phase, f PlanFile) []string {
	return must.Get(tx.Read(path.Join(p.Dir, f.Path))).Front().Get("requirements").Strings()
}
