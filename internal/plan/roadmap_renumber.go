package plan

import (
	"slices"
	"strings"

	"cairn/internal/plan/doc"
)

// roadmap rewrites the ids in the roadmap's current milestone: headings,
// checklist, progress table, Depends on, and the plans in its lists. What
// depended on a phase that is gone now depends on what that one did: gone
// tells its id and those.
func (rn renumbering) roadmap(r *doc.Roadmap, version string, gone *goneRef) {
	rn.paths(r.Text)
	for _, p := range r.Phases {
		if !isCurrent(p.Shipped, p.Version, version) {
			continue
		}
		for i := p.Start; i < p.End; i++ {
			if !r.Code(i) {
				r.SetLine(i, rn.planLine(r.Line(i)))
			}
		}
		if f, ok := r.PhaseField(p, "Depends on"); ok {
			if value := rn.refs(f.Value, gone); value != f.Value {
				r.SetField(f, value)
			}
		}
		if to, ok := rn.of(p.ID); ok {
			r.SetLine(p.Line, replaceID(r.Line(p.Line), p.Written, to.Like(p.Written, false)))
		}
	}
	for _, b := range r.Boxes {
		if !isCurrent(b.Shipped, b.Version, version) {
			continue
		}
		for i := b.Line + 1; i < boxEnd(r, b); i++ {
			if !r.Code(i) {
				r.SetLine(i, rn.planLine(r.Line(i)))
			}
		}
		if to, ok := rn.of(b.ID); ok {
			r.SetLine(b.Line, replaceID(r.Line(b.Line), b.Written, to.Like(b.Written, false)))
		}
	}
	for _, row := range r.ProgressRows(version) {
		if to, moved := rn.of(row.ID); moved {
			cell := row.Cell("Phase")
			at := strings.Index(cell, row.Written)
			r.SetCell(row.Table, row.Row, 0, cell[:at]+to.Like(row.Written, false)+cell[at+len(row.Written):])
		}
	}
}

// goneRef is a phase that is removed and what it depended on.
type goneRef struct {
	id      doc.PhaseID
	depends []doc.PhaseID
}

// refs rewrites the phases that a text names.
func (rn renumbering) refs(s string, gone *goneRef) string {
	refs := doc.PhaseRefs(s)
	if gone != nil && slices.ContainsFunc(refs, func(ref doc.PhaseRef) bool { return ref.ID.Same(gone.id) }) {
		return rn.without(s, refs, *gone)
	}
	for _, ref := range slices.Backward(refs) {
		if to, ok := rn.of(ref.ID); ok {
			s = s[:ref.From] + to.Like(s[ref.From:ref.To], false) + s[ref.To:]
		}
	}
	return s
}

// without writes the list anew, as `Phase 1, Phase 2`, with what gone
// depended on in its place; what follows the list stays.
func (rn renumbering) without(s string, refs []doc.PhaseRef, gone goneRef) string {
	var ids []string
	add := func(id doc.PhaseID, written string) {
		to, _ := rn.of(id)
		if text := "Phase " + to.Like(written, false); !slices.Contains(ids, text) {
			ids = append(ids, text)
		}
	}
	for _, ref := range refs {
		if !ref.ID.Same(gone.id) {
			add(ref.ID, s[ref.From:ref.To])
			continue
		}
		for _, id := range gone.depends {
			add(id, s[ref.From:ref.To])
		}
	}
	list := strings.Join(ids, ", ")
	if list == "" {
		list = "Nothing"
	}
	return list + s[refs[len(refs)-1].To:]
}

// planLine rewrites the plans' ids in a line: the one that a list item begins
// with, and those of files such as 03-01-PLAN.md.
func (rn renumbering) planLine(line string) string {
	for at := 0; at < len(line); {
		end := at
		for end < len(line) && isPlanByte(line[end]) {
			end++
		}
		if end == at {
			at++
			continue
		}
		token := line[at:end]
		if beginsItem(line[:at], token) || strings.Contains(token, "-PLAN") || strings.Contains(token, "-SUMMARY") {
			to := rn.planID(token)
			line = line[:at] + to + line[end:]
			end = at + len(to)
		}
		at = end
	}
	return line
}

// beginsItem reports whether a list item begins with the token, and that is a
// plan's: in an item without a box it has two digits on both sides of its
// dash, so that `- 3-5 retries` is text.
func beginsItem(before, token string) bool {
	if strings.Trim(before, " \t-*+[]xX`_") != "" {
		return false
	}
	if strings.Contains(before, "] ") {
		return true
	}
	phase, number, _ := strings.Cut(token, "-")
	return strings.ContainsAny(before, "-*+") && len(phase) > 1 && len(number) > 1
}

func isPlanByte(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c == '-' || c == '.'
}

// replaceID replaces the id after the word Phase.
func replaceID(line, from, to string) string {
	at := strings.Index(strings.ToLower(line), "phase ")
	if at < 0 {
		return line
	}
	i := strings.Index(line[at:], from)
	if i < 0 {
		return line
	}
	return line[:at+i] + to + line[at+i+len(from):]
}

// trace rewrites the Phase column of the requirements' traceability. Those of
// the phase that is gone belong to none: their ids are returned.
func (rn renumbering) trace(q *doc.Requirements, gone *goneRef) (unassigned []string) {
	column := q.Trace.Column("Phase")
	if column < 0 {
		return nil
	}
	for i := range q.Trace.Rows {
		cell := q.Trace.Cell(i, column)
		refs := doc.PhaseRefs(cell)
		if gone != nil && len(refs) == 1 && refs[0].ID.Same(gone.id) {
			q.SetCell(q.Trace, i, column, "Unassigned")
			unassigned = append(unassigned, q.Trace.Cell(i, 0))
			continue
		}
		if value := rn.refs(cell, gone); value != cell {
			q.SetCell(q.Trace, i, column, value)
		}
	}
	return unassigned
}
