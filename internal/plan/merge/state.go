package merge

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"cairn/internal/plan"
	"cairn/internal/plan/doc"
)

// What of STATE.md belongs together: one person stood there, and not half of two.
// The body's fields and the keys of the frontmatter, in small letters.
var together = [][]string{
	{"phase", "plan", "status", "current phase", "current phase name", "current plan", "total plans in phase", "current focus",
		"current_phase", "current_phase_name", "current_plan"},
	{"last session", "last date", "stopped at", "resume file", "paused at", "stopped_at", "paused_at"},
	{"last activity", "last activity description", "last_activity"},
}

// state merges STATE.md: lists are united; where the work stands is what the later
// change says; counters have what both added.
func (m *merger) state(t [3]*doc.Text) part {
	n := names{item: stateItem, row: stateRow}
	base, ours, theirs := read(t[0], n), read(t[1], n), read(t[2], n)
	later, earlier := &ours, &theirs
	if updated(t[2]).After(updated(t[1])) {
		later, earlier = earlier, later
	}
	for _, group := range together {
		stand(&base, earlier, later, group)
	}
	m.settle = func(p place, was, o, t string) (string, bool) { return settleState(p, was, o, t, later == &ours) }
	merged := m.document(base, ours, theirs)
	return recount(merged, t)
}

// stand has the earlier version say what the later one does of fields that belong
// together, if the later one changed any of them.
func stand(base, earlier, later *part, group []string) {
	was, before := valuesOf(base, group), valuesOf(earlier, group)
	moved := false
	now := valuesOf(later, group)
	for key, p := range now {
		if b, ok := was[key]; !ok || withoutTotal(b.lines[0]) != withoutTotal(p.lines[0]) {
			moved = true
		}
	}
	for key, p := range now {
		if e, ok := before[key]; moved && ok {
			e.lines = p.lines
		}
	}
}

// valuesOf returns the fields and entries of these names, by key.
func valuesOf(p *part, group []string) map[string]*part {
	out := map[string]*part{}
	for i := range p.parts {
		q := &p.parts[i]
		switch q.kind {
		case field:
			if slices.Contains(group, strings.ToLower(fieldName(q.lines[0]))) {
				out[q.key] = q
			}
		case entry:
			if name, _, _ := strings.Cut(q.lines[0], ":"); slices.Contains(group, name) || name == "status" && group[0] == "phase" {
				out[q.key] = q
			}
		case section, front:
			for key, v := range valuesOf(q, group) {
				out[key] = v
			}
		}
	}
	return out
}

// withoutTotal is a line without the N of `Phase: 2 of N`, which changes when
// somebody adds a phase.
func withoutTotal(line string) string {
	at := strings.Index(line, " of ")
	if !strings.HasPrefix(line, "Phase:") || at < 0 {
		return line
	}
	return line[:at] + strings.TrimLeft(line[at+len(" of "):], "0123456789")
}

func updated(t *doc.Text) time.Time {
	at, _ := time.Parse(time.RFC3339Nano, t.Front().Get("last_updated").Text())
	return at
}

func stateItem(it doc.Item) string {
	if name, _, ok := strings.Cut(it.Text, ":"); ok && strings.EqualFold(name, totalPlans) {
		return name
	}
	return ""
}

const totalPlans = "Total plans completed"

// stateRow calls the rows of a table that goes by phase after the phase.
func stateRow(tb doc.Table, n int) string {
	if tb.Column("Phase") == 0 && tb.Column("Plans") > 0 {
		return tb.Cell(n, 0)
	}
	return ""
}

func settleState(p place, was, ours, theirs string, oursLater bool) (string, bool) {
	later := pick(oursLater, ours, theirs)
	number := func(was, o, t string) (string, bool) { return countBoth(was, o, t) }
	switch {
	case p.kind == entry && p.name == "progress":
		return progress(was, ours, theirs)
	case p.kind == entry || p.kind == row:
		return later, true
	case p.kind == item:
		return settleValue(was, ours, theirs, number)
	case p.kind != field:
		return "", false
	}
	switch name := strings.ToLower(p.name); {
	case name == "total phases" || name == "completed phases":
		return settleValue(was, ours, theirs, number)
	case name == "progress":
		o, _ := doc.Percent(ours)
		t, _ := doc.Percent(theirs)
		return pick(o >= t, ours, theirs), true
	case slices.ContainsFunc(together, func(g []string) bool { return slices.Contains(g, name) }):
		if withoutTotal(ours) == withoutTotal(was) {
			return theirs, true
		}
		if withoutTotal(theirs) == withoutTotal(was) {
			return ours, true
		}
		return later, true
	}
	return "", false
}

// progress merges the counters of the frontmatter, a line each.
func progress(was, ours, theirs string) (string, bool) {
	read := func(s string) map[string]int {
		out := map[string]int{}
		for line := range strings.Lines(s) {
			name, value, _ := strings.Cut(strings.TrimSpace(line), ":")
			if n, err := strconv.Atoi(strings.TrimSpace(value)); err == nil {
				out[name] = n
			}
		}
		return out
	}
	w, o, t := read(was), read(ours), read(theirs)
	add := func(name string) int { return sum(w[name], o[name], t[name]) }
	c := plan.Counters{Phases: add("total_phases"), Plans: add("total_plans")}
	c.PhasesDone, c.PlansDone = min(add("completed_phases"), c.Phases), min(add("completed_plans"), c.Plans)
	now := map[string]int{
		"total_phases": c.Phases, "completed_phases": c.PhasesDone, "total_plans": c.Plans, "completed_plans": c.PlansDone, "percent": c.Percent(),
	}
	lines := strings.Split(ours, "\n")
	if len(lines) == 1 {
		return "", false // {percent: 3}
	}
	for i, line := range lines {
		name, _, _ := strings.Cut(strings.TrimSpace(line), ":")
		if n, ok := now[name]; ok {
			lines[i] = line[:strings.IndexByte(line, ':')+1] + " " + strconv.Itoa(n)
		}
	}
	return strings.Join(lines, "\n"), true
}

// recount writes how many phases there are where the position says so.
func recount(merged part, t [3]*doc.Text) part {
	var n [3]int
	for i, t := range t {
		total, ok := doc.State{Text: t}.TotalPhases()
		if !ok {
			return merged
		}
		n[i] = total
	}
	s := doc.State{Text: docOf(merged.all())}
	f, ok := s.PositionField("Phase")
	before, after, found := strings.Cut(f.Value, " of ")
	if !ok || !found {
		return merged
	}
	s.SetField(f, before+" of "+strconv.Itoa(sum(n[0], n[1], n[2]))+strings.TrimLeft(after, "0123456789"))
	return part{lines: s.Lines(0, s.Len())}
}
