package plan

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"cairn/internal/must"
	"cairn/internal/plan/doc"
	"cairn/internal/text"
)

// Collision is a phase whose number another one has, as two branches leave it that
// each added one; or whose directory still has the number that the roadmap gave
// away. To is the number it gets, or it goes because nothing is in it.
type Collision struct {
	ID    doc.PhaseID
	Dir   string // "" where only the roadmap has it
	Line  int    // of its section in the roadmap, counted from 0; -1 where that is right already
	To    doc.PhaseID
	Gone  bool
	Into  string // the directory of the same phase that takes its files, "" for none
	Keeps string // who keeps the number: a directory or a name; "" for nobody

	slug  string
	enter bool // the roadmap does not have it
	other int  // the section that keeps the number, where only sections tell; -1
	phase *Phase
}

// String says what is wrong.
func (c Collision) String() string {
	name := cmpName(c.Dir, c.slug)
	switch {
	case c.Into != "":
		return fmt.Sprintf("%s is the same phase as %s, which takes its files", name, path.Base(c.Into))
	case c.Keeps == "":
		return fmt.Sprintf("%s is phase %s in ROADMAP.md", name, c.To)
	case c.Gone:
		return fmt.Sprintf("phase %s is %s too; %s is empty", c.ID, c.Keeps, name)
	}
	return fmt.Sprintf("phase %s is %s too; %s becomes phase %s", c.ID, c.Keeps, name, c.To)
}

func cmpName(dir, slug string) string {
	if dir != "" {
		return path.Base(dir)
	}
	return slug
}

// placed is a section of the roadmap with what a directory of it would be called.
type placed struct {
	doc.RoadmapPhase
	slug string
}

// Collisions finds the phases that have to get another number. The number stays
// with the phase that the roadmap gives it; of those that it does not tell apart,
// with the one that has more executed plans, else that comes first in the alphabet.
// The others go on after the last number of the project.
func (tx *Tx) Collisions() []Collision {
	var entries []placed
	if r := tx.Roadmap(); r != nil {
		version := tx.milestoneVersion(r)
		for _, p := range r.Phases {
			if isCurrent(p.Shipped, p.Version, version) || p.ID.Backlog() && !p.Shipped {
				entries = append(entries, placed{p, text.LetterSlug(p.Name, doc.SlugLength)})
			}
		}
	}
	f := &finder{entries: entries, dirs: tx.phaseDirs(tx.Path("phases"), ""), taken: tx.phases(Everything, false)}
	f.leaveOlder(tx.Roadmap())
	f.strays()
	f.stragglers()
	for _, p := range f.dirs {
		if first := f.at(p.ID)[0]; first == p {
			f.dirsOf(p.ID)
		}
	}
	f.sections()
	return f.found
}

// leaveOlder leaves out the directories of milestones that were shipped: a phase of
// an older one may have the number of a current one.
func (f *finder) leaveOlder(r *doc.Roadmap) {
	if r == nil {
		return
	}
	f.dirs = slices.DeleteFunc(f.dirs, func(p *Phase) bool {
		return slices.ContainsFunc(r.Phases, func(s doc.RoadmapPhase) bool {
			return s.ID.Same(p.ID) && text.LetterSlug(s.Name, doc.SlugLength) == p.Slug &&
				!slices.ContainsFunc(f.entries, func(e placed) bool { return e.Line == s.Line })
		})
	})
}

type finder struct {
	entries []placed
	dirs    []*Phase
	taken   []*Phase // every phase of the project
	found   []Collision
}

// at returns the directories of one id.
func (f *finder) at(id doc.PhaseID) (out []*Phase) {
	for _, p := range f.dirs {
		if p.ID.Same(id) {
			out = append(out, p)
		}
	}
	return out
}

// entryOf returns the section that a directory belongs to: the one of its number
// and name, else of its name that has no directory; nil for none.
func (f *finder) entryOf(p *Phase) *placed {
	var found *placed
	for i, e := range f.entries {
		switch {
		case p.Slug == "" || e.slug != p.Slug:
		case e.ID.Same(p.ID):
			return &f.entries[i]
		case len(f.at(e.ID)) == 0 && found == nil:
			found = &f.entries[i]
		}
	}
	return found
}

func (f *finder) listed(id doc.PhaseID) bool {
	return slices.ContainsFunc(f.entries, func(e placed) bool { return e.ID.Same(id) })
}

// strays are directories whose phase has one under the number that the roadmap gives
// it: one branch renumbered it while the other added a file.
func (f *finder) strays() {
	for _, p := range f.dirs {
		for _, e := range f.entries {
			if p.Slug == "" || e.slug != p.Slug || e.ID.Same(p.ID) || slices.ContainsFunc(f.entries, func(o placed) bool { return o.ID.Same(p.ID) && o.slug == p.Slug }) {
				continue
			}
			i := slices.IndexFunc(f.dirs, func(q *Phase) bool { return q.ID.Same(e.ID) && q.Slug == p.Slug })
			if i >= 0 && !slices.ContainsFunc(f.found, func(c Collision) bool { return c.Dir == p.Dir }) {
				f.found = append(f.found, Collision{ID: p.ID, Dir: p.Dir, Line: -1, other: -1, To: e.ID, Into: f.dirs[i].Dir, slug: p.Slug, phase: p})
			}
		}
	}
	f.dirs = slices.DeleteFunc(f.dirs, func(p *Phase) bool {
		return slices.ContainsFunc(f.found, func(c Collision) bool { return c.Dir == p.Dir })
	})
}

