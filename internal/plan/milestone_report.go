package plan

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"cairn/internal/must"
	"cairn/internal/plan/doc"
	"cairn/internal/term"
)

// MilestoneReport is what was done in a milestone, from its summaries.
type MilestoneReport struct {
	Version         string
	Name            string
	Phases          []*Phase
	Plans           int // that have a summary, and those that do not
	Tasks           int
	Accomplishments []string // the summaries' one-liners, a template's placeholders left out
}

// ErrNoMilestone says that the roadmap knows no phases of that milestone.
var ErrNoMilestone = errors.New("no phases of that milestone")

// Report reads the summaries of a milestone: of the current phases, or when it
// was archived with its phases of those.
func (tx *Tx) Report(version string) *MilestoneReport {
	phases := tx.MilestonePhases(version)
	r := &MilestoneReport{Version: version, Phases: phases}
	r.Name = tx.milestoneName(version)
	for _, p := range phases {
		r.Plans += len(p.Plans)
		for _, name := range p.Summaries() {
			s := doc.ReadSummary(must.Get(tx.Read(path.Join(p.Dir, name))))
			r.Tasks += tx.tasksDone(p, name, s)
			if !doc.Placeholder(s.OneLiner) {
				r.Accomplishments = append(r.Accomplishments, s.OneLiner)
			}
		}
	}
	return r
}

// tasksDone returns how many tasks an executed plan had: as its summary counts them,
// else those of the plan.
func (tx *Tx) tasksDone(p *Phase, summary string, s doc.Summary) int {
	if s.Tasks > 0 {
		return s.Tasks
	}
	for _, f := range p.Plans {
		if f.Summary == summary {
			if t := tx.ReadIfThere(path.Join(p.Dir, f.Path)); t != nil {
				return len(doc.ReadPlan(t).Tasks)
			}
		}
	}
	return 0
}

// MilestonePhases returns the phases of a milestone: those in its archive; else
// those that the roadmap names, of a completed milestone the copy of the
// roadmap that is in the archive. A roadmap that is divided by milestones has
// to know it.
func (tx *Tx) MilestonePhases(version string) []*Phase {
	archived := tx.phaseDirs(tx.Path("milestones", version+"-phases"), version)
	if len(archived) > 0 {
		return archived
	}
	dirs := tx.phaseDirs(tx.Path("phases"), "")
	now := tx.Roadmap()
	then := tx.archivedRoadmap(version)
	r := now
	if then != nil && len(then.Phases)+len(then.Boxes) > 0 {
		r = then
		dirs = slices.DeleteFunc(dirs, func(p *Phase) bool { return inOther(now, version, p.ID) })
	}
	phases := dirs
	if r != nil && len(r.Phases)+len(r.Boxes) > 0 {
		within := version
		if len(r.Milestones) == 0 {
			within = ""
		} else if !divides(r, version) {
			must.Fail(term.Hint(fmt.Errorf("%w: %s", ErrNoMilestone, version), "cairn plan roadmap show tells which there are"))
		}
		phases = join(r, within, dirs)
	}
	if r == now {
		tx.withClaims(phases, version)
	}
	phases = slices.DeleteFunc(phases, func(p *Phase) bool { return p.ID.Backlog() })
	slices.SortStableFunc(phases, func(a, b *Phase) int { return a.ID.Compare(b.ID) })
	return phases
}

// withClaims puts in the place of phases that were joined of their names and
// directories those that know what every other place says of them.
func (tx *Tx) withClaims(phases []*Phase, version string) {
	all := tx.Phases(Everything)
	for i, p := range phases {
		for _, q := range all {
			if q.ID.Same(p.ID) && q.Dir == p.Dir && (q.Milestone == version || q.Milestone == "" || version == "") {
				phases[i] = q
			}
		}
	}
}

