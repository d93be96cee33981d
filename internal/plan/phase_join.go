package plan

import (
	"slices"
	"strings"
	"unicode"

	"cairn/internal/plan/doc"
)

// joiner makes phases of what names them: the directories, and the sections,
// checklist lines and table rows of the roadmap. Several of one number are one
// phase unless their milestones tell them apart; where a milestone is not known,
// the names do.
type joiner struct {
	version string   // of the current milestone
	out     []*Phase // in the order in which they were found
	by      byNumber // out again
}

// byNumber finds phases by their id without a look at every one.
type byNumber map[int][]*Phase

func (by byNumber) add(p *Phase) { by[p.ID.Number] = append(by[p.ID.Number], p) }

// mention is a place that names a phase.
type mention struct {
	id      doc.PhaseID
	name    string
	version string              // of the milestone it stands in, or ""
	current bool                // that milestone is the current one
	taken   func(p *Phase) bool // the phase has such a place already
}

// join returns the phases of a milestone: those that the roadmap names, or
// every directory when it names none.
func join(r *doc.Roadmap, version string, dirs []*Phase) []*Phase {
	j := &joiner{version: version, by: byNumber{}}
	j.addCurrent(r)
	if len(j.out) == 0 {
		return dirs
	}
	j.addDirs(r, dirs)
	return slices.DeleteFunc(j.out, func(p *Phase) bool { return !p.current })
}

// isCurrent reports whether a part of the roadmap belongs to the current
// milestone: it is not folded away and under no other milestone's heading.
func isCurrent(shipped bool, version, current string) bool {
	return !shipped && (current == "" || version == "" || version == current)
}

// fits says how well a phase and a mention of its number go together, 0 when
// they are two phases.
func (m mention) fits(p *Phase) int {
	told := m.version != "" && p.Milestone != "" // both milestones are known
	alike := 0
	for _, name := range []string{p.Name, p.Slug} {
		alike = max(alike, likeness(m.name, name))
	}
	switch {
	case told && m.version == p.Milestone:
		if m.taken(p) && alike < 1 {
			return 0
		}
		return 20 + alike
	case told && (m.current || p.current):
		if alike < 2 || m.taken(p) || len(nameWords(m.name)) < 3 { // Foundation may be two
			return 0
		}
		return 4
	case told:
		if alike < 2 || m.taken(p) {
			return 0
		}
		return 5
	case m.taken(p):
		return 0
	case alike == 0 && (m.current == p.current || p.bare()):
		return 3 // renamed, unless another fits better
	case p.bare():
		return 10 + alike
	case m.current != p.current:
		if alike < 2 {
			return 0
		}
		return 5 + alike
	}
	return 10 + alike
}

// bare reports whether only a directory of phases/ is known of the phase: it may
// be of any milestone.
func (p *Phase) bare() bool {
	return p.Dir != "" && p.Archived == "" && p.Milestone == "" && p.Section == nil && len(p.claims) == 0 && !p.current
}

// likeness compares two names of a phase: 2 when they are the same but for
// details, 1 when nothing can be said, as one is not known, else 0.
func likeness(a, b string) int {
	x, y := nameWords(a), nameWords(b)
	if len(x) == 0 || len(y) == 0 {
		return 1
	}
	both := 0
	for _, w := range x {
		if slices.Contains(y, w) {
			both++
		}
	}
	if p, q := slugOf(a), slugOf(b); min(len(p), len(q)) >= 24 && (strings.HasPrefix(p, q) || strings.HasPrefix(q, p)) { // a directory's name is cut off
		return 2
	}
	if least := min(len(x), len(y)); 10*both >= 6*(len(x)+len(y)-both) || both == least && both > 1 {
		return 2
	}
	return 0
}

// slugOf returns a name as a directory has it.
func slugOf(name string) string { return strings.Join(wordsOf(name), "-") }