// stragglers are directories without a namesake whose phase the roadmap calls by
// another number, and nobody by theirs.
func (f *finder) stragglers() {
	for _, p := range f.dirs {
		if e := f.entryOf(p); e != nil && !e.ID.Same(p.ID) && len(f.at(p.ID)) == 1 && !f.listed(p.ID) {
			f.found = append(f.found, Collision{ID: p.ID, Dir: p.Dir, Line: -1, other: -1, To: e.ID, slug: p.Slug, phase: p})
		}
	}
}

// dirsOf finds which directories of one id give it up.
func (f *finder) dirsOf(id doc.PhaseID) {
	dirs := slices.Clone(f.at(id))
	if len(dirs) < 2 {
		return
	}
	rank := func(p *Phase) int {
		switch e := f.entryOf(p); {
		case e != nil && e.ID.Same(id):
			return 0
		case e == nil:
			return 1
		}
		return 2
	}
	slices.SortStableFunc(dirs, func(a, b *Phase) int {
		if n := rank(a) - rank(b); n != 0 {
			return n
		}
		if n := b.Executed() - a.Executed(); n != 0 {
			return n
		}
		return strings.Compare(a.Slug, b.Slug)
	})
	keeps := path.Base(dirs[0].Dir)
	for _, p := range dirs[1:] {
		c := Collision{ID: p.ID, Dir: p.Dir, Line: -1, other: -1, Keeps: keeps, slug: p.Slug, phase: p}
		switch e := f.entryOf(p); {
		case e == nil && p.Empty():
			c.Gone = true
		case e == nil:
			c.To, c.enter = f.free(id), true
		case e.ID.Same(id):
			c.To, c.Line = f.free(id), e.Line
		default:
			c.To = e.ID
		}
		f.found = append(f.found, c)
	}
}

// sections finds the sections that have the number of another one, and no directory
// that was found before.
func (f *finder) sections() {
	for i, e := range f.entries {
		same := func(o placed) bool { return o.ID.Same(e.ID) && o.Version == e.Version }
		if !slices.ContainsFunc(f.entries[:i], same) {
			continue
		}
		first := f.entries[slices.IndexFunc(f.entries, same)]
		moved := func(line int) bool {
			return slices.ContainsFunc(f.found, func(c Collision) bool { return c.Line == line })
		}
		if moved(e.Line) || moved(first.Line) {
			continue
		}
		loser := e // unless the directory is that one's
		if dirs := f.at(e.ID); len(dirs) == 1 && dirs[0].Slug == e.slug && e.slug != first.slug {
			loser, first = first, e
		}
		f.found = append(f.found, Collision{ID: e.ID, Line: loser.Line, other: first.Line, To: f.free(e.ID), Keeps: first.slug, slug: loser.slug})
	}
}

// free returns the number that comes after all others; of an inserted phase or an
// idea the next decimal.
func (f *finder) free(id doc.PhaseID) doc.PhaseID {
	ids := []doc.PhaseID{}
	for _, p := range f.taken {
		ids = append(ids, p.ID)
	}
	for _, c := range f.found {
		ids = append(ids, c.To)
	}
	next := doc.PhaseID{Code: id.Code}
	if id.Decimals == "" {
		for _, other := range ids {
			if other.Number < 999 {
				next.Number = max(next.Number, other.Number)
			}
		}
		next.Number++
		return next
	}
	next = id
	base := id.Decimals[:strings.LastIndexByte(id.Decimals, '.')]
	for n := 1; ; n++ {
		next.Decimals = fmt.Sprintf("%s.%d", base, n)
		if !slices.ContainsFunc(ids, next.Same) {
			return next
		}
	}
}

// Empty reports whether the phase's directory has nothing but what keeps it in git.
func (p *Phase) Empty() bool {
	return p.Dir != "" && len(p.Plans) == 0 && !slices.ContainsFunc(p.Files, func(name string) bool { return name != ".gitkeep" })
}

// Sure returns the collisions that two branches made. What somebody keeps in one
// tree, such as directories of a milestone that nothing tells of, is theirs to
// decide.
func (tx *Tx) Sure(ctx context.Context, collisions []Collision) []Collision {
	h := newHistory(ctx, tx, collisions)
	return slices.DeleteFunc(slices.Clone(collisions), func(c Collision) bool { return !h.sure(tx, c) })
}

