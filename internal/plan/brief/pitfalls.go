package brief

import (
	"path"
	"slices"
	"strings"

	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/doc"
)

// pitfallsOf returns the pitfalls of the project's research that a phase has to deal
// with, each with how to avoid it: those whose field Phase, or whose row in a table
// of pitfalls, names it.
func pitfallsOf(tx *plan.Tx, p *plan.Phase) (out []string) {
	var titles []string
	add := func(title, avoid string) {
		title = strings.Trim(title, "*_` ")
		if !slices.Contains(titles, title) {
			titles = append(titles, title)
			out = append(out, title+following(" — ", avoid))
		}
	}
	dir := tx.Shared("research")
	for _, e := range tx.ReadDir(dir) {
		if e.Dir || !strings.HasPrefix(e.Name, "PITFALLS") || !strings.HasSuffix(e.Name, ".md") {
			continue
		}
		t := must.Get(tx.Read(path.Join(dir, e.Name)))
		sections := t.Sections()
		for i, s := range sections {
			end := s.End
			if i+1 < len(sections) && sections[i+1].Line < end {
				end = sections[i+1].Line // what is below its own sections is theirs
			}
			phase, avoid := pitfall(t, s.Start, end)
			if namesPhase(phase, p) {
				add(cutLabel(s.Text), avoid)
			}
		}
		for _, tb := range t.Tables(t.Body(), t.Len()) {
			at := slices.IndexFunc(tb.Head, func(head string) bool { return strings.Contains(strings.ToLower(head), "phase") })
			if what := tb.Column("Pitfall", "Risk"); at >= 0 && what >= 0 {
				for row := range tb.Rows {
					if namesPhase(tb.Cell(row, at), p) {
						add(cutLabel(tb.Cell(row, what)), "")
					}
				}
			}
		}
	}
	return out
}

// pitfall reads the fields of one: which phase has to deal with it, and how to avoid it.
func pitfall(t *doc.Text, from, to int) (phase, avoid string) {
	for i := from; i < to; i++ {
		key, value, ok := strings.Cut(strings.TrimLeft(t.Line(i), "-*_ \t"), ":")
		if !ok || t.Code(i) {
			continue
		}
		key, value = strings.ToLower(strings.Trim(key, "*_ ")), strings.Trim(value, "*_ ")
		if value == "" && i+1 < to { // it stands below its label
			value = strings.TrimLeft(strings.TrimSpace(t.Line(i+1)), "-* ")
		}
		switch {
		case len(key) > 40:
		case strings.HasPrefix(key, "phase"), strings.HasSuffix(key, " phase"):
			phase = value
		case strings.Contains(key, "avoid"), strings.HasPrefix(key, "prevent"):
			avoid = value
		}
	}
	return phase, avoid
}

// namesPhase reads a field such as `2`, `Phases 1-3`, `Phase 2 (API)` or `API`.
func namesPhase(value string, p *plan.Phase) bool {
	ids := doc.DependsOn(value)
	if len(value) > 40 { // in a sentence a loose number is no phase
		ids = nil
		for _, ref := range doc.PhaseRefs(value) {
			ids = append(ids, ref.ID)
		}
	}
	if slices.ContainsFunc(ids, p.ID.Same) {
		return true
	}
	name := strings.ToLower(p.Name)
	return len(name) > 3 && strings.Contains(strings.ToLower(value), name)
}

// cutLabel cuts `Pitfall 3: ` from a title.
func cutLabel(title string) string {
	if label, rest, ok := strings.Cut(title, ":"); ok && strings.HasPrefix(strings.ToLower(label), "pitfall") {
		return strings.TrimSpace(rest)
	}
	return title
}
