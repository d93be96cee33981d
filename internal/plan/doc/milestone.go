package doc

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// Milestone is a heading, or a list item, that names a version: v1.2[.3].
type Milestone struct {
	Version string
	Name    string // what follows the version, or ""
	Heading string // the whole text
	Line    int
	Level   int // of the heading; 0 for a list item
	End     int // the line after what belongs to it
	State   string
	Said    Said   // of its completion
	ends    int    // the line where its section ends, as Markdown has it
	Through string // the last version where it stands for several, as v1.4 in `v1.0–v1.4`
}

// States of a milestone, by the sign before it or what is said after it.
const (
	MilestoneShipped = "shipped" // ✅, (shipped 2026-03-01), or inside <details>
	MilestoneActive  = "active"  // 🚧, (in progress)
	MilestonePlanned = "planned" // 📋, (planned)
)

// readMilestones finds the headings and the list items that name a version. A
// heading's milestone goes on to the next heading of its level or above that
// names one too, or carries a milestone's sign: headings such as `## Phase
// Details` are inside of it.
func (r *Roadmap) readMilestones(shipped []bool) {
	sections := r.Sections()
	for i, s := range sections {
		m, ok := milestone(s.Text)
		if !ok || s.Level > 3 || isPhaseTitle(s.Text) {
			continue
		}
		m.Line, m.Level, m.End, m.ends = s.Line, s.Level, r.Len(), s.End
		for _, next := range sections[i+1:] {
			if next.Level <= s.Level && !isPhaseTitle(next.Text) && isMilestoneTitle(next.Text) {
				m.End = next.Line
				break
			}
		}
		if shipped[s.Line] {
			m.State = MilestoneShipped
		}
		r.Milestones = append(r.Milestones, m)
	}
	for _, it := range r.Items(r.Body(), r.Len()) {
		if m, ok := milestoneItem(it); ok {
			r.Milestones = append(r.Milestones, m)
		}
	}
	for i := range r.folds {
		if d := &r.folds[i]; d.milestone != nil {
			d.milestone.End = d.end
			if d.ships() {
				d.milestone.State, d.milestone.Said = MilestoneShipped, SaysDone
			}
			r.Milestones = append(r.Milestones, *d.milestone)
		}
	}
	slices.SortStableFunc(r.Milestones, func(a, b Milestone) int { return cmp.Compare(a.Line, b.Line) })
}

func isMilestoneTitle(text string) bool {
	version, _ := TitleVersion(text)
	return version != "" || strings.Contains(text, "✅") || strings.Contains(text, "📋") || strings.Contains(text, "🚧")
}

func milestone(text string) (Milestone, bool) {
	version, at := TitleVersion(text)
	if version == "" {
		return Milestone{}, false
	}
	m := Milestone{Version: version, Heading: text, Said: milestoneSaid(text)}
	rest := text[at+len(version):]
	if last, at := Version(rest); at >= 0 && strings.Trim(rest[:at], " -–—") == "" { // v1.0–v1.4
		m.Through, rest = last, rest[at+len(last):]
	}
	m.Name = strings.Trim(rest, " :*—–-")
	m.Name, _, _ = strings.Cut(" "+m.Name, " (")
	name, said := cutMarks(strings.TrimSpace(m.Name))
	m.Name = name
	if m.Said == Silent { // One ✅ SHIPPED 2026-01-02
		m.Said = said
	}
	m.Name = strings.TrimRight(m.Name, " *")
	if at, tail := lastDash(" " + m.Name); at >= 0 && len(phaseRanges(tail)) > 0 { // the phases are no name
		m.Name = strings.TrimSpace((" " + m.Name)[:at])
	}
	m.State = milestoneState(m.Said, text)
	return m, true
}

// milestoneState is how far a milestone is, by what its line says.
func milestoneState(said Said, text string) string {
	switch {
	case said == SaysDone:
		return MilestoneShipped
	case strings.Contains(text, "🚧"):
		return MilestoneActive
	case strings.Contains(text, "📋"):
		return MilestonePlanned
	case said == SaysOpen && hasAny(text, "in progress", "active", "current"):
		return MilestoneActive
	case said == SaysOpen && hasAny(text, "planned", "planning", "upcoming", "future", "next", "not started", "pending"):
		return MilestonePlanned
	}
	return ""
}

func hasAny(text string, words ...string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
}

// milestoneSaid says what a milestone's line says of it: by the sign or box
// before it, else by the first note in brackets, or part after a dash, that is a
// status.
func milestoneSaid(text string) Said {
	_, said := cutSigns(text)
	if said != Silent {
		return said
	}
	for i := range len(text) {
		switch {
		case text[i] == '(' || text[i] == '[':
			said = statusTail(text[i+1:])
		case i > 0 && text[i-1] == ' ':
			for _, dash := range []string{"— ", "– ", "- ", "-- "} {
				if tail, ok := strings.CutPrefix(text[i:], dash); ok && said == Silent {
					said = statusTail(tail)
				}
			}
		}
		if said != Silent {
			return said
		}
	}
	return Silent
}

