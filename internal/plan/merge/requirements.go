package merge

import (
	"strings"

	"cairn/internal/plan/doc"
)

// requirements merges REQUIREMENTS.md: a requirement is called by its id in the
// list and in the table.
func (m *merger) requirements(t [3]*doc.Text) part {
	var p [3]part
	for i, t := range t {
		ids := map[int]string{}
		for _, q := range doc.ReadRequirements(t).Items {
			ids[q.Line] = q.ID
		}
		p[i] = read(t, names{
			item: func(it doc.Item) string {
				if name, value, ok := strings.Cut(it.Text, ": "); ok && value != "" && strings.Trim(value, "0123456789 ✓✔") == "" {
					return name // Mapped to phases: 3
				}
				return ids[it.Line]
			},
			row: func(tb doc.Table, n int) string {
				if tb.Column("Status") > 0 {
					return strings.Trim(tb.Cell(n, 0), "*`[]")
				}
				return ""
			},
		})
	}
	m.settle = settleRequirement
	return m.document(p[0], p[1], p[2])
}

func settleRequirement(p place, was, ours, theirs string) (string, bool) {
	switch {
	case p.kind == item:
		if s, ok := boxes(was, ours, theirs); ok {
			return s, true
		}
		return settleValue(was, ours, theirs, countBoth)
	case p.kind == row && strings.EqualFold(p.name, "Status"):
		return rank(ours, theirs, "Pending", "In Progress", "Complete")
	case p.kind == row && strings.EqualFold(p.name, "Phase"):
		o, t := strings.EqualFold(ours, "Unassigned"), strings.EqualFold(theirs, "Unassigned")
		return pick(o, theirs, ours), o != t
	}
	return "", false
}

// boxes merges lines with a box, such as `- [x] **A-01**: text (completed 2026-01-02)`:
// what is ticked stays ticked, and the text is who changed it.
func boxes(was, ours, theirs string) (string, bool) {
	o, ok := boxOf(ours)
	t, ok2 := boxOf(theirs)
	if !ok || !ok2 {
		return "", false
	}
	w, _ := boxOf(was)
	out := o
	if w.done == o.done {
		out.done = t.done
	}
	out.completed, _ = three(w.completed, o.completed, t.completed)
	if out.completed == "" {
		out.completed = max(o.completed, t.completed)
	}
	title, ok := three(w.title, o.title, t.title)
	rest, ok2 := three(w.rest, o.rest, t.rest)
	out.title, out.rest = title, rest
	return out.String(), ok && ok2
}

// box is a line with a box in its parts.
type box struct {
	before, title, rest, completed string
	done                           bool
}

func boxOf(line string) (b box, ok bool) {
	items := docOf([]string{line}).Items(0, 1)
	if len(items) == 0 || !items[0].Box {
		return b, false
	}
	at := strings.IndexByte(line, '[')
	b.before, b.done = line[:at], items[0].Done
	b.title = line[at+3:]
	if i := strings.LastIndex(b.title, " (completed "); i >= 0 {
		b.title, b.completed = b.title[:i], b.title[i:]
	}
	for _, dash := range []string{" - ", " — "} {
		if i := strings.Index(b.title, dash); i >= 0 {
			b.title, b.rest = b.title[:i], b.title[i:]
			break
		}
	}
	return b, true
}

func (b box) String() string {
	mark := "[ ]"
	if b.done {
		mark = "[x]"
	}
	return b.before + mark + b.title + b.rest + b.completed
}