func wordsOf(name string) []string {
	return strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// nameWords returns the words of a name, each once.
func nameWords(name string) []string {
	words := wordsOf(name)
	words = slices.DeleteFunc(words, func(w string) bool { return w == "and" || w == "the" || w == "of" || w == "a" })
	slices.Sort(words)
	return slices.Compact(words)
}

// place returns the phase that a mention is of, a new one when there is none.
func (j *joiner) place(m mention) *Phase {
	var best *Phase
	most := 0
	for _, p := range j.by[m.id.Number] {
		if p.ID.Same(m.id) {
			if n := m.fits(p); n > most {
				best, most = p, n
			}
		}
	}
	if best == nil {
		best = &Phase{ID: m.id, current: m.current}
		j.add(best)
	}
	best.current = best.current || m.current && best.bare()
	if best.Milestone == "" {
		best.Milestone = m.version
	}
	if best.Name == "" || best.Name == best.Slug {
		best.Name = m.name
	}
	return best
}

func (j *joiner) add(p *Phase) {
	j.out = append(j.out, p)
	j.by.add(p)
}

// addCurrent adds the sections and checklist lines of the current milestone.
func (j *joiner) addCurrent(r *doc.Roadmap) {
	for _, s := range r.Phases {
		if isCurrent(s.Shipped, s.Version, j.version) {
			j.section(s, true)
		}
	}
	for _, b := range r.Boxes {
		if isCurrent(b.Shipped, b.Version, j.version) {
			j.box(b, true)
		}
	}
}

// addOlder adds those of the other milestones.
func (j *joiner) addOlder(r *doc.Roadmap) {
	for _, s := range r.Phases {
		if !isCurrent(s.Shipped, s.Version, j.version) {
			j.section(s, false)
		}
	}
	for _, b := range r.Boxes {
		if !isCurrent(b.Shipped, b.Version, j.version) {
			j.box(b, false)
		}
	}
}

// sure is the version of a milestone, "" unless it is certain.
func sure(version string, certain bool) string {
	if !certain {
		return ""
	}
	return version
}

func (j *joiner) section(s doc.RoadmapPhase, current bool) {
	p := j.place(mention{s.ID, s.Name, sure(s.Version, s.Sure), current, func(p *Phase) bool { return p.Section != nil && likeness(s.Name, p.Section.Name) != 2 }})
	if p.Section == nil {
		p.Section = &s
	}
	p.sections = append(p.sections, &s)
}

func (j *joiner) box(b doc.RoadmapBox, current bool) {
	p := j.place(mention{b.ID, b.Name, sure(b.Version, b.Sure), current, func(p *Phase) bool { return p.Box != nil && likeness(b.Name, p.Box.Name) != 2 }})
	if p.Box == nil && b.Box {
		p.Box = &b
	}
	p.claim(ClaimBox, b.Line, b.Said, b.Text)
}

// past reports whether a directory that no part of the current milestone names is
// of an older one: it is complete, or folded away while another is in work, or
// nothing is said of it and later numbers were shipped.
func (j *joiner) past(r *doc.Roadmap, p *Phase) bool {
	if r == nil || len(r.Milestones) == 0 {
		return false
	}
	folded := p.Section != nil && p.Section.Shipped || p.Box != nil && p.Box.Shipped
	if p.bare() && slices.ContainsFunc(r.Ranges, func(g doc.PhaseRange) bool { return g.Said == doc.SaysDone && p.ID.Number < g.From.Number }) {
		return true
	}
	return p.Claimed() == doc.SaysDone || folded && slices.ContainsFunc(r.Milestones, func(m doc.Milestone) bool {
		return m.Version == j.version && m.State != doc.MilestoneShipped
	})
}

// addBullets adds the lines that have a sign in place of a box.
func (j *joiner) addBullets(r *doc.Roadmap) {
	for _, b := range r.Bullets {
		if b.Said != doc.Silent {
			j.box(b, isCurrent(b.Shipped, b.Version, j.version))
		}
	}
}

// addDirs gives the directories to the phases that they are of. One whose name
// is that of a phase of another milestone is left for that.
func (j *joiner) addDirs(r *doc.Roadmap, dirs []*Phase) {
	var older byNumber
	if r != nil {
		older = byNumber{}
		for _, s := range r.Phases {
			if !isCurrent(s.Shipped, s.Version, j.version) {
				older.add(&Phase{ID: s.ID, Name: s.Name})
			}
		}
		for _, b := range r.Boxes {
			if !isCurrent(b.Shipped, b.Version, j.version) {
				older.add(&Phase{ID: b.ID, Name: b.Name})
			}
		}
	}
	alike := make([]int, len(dirs))
	for i, d := range dirs { // the best of several directories of one number comes first
		for _, p := range j.by[d.ID.Number] {
			if p.ID.Same(d.ID) {
				alike[i] = max(alike[i], likeness(d.Slug, p.Name))
			}
		}
	}
	order := make([]int, len(dirs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return alike[b] - alike[a] })
	for _, i := range order {
		j.dir(dirs[i], older)
	}
}

func (j *joiner) dir(d *Phase, older byNumber) {
	var best *Phase
	most := -1
	for _, p := range j.by[d.ID.Number] {
		if n := likeness(d.Slug, p.Name); p.ID.Same(d.ID) && p.Dir == "" && n > most {
			best, most = p, n
		}
	}
	if best != nil && most == 0 && slices.ContainsFunc(older[d.ID.Number], func(p *Phase) bool { return p.ID.Same(d.ID) && likeness(d.Slug, p.Name) == 2 }) {
		best = nil
	}
	if best == nil {
		j.add(d)
		return
	}
	best.Dir, best.Slug, best.Files, best.Plans = d.Dir, d.Slug, d.Files, d.Plans
	best.strays, best.orphans = d.strays, d.orphans
	if best.ID.Code == "" {
		best.ID.Code = d.ID.Code
	}
}

// addArchived adds the directories in the archives. One of the current
// milestone, or with a current phase's name, is that phase's.
func (j *joiner) addArchived(dirs []*Phase) {
	for _, d := range dirs {
		d.Milestone = d.Archived
		m := mention{d.ID, d.Slug, d.Archived, false, func(p *Phase) bool { return p.Dir != "" }}
		var best *Phase
		most := 0
		for _, p := range j.by[d.ID.Number] {
			if n := m.fits(p); p.ID.Same(d.ID) && p.current && n > most {
				best, most = p, n
			}
			if p.ID.Same(d.ID) && p.Slug == d.Slug && p.Archived == "" { // a copy was left in phases/
				best, most = p, 100
			}
		}
		if best == nil {
			j.add(d)
			continue
		}
		if best.Dir != "" {
			best.claims = append(best.claims, Claim{Source: ClaimArchive, Path: d.Dir, Done: true, Text: d.Archived})
			if best.Milestone == "" {
				best.Milestone = d.Archived
			}
			continue
		}
		best.Dir, best.Slug, best.Files, best.Plans, best.Archived = d.Dir, d.Slug, d.Files, d.Plans, d.Archived
		best.strays, best.orphans = d.strays, d.orphans
	}
}

// addRows adds the rows of the tables of progress. A phase that only a row
// names is current when the row says so, or when it is open and the row says
// nothing of its milestone.
func (j *joiner) addRows(r *doc.Roadmap) {
	named := slices.ContainsFunc(j.out, func(p *Phase) bool { return p.current })
	for _, row := range r.ProgressRows("") {
		said, text := row.Said()
		current := row.Version != "" && row.Version == j.version || row.Version == "" && (!named || said != doc.SaysDone)
		m := mention{row.ID, row.Name, row.Version, current, func(p *Phase) bool { return p.rows > 0 && likeness(row.Name, p.Name) != 2 }}
		if row.Version == "" { // of whichever milestone
			for _, p := range j.by[row.ID.Number] {
				if p.ID.Same(row.ID) && likeness(row.Name, p.Name) == 2 {
					m.current, m.version = p.current, p.Milestone
				}
			}
			if only := j.only(row.ID); only != nil && !only.bare() {
				m.current, m.version = only.current, only.Milestone
			}
		}
		p := j.place(m)
		p.rows++
		p.claim(ClaimRow, row.Line(), said, text)
	}
}

// reunite gives a section that was left behind under no milestone, or another's,
// to the phase whose line and directory are in the archive: nothing but its
// heading is known of it, and that is the number and the name of one that is
// complete. A name of one or two words may be of two phases.
func (j *joiner) reunite() {
	for _, p := range slices.Clone(j.out) {
		if p.Section == nil || p.Dir != "" || p.Box != nil || p.rows > 0 || len(p.claims) > 0 || p.Section.Said != doc.Silent || j.version != "" && p.Milestone == j.version {
			continue
		}
		i := slices.IndexFunc(j.by[p.ID.Number], func(q *Phase) bool {
			return q != p && q.ID.Same(p.ID) && q.Claimed() == doc.SaysDone && likeness(q.Name, p.Name) == 2 && min(len(nameWords(q.Name)), len(nameWords(p.Name))) > 2
		})
		if i < 0 {
			continue
		}
		q := j.by[p.ID.Number][i]
		if q.Section == nil {
			q.Section = p.Section
		}
		q.sections = append(q.sections, p.sections...)
		gone := func(other *Phase) bool { return other == p }
		j.out = slices.DeleteFunc(j.out, gone)
		j.by[p.ID.Number] = slices.DeleteFunc(j.by[p.ID.Number], gone)
	}
}
