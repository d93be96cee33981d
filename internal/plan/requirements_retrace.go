package plan

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"cairn/internal/must"
	"cairn/internal/plan/doc"
)

// Retraced tells what Retrace wrote.
type Retraced struct {
	Added   []string `json:"added"`   // rows of the traceability table
	Moved   []string `json:"moved"`   // rows whose phase was another
	Figures []string `json:"figures"` // lines below Coverage
	Mapped  int      `json:"mapped"`
	Total   int      `json:"total"`
}

func figureLine() *regexp.Regexp {
	return regexp.MustCompile(`^(\s*[-*]\s*)([\w .]+?)(\s*:\s*)(\d+)(.*)$`)
}

// Retrace writes the traceability table and the figures of coverage as the list of
// requirements and the roadmap have them. A row whose requirement is in no phase, or in
// several, stays as it is.
func (tx *Tx) Retrace() *Retraced {
	q := tx.Requirements()
	if !traced(q) {
		must.Fail(&InputError{Path: tx.Path("REQUIREMENTS.md"), What: "has no traceability table: | Requirement | Phase | Status |"})
	}
	return tx.retrace(q, func(string) bool { return true })
}

// traced reports whether there is a table that says which phase has which requirement.
func traced(q *doc.Requirements) bool {
	return q != nil && q.Trace.Column("Status") > 0 && q.Trace.Column("Phase") > 0
}

// retraceOnly is Retrace of some requirements, where there is a table.
func (tx *Tx) retraceOnly(ids []string) {
	if q := tx.Requirements(); len(ids) > 0 && traced(q) {
		tx.retrace(q, func(id string) bool {
			return slices.ContainsFunc(ids, func(s string) bool { return strings.EqualFold(s, id) })
		})
	}
}

func (tx *Tx) retrace(q *doc.Requirements, which func(id string) bool) *Retraced {
	out := &Retraced{Added: []string{}, Moved: []string{}, Figures: []string{}}
	for _, t := range tx.TraceRequirements(false) {
		if !t.Listed {
			continue
		}
		out.Total++
		if len(t.Phases) > 0 {
			out.Mapped++
		}
		if len(t.Phases) != 1 || !which(t.ID) {
			continue
		}
		phase, row := tracePhase(q, t.Phases[0]), q.Row(t.ID)
		if row < 0 {
			cells := make([]string, len(q.Trace.Head))
			cells[0] = strings.Replace(traceForm(q), "ID", t.ID, 1)
			cells[q.Trace.Column("Phase")], cells[q.Trace.Column("Status")] = phase, "Pending"
			if t.Done {
				cells[q.Trace.Column("Status")] = "Complete"
			}
			q.AppendRow(q.Trace, cells...)
			q.Trace = q.TableAt(q.Trace.Line)
			out.Added = append(out.Added, t.ID)
			continue
		}
		was, ok := doc.ParsePhaseID(strings.TrimSpace(strings.TrimPrefix(q.Cell(row, "Phase"), "Phase ")))
		is, _ := doc.ParsePhaseID(t.Phases[0])
		if ids := doc.RequirementIDs(q.Trace.Cell(row, 0)); len(ids) == 1 && !(ok && was.Same(is)) {
			q.SetCell(q.Trace, row, q.Trace.Column("Phase"), phase)
			out.Moved = append(out.Moved, t.ID)
		}
	}
	out.figures(q)
	return out
}

// figures writes the numbers below Coverage.
func (out *Retraced) figures(q *doc.Requirements) {
	under, figure := false, figureLine()
	for i := range q.Len() {
		line := strings.ToLower(strings.Trim(q.Line(i), "*#: "))
		m := figure.FindStringSubmatch(q.Line(i))
		switch {
		case line == "coverage":
			under = true
		case !under || line == "":
			continue
		case m == nil:
			under = false
		default:
			n := -1
			switch name := strings.ToLower(m[2]); {
			case strings.HasPrefix(name, "unmapped"):
				n = out.Total - out.Mapped
			case strings.HasPrefix(name, "mapped"):
				n = out.Mapped
			case strings.HasPrefix(name, "v1 requirements"):
				n = out.Total
			}
			if n >= 0 && m[4] != strconv.Itoa(n) {
				q.SetLine(i, m[1]+m[2]+m[3]+strconv.Itoa(n)+m[5])
				out.Figures = append(out.Figures, m[2]+": "+strconv.Itoa(n))
			}
		}
	}
}