// archivedRoadmap returns the roadmap as it was when a milestone was
// completed, or nil.
func (tx *Tx) archivedRoadmap(version string) *doc.Roadmap {
	t := tx.ReadIfThere(tx.Path("milestones", version+"-ROADMAP.md"))
	if t == nil {
		return nil
	}
	return doc.ReadRoadmap(t)
}

// inOther reports whether the roadmap has a phase of that id in another
// milestone that is not shipped: the directory is that one's.
func inOther(r *doc.Roadmap, version string, id doc.PhaseID) bool {
	if r == nil || len(r.Milestones) == 0 {
		return false
	}
	p, ok := r.Phase(id)
	return ok && !p.Shipped && p.Version != version && p.Version != ""
}

// divides reports whether phases of the roadmap stand under the version's
// heading, or under none at all.
func divides(r *doc.Roadmap, version string) bool {
	for _, p := range r.Phases {
		if isCurrent(p.Shipped, p.Version, version) {
			return true
		}
	}
	for _, b := range r.Boxes {
		if isCurrent(b.Shipped, b.Version, version) {
			return true
		}
	}
	return false
}

// milestoneName returns the name of a milestone: the roadmap's, or that of its
// entry in MILESTONES.md.
func (tx *Tx) milestoneName(version string) string {
	r := tx.Roadmap()
	if r != nil {
		if name := r.MilestoneName(version); name != "" {
			return name
		}
	}
	t := tx.ReadIfThere(tx.Path(milestonesFile))
	if t == nil {
		return ""
	}
	s, _ := milestoneEntry(t, version)
	_, at := doc.Version(s.Text)
	if at < 0 {
		return ""
	}
	name, _, _ := strings.Cut(s.Text[at+len(version):], "(")
	return strings.TrimSpace(name)
}

// milestoneEntry finds the entry of a version in MILESTONES.md.
func milestoneEntry(t *doc.Text, version string) (doc.Section, bool) {
	for _, s := range t.Sections() {
		first, _, _ := strings.Cut(s.Text, " ")
		if v, _ := doc.Version(s.Text); s.Level > 1 && (v == version || first == version) {
			return s, true
		}
	}
	return doc.Section{}, false
}

// Directories counts the phases that have a directory: those that were worked
// on.
func (r *MilestoneReport) Directories() int {
	n := 0
	for _, p := range r.Phases {
		if p.Dir != "" {
			n++
		}
	}
	return n
}

// leftOpen reports whether the entry of a phase's milestone says that it was
// shipped without that phase; see milestoneLines.
func (tx *Tx) leftOpen(p *Phase) bool {
	t := tx.ReadIfThere(tx.Path(milestonesFile))
	if t == nil || p.Milestone == "" {
		return false
	}
	s, ok := milestoneEntry(t, p.Milestone)
	for i := s.Start; ok && i < s.End; i++ {
		if strings.HasPrefix(t.Line(i), "- phase "+p.ID.String()+":") {
			return true
		}
	}
	return false
}

// LatestPhases returns the phases of the current milestone, and of one that was
// shipped, with no other begun since, those that it had.
func (tx *Tx) LatestPhases() []*Phase {
	current := tx.Phases(Current)
	version, _ := tx.Milestone()
	if version == "" || !tx.MilestoneEntered(version) {
		return current
	}
	is := func(p *Phase) bool {
		return slices.ContainsFunc(current, func(q *Phase) bool { return q.ID.Same(p.ID) })
	}
	return slices.DeleteFunc(tx.Phases(Everything), func(p *Phase) bool {
		return p.ID.Backlog() || p.Milestone != version && (p.Milestone != "" || !is(p))
	})
}

// MilestoneEntered reports whether MILESTONES.md has an entry for a version.
func (tx *Tx) MilestoneEntered(version string) bool {
	t := tx.ReadIfThere(tx.Path(milestonesFile))
	if t == nil {
		return false
	}
	_, ok := milestoneEntry(t, version)
	return ok
}
