package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cairn/internal/must"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/template"
	"cairn/internal/term"
	"cairn/internal/text"
)

// NewPhase is a phase to be added or inserted.
type NewPhase struct {
	Name         string
	ID           string   // a custom id; "" for the next number
	Code         string   // the project's code, before the directory's number
	Goal         string   // "" for a placeholder
	Requirements []string // ids
	Padded       bool     // the roadmap has 02.1 rather than 2.1
}

// AddPhase adds a phase after the last one of the milestone: a directory, a
// section of the roadmap and, where the roadmap has them, a line of the
// checklist and a row of the progress table.
func (tx *Tx) AddPhase(n NewPhase) *Phase {
	r := tx.needRoadmap()
	if p := tx.templatePhase(); p != nil && n.ID == "" {
		return tx.nameTemplate(p, n)
	}
	live, every := tx.livePhases(), tx.Phases(Everything)
	id := doc.PhaseID{Number: max(nextNumber(every, n.Code), tx.lastShipped()+1)}
	depends := ""
	if n.ID != "" {
		custom, ok := doc.ParsePhaseID(n.ID)
		if !ok {
			must.Fail(&InputError{Path: n.ID, What: "cannot be a phase's id"})
		}
		if i := slices.IndexFunc(every, func(p *Phase) bool { return p.ID.Same(custom) }); i >= 0 {
			must.Fail(fmt.Errorf("phase %s exists already: %s", n.ID, every[i].Name))
		}
		id = custom
	} else if last := cmp.Or(lastBefore(live, id), lastBefore(every, id)); last != nil {
		depends = "Phase " + strconv.Itoa(last.ID.Number)
	}
	version := tx.milestoneVersion(r)
	if m := tx.shippedHome(r, version); m != nil {
		must.Fail(term.Hint(&InputError{Path: tx.Path("ROADMAP.md"), Line: m.Line + 1, What: "milestone " + m.Version + " is shipped, and no other was begun"},
			"cairn plan milestone new VERSION NAME begins one"))
	}
	after := -1
	for i, s := range r.Phases {
		if isCurrent(s.Shipped, s.Version, version) && !s.ID.Backlog() {
			after = i
		}
	}
	return tx.place(n, id, depends, after)
}

// templatePhase returns the phase of a roadmap that is still the template; nil once
// somebody has named one.
func (tx *Tx) templatePhase() *Phase {
	live := tx.Phases(Current)
	if len(live) != 1 || live[0].Dir != "" || live[0].Section == nil || !template.IsGap(live[0].Name, "roadmap") {
		return nil
	}
	return live[0]
}

// nameTemplate makes the template's phase the one that is added: the first.
func (tx *Tx) nameTemplate(p *Phase, n NewPhase) *Phase {
	edit := PhaseEdit{Name: &n.Name}
	if n.Goal != "" {
		edit.Goal = &n.Goal
	}
	if len(n.Requirements) > 0 {
		ids := strings.Join(n.Requirements, ", ")
		edit.Requirements = &ids
	}
	tx.EditPhase(p.ID, edit)
	named := tx.Phase(p.ID)
	named.Slug = text.LetterSlug(named.Name, doc.SlugLength)
	named.Dir = tx.dirOf(named.ID, named.Slug, n.Code)
	tx.makeDir(named.Dir)
	return named
}

// shippedHome returns the milestone whose heading a phase added to the current one
// would stand under, when that heading says that it is shipped and every phase is
// complete; nil when none does.
func (tx *Tx) shippedHome(r *doc.Roadmap, version string) *doc.Milestone {
	if firstOpen(tx.Phases(Current)) >= 0 {
		return nil
	}
	var home *doc.Milestone
	for i, m := range r.Milestones {
		switch {
		case m.Level == 0 || r.ShippedAt(m.Line) || version != "" && m.Version != version:
		case m.State != doc.MilestoneShipped:
			return nil
		default:
			home = &r.Milestones[i]
		}
	}
	return home
}

// InsertPhase adds a phase right after another, with the next free decimal of
// its id. The other must have a section in the roadmap.
func (tx *Tx) InsertPhase(base doc.PhaseID, n NewPhase) *Phase {
	r := tx.needRoadmap()
	version := tx.milestoneVersion(r)
	after := -1
	var target doc.RoadmapPhase
	for i, s := range r.Phases {
		if isCurrent(s.Shipped, s.Version, version) && (s.ID.Same(base) || s.ID.Under(base)) {
			if after = i; s.ID.Same(base) {
				target = s
			}
		}
	}
	if target.Written == "" {
		if b, ok := r.Box(base); ok {
			must.Fail(term.Hint(fmt.Errorf("phase %s is only in the checklist of ROADMAP.md (line %d): it has no detail section", base, b.Line+1),
				"add a section such as \"### Phase %s: %s\" first", b.Written, b.Name))
		}
		must.Fail(term.Hint(&PhaseError{base.String(), "is not in ROADMAP.md"}, "cairn plan phase list shows those that are"))
	}
	id, _ := tx.NextDecimal(base)
	return tx.place(n, id, "Phase "+target.Written, after)
}

