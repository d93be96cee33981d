package plan

import (
	"fmt"
	"strings"

	"cairn/internal/must"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/template"
	"cairn/internal/term"
)

// A RequirementChange tells what became of a requirement.
type RequirementChange struct {
	ID     string   `json:"id"`
	What   string   `json:"requirement"`
	Traced bool     `json:"traced"` // its row of the traceability table was added, changed or removed
	Named  []string `json:"named"`  // the phases of the roadmap that name it
}

// needRequirements returns REQUIREMENTS.md, with the requirement when one is
// meant.
func (tx *Tx) needRequirements(id string) (*doc.Requirements, doc.Requirement) {
	q := tx.Requirements()
	rel := tx.Path("REQUIREMENTS.md")
	if q == nil {
		must.Fail(term.Hint(&InputError{Path: rel, What: "is not there"}, "cairn plan init makes one"))
	}
	if id == "" {
		return q, doc.Requirement{}
	}
	it, ok := q.Item(id)
	if !ok {
		must.Fail(term.Hint(&InputError{Path: rel, What: "has no " + id}, "cairn plan requirements list shows those there are"))
	}
	return q, it
}

// AddRequirement lists a requirement in the form that the file's others have,
// behind the last one of its kind (API-03 behind API-02), and in the traceability
// table, if there is one. The phase is as that has it, "" for none.
func (tx *Tx) AddRequirement(id, what, phase string) *RequirementChange {
	q, _ := tx.needRequirements("")
	what = doc.OneLine(what)
	if _, there := q.Item(id); there || q.Row(id) >= 0 {
		must.Fail(&InputError{Path: tx.Path("REQUIREMENTS.md"), What: "has " + id + " already"})
	}
	out := &RequirementChange{ID: id, What: what, Named: []string{}}
	kind := id[:strings.LastIndexByte(id, '-')+1]
	var like *doc.Requirement
	for i, it := range q.Items {
		if strings.HasPrefix(strings.ToUpper(it.ID), strings.ToUpper(kind)) {
			like = &q.Items[i]
		}
	}
	if like == nil { // the last of another kind
		for i := range q.Items {
			if !putOff(q.Text, q.Items[i].Line) {
				like = &q.Items[i]
			}
		}
	}
	if q.Trace.Column("Status") > 0 {
		row := make([]string, max(len(q.Trace.Head), 1))
		row[0] = strings.Replace(traceForm(q), "ID", id, 1)
		if n := q.Trace.Column("Phase"); n > 0 {
			row[n] = "Unassigned"
			if phase != "" {
				row[n] = tracePhase(q, phase)
			}
		}
		row[q.Trace.Column("Status")] = "Pending"
		q.AppendRow(q.Trace, row...) // it stands below the list, whose lines stay where they are
		out.Traced = true
	}
	line := fmt.Sprintf("- [ ] **%s**: %s", id, what)
	home, found := requirementsHome(q.Text)
	switch {
	case like != nil:
		q.Insert(q.ItemEnd(like.Item), q.FormOf(*like, id, what))
	case found && home.gap >= 0:
		q.SetLine(home.gap, line)
	case found:
		q.AppendTo(home.Section, line)
	case q.Trace.Column("Status") > 0 && q.Trace.Line > 0:
		at := q.Trace.Line
		for at > 0 && !strings.HasPrefix(q.Line(at), "#") {
			at--
		}
		if at == 0 {
			at = q.Trace.Line
		}
		q.Insert(at, line, "")
	default:
		q.Insert(q.Len(), line)
	}
	return out
}

// putOff reports whether a line stands in a part of REQUIREMENTS.md that says what is
// not to be built now, or nothing to be built.
func putOff(t *doc.Text, line int) bool {
	heading := ""
	for _, s := range t.Sections() {
		if s.Level == 2 && s.Line <= line && line < s.End {
			heading = strings.ToLower(s.Text)
		}
	}
	for _, word := range []string{"v2", "out of scope", "future", "later", "deferred", "traceability", "coverage", "validated"} {
		if strings.Contains(heading, word) {
			return true
		}
	}
	return false
}

// home is where the first requirement of a file belongs: in place of the template's, or
// at the end of the section.
type home struct {
	doc.Section
	gap int // -1 for none
}

func requirementsHome(t *doc.Text) (home, bool) {
	for _, s := range t.Sections() {
		if s.Level != 2 || putOff(t, s.Line) || !strings.Contains(strings.ToLower(s.Text), "requirements") {
			continue
		}
		h := home{s, -1}
		for _, it := range t.Items(s.Start, s.End) {
			if h.gap < 0 && it.Box && template.IsGap(t.Line(it.Line), "requirements") {
				h.gap = it.Line
			}
		}
		return h, true
	}
	return home{}, false
}

// traceForm is how the table's first cells write an id: **ID**, `ID` or ID.
func traceForm(q *doc.Requirements) string {
	for i := range q.Trace.Rows {
		cell := q.Trace.Cell(i, 0)
		if ids := doc.RequirementIDs(cell); len(ids) == 1 && strings.Trim(cell, "*`[]") == ids[0] {
			return strings.Replace(cell, ids[0], "ID", 1)
		}
	}
	return "ID"
}

// tracePhase writes a phase as the table's other rows do: 2 where they have a
// number alone.
func tracePhase(q *doc.Requirements, phase string) string {
	for i := range q.Trace.Rows {
		if id, ok := doc.ParsePhaseID(q.Cell(i, "Phase")); ok && id.Number > 0 { // Unassigned is none
			return phase
		}
	}
	return "Phase " + phase
}

// WithRequirement is the value of a phase's field Requirements with one more: the
// list keeps its brackets.
func WithRequirement(value, id string) string {
	if len(doc.RequirementIDs(value)) == 0 {
		return id
	}
	if list, ok := strings.CutSuffix(strings.TrimSpace(value), "]"); ok {
		return list + ", " + id + "]"
	}
	return value + ", " + id
}

// EditRequirement writes another text for a requirement. What its line has
// beside that stays.
func (tx *Tx) EditRequirement(id, what string) *RequirementChange {
	q, it := tx.needRequirements(id)
	what = doc.OneLine(what)
	q.SetLine(it.Line, q.FormOf(it, it.ID, what))
	again, _ := doc.ReadRequirements(q.Text).Item(id)
	q.Tick(again.Item, it.Done)
	q.Delete(it.Line+1, q.ItemEnd(it.Item))
	return &RequirementChange{ID: it.ID, What: what, Named: tx.naming(id)}
}

// RemoveRequirement takes a requirement out of the list and out of the
// traceability table.
func (tx *Tx) RemoveRequirement(id string) *RequirementChange {
	q, it := tx.needRequirements(id)
	out := &RequirementChange{ID: it.ID, What: it.What, Named: tx.naming(id)}
	lines := [][2]int{{it.Line, q.ItemEnd(it.Item)}}
	if row := q.Row(id); row >= 0 {
		at := q.Trace.Line + 2 + row
		lines = append(lines, [2]int{at, at + 1})
		out.Traced = true
	}
	if len(lines) == 2 && lines[0][0] < lines[1][0] {
		lines[0], lines[1] = lines[1], lines[0]
	}
	for _, span := range lines {
		q.Delete(span[0], span[1])
	}
	return out
}

// naming lists the phases of the roadmap that name a requirement.
func (tx *Tx) naming(id string) []string {
	for _, t := range tx.TraceRequirements(false) {
		if strings.EqualFold(t.ID, id) {
			return t.Phases
		}
	}
	return []string{}
}
