package plan

import (
	"path"
	"slices"
	"strings"

	"cairn/internal/must"
	"cairn/internal/plan/doc"
)

// renumbering gives phases new ids, all at once: a phase may get the id that
// another one leaves.
type renumbering []renumbered

type renumbered struct {
	phase *Phase
	to    doc.PhaseID
}

// of returns the new id of one; ok is false when it keeps its id.
func (rn renumbering) of(id doc.PhaseID) (doc.PhaseID, bool) {
	for _, r := range rn {
		if r.phase.ID.Same(id) {
			return r.to, true
		}
	}
	return id, false
}

// Renamed is a directory or file that got a new name.
type Renamed struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// renumberDisk renames the phases' directories and the files in them that
// begin with the number, and rewrites the numbers in the plans' frontmatter.
// The highest number comes first in what it returns.
func (tx *Tx) renumberDisk(rn renumbering, gone *goneRef) (dirs, files []Renamed) {
	moves := map[string]string{}
	for _, r := range rn {
		if r.phase.Dir != "" {
			moves[r.phase.Dir] = path.Join(path.Dir(r.phase.Dir), newName(path.Base(r.phase.Dir), r.phase.ID, r.to))
		}
	}
	tx.moveAll(moves)
	for _, r := range slices.Backward(rn) {
		if r.phase.Dir == "" {
			continue
		}
		dir := moves[r.phase.Dir]
		dirs = append(dirs, Renamed{path.Base(r.phase.Dir), path.Base(dir)})
		for _, name := range slices.Backward(r.phase.Files) {
			to := newName(name, r.phase.ID, r.to)
			if to == name {
				continue
			}
			tx.Move(path.Join(dir, name), path.Join(dir, to))
			files = append(files, Renamed{name, to})
		}
	}
	tx.renumberPlans(rn, gone)
	return dirs, files
}

// newName replaces the phase's id at the beginning of a name.
func newName(name string, from, to doc.PhaseID) string {
	id, rest, ok := doc.DirPhaseID(name)
	if !ok || id.Number != from.Number || id.Decimals != from.Decimals || !strings.EqualFold(id.Letter, from.Letter) {
		return name
	}
	written := strings.TrimSuffix(name, rest)
	return to.Like(strings.TrimSuffix(written, "-"), true) + written[len(strings.TrimSuffix(written, "-")):] + rest
}

// moveAll renames directories whose new names may be those of others: each
// waits until its name is free, and of a circle one steps aside.
func (tx *Tx) moveAll(moves map[string]string) {
	pending := make([]string, 0, len(moves))
	for from, to := range moves {
		if from != to {
			pending = append(pending, from)
		}
	}
	slices.Sort(pending)
	at := map[string]string{} // where a directory that stepped aside is
	for len(pending) > 0 {
		free := slices.IndexFunc(pending, func(from string) bool { return !tx.Has(moves[from]) })
		if free < 0 {
			from := pending[0]
			aside := path.Join(path.Dir(from), ".moving-"+path.Base(from))
			if at[from] != "" || !slices.Contains(pending, moves[from]) {
				must.Fail(&InputError{Path: moves[from], What: "is in the way"})
			}
			tx.Move(from, aside)
			at[from] = aside
			continue
		}
		from := pending[free]
		now := from
		if at[from] != "" {
			now = at[from]
		}
		tx.Move(now, moves[from])
		pending = slices.Delete(pending, free, free+1)
	}
}

// renumberPlans rewrites `phase:` in the frontmatter of the renumbered phases'
// files, and in every phase's files `depends_on` and the paths that lead to
// what was renamed.
func (tx *Tx) renumberPlans(rn renumbering, gone *goneRef) {
	for _, p := range tx.livePhases() {
		for _, name := range p.Files {
			if !strings.HasSuffix(name, ".md") || p.Archived != "" {
				continue
			}
			t := must.Get(tx.Read(path.Join(p.Dir, name)))
			rn.paths(t)
			if err := rn.front(t, path.Base(p.Dir), gone); err != nil {
				must.Fail(&InputError{Path: path.Join(p.Dir, name), What: err.Error()})
			}
		}
	}
}

// front rewrites the frontmatter of one file of the directory, which has its
// new name already.
func (rn renumbering) front(t *doc.Text, dir string, gone *goneRef) error {
	front := t.Front()
	if front == nil {
		return nil
	}
	moved := slices.ContainsFunc(rn, func(r renumbered) bool {
		id, _, _ := doc.DirPhaseID(dir)
		return id.Same(r.to)
	})
	if phase := front.Get("phase").Text(); phase != "" && moved {
		if id, _, ok := doc.DirPhaseID(phase); ok {
			if to, ok := rn.of(id); ok {
				if err := t.SetFront(newName(phase, id, to), "phase"); err != nil {
					return err
				}
			}
		}
	}
	return rn.dependsOn(t, gone)
}

// dependsOn rewrites the plans that a plan depends on, each where it stands.
// Those of the phase that is gone are taken out.
func (rn renumbering) dependsOn(t *doc.Text, gone *goneRef) error {
	depends := t.Front().Get("depends_on").Strings()
	left := slices.DeleteFunc(slices.Clone(depends), func(dep string) bool {
		id, _, ok := doc.DirPhaseID(dep)
		return gone != nil && ok && id.Same(gone.id) && strings.Contains(dep, "-")
	})
	changed := len(left) < len(depends)
	for i, dep := range left {
		left[i] = rn.planID(dep)
		changed = changed || left[i] != dep
	}
	if !changed {
		return nil
	}
	return t.SetFront(left, "depends_on")
}

// planID rewrites a plan's id such as 03-01, which has the phase's number.
func (rn renumbering) planID(s string) string {
	id, rest, ok := doc.DirPhaseID(s)
	if !ok || rest == "" || rest[0] < '0' || rest[0] > '9' {
		return s
	}
	to, ok := rn.of(id)
	if !ok {
		return s
	}
	return newName(s, id, to)
}