// TitleVersion finds the version that a milestone's title has: the first vX.Y
// in it, or a bare vX that it begins with.
func TitleVersion(s string) (version string, at int) {
	rest, _ := cutSigns(s)
	for _, word := range []string{"Roadmap", "Milestone", ":"} {
		rest = strings.TrimLeft(strings.TrimPrefix(rest, word), " *")
	}
	if n := countDigits(strings.TrimPrefix(rest, "v")); n > 0 && strings.HasPrefix(rest, "v") {
		if end := rest[1+n:]; end == "" || end[0] != '.' && !isLetter(end[0]) {
			return rest[:1+n], strings.Index(s, rest)
		}
	}
	return Version(s)
}

// milestoneItem reads `- 🚧 **v1.1 Name** - Phases 3-5`: the version comes
// first in a list item.
func milestoneItem(it Item) (Milestone, bool) {
	if it.Number || it.Indent > 0 || isPhaseTitle(it.Text) {
		return Milestone{}, false
	}
	title, notes, _ := strings.Cut(it.Text, " - ")
	if before, rest, ok := strings.Cut(it.Text, "**"); ok {
		title, notes, _ = strings.Cut(rest, "**")
		title = before + title
	}
	m, ok := milestone(title)
	if _, at := TitleVersion(title); !ok || strings.ContainsFunc(title[:at], unicode.IsLetter) {
		return Milestone{}, false
	}
	if it.Box && len(phaseRanges(it.Text)) == 0 { // a task that begins with a version
		return Milestone{}, false
	}
	whole, ok := milestone(it.Text)
	if name := m.Name; ok && whole.Version == m.Version {
		m, m.Name = whole, name
	}
	if it.Box {
		m.Said = SaysOpen
		if it.Done {
			m.Said = SaysDone
		}
		m.State = milestoneState(m.Said, notes)
	}
	m.Line, m.End, m.Level, m.Heading = it.Line, it.Line+1, 0, it.Text
	return m, true
}

// HasMilestone reports whether the roadmap names a milestone.
func (r *Roadmap) HasMilestone(version string) bool {
	return slices.ContainsFunc(r.Milestones, func(m Milestone) bool { return m.Version == version })
}

// MilestoneName returns what the roadmap calls a milestone, or "".
func (r *Roadmap) MilestoneName(version string) string {
	for _, m := range r.Milestones {
		if m.Version == version && m.Name != "" {
			return m.Name
		}
	}
	return ""
}

// versionAt returns the version of the nearest milestone heading above a line
// whose section holds it. It is sure unless a heading of a higher level stands
// between: what is below `## Phase Details` may be of any milestone.
func (r *Roadmap) versionAt(line int) (version string, sure bool) {
	for i := len(r.Milestones) - 1; i >= 0; i-- {
		if m := r.Milestones[i]; m.Line < line && line < m.End {
			if m.Through != "" {
				return "", false
			}
			return m.Version, m.Level == 0 || line < m.ends
		}
	}
	return "", false
}

// versionOf returns the version of the milestone that a phase is of, by the line
// that names it. Where the list of milestones says which numbers that heading's
// milestone has, and that this one is another's, the list is believed: new phases
// are often written below whatever heading comes last.
func (r *Roadmap) versionOf(id PhaseID, line int) (version string, sure bool) {
	version, sure = r.versionAt(line)
	if version == "" || r.ShippedAt(line) {
		return version, sure
	}
	listed, other := false, ""
	for _, g := range r.Ranges {
		switch {
		case g.Version == version && g.Holds(id):
			return version, sure
		case g.Version == version:
			listed = true
		case g.Version == "" || !g.Holds(id):
		case other != "" && other != g.Version:
			return version, sure
		default:
			other = g.Version
		}
	}
	if !listed || other == "" {
		return version, sure
	}
	return other, true
}

// Version finds the first vX.Y or vX.Y.Z in s and where it stands.
func Version(s string) (version string, at int) {
	for at := 0; at < len(s); at++ {
		if s[at] != 'v' || at > 0 && (isLetter(s[at-1]) || isDigit(s[at-1])) {
			continue
		}
		end, parts := at+1, 0
		for parts < 3 {
			n := countDigits(s[end:])
			if n == 0 {
				break
			}
			end += n
			if parts++; parts == 3 || end+1 >= len(s) || s[end] != '.' || !isDigit(s[end+1]) {
				break
			}
			end++
		}
		if parts >= 2 {
			return s[at:end], at
		}
	}
	return "", -1
}
