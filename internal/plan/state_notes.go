package plan

import (
	"strings"

	"cairn/internal/plan/doc"
)

// Decision is a decision as STATE.md lists it.
type Decision struct {
	Phase     string `json:"phase"`
	Summary   string `json:"summary"`
	Rationale string `json:"rationale"`
}

// String prints the decision as an item's text.
func (d Decision) String() string {
	text := "[Phase " + d.Phase + "]: " + d.Summary
	if d.Rationale != "" {
		text += " — " + d.Rationale
	}
	return doc.OneLine(text)
}

// Decide lists a decision: as a row where decisions are a table, else as an
// item. It reports whether the section had to be made.
func (s *State) Decide(d Decision) (created bool) {
	sec, ok := s.Decisions()
	if !ok {
		s.AddSection(2, "Decisions", "- "+d.String())
		return true
	}
	for _, tb := range s.Tables(sec.Start, sec.End) {
		if row := d.row(tb); row != nil {
			s.AddRow(tb, row...)
			return false
		}
	}
	s.AddItem(sec, d.String())
	return false
}

// Columns of a table of decisions.
var (
	phaseColumn     = []string{"Phase"}
	summaryColumn   = []string{"Summary", "Decision"}
	rationaleColumn = []string{"Rationale", "Reason", "Why"}
)

// row returns the decision as a row of the table, nil when the table is of
// something else.
func (d Decision) row(tb doc.Table) []string {
	at := tb.Column(summaryColumn...)
	if at < 0 {
		return nil
	}
	row := make([]string, len(tb.Head))
	put := func(names []string, value string) bool {
		i := tb.Column(names...)
		if i >= 0 {
			row[i] = doc.OneLine(value)
		}
		return i >= 0
	}
	put(phaseColumn, d.Phase)
	put(summaryColumn, d.Summary)
	if !put(rationaleColumn, d.Rationale) && d.Rationale != "" {
		row[at] += " — " + doc.OneLine(d.Rationale)
	}
	return row
}

// ListDecisions returns the decisions, of a table or of items.
func (s *State) ListDecisions() []Decision {
	out := []Decision{}
	sec, ok := s.Decisions()
	if !ok {
		return out
	}
	for _, tb := range s.Tables(sec.Start, sec.End) {
		at := tb.Column(summaryColumn...)
		for i := range tb.Rows {
			cell := func(column int) string { return strings.ReplaceAll(tb.Cell(i, column), `\|`, "|") }
			if summary := cell(at); !doc.Unset(summary) {
				out = append(out, Decision{cell(tb.Column(phaseColumn...)), summary, cell(tb.Column(rationaleColumn...))})
			}
		}
	}
	for _, text := range s.ItemTexts(sec) {
		out = append(out, readDecision(text))
	}
	return out
}

// readDecision reads `[Phase 2]: summary — rationale`; what has another form
// is a summary.
func readDecision(text string) (d Decision) {
	if tag, rest, ok := strings.Cut(text, "]"); ok && strings.HasPrefix(tag, "[") {
		d.Phase = strings.TrimPrefix(tag[1:], "Phase ")
		text = strings.TrimLeft(rest, ": ")
	}
	d.Summary, d.Rationale, _ = strings.Cut(text, " — ")
	return d
}

// Block lists something that is in the way. It reports whether the section
// had to be made.
func (s *State) Block(text string) (created bool) {
	sec, ok := s.Blockers()
	if !ok {
		s.AddSection(2, "Blockers", "- "+doc.OneLine(text))
		return true
	}
	s.AddItem(sec, text)
	return false
}

// Unblock removes the blockers that contain the text, compared without case,
// and returns them. It reports whether there is a list of blockers.
func (s *State) Unblock(text string) (removed []string, ok bool) {
	sec, ok := s.Blockers()
	if !ok {
		return nil, false
	}
	text = strings.ToLower(doc.OneLine(text))
	return s.RemoveItems(sec, func(it doc.Item) bool { return strings.Contains(strings.ToLower(it.Text), text) }), true
}

// ListBlockers returns what is in the way.
func (s *State) ListBlockers() []string {
	if sec, ok := s.Blockers(); ok {
		return s.ItemTexts(sec)
	}
	return []string{}
}
