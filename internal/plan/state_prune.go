package plan

import (
	"fmt"
	"strings"

	"cairn/internal/must"
	"cairn/internal/plan/doc"
)

// ArchiveFile is where Prune moves to.
const ArchiveFile = "STATE-ARCHIVE.md"

// Pruned is what Prune moved out of STATE.md.
type Pruned struct {
	Cutoff   int             `json:"cutoff_phase"` // phases up to this one are old; 0 or less: none is
	Keep     int             `json:"keep_recent"`
	Sections []PrunedSection `json:"sections"`
	Total    int             `json:"total_archived"`
}

// PrunedSection is how many entries a section lost.
type PrunedSection struct {
	Section string `json:"section"`
	Entries int    `json:"entries_archived"`
}

// Prune moves what is older than the last `keep` phases to the archive:
// decisions, what was completed, resolved blockers and metrics. An entry that
// names no phase stays.
func (s *State) Prune(keep int) Pruned {
	id, ok := s.currentPhase()
	if !ok {
		s.refuse("does not say which phase is the current one")
	}
	p := Pruned{Cutoff: id.Number - keep, Keep: keep, Sections: []PrunedSection{}}
	if p.Cutoff <= 0 {
		return p
	}
	var archive []string
	take := func(name string, lines []string, n int) {
		if n > 0 {
			p.Sections = append(p.Sections, PrunedSection{name, n})
			p.Total += n
			archive = append(archive, "", "### "+name, "")
			archive = append(archive, lines...)
		}
	}
	old := func(text string) bool { n := namedPhase(text); return n >= 0 && n <= p.Cutoff }
	if sec, ok := s.Decisions(); ok {
		lines := s.RemoveItems(sec, func(it doc.Item) bool { return old(it.Text) })
		take("Decisions", lines, len(lines))
		sec, _ = s.Decisions()
		lines, n := s.removeRows(sec, func(tb doc.Table, row int) bool { return old("Phase " + tb.Cell(row, tb.Column(phaseColumn...))) })
		take("Decisions", lines, n)
	}
	if sec, ok := s.Own("Recently Completed"); ok {
		lines := s.RemoveItems(sec, func(it doc.Item) bool { return old(it.Text) })
		take("Recently Completed", lines, len(lines))
	}
	if sec, ok := s.Blockers(); ok {
		lines := s.RemoveItems(sec, func(it doc.Item) bool { return isResolved(it) && namedPhase(it.Text) <= p.Cutoff })
		take("Blockers (resolved)", lines, len(lines))
	}
	if sec, ok := s.Section("Performance Metrics"); ok {
		lines, n := s.removeRows(sec, func(tb doc.Table, row int) bool { return old("Phase " + metricPhase(tb.Cell(row, 0))) })
		take("Performance Metrics", lines, n)
	}
	if p.Total == 0 {
		return p
	}
	s.tx.archive(fmt.Sprintf("## Pruned %s (phases up to %d)", s.today(), p.Cutoff), archive)
	return p
}

// removeRows removes the rows that match from every table of a section and
// returns them, each table's under its head, and how many they are.
func (s *State) removeRows(sec doc.Section, match func(tb doc.Table, row int) bool) (lines []string, n int) {
	tables := s.Tables(sec.Start, sec.End)
	for k := len(tables) - 1; k >= 0; k-- {
		tb := tables[k]
		var gone []string
		for row := len(tb.Rows) - 1; row >= 0; row-- {
			if match(tb, row) {
				at := tb.Line + 2 + row
				gone = append([]string{s.Line(at)}, gone...)
				s.Delete(at, at+1)
			}
		}
		if len(gone) > 0 {
			n += len(gone)
			lines = append(append(s.Lines(tb.Line, tb.Line+2), gone...), lines...)
		}
	}
	return lines, n
}

// archive appends a section to the archive, which it makes.
func (tx *Tx) archive(heading string, lines []string) {
	rel := tx.Path(ArchiveFile)
	if !tx.Has(rel) {
		tx.Write(rel, []byte("# State archive\n"))
	}
	t := must.Get(tx.Read(rel))
	t.Insert(t.Len(), append([]string{"", heading}, lines...)...)
}

// namedPhase returns the number of the phase that an entry begins with:
// `[Phase 2]: …`, `[02-01]: …`, `Phase 2 P1`, `**Phase 2: API** …`; -1 for
// none.
func namedPhase(text string) int {
	text = strings.TrimLeft(text, "*~ ")
	rest, tagged := strings.CutPrefix(text, "[")
	rest, named := strings.CutPrefix(rest, "Phase ")
	if !tagged && !named {
		return -1
	}
	if end := strings.IndexAny(rest, " :]-*~)("); end >= 0 {
		rest = rest[:end]
	}
	id, ok := doc.ParsePhaseID(rest)
	if !ok || id.Number < 0 {
		return -1
	}
	return id.Number
}

// isResolved: ticked, struck through, or marked as resolved.
func isResolved(it doc.Item) bool {
	low := strings.TrimLeft(strings.ToLower(it.Text), "* ")
	return it.Done || strings.HasPrefix(low, "~~") || strings.HasPrefix(low, "✅") || strings.HasPrefix(low, "resolved") ||
		strings.Contains(low, "[resolved]") || strings.Contains(low, "(resolved)")
}
