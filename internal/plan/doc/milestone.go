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
}

// States of a milestone, by the sign before it.
const (
	MilestoneShipped = "shipped" // ✅, or inside <details>
	MilestoneActive  = "active"  // 🚧
	MilestonePlanned = "planned" // 📋
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
		m.Line, m.Level, m.End = s.Line, s.Level, r.Len()
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
	slices.SortStableFunc(r.Milestones, func(a, b Milestone) int { return cmp.Compare(a.Line, b.Line) })
}

func isMilestoneTitle(text string) bool {
	version, _ := Version(text)
	return version != "" || strings.Contains(text, "✅") || strings.Contains(text, "📋") || strings.Contains(text, "🚧")
}

func milestone(text string) (Milestone, bool) {
	version, at := Version(text)
	if version == "" {
		return Milestone{}, false
	}
	m := Milestone{Version: version, Heading: text}
	m.Name = strings.Trim(text[at+len(version):], " :*—–-")
	m.Name, _, _ = strings.Cut(m.Name, " (")
	m.Name = strings.TrimRight(m.Name, " *")
	switch {
	case strings.Contains(text, "✅"):
		m.State = MilestoneShipped
	case strings.Contains(text, "🚧"):
		m.State = MilestoneActive
	case strings.Contains(text, "📋"):
		m.State = MilestonePlanned
	}
	return m, true
}

// milestoneItem reads `- 🚧 **v1.1 Name** - Phases 3-5`: the version comes
// first in a list item.
func milestoneItem(it Item) (Milestone, bool) {
	if it.Box || it.Number || it.Indent > 0 {
		return Milestone{}, false
	}
	title := it.Text
	if before, rest, ok := strings.Cut(title, "**"); ok {
		bold, _, _ := strings.Cut(rest, "**")
		title = before + bold
	} else {
		title, _, _ = strings.Cut(title, " - ")
	}
	m, ok := milestone(title)
	if _, at := Version(title); !ok || strings.ContainsFunc(title[:at], unicode.IsLetter) {
		return Milestone{}, false
	}
	m.Line, m.End, m.Heading = it.Line, it.Line+1, it.Text
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
// whose section holds it.
func (r *Roadmap) versionAt(line int) string {
	for i := len(r.Milestones) - 1; i >= 0; i-- {
		if m := r.Milestones[i]; m.Line < line && line < m.End {
			return m.Version
		}
	}
	return ""
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
