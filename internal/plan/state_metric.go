package plan

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"cairn/internal/plan/doc"
)

// Metric is what executing one plan took. Tasks and Files "" are not known.
type Metric struct {
	Phase    string `json:"phase"`
	Plan     string `json:"plan"`
	Duration string `json:"duration"`
	Tasks    string `json:"tasks,omitempty"`
	Files    string `json:"files,omitempty"`
}

var metricColumns = []string{"Plan", "Duration", "Tasks", "Files"}

// Record adds a row to the table of plans in Performance Metrics. It reports
// whether the table or the section had to be made.
func (s *State) Record(m Metric) (created bool) {
	row := []string{"Phase " + m.Phase + " P" + m.Plan, m.Duration, cmp.Or(m.Tasks, "-") + " tasks", cmp.Or(m.Files, "-") + " files"}
	for i := range row {
		row[i] = doc.OneLine(row[i])
	}
	sec, ok := s.Section("Performance Metrics")
	if !ok {
		s.AddSection(2, "Performance Metrics", doc.NewTable(metricColumns, row)...)
		return true
	}
	if tb, ok := metricTable(s.Tables(sec.Start, sec.End)); ok {
		s.AddRow(tb, row...)
		return false
	}
	s.AddTable(sec, metricColumns, row)
	return true
}

// Recorded reports whether the table of plans has a row of this plan: Phase 2 P1, 02-01.
func (s *State) Recorded(phase, plan string) bool {
	sec, ok := s.Section("Performance Metrics")
	if !ok {
		return false
	}
	tb, _ := metricTable(s.Tables(sec.Start, sec.End))
	for i := range tb.Rows {
		cell := tb.Cell(i, 0)
		number := cell[strings.LastIndexAny(cell, " -")+1:]
		if samePhase(metricPhase(cell), phase) && samePlanNumber(strings.TrimPrefix(number, "P"), plan) {
			return true
		}
	}
	return false
}

// samePlanNumber: 1 is 01.
func samePlanNumber(a, b string) bool { return strings.TrimLeft(a, "0") == strings.TrimLeft(b, "0") }

// metricTable returns the table of plans: the one with a duration. Others in
// the section sum up by phase, or show a trend.
func metricTable(tables []doc.Table) (doc.Table, bool) {
	i := slices.IndexFunc(tables, func(tb doc.Table) bool {
		return len(tb.Head) == len(metricColumns) && tb.Column("Duration", "Time") > 0
	})
	if i < 0 {
		return doc.Table{}, false
	}
	return tables[i], true
}

// sumUp writes a phase that is complete into the table of Performance Metrics
// that goes by phase, and how many plans are done, where the section has them.
func (s *State) sumUp(p *Phase, plansDone int) {
	sec, ok := s.Section("Performance Metrics")
	if !ok {
		return
	}
	for _, it := range s.Items(sec.Start, sec.End) {
		if name, _, ok := strings.Cut(it.Text, ":"); ok && strings.EqualFold(name, "Total plans completed") {
			line := s.Line(it.Line)
			s.SetLine(it.Line, line[:strings.Index(line, ":")+1]+" "+strconv.Itoa(plansDone))
		}
	}
	for _, tb := range s.Tables(sec.Start, sec.End) {
		plans := tb.Column("Plans")
		if tb.Column("Phase") != 0 || plans < 0 {
			continue
		}
		count := strconv.Itoa(p.Executed())
		for i := range tb.Rows {
			if samePhase(metricPhase(tb.Cell(i, 0)), p.ID.String()) {
				s.SetCell(tb, i, plans, count)
				return
			}
		}
		row := slices.Repeat([]string{"-"}, len(tb.Head))
		row[0], row[plans] = p.ID.String(), count
		s.AddRow(tb, row...)
		return
	}
}

// metricPhase returns the phase in a row's first cell: 2 of `Phase 2 P1`, 2
// of `2`, 02 of `02-01`.
func metricPhase(cell string) string {
	cell = strings.TrimPrefix(cell, "Phase ")
	cell, _, _ = strings.Cut(cell, " ")
	cell, _, _ = strings.Cut(cell, "-")
	return strings.TrimRight(cell, ".:")
}
