package plan

import (
	"fmt"
	"slices"
	"strings"

	"cairn/internal/must"
	"cairn/internal/plan/doc"
	"cairn/internal/term"
)

// Moved tells what MovePhase did.
type Moved struct {
	Phase       string    `json:"phase"` // its new id
	Directories []Renamed `json:"renamed_directories"`
	Files       []Renamed `json:"renamed_files"`
	Warnings    []string  `json:"warnings"`
}

// MovePhase puts a phase right before or after another one of its kind: whole
// numbers among whole numbers, decimals among those of the same phase. The
// numbers stay the same ones, in order; what was inserted behind a phase goes
// with it. The code is the project's; see NewPhase.
func (tx *Tx) MovePhase(id, target doc.PhaseID, after bool, code string) *Moved {
	r := tx.needRoadmap()
	live := tx.livePhases()
	rn, to := must.Get2(reorder(live, id, target, after, code))
	out := &Moved{Phase: to.String(), Directories: []Renamed{}, Files: []Renamed{}, Warnings: []string{}}
	dirs, files := tx.renumberDisk(rn, nil)
	out.Directories, out.Files = append(out.Directories, dirs...), append(out.Files, files...)
	version := tx.milestoneVersion(r)
	rn.roadmap(r, version, nil)
	rn.sort(r.Text, version)
	if q := tx.Requirements(); q != nil {
		rn.trace(q, nil)
	}
	tx.editState(func(s *State) {
		s.renumber(rn)
	})
	out.Warnings = append(out.Warnings, earlyDependents(doc.ReadRoadmap(r.Text), version)...)
	return out
}

// reorder says which phase gets which number.
func reorder(live []*Phase, id, target doc.PhaseID, after bool, code string) (rn renumbering, to doc.PhaseID, err error) {
	siblings, err := siblingsOf(live, id, code)
	if err != nil {
		return nil, to, err
	}
	order := slices.Clone(siblings)
	from := slices.IndexFunc(order, func(s doc.PhaseID) bool { return s.Same(id) })
	moved := order[from]
	order = slices.Delete(order, from, from+1)
	at := slices.IndexFunc(order, func(s doc.PhaseID) bool { return s.Same(target) })
	if at < 0 && target.Same(id) {
		return nil, to, &PhaseError{id.String(), "cannot be moved next to itself"}
	}
	if at < 0 && !slices.ContainsFunc(live, func(p *Phase) bool { return p.ID.Same(target) }) {
		return nil, to, term.Hint(&PhaseError{Phase: target.String()}, "cairn plan phase list shows those there are")
	}
	if at < 0 {
		return nil, to, term.Hint(&PhaseError{id.String(), fmt.Sprintf("cannot be moved next to phase %s", target)},
			"whole phases move among whole phases, 2.1 among the decimals of 2")
	}
	if after {
		at++
	}
	order = slices.Insert(order, at, moved)
	for i, old := range order {
		next := siblings[i]
		if old.Same(id) {
			to = next
		}
		for _, p := range live {
			if p.older() || !p.numbered(code) || !p.ID.Same(old) && !p.ID.Under(old) && !sameNumber(p.ID, old) {
				continue
			}
			renamed := p.ID
			renamed.Number = next.Number
			renamed.Decimals = next.Decimals + strings.TrimPrefix(p.ID.Decimals, old.Decimals)
			if renamed != p.ID {
				rn = append(rn, renumbered{p, renamed})
			}
		}
	}
	slices.SortFunc(rn, func(a, b renumbered) int { return a.phase.ID.Compare(b.phase.ID) })
	return rn, to, nil
}

// sameNumber: 3A goes with 3.
func sameNumber(id, whole doc.PhaseID) bool { return whole.Whole() && id.Number == whole.Number }

// siblingsOf returns the ids that id may change places with, in order.
func siblingsOf(live []*Phase, id doc.PhaseID, code string) ([]doc.PhaseID, error) {
	var out []doc.PhaseID
	found := false
	base := id.Decimals[:max(strings.LastIndexByte(id.Decimals, '.'), 0)]
	parent := doc.PhaseID{Number: id.Number, Letter: id.Letter, Decimals: base}
	for _, p := range live {
		_, isSibling := p.ID.DecimalOf(parent)
		if id.Whole() {
			isSibling = p.ID.Whole()
		}
		if !isSibling || p.older() || !p.numbered(code) {
			continue
		}
		plain := p.ID
		plain.Code = ""
		if !slices.ContainsFunc(out, plain.Same) {
			out = append(out, plain)
		}
		found = found || p.ID.Same(id)
	}
	if !found {
		return nil, term.Hint(&PhaseError{id.String(), "is not in the milestone, or has no number that can be moved"}, "cairn plan phase list shows those that are")
	}
	slices.SortFunc(out, doc.PhaseID.Compare)
	return out, nil
}

// sort puts the sections, checklist lines and rows of the renumbered phases
// into the order of their ids, each kind in the places that it has now.
func (rn renumbering) sort(t *doc.Text, version string) {
	in := func(id doc.PhaseID) bool {
		return slices.ContainsFunc(rn, func(r renumbered) bool { return r.to.Same(id) })
	}
	r := doc.ReadRoadmap(t)
	var blocks []block
	for _, p := range r.Phases {
		if in(p.ID) && isCurrent(p.Shipped, p.Version, version) {
			blocks = append(blocks, block{p.ID, p.Line, r.BeforeRules(p.Start, p.End)})
		}
	}
	permute(t, blocks)
	r, blocks = doc.ReadRoadmap(t), nil
	for _, b := range r.Boxes {
		if in(b.ID) && isCurrent(b.Shipped, b.Version, version) {
			blocks = append(blocks, block{b.ID, b.Line, boxEnd(r, b)})
		}
	}
	permute(t, blocks)
	r, blocks = doc.ReadRoadmap(t), nil
	for _, row := range r.ProgressRows(version) {
		if in(row.ID) {
			blocks = append(blocks, block{row.ID, row.Line(), row.Line() + 1})
		}
	}
	permute(t, blocks)
}

// block is the lines of one phase.
type block struct {
	id       doc.PhaseID
	from, to int
}

// permute fills the places of the blocks, which are in file order, with the
// same blocks in the order of their ids.
func permute(t *doc.Text, blocks []block) {
	sorted := slices.Clone(blocks)
	slices.SortStableFunc(sorted, func(a, b block) int { return a.id.Compare(b.id) })
	texts := make([][]string, len(sorted))
	for i, b := range sorted {
		texts[i] = t.Lines(b.from, b.to)
	}
	for i, b := range slices.Backward(blocks) {
		if slices.Equal(texts[i], t.Lines(b.from, b.to)) {
			continue
		}
		t.Insert(b.to, texts[i]...)
		t.Delete(b.from, b.to)
	}
}

// earlyDependents warns of phases that now come before one they depend on.
func earlyDependents(r *doc.Roadmap, version string) []string {
	var out []string
	for _, p := range r.Phases {
		f, ok := r.PhaseField(p, "Depends on")
		if !ok || !isCurrent(p.Shipped, p.Version, version) {
			continue
		}
		for _, ref := range doc.PhaseRefs(f.Value) {
			if ref.ID.Compare(p.ID) > 0 {
				out = append(out, fmt.Sprintf("phase %s depends on phase %s, which now comes after it", p.ID, ref.ID))
			}
		}
	}
	return out
}