// Settle gives every phase of a collision its number: its directory and files, its
// places in the roadmap, and what is said of it elsewhere, as far as git's history
// tells who said it.
func (tx *Tx) Settle(ctx context.Context, collisions []Collision) {
	collisions = tx.Sure(ctx, collisions)
	h := newHistory(ctx, tx, collisions)
	tx.follow(h)
	for _, c := range collisions {
		if c.Gone {
			tx.Remove(c.Dir)
			continue
		}
		if c.Line >= 0 {
			tx.renumberEntry(c)
		}
	}
	tx.moveCollided(collisions)
	for _, c := range collisions {
		if c.enter && tx.Roadmap() != nil {
			tx.enterAgain(c)
		}
	}
	tx.editState(func(s *State) {
		for _, c := range collisions {
			if current, ok := s.currentPhase(); ok && !c.Gone && current.Same(c.ID) && h.standsAt(s, c) {
				s.moveTo(c.To, "")
			}
		}
	})
}

// renumbered is what becomes of the collision's phase.
func (c Collision) renumbered() renumbered {
	return renumbered{&Phase{ID: c.ID, Dir: c.Dir}, c.To}
}

// moveCollided renames the directories and what is in them.
func (tx *Tx) moveCollided(collisions []Collision) {
	moves := map[string]string{}
	for _, c := range collisions {
		if c.Dir != "" && !c.Gone && c.Into == "" {
			moves[c.Dir] = path.Join(path.Dir(c.Dir), newName(path.Base(c.Dir), c.ID, c.To))
		}
	}
	tx.moveAll(moves)
	for _, c := range collisions {
		dir, ok := moves[c.Dir]
		from := dir
		if c.Into != "" {
			ok, from, dir = true, c.Dir, cmp.Or(moves[c.Into], c.Into)
		}
		if !ok || c.Dir == "" {
			continue
		}
		rn := renumbering{c.renumbered()}
		for _, name := range c.phase.Files {
			to := newName(name, c.ID, c.To)
			if name == ".gitkeep" && c.Into != "" {
				continue
			}
			for n := 2; path.Join(from, name) != path.Join(dir, to) && tx.Has(path.Join(dir, to)); n++ {
				to = nextPlanName(newName(name, c.ID, c.To), n)
			}
			tx.Move(path.Join(from, name), path.Join(dir, to))
			if !strings.HasSuffix(to, ".md") {
				continue
			}
			t := must.Get(tx.Read(path.Join(dir, to)))
			if err := rn.setFront(t, rn.moved(dir), nil); err != nil {
				must.Fail(&InputError{Path: path.Join(dir, to), What: err.Error()})
			}
			for i := t.Body(); i < t.Len(); i++ {
				if !t.Code(i) {
					t.SetLine(i, rn.words(t.Line(i)))
				}
			}
		}
		if c.Into != "" {
			tx.Remove(c.Dir)
		}
	}
}

// renumberEntry gives a section of the roadmap its number, and the checklist line
// and row of the same name.
func (tx *Tx) renumberEntry(c Collision) {
	r := tx.needRoadmap()
	rn := renumbering{c.renumbered()}
	i := slices.IndexFunc(r.Phases, func(p doc.RoadmapPhase) bool { return p.Line == c.Line })
	if i < 0 {
		return
	}
	p := r.Phases[i]
	for i := p.Start; i < p.End; i++ {
		if !r.Code(i) {
			r.SetLine(i, rn.planLine(r.Line(i)))
		}
	}
	r.SetLine(p.Line, replaceID(r.Line(p.Line), p.Written, c.To.Like(p.Written, false)))
	for _, b := range r.Boxes {
		if b.ID.Same(c.ID) && !b.Shipped && b.Version == p.Version && b.Name == p.Name {
			r.SetLine(b.Line, replaceID(r.Line(b.Line), b.Written, c.To.Like(b.Written, false)))
		}
	}
	for _, row := range r.ProgressRows(p.Version) {
		cell := row.Cell("Phase")
		at := strings.Index(cell, row.Written)
		if rest := strings.TrimLeft(cell[at+len(row.Written):], ".:* "); row.ID.Same(c.ID) && strings.TrimRight(rest, "* ") == p.Name {
			r.SetCell(row.Table, row.Row, 0, cell[:at]+c.To.Like(row.Written, false)+cell[at+len(row.Written):])
		}
	}
}

// enterAgain lists a phase that the roadmap does not have: one branch removed it,
// the other worked on it.
func (tx *Tx) enterAgain(c Collision) {
	r := tx.needRoadmap()
	version, after := tx.milestoneVersion(r), -1
	for i, s := range r.Phases {
		if isCurrent(s.Shipped, s.Version, version) && !s.ID.Backlog() {
			after = i
		}
	}
	name := strings.ReplaceAll(c.slug, "-", " ")
	if name != "" {
		name = strings.ToUpper(name[:1]) + name[1:]
	}
	tx.enter(roadmapEntry{NewPhase: NewPhase{Name: name}, id: c.To, written: c.To.String()}, after)
	tx.editState(func(s *State) { s.changeTotals(1) })
}
