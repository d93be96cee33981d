package doc

import (
	"slices"
	"strings"
)

// Requirements is what REQUIREMENTS.md says, as it stood when
// ReadRequirements was called: read it again after an edit.
type Requirements struct {
	*Text
	Items []Requirement // in file order
	Trace Table         // Requirement | Phase | Status; without a head when there is none
}

// Requirement is a line such as `- [ ] **AUTH-01**: text`.
type Requirement struct {
	Item
	ID   string
	What string // the text after the id
}

// ReadRequirements reads the requirements and the table that says which phase
// each belongs to.
func ReadRequirements(t *Text) *Requirements {
	r := &Requirements{Text: t}
	for _, it := range t.Items(t.Body(), t.Len()) {
		if !it.Box {
			continue
		}
		rest := strings.TrimLeft(it.Text, "*`[")
		n := requirementID(rest)
		if n == 0 {
			continue
		}
		r.Items = append(r.Items, Requirement{Item: it, ID: rest[:n], What: afterID(rest[n:])})
	}
	for _, tb := range t.Tables(t.Body(), t.Len()) {
		if tb.Column("Requirement", "Requirement ID", "ID", "REQ-ID") == 0 && tb.Column("Status") > 0 {
			r.Trace = tb
			break
		}
	}
	return r
}

// afterID cuts what closes and follows an id: `**: text`, `:** text`, `]: text`.
// Code at the beginning of the text keeps its backquote.
func afterID(s string) string {
	s = strings.TrimLeft(s, "*`]")
	s = strings.TrimLeft(strings.TrimLeft(s, ":"), "*`]")
	return strings.TrimLeft(s, ": ")
}

// ItemEnd is the line behind an item and what is indented under it.
func (t *Text) ItemEnd(it Item) int {
	end := it.Line + 1
	for end < t.Len() {
		line := t.Line(end)
		if strings.TrimSpace(line) == "" || len(line)-len(strings.TrimLeft(line, " \t")) <= it.Indent {
			break
		}
		end++
	}
	return end
}

// FormOf is the line of an open requirement in the form of another one.
func (r *Requirements) FormOf(like Requirement, id, what string) string {
	line := r.Line(like.Line)
	line = line[:like.box] + " " + line[like.box+1:]
	at := strings.Index(line[like.box+2:], like.ID) + like.box + 2
	rest := line[at+len(like.ID):]
	tail := rest
	if like.What != "" {
		tail = rest[:strings.LastIndex(rest, like.What)]
	}
	return strings.TrimRight(line[:at]+id+tail+what, " \t")
}

// Item returns a requirement by its id, compared without case.
func (r *Requirements) Item(id string) (Requirement, bool) {
	i := slices.IndexFunc(r.Items, func(q Requirement) bool { return strings.EqualFold(q.ID, id) })
	if i < 0 {
		return Requirement{}, false
	}
	return r.Items[i], true
}

// Row returns the traceability row of a requirement, or -1.
func (r *Requirements) Row(id string) int {
	return slices.IndexFunc(r.Trace.Rows, func(cells []string) bool {
		return len(cells) > 0 && strings.EqualFold(strings.Trim(cells[0], "*`[]"), id)
	})
}

// Cell returns a cell of a requirement's traceability row: Phase or Status.
func (r *Requirements) Cell(row int, column string) string {
	if row < 0 {
		return ""
	}
	return r.Trace.Cell(row, r.Trace.Column(column))
}

// RequirementIDs finds the ids in a text, such as the `[WID-02, WID-03]` of a
// phase: upper-case letters and digits, a dash, and then letters, digits,
// dashes and underscores. Each is given once.
func RequirementIDs(s string) []string {
	var out []string
	for i := 0; i < len(s); {
		n := requirementID(s[i:])
		if n == 0 || i > 0 && (isLetter(s[i-1]) || isDigit(s[i-1]) || s[i-1] == '-' || s[i-1] == '_') {
			i++
			continue
		}
		if id := s[i : i+n]; !slices.Contains(out, id) {
			out = append(out, id)
		}
		i += n
	}
	return out
}

// requirementID returns the length of the id at the start of s, or 0.
func requirementID(s string) int {
	dash := strings.IndexByte(s, '-')
	if dash < 1 || s[0] < 'A' || s[0] > 'Z' {
		return 0
	}
	for i := range dash {
		if !isDigit(s[i]) && (s[i] < 'A' || s[i] > 'Z') {
			return 0
		}
	}
	end := dash + 1
	for end < len(s) && (isLetter(s[end]) || isDigit(s[end]) || s[end] == '-' || s[end] == '_') {
		end++
	}
	if end == dash+1 {
		return 0
	}
	return end
}
