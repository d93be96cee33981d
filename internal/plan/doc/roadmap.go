package doc

import (
	"strconv"
	"strings"
)

// Roadmap is what ROADMAP.md says, as it stood when ReadRoadmap was called:
// read it again after an edit.
type Roadmap struct {
	*Text
	Phases     []RoadmapPhase // the detail sections, in file order
	Boxes      []RoadmapBox   // the checklist's lines, in file order
	Milestones []Milestone
}

// RoadmapPhase is a section such as `### Phase 2: API`. Its lines end at the
// next heading of the same or a higher level.
type RoadmapPhase struct {
	Section
	ID       PhaseID
	Written  string // the id as the heading has it
	Name     string // without (INSERTED)
	Inserted bool
	Shipped  bool   // inside <details>
	Version  string // of the milestone whose heading is above it, or ""
}

// RoadmapBox is a line such as `- [x] **Phase 2: API** - what it does`.
type RoadmapBox struct {
	Item
	ID      PhaseID
	Written string
	Name    string
	Shipped bool
	Version string
}

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

// ReadRoadmap reads a roadmap. Headings in code are text.
func ReadRoadmap(t *Text) *Roadmap {
	r := &Roadmap{Text: t}
	shipped := t.detailsLines()
	r.readMilestones(shipped)
	for _, s := range t.Sections() {
		if s.Level < 2 || s.Level > 4 {
			continue
		}
		if p, ok := roadmapPhase(s); ok {
			p.Shipped, p.Version = shipped[s.Line], r.versionAt(s.Line)
			r.Phases = append(r.Phases, p)
		}
	}
	for _, it := range t.Items(t.Body(), t.Len()) {
		if b, ok := roadmapBox(it); ok {
			b.Shipped, b.Version = shipped[it.Line], r.versionAt(it.Line)
			r.Boxes = append(r.Boxes, b)
		}
	}
	return r
}

// Phase returns the detail section of a phase; one that is not shipped is
// taken first.
func (r *Roadmap) Phase(id PhaseID) (RoadmapPhase, bool) {
	found := -1
	for i, p := range r.Phases {
		if p.ID.Same(id) && (found < 0 || r.Phases[found].Shipped && !p.Shipped) {
			found = i
		}
	}
	if found < 0 {
		return RoadmapPhase{}, false
	}
	return r.Phases[found], true
}

// Box returns the checklist line of a phase; see Phase.
func (r *Roadmap) Box(id PhaseID) (RoadmapBox, bool) {
	found := -1
	for i, b := range r.Boxes {
		if b.ID.Same(id) && (found < 0 || r.Boxes[found].Shipped && !b.Shipped) {
			found = i
		}
	}
	if found < 0 {
		return RoadmapBox{}, false
	}
	return r.Boxes[found], true
}

// Field returns a field of a phase's section: Goal, Depends on, Requirements,
// Mode, Plans.
func (r *Roadmap) PhaseField(p RoadmapPhase, name string) (Field, bool) {
	return r.Field(p.Start, p.End, name)
}

// Criteria returns the numbered lines under Success Criteria.
func (r *Roadmap) Criteria(p RoadmapPhase) []string {
	var out []string
	in := false
	for i := p.Start; i < p.End; i++ {
		line := strings.TrimSpace(r.Line(i))
		if strings.HasPrefix(line, "**Success Criteria") {
			in = true
			continue
		}
		it, ok := item(r.Line(i))
		switch {
		case in && ok && it.Number:
			out = append(out, it.Text)
		case in && line != "" && !ok && !strings.HasPrefix(r.Line(i), " "):
			return out
		}
	}
	return out
}

// Progress returns the table of phases and their state, and for a phase the
// index of its row, or -1.
func (r *Roadmap) Progress() (table Table, row func(PhaseID) int, ok bool) {
	for _, tb := range r.Tables(r.Body(), r.Len()) {
		if tb.Column("Phase") != 0 || tb.Column("Status") < 0 {
			continue
		}
		return tb, func(id PhaseID) int {
			for i := range tb.Rows {
				if written, _, _ := cutProgressID(tb.Cell(i, 0)); written != "" {
					if is, ok := ParsePhaseID(written); ok && is.Same(id) {
						return i
					}
				}
			}
			return -1
		}, true
	}
	return Table{}, nil, false
}