// NextDecimal returns the next free decimal of a phase, and the ones there
// are, in order.
func (tx *Tx) NextDecimal(base doc.PhaseID) (next doc.PhaseID, existing []doc.PhaseID) {
	live := tx.livePhases()
	if base.Backlog() {
		live = tx.Phases(Everything)
	}
	highest := 0
	for _, p := range live {
		if n, ok := p.ID.DecimalOf(base); ok {
			highest = max(highest, n)
			existing = append(existing, p.ID)
		}
	}
	next = base
	next.Code = ""
	next.Decimals += "." + strconv.Itoa(highest+1)
	return next, existing
}

// place makes the phase's directory and its places in the roadmap. Its
// section comes after r.Phases[after].
func (tx *Tx) place(n NewPhase, id doc.PhaseID, depends string, after int) *Phase {
	n.Name, n.Goal = doc.OneLine(n.Name), doc.OneLine(n.Goal)
	p := &Phase{ID: id, Name: n.Name, Slug: text.LetterSlug(n.Name, doc.SlugLength), current: true}
	p.Dir = tx.dirOf(id, p.Slug, n.Code)
	if n.ID != "" {
		p.Dir = tx.Path("phases", strings.TrimSuffix(id.String()+"-"+p.Slug, "-"))
	}
	if tx.Has(p.Dir) {
		must.Fail(&InputError{Path: p.Dir, What: "is there already"})
	}
	tx.makeDir(p.Dir)
	written := id.String()
	if n.Padded {
		written = id.Padded()
	}
	e := roadmapEntry{NewPhase: n, id: id, written: written, depends: depends}
	tx.enter(e, after)
	tx.retraceOnly(n.Requirements)
	if id.Backlog() {
		return p
	}
	tx.editState(func(s *State) { s.changeTotals(1) })
	return p
}

// livePhases returns the phases that share the numbers: those of the current
// milestone and every directory that is not archived. The backlog is apart.
func (tx *Tx) livePhases() []*Phase {
	return slices.DeleteFunc(tx.Phases(Everything), func(p *Phase) bool {
		return p.ID.Backlog() || !p.current && (p.Dir == "" || p.Archived != "")
	})
}

// older reports whether the phase belongs to another milestone's part of the
// roadmap, whose numbers are not touched.
func (p *Phase) older() bool { return !p.current && (p.Section != nil || p.Box != nil) }

// lastShipped is the highest number of a phase that only an archived roadmap
// knows, or a range such as "Phases 4-7"; 0 for none. A number is never given
// twice in a project's life.
func (tx *Tx) lastShipped() int {
	highest := 0
	names := []string{tx.Path("ROADMAP.md"), tx.Path(milestonesFile)}
	for _, e := range tx.ReadDir(tx.Path("milestones")) {
		if strings.HasSuffix(e.Name, "-ROADMAP.md") {
			names = append(names, tx.Path("milestones", e.Name))
		}
	}
	for _, name := range names {
		t := tx.ReadIfThere(name)
		if t == nil {
			continue
		}
		for i := range t.Len() {
			if !t.Code(i) {
				highest = max(highest, doc.LastOfRange(t.Line(i)))
			}
		}
		if strings.HasSuffix(name, "-ROADMAP.md") {
			r := doc.ReadRoadmap(t)
			for _, p := range r.Phases {
				highest = max(highest, numberOf(p.ID))
			}
			for _, b := range r.Boxes {
				highest = max(highest, numberOf(b.ID))
			}
		}
	}
	return highest
}

// numberOf is the number of a phase that is no idea of the backlog and has no
// name for an id.
func numberOf(id doc.PhaseID) int {
	if id.Backlog() || id.Code != "" || id.Number >= 999 {
		return 0
	}
	return id.Number
}

// nextNumber is one more than the highest number in use. Ids with another
// code than the project's are names, not numbers.
func nextNumber(live []*Phase, code string) int {
	highest := 0
	for _, p := range live {
		if p.numbered(code) && p.ID.Number < 999 {
			highest = max(highest, p.ID.Number)
		}
	}
	return highest + 1
}

// numbered reports whether the phase's number is counted: it is not part of a
// custom id such as PROJ-42.
func (p *Phase) numbered(code string) bool {
	if p.ID.Number < 0 {
		return false
	}
	if p.Section != nil {
		return p.Section.ID.Code == ""
	}
	return p.ID.Code == "" || strings.EqualFold(p.ID.Code, code)
}

// lastBefore returns the last whole phase before id.
func lastBefore(live []*Phase, id doc.PhaseID) *Phase {
	var last *Phase
	for _, p := range live {
		if p.ID.Whole() && p.ID.Code == "" && p.ID.Compare(id) < 0 || p.ID.Whole() && p.Section != nil && p.Section.ID.Code == "" && p.ID.Number < id.Number {
			last = p
		}
	}
	return last
}

func (tx *Tx) needRoadmap() *doc.Roadmap {
	r := tx.Roadmap()
	if r == nil {
		must.Fail(term.Hint(&InputError{Path: tx.Path("ROADMAP.md"), What: "is not there"}, "cairn plan init makes one"))
	}
	if err, do := tx.CheckRoadmap(); err != nil {
		must.Fail(term.Hint(err, "nothing was changed; %s", do))
	}
	return r
}

// PhaseError is about a phase that is not as a change needs it.
type PhaseError struct {
	Phase string
	What  string // "" where there is none of that number
}

func (e *PhaseError) Error() string {
	if e.What == "" {
		return "no phase " + e.Phase
	}
	return "phase " + e.Phase + " " + e.What
}
