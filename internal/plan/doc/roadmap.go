package doc

import (
	"slices"
	"strings"
)

// Roadmap is what ROADMAP.md says, as it stood when ReadRoadmap was called:
// read it again after an edit.
type Roadmap struct {
	*Text
	shipped    []bool // lines inside the <details> of what was shipped
	folds      []fold
	rows       []ProgressRow // as they were after so many edits
	rowsEdits  int
	Phases     []RoadmapPhase // the detail sections, in file order
	Boxes      []RoadmapBox   // the checklist's lines, in file order
	Bullets    []RoadmapBox   // likewise, those without a box
	Milestones []Milestone
	Ranges     []PhaseRange // what is said of several phases at once
}

// RoadmapPhase is a section such as `### Phase 2: API`. Its lines end at the
// next heading of a phase, whatever its level, or at one of the same or a
// higher level.
type RoadmapPhase struct {
	Section
	ID       PhaseID
	Written  string // the id as the heading has it
	Name     string // without (INSERTED) and what else marks it
	Inserted bool
	Shipped  bool   // inside the <details> of a milestone that was shipped
	Version  string // of the milestone whose heading is above it, or ""
	Sure     bool   // that it is of this milestone
	Said     Said   // by the heading's marks
}

// RoadmapBox is a line such as `- [x] **Phase 2: API** - what it does`.
type RoadmapBox struct {
	Item
	ID      PhaseID
	Written string
	Name    string
	Shipped bool
	Version string
	Sure    bool
	Said    Said // by its box, or its marks
}

// ReadRoadmap reads a roadmap. Headings in code are text.
func ReadRoadmap(t *Text) *Roadmap {
	r := &Roadmap{Text: t}
	r.shipped = r.readFolds()
	shipped := r.shipped
	r.readMilestones(shipped)
	r.readRanges()
	for _, s := range t.Sections() {
		if s.Level < 2 || s.Level > 4 {
			continue
		}
		if p, ok := roadmapPhase(s); ok {
			p.Shipped = shipped[s.Line]
			if p.Sure = p.Version != ""; !p.Sure {
				p.Version, p.Sure = r.versionOf(p.ID, s.Line)
			}
			if last := len(r.Phases) - 1; last >= 0 {
				r.Phases[last].End = min(r.Phases[last].End, s.Line)
			}
			r.Phases = append(r.Phases, p)
		}
	}
	for i := range r.Phases {
		r.Phases[i].endAtDetails(t, shipped)
	}
	for _, it := range t.Items(t.Body(), t.Len()) {
		b, ok := roadmapBox(it)
		if !ok {
			continue
		}
		b.Shipped = shipped[it.Line]
		if b.Sure = b.Version != ""; !b.Sure {
			b.Version, b.Sure = r.versionOf(b.ID, it.Line)
		}
		switch {
		case it.Box:
			r.Boxes = append(r.Boxes, b)
		case it.Indent == 0 && b.Name != "":
			r.Bullets = append(r.Bullets, b)
		}
	}
	return r
}

// ShippedAt reports whether a line stands inside a <details>.
func (r *Roadmap) ShippedAt(line int) bool { return line < len(r.shipped) && r.shipped[line] }

// FirstShipped returns the first of the lines [from, to) that does, or to.
func (r *Roadmap) FirstShipped(from, to int) int {
	for i := from; i < to; i++ {
		if r.ShippedAt(i) {
			return i
		}
	}
	return to
}

// endAtDetails keeps the end of the <details> that a section is in out of it,
// and likewise the <details> that the next phase is in.
func (p *RoadmapPhase) endAtDetails(t *Text, shipped []bool) {
	if !p.Shipped && p.End < t.Len() && shipped[p.End] {
		for p.End > p.Start && shipped[p.End-1] {
			p.End--
		}
	}
	for i := p.Start; p.Shipped && i < p.End; i++ {
		if strings.Contains(strings.ToLower(t.Line(i)), "</details") && !t.Code(i) {
			p.End = i
		}
	}
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

// PhaseField returns a field of a phase's section: Goal, Depends on, Requirements,
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

func roadmapPhase(s Section) (RoadmapPhase, bool) {
	t, ok := ReadPhaseTitle(s.Text)
	p := RoadmapPhase{Section: s, ID: t.ID, Written: t.Written, Name: t.Name, Inserted: t.Inserted, Version: t.Version, Said: t.Said}
	return p, ok
}

func roadmapBox(it Item) (RoadmapBox, bool) {
	t, ok := ReadPhaseTitle(boxTitle(it.Text))
	b := RoadmapBox{Item: it, ID: t.ID, Written: t.Written, Name: t.Name, Version: t.Version, Said: t.Said}
	if it.Box {
		b.Said = SaysOpen
		if it.Done {
			b.Said = SaysDone
		}
	}
	return b, ok
}

// boxTitle returns the title of a checklist line: what is bold, with the name
// if that follows (`**Phase 2**: API`); without bold all of it when a mark ends
// it (`Phase 2: API - v2 (3/3 plans)`), else what is before a dash.
func boxTitle(text string) string {
	beforeDash := func(s string) string {
		if name, _ := cutMarks(s); name != strings.TrimRight(s, " *_~`:") {
			return s
		}
		from := 0 // the dash between number and name is no end
		if t, ok := ReadPhaseTitle(s); ok && t.Name != "" {
			from = max(strings.Index(s, t.Name), 0)
		}
		end := len(s)
		for _, dash := range dashes {
			if i := strings.Index(s[from:], dash); i >= 0 {
				end = min(end, from+i)
			}
		}
		return s[:end]
	}
	at := strings.Index(text, "**")
	if _, said := cutSigns(text); at < 0 || at > 0 && said == Silent {
		return beforeDash(text)
	}
	title, rest, _ := strings.Cut(text[at+2:], "**")
	if t, ok := ReadPhaseTitle(title); ok && t.Name == "" && rest != "" {
		return title + beforeDash(rest)
	}
	return text[:at] + title
}

func isPhaseTitle(s string) bool {
	_, ok := ReadPhaseTitle(s)
	return ok
}

func cutInserted(name string) (string, bool) {
	const mark = "(INSERTED)"
	i := strings.Index(name, mark)
	if i < 0 {
		return name, false
	}
	return strings.TrimSpace(name[:i] + name[i+len(mark):]), true
}

// Unread returns the lines that begin as a phase does, with a number, and are
// read as none: headings, checklist lines and rows of the tables of progress.
func (r *Roadmap) Unread() []int {
	var out []int
	begins := func(text string) bool {
		text, _ = cutSigns(text)
		return len(text) > 6 && strings.EqualFold(text[:6], "phase ") && isDigit(text[6]) && !isPhaseTitle(text)
	}
	for _, h := range r.Headings() {
		if h.Level >= 2 && h.Level <= 4 && begins(h.Text) {
			out = append(out, h.Line)
		}
	}
	for _, it := range r.Items(r.Body(), r.Len()) {
		if it.Box && it.Indent == 0 && begins(it.Text) && !isPhaseTitle(boxTitle(it.Text)) {
			out = append(out, it.Line)
		}
	}
	for _, tb := range r.ProgressTables() {
		for i := range tb.Rows {
			if _, ok := progressPhase(tb.Cell(i, 0)); !ok && strings.ContainsAny(tb.Cell(i, 0), "0123456789") {
				out = append(out, tb.Line+2+i)
			}
		}
	}
	slices.Sort(out)
	return out
}
