package doc

import (
	"strconv"
	"strings"
)

// PhaseRange is what the roadmap says of the phases of a milestone in one
// breath: `- ✅ **v1.0 MVP** — Phases 1-6 (shipped 2026-04-04)`.
type PhaseRange struct {
	Line    int
	Text    string
	Version string // of the milestone, "" for none or several
	From    PhaseID
	To      int // the last number
	Said    Said
}

// Holds reports whether a phase is one of the range. What was inserted after
// one of its phases is.
func (r PhaseRange) Holds(id PhaseID) bool {
	if r.From.Decimals != "" || r.From.Letter != "" {
		return r.From.Same(id)
	}
	return r.From.Number <= id.Number && id.Number <= r.To && (id.Code == "" || r.From.Code == "" || id.Code == r.From.Code)
}

// phaseRanges finds the phases that a text names after the word Phase or
// Phases: `Phases 1–6`, `Phase 15`, `Phases 158-168, 173`, `Phases 1-10 incl. 07.1`.
func phaseRanges(s string) []PhaseRange {
	var out []PhaseRange
	eachPhaseWord(s, func(at int) int {
		ranges, end := rangeList(s, at)
		out = append(out, ranges...)
		return end
	})
	return out
}

// rangeList reads numbers and ranges with separators between them.
func rangeList(s string, at int) (out []PhaseRange, end int) {
	end = at
	for at = skipBlank(s, at); at < len(s); {
		id, rest, ok := cutPhaseID(s[at:])
		if !ok {
			return out, end
		}
		r := PhaseRange{From: id, To: id.Number}
		if last, after, ok := rangeEnd(rest); ok && last >= id.Number && last-id.Number < 1000 {
			r.To, rest = last, after
		}
		out = append(out, r)
		end = len(s) - len(rest)
		at = skipBlank(s, end)
		sep := 0
		for _, word := range []string{",", "and ", "&", "+", "incl.", "including ", "plus "} {
			if strings.HasPrefix(s[at:], word) {
				sep = len(word)
				break
			}
		}
		if sep == 0 {
			return out, end
		}
		at = skipBlank(s, at+sep)
	}
	return out, end
}

// rangeEnd reads `-6`, ` – 6`, ` to 6`. Signs that are no ASCII count as a dash,
// so that one that a wrong encoding has broken does too.
func rangeEnd(s string) (last int, rest string, ok bool) {
	rest = strings.TrimLeft(s, " ")
	trimmed := strings.TrimLeftFunc(rest, func(r rune) bool { return r == '-' || r > 127 })
	if trimmed == rest {
		if trimmed, ok = strings.CutPrefix(rest, "to "); !ok {
			return 0, s, false
		}
	}
	trimmed = strings.TrimLeft(trimmed, " ")
	n := countDigits(trimmed)
	if n == 0 || n > 6 {
		return 0, s, false
	}
	last, _ = strconv.Atoi(trimmed[:n])
	return last, trimmed[n:], true
}

// readRanges finds what headings, list items, the summaries of <details> and
// tables of milestones say of their phases.
func (r *Roadmap) readRanges() {
	add := func(line int, text, version string, said Said, ranges []PhaseRange) {
		for _, p := range ranges {
			p.Line, p.Text, p.Version, p.Said = line, text, version, said
			r.Ranges = append(r.Ranges, p)
		}
	}
	for _, m := range r.Milestones {
		version := m.Version
		if m.Through != "" {
			version = ""
		}
		add(m.Line, m.Heading, version, m.Said, phaseRanges(m.Heading))
	}
	for _, d := range r.folds {
		if d.milestone == nil {
			add(d.line, d.summary, "", d.said, phaseRanges(d.summary))
		}
	}
	for _, tb := range r.Tables(r.Body(), r.Len()) {
		status, phases := tb.Column("Status", "State"), tb.Column("Phases")
		if tb.Column("Milestone", "Version") != 0 || status < 0 || phases < 0 {
			continue
		}
		for i := range tb.Rows {
			cell := tb.Cell(i, phases)
			ranges := phaseRanges(cell)
			if len(ranges) == 0 {
				ranges, _ = rangeList(cell, 0)
			}
			version, _ := TitleVersion(tb.Cell(i, 0))
			add(tb.Line+2+i, strings.TrimSpace(r.Line(tb.Line+2+i)), version, Says(tb.Cell(i, status)), ranges)
		}
	}
}

// fold is a <details> element.
type fold struct {
	line, end int // end is the line after </details>
	summary   string
	said      Said
	milestone *Milestone
}

// readFolds finds the <details> elements. What is inside of one was shipped,
// unless its summary says that it is in work, or names neither a milestone nor
// a phase: then it only saves room.
func (r *Roadmap) readFolds() []bool {
	shipped := make([]bool, r.Len())
	var open []int // in r.folds
	for i := range shipped {
		line := strings.ToLower(r.Line(i))
		if !r.Code(i) {
			for range countTags(line, "<details") {
				open = append(open, len(r.folds))
				r.folds = append(r.folds, r.fold(i))
			}
		}
		for _, k := range open {
			shipped[i] = shipped[i] || r.folds[k].ships()
		}
		if !r.Code(i) {
			for range min(countTags(line, "</details"), len(open)) {
				r.folds[open[len(open)-1]].end = i + 1
				open = open[:len(open)-1]
			}
		}
	}
	return shipped
}

// countTags counts how often a tag stands in a line; in backticks it is text.
func countTags(line, tag string) int {
	return strings.Count(line, tag) - strings.Count(line, "`"+tag)
}

func (d fold) ships() bool {
	if d.said != Silent {
		return d.said == SaysDone
	}
	return d.milestone != nil || d.summary == "" || len(phaseRanges(d.summary)) > 0
}

// fold reads the summary of the <details> that a line opens: its <summary>, or
// the first text inside.
func (r *Roadmap) fold(line int) fold {
	d := fold{line: line, end: r.Len()}
	var text strings.Builder
	for i := line; i < min(line+6, r.Len()); i++ {
		s := r.Line(i)
		if i > line && strings.Contains(strings.ToLower(s), "<details") {
			break
		}
		if h, ok := heading(s); ok {
			s = h.Text
		}
		text.WriteString(s + " ")
		if strings.Contains(strings.ToLower(s), "</summary") {
			break
		}
		if bare := strings.TrimSpace(cutTags(text.String())); bare != "" && !strings.Contains(strings.ToLower(text.String()), "<summary") {
			break
		}
	}
	d.summary = strings.Join(strings.Fields(cutTags(text.String())), " ")
	d.said = milestoneSaid(d.summary)
	if m, ok := milestone(d.summary); ok {
		m.Line = line
		for i := line; i < min(line+6, r.Len()); i++ {
			if strings.Contains(r.Line(i), m.Version) {
				m.Line = i
				break
			}
		}
		d.milestone = &m
	}
	return d
}

// cutTags takes the tags out of a line.
func cutTags(s string) string {
	var b strings.Builder
	for {
		before, after, ok := strings.Cut(s, "<")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		if _, s, ok = strings.Cut(after, ">"); !ok {
			return b.String()
		}
	}
}
