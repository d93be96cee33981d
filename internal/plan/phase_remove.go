package plan

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"cairn/internal/must"
	"cairn/internal/plan/doc"
	"cairn/internal/term"
)

// Removed tells what RemovePhase did.
type Removed struct {
	Phase        string    `json:"phase"`
	Name         string    `json:"name"`
	Directory    string    `json:"directory,omitempty"` // its name
	Directories  []Renamed `json:"renamed_directories"`
	Files        []Renamed `json:"renamed_files"`
	Requirements []string  `json:"unassigned_requirements"`
	State        bool      `json:"state_updated"`
}

// ExecutedError says that a phase has work that was done.
type ExecutedError struct {
	Phase     string
	Summaries int
}

func (e *ExecutedError) Error() string {
	if e.Summaries == 1 {
		return "phase " + e.Phase + " has an executed plan"
	}
	return fmt.Sprintf("phase %s has %d executed plans", e.Phase, e.Summaries)
}

// RemovePhase removes a phase of the current milestone and closes the gap: a
// whole number's successors move down by one, a decimal's later siblings too.
// Phases that were inserted behind a removed whole number go on behind the
// one before it. One with summaries needs force. The code is the project's;
// see NewPhase.
func (tx *Tx) RemovePhase(id doc.PhaseID, code string, force bool) *Removed {
	r := tx.needRoadmap()
	p := tx.Phase(id)
	if p == nil || p.Archived != "" || !p.current && p.Dir == "" {
		must.Fail(term.Hint(&PhaseError{id.String(), "is not in the milestone"}, "cairn plan phase list shows those that are"))
	}
	if done := p.Executed() + len(p.Orphans()); done > 0 && !force {
		must.Fail(term.Hint(&ExecutedError{id.String(), done}, "--force removes it with its summaries; cairn plan undo brings it back"))
	}
	live := tx.livePhases()
	var rn renumbering
	if p.numbered(code) && !p.ID.Backlog() {
		rn = must.Get(closeGap(live, p, code))
	}
	out := &Removed{Phase: id.String(), Name: p.Name, Directories: []Renamed{}, Files: []Renamed{}, Requirements: []string{}}
	if p.Dir != "" {
		out.Directory = path.Base(p.Dir)
		tx.Remove(p.Dir)
	}
	gone := goneFrom(r, p)
	dirs, files := tx.renumberDisk(rn, gone)
	out.Directories, out.Files = append(out.Directories, dirs...), append(out.Files, files...)
	version := tx.milestoneVersion(r)
	takeOut(r, p, version)
	rn.roadmap(doc.ReadRoadmap(r.Text), version, gone)
	if q := tx.Requirements(); q != nil {
		out.Requirements = append(out.Requirements, rn.trace(q, gone)...)
	}
	out.State = tx.stateAfterRemoval(rn, p)
	return out
}

func goneFrom(r *doc.Roadmap, p *Phase) *goneRef {
	gone := &goneRef{id: p.ID}
	f, _ := p.Field(r, "Depends on")
	for _, ref := range doc.PhaseRefs(f.Value) {
		if !ref.ID.Same(p.ID) {
			gone.depends = append(gone.depends, ref.ID)
		}
	}
	return gone
}

// closeGap says which phases get which new id when p goes.
func closeGap(live []*Phase, p *Phase, code string) (renumbering, error) {
	var rn renumbering
	before, inserted := false, 0 // the whole number before p, and what is behind it
	var parent doc.PhaseID
	if p.ID.Whole() {
		parent = doc.PhaseID{Number: p.ID.Number - 1}
	}
	for _, q := range live {
		before = before || q.ID.Same(parent) && q.numbered(code)
		if n, ok := q.ID.DecimalOf(parent); ok {
			inserted = max(inserted, n)
		}
	}
	for _, q := range live {
		if q == p || q.older() || !q.numbered(code) {
			continue
		}
		to := q.ID
		own, isChild := q.ID.DecimalOf(p.ID)
		switch {
		case q.ID.Under(p.ID) && (!isChild || !p.ID.Whole() || !before):
			return nil, term.Hint(&PhaseError{p.ID.String(), "has phases inserted behind it"}, "remove or move phase %s first", q.ID)
		case q.ID.Under(p.ID):
			to.Number--
			to.Decimals = "." + strconv.Itoa(inserted+own)
		case p.ID.Whole() && q.ID.Number > p.ID.Number && q.ID.Number < 999:
			to.Number--
		case p.ID.Decimals != "" && q.ID.Number == p.ID.Number && strings.EqualFold(q.ID.Letter, p.ID.Letter):
			to.Decimals = closeDecimal(q.ID.Decimals, p.ID.Decimals)
		}
		if to != q.ID {
			rn = append(rn, renumbered{q, to})
		}
	}
	return rn, nil
}

// closeDecimal moves a later sibling of the decimals that are gone, and what
// is under it, down by one: .2.1 becomes .1.1 when .1 goes.
func closeDecimal(decimals, gone string) string {
	dot := strings.LastIndexByte(gone, '.')
	rest, ok := strings.CutPrefix(decimals, gone[:dot+1])
	if !ok {
		return decimals
	}
	last, _ := strconv.Atoi(gone[dot+1:])
	number, deeper, _ := strings.Cut(rest, ".")
	n, err := strconv.Atoi(number)
	if err != nil || n <= last {
		return decimals
	}
	out := gone[:dot+1] + strconv.Itoa(n-1)
	if deeper != "" {
		out += "." + deeper
	}
	return out
}

// takeOut deletes the phase's row, section and checklist line, the later lines
// first so that the earlier stay where they were read.
func takeOut(r *doc.Roadmap, p *Phase, version string) {
	type span struct{ from, to int }
	var spans []span
	if row, ok := r.ProgressRow(p.ID, version); ok {
		spans = append(spans, span{row.Line(), row.Line() + 1})
	}
	if p.Section != nil {
		spans = append(spans, span{p.Section.Line, sectionEnd(r, *p.Section)})
	}
	if p.Box != nil {
		spans = append(spans, span{p.Box.Line, boxEnd(r, *p.Box)})
	}
	slices.SortFunc(spans, func(a, b span) int { return b.from - a.from })
	for _, s := range spans {
		r.Delete(s.from, s.to)
	}
}

// sectionEnd is where the section of a phase ends for someone who takes it
// out: a rule (---) that closes it stays.
func sectionEnd(r *doc.Roadmap, p doc.RoadmapPhase) int {
	for i := r.BeforeRules(p.Start, p.End); i < p.End; i++ {
		if strings.TrimSpace(r.Line(i)) != "" {
			return i
		}
	}
	return p.End
}

// stateAfterRemoval writes the totals, and the current phase's new number. If
// the removed one was current, the first that is open is, else the last.
func (tx *Tx) stateAfterRemoval(rn renumbering, gone *Phase) bool {
	return tx.editState(func(s *State) {
		if !gone.ID.Backlog() {
			s.changeTotals(-1)
		}
		if current, ok := s.currentPhase(); !ok || !gone.ID.Same(current) {
			s.renumber(rn)
			return
		}
		rn.paths(s.Text)
		phases := tx.Phases(Current)
		if len(phases) == 0 {
			return
		}
		next := firstOpen(phases)
		if next < 0 {
			next = len(phases) - 1
		}
		s.moveTo(phases[next].ID, phases[next].Name)
	})
}

// renumber rewrites the current phase's number, and paths.
func (s *State) renumber(rn renumbering) {
	rn.paths(s.Text)
	if current, ok := s.currentPhase(); ok {
		if to, ok := rn.of(current); ok {
			s.moveTo(to, "")
		}
	}
}
