package health

import (
	"context"
	"fmt"
	"path"
	"slices"

	"cairn/internal/plan"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/merge"
)

// duplicatePhases: an id is one directory's and one section's.
func duplicatePhases(l *look) (out []Finding) {
	all := l.Collisions()
	if len(all) == 0 {
		return nil
	}
	sure := l.Sure(context.Background(), all)
	for _, c := range all {
		isSure := slices.ContainsFunc(sure, func(s plan.Collision) bool { return s.Dir == c.Dir && s.Line == c.Line })
		if !isSure && c.Into != "" {
			continue
		}
		f := Finding{Message: c.String(), Path: c.Dir, byHand: !isSure}
		if !isSure {
			f.Message = fmt.Sprintf("phase %s is %s too", c.ID, c.Keeps)
			f.Fix = "renumber one of them: cairn cannot tell which"
		}
		if c.Dir == "" {
			f.Path, f.Line = l.Path("ROADMAP.md"), c.Line+1
		}
		out = append(out, f)
	}
	return out
}

// renumberPhases settles all collisions at once: each may need the number of
// another one.
func renumberPhases(l *look, _ Finding) {
	l.Settle(context.Background(), l.Collisions())
}

// misnumbered tells of files that git moved into a directory of another number.
func misnumbered(l *look) (out []Finding) {
	for _, m := range l.Misnumbered() {
		out = append(out, Finding{
			Message: fmt.Sprintf("%s has the number of another phase; it becomes %s", path.Join(path.Base(m.Dir), m.Name), m.To),
			Path:    path.Join(m.Dir, m.Name),
		})
	}
	return out
}

// renameFile renames what is left of them: directories may have moved meanwhile.
func renameFile(l *look, _ Finding) {
	for _, m := range l.Misnumbered() {
		l.Renumber(m)
	}
}

// emptyDirs tells of directories that git kept of a phase that the other branch
// removed.
func emptyDirs(l *look) (out []Finding) {
	if l.roadmap == nil || len(l.roadmap.Phases)+len(l.roadmap.Boxes) == 0 {
		return nil
	}
	collided := map[string]bool{}
	for _, c := range l.Collisions() {
		collided[c.Dir] = true
	}
	for _, p := range l.dirs() {
		_, inSection := l.roadmap.Phase(p.ID)
		_, inBox := l.roadmap.Box(p.ID)
		if p.Empty() && !inSection && !inBox && !collided[p.Dir] {
			out = append(out, Finding{Message: path.Base(p.Dir) + " is empty, and its phase is not in ROADMAP.md", Path: p.Dir})
		}
	}
	return out
}

// driverMissing: .gitattributes names the merge driver, which each clone has to set
// up for itself.
func driverMissing(l *look) []Finding {
	if !merge.Missing(context.Background(), l.Root) {
		return nil
	}
	return []Finding{{Message: "git merges the plan line by line in this clone: it lacks the driver that .gitattributes names", Path: ".gitattributes"}}
}

// followPhases has STATE.md name the phases that it means by the numbers that they
// have now, those of all findings at once.
func followPhases(l *look, _ Finding) {
	var lost []doc.PhaseID
	for _, m := range l.lostPhases(l.Phases(plan.Everything)) {
		lost = append(lost, m.id)
	}
	l.FollowLost(context.Background(), lost)
}
