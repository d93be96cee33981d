package doc

import "strings"

// Roadmap is what ROADMAP.md says, as it stood when ReadRoadmap was called:
// read it again after an edit.
type Roadmap struct {
	*Text
	shipped    []bool         // lines inside <details>
	Phases     []RoadmapPhase // the detail sections, in file order
	Boxes      []RoadmapBox   // the checklist's lines, in file order
	Milestones []Milestone
}

// RoadmapPhase is a section such as `### Phase 2: API`. Its lines end at the
// next heading of a phase, whatever its level, or at one of the same or a
// higher level.
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

// ReadRoadmap reads a roadmap. Headings in code are text.
func ReadRoadmap(t *Text) *Roadmap {
	shipped := t.detailsLines()
	r := &Roadmap{Text: t, shipped: shipped}
	r.readMilestones(shipped)
	for _, s := range t.Sections() {
		if s.Level < 2 || s.Level > 4 {
			continue
		}
		if p, ok := roadmapPhase(s); ok {
			p.Shipped, p.Version = shipped[s.Line], r.versionAt(s.Line)
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
		if b, ok := roadmapBox(it); ok {
			b.Shipped, b.Version = shipped[it.Line], r.versionAt(it.Line)
			r.Boxes = append(r.Boxes, b)
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
	written, name, ok := cutPhaseTitle(boxTitle(it.Text))
	if !ok {
		return RoadmapBox{}, false
	}
	id, ok := ParsePhaseID(written)
	name, _ = cutInserted(name)
	return RoadmapBox{Item: it, ID: id, Written: written, Name: name}, ok
}

// boxTitle returns the title of a checklist line: what is bold, with the name
// if that follows (`**Phase 2**: API`), or all before a dash.
func boxTitle(text string) string {
	beforeDash := func(s string) string {
		s, _, _ = strings.Cut(s, " - ")
		s, _, _ = strings.Cut(s, " — ")
		return s
	}
	bold, ok := strings.CutPrefix(text, "**")
	if !ok {
		return beforeDash(text)
	}
	title, rest, _ := strings.Cut(bold, "**")
	if strings.HasPrefix(rest, ":") {
		title += beforeDash(rest)
	}
	return title
}

func isPhaseTitle(s string) bool {
	_, _, ok := cutPhaseTitle(s)
	return ok
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