// cutProgressID reads `2. API`, `02 API`, `2.1 Hotfix` or `Phase 2: API`.
func cutProgressID(cell string) (id, name string, ok bool) {
	cell = strings.TrimPrefix(strings.TrimLeft(cell, "*"), "Phase ")
	id, name, _ = strings.Cut(cell, " ")
	id = strings.TrimRight(id, ".:*")
	return id, strings.Trim(name, " *"), id != ""
}

func roadmapPhase(s Section) (RoadmapPhase, bool) {
	written, name, ok := cutPhaseTitle(s.Text)
	if !ok {
		return RoadmapPhase{}, false
	}
	id, ok := ParsePhaseID(written)
	if !ok {
		return RoadmapPhase{}, false
	}
	p := RoadmapPhase{Section: s, ID: id, Written: written}
	p.Name, p.Inserted = cutInserted(name)
	return p, true
}

func roadmapBox(it Item) (RoadmapBox, bool) {
	if !it.Box {
		return RoadmapBox{}, false
	}
	title := it.Text
	if rest, ok := strings.CutPrefix(title, "**"); ok {
		title, _, _ = strings.Cut(rest, "**")
	} else {
		title, _, _ = strings.Cut(title, " - ")
	}
	written, name, ok := cutPhaseTitle(title)
	if !ok {
		return RoadmapBox{}, false
	}
	id, ok := ParsePhaseID(written)
	name, _ = cutInserted(name)
	return RoadmapBox{Item: it, ID: id, Written: written, Name: name}, ok
}

// cutPhaseTitle reads `Phase 2: API`.
func cutPhaseTitle(s string) (id, name string, ok bool) {
	const word = "phase "
	if len(s) < len(word) || !strings.EqualFold(s[:len(word)], word) {
		return "", "", false
	}
	id, name, ok = strings.Cut(s[len(word):], ":")
	return strings.TrimSpace(id), strings.TrimSpace(name), ok
}

func cutInserted(name string) (string, bool) {
	const mark = "(INSERTED)"
	i := strings.Index(name, mark)
	if i < 0 {
		return name, false
	}
	return strings.TrimSpace(name[:i] + name[i+len(mark):]), true
}

// detailsLines marks the lines inside <details> elements, tags included.
func (t *Text) detailsLines() []bool {
	in := make([]bool, t.Len())
	depth := 0
	for i := range in {
		if t.Code(i) {
			in[i] = depth > 0
			continue
		}
		line := strings.ToLower(t.Line(i))
		depth += strings.Count(line, "<details")
		in[i] = depth > 0
		depth = max(depth-strings.Count(line, "</details"), 0)
	}
	return in
}

func (r *Roadmap) readMilestones(shipped []bool) {
	sections := r.Sections()
	for _, s := range sections {
		if s.Level > 3 {
			continue
		}
		if _, _, isPhase := cutPhaseTitle(s.Text); isPhase {
			continue
		}
		if m, ok := milestone(s.Text); ok {
			m.Line, m.Level, m.End = s.Line, s.Level, s.End
			if shipped[s.Line] {
				m.State = MilestoneShipped
			}
			r.Milestones = append(r.Milestones, m)
		}
	}
}

func milestone(text string) (Milestone, bool) {
	version, at := Version(text)
	if version == "" {
		return Milestone{}, false
	}
	m := Milestone{Version: version, Heading: text}
	m.Name = strings.Trim(text[at+len(version):], " :*—–-")
	m.Name, _, _ = strings.Cut(m.Name, " (")
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

// Counts reads `2/5` at the start of a text.
func Counts(s string) (done, total int, ok bool) {
	a, rest, found := strings.Cut(strings.TrimSpace(s), "/")
	n := countDigits(rest)
	done, err := strconv.Atoi(a)
	if !found || err != nil || n == 0 {
		return 0, 0, false
	}
	total, _ = strconv.Atoi(rest[:n])
	return done, total, true
}
