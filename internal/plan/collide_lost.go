package plan

import (
	"context"
	"path"
	"slices"
	"strings"

	"cairn/internal/git"
	"cairn/internal/plan/doc"
	"cairn/internal/text"
)

// FollowLost rewrites what STATE.md says of phases that there are not: the other
// branch has given them another number, which the directory of the time tells; or
// it has removed them, and then the work stands at the first that is open.
func (tx *Tx) FollowLost(ctx context.Context, lost []doc.PhaseID) {
	if !tx.Has(tx.Path("STATE.md")) {
		return
	}
	h := newHistory(ctx, tx, nil)
	now := tx.Phases(Current)
	tx.editState(func(s *State) {
		was := s.Clone()
		current, at := s.currentPhase()
		for i := was.Body(); i < was.Len(); i++ {
			var rn renumbering
			for _, id := range lost {
				if was.Code(i) || !mentions(was.Line(i), id) {
					continue
				}
				p := h.now(tx, tx.Path("STATE.md"), was, i, id, now)
				if p == nil && ofPosition(was, i) { // it says it of the current phase
					if k := slices.IndexFunc(now, func(q *Phase) bool { return at && q.ID.Same(current) }); k >= 0 {
						p = now[k]
					}
				}
				if p != nil {
					rn = append(rn, renumbered{&Phase{ID: id}, p.ID})
				}
			}
			if len(rn) > 0 {
				s.SetLine(i, rn.words(was.Line(i)))
			}
		}
		if !at || !slices.ContainsFunc(lost, current.Same) || len(now) == 0 {
			return
		}
		_, name := s.Phase()
		i := slices.IndexFunc(now, func(p *Phase) bool { return name != "" && p.Name == name })
		if i < 0 {
			if i = firstOpen(now); i < 0 {
				i = len(now) - 1
			}
			for _, line := range []string{"Status", "Current focus"} { // they tell of the phase that is gone
				if strings.Contains(s.Value(line), current.String()) {
					s.Set(line, "Phase "+now[i].ID.String()+" — "+now[i].Name)
				}
			}
			s.Set("Status", "Ready to plan")
		}
		s.moveTo(now[i].ID, now[i].Name)
	})
}

// ofPosition reports whether a line is a field that tells of the current phase.
func ofPosition(t *doc.Text, i int) bool {
	for _, f := range t.Fields(i, i+1) {
		return strings.EqualFold(f.Name, "Status") || strings.EqualFold(f.Name, "Current focus")
	}
	return false
}

// now returns the phase that a line meant when it was written: the one whose
// directory had that number then, by its words.
func (h *history) now(tx *Tx, file string, t *doc.Text, i int, id doc.PhaseID, phases []*Phase) *Phase {
	commit := h.author(file, t, i)
	if commit == "" {
		return nil
	}
	out, _ := git.Run(h.ctx, h.root, "ls-tree", "--name-only", commit, "--", tx.Path("phases")+"/")
	for name := range strings.Lines(out) {
		own, slug, ok := doc.DirPhaseID(path.Base(strings.TrimSpace(name)))
		if !ok || !own.Same(id) || slug == "" {
			continue
		}
		for _, p := range phases {
			if p.Slug == slug || text.LetterSlug(p.Name, doc.SlugLength) == slug {
				return p
			}
		}
	}
	return nil
}
