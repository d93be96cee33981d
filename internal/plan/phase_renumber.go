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
	var names []string
	var moved []bool // the file is one of a renumbered phase
	for _, p := range tx.livePhases() {
		if p.Archived != "" {
			continue
		}
		isMoved := rn.moved(p.Dir)
		for _, name := range p.Files {
			if strings.HasSuffix(name, ".md") {
				names, moved = append(names, path.Join(p.Dir, name)), append(moved, isMoved)
			}
		}
	}
	tx.EditMany(names, func(i int, b []byte) bool {
		if rn.named(b) {
			return true
		}
		phase, _, changed := rn.front(doc.FrontOf(b, "phase", "depends_on"), moved[i], gone)
		return phase != "" || changed
	}, func(i int, t *doc.Text) error {
		rn.paths(t)
		return rn.setFront(t, moved[i], gone)
	})
}

// moved reports whether a directory is that of a renumbered phase.
func (rn renumbering) moved(dir string) bool {
	id, _, _ := doc.DirPhaseID(path.Base(dir))
	return slices.ContainsFunc(rn, func(r renumbered) bool { return id.Same(r.to) })
}

// setFront writes what front says.
func (rn renumbering) setFront(t *doc.Text, moved bool, gone *goneRef) error {
	phase, depends, changed := rn.front(t.Front(), moved, gone)
	if phase != "" {
		if err := t.SetFront(phase, "phase"); err != nil {
			return err
		}
	}
	if changed {
		return t.SetFront(depends, "depends_on")
	}
	return nil
}

// front returns what changes in the frontmatter of a file: `phase`, "" when that
// stays, in those of a phase that moved; and, when changed, `depends_on`. The plans
// of the phase that is gone are taken out of that.
func (rn renumbering) front(front *doc.Node, moved bool, gone *goneRef) (phase string, depends []string, changed bool) {
	if front == nil {
		return "", nil, false
	}
	if written := front.Get("phase").Text(); written != "" && moved {
		if id, _, ok := doc.DirPhaseID(written); ok {
			if to, ok := rn.of(id); ok {
				phase = newName(written, id, to)
			}
		}
	}
	all := front.Get("depends_on").Strings()
	depends = slices.DeleteFunc(slices.Clone(all), func(dep string) bool {
		id, _, ok := doc.DirPhaseID(dep)
		return gone != nil && ok && id.Same(gone.id) && strings.Contains(dep, "-")
	})
	changed = len(depends) < len(all)
	for i, dep := range depends {
		depends[i] = rn.planID(dep)
		changed = changed || depends[i] != dep
	}
	return phase, depends, changed
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
