package plan

import (
	"cmp"
	"path"
	"slices"

	"cairn/internal/must"
	"cairn/internal/plan/doc"
)

// Stage is how far a phase is, verification included: what progress and
// statistics say of it. See [Status] for what planning and execution go by.
type Stage string

const (
	NotStarted  Stage = "Not Started"
	Planned     Stage = "Planned"
	InProgress  Stage = "In Progress"
	Executed    Stage = "Executed"     // every plan has a summary, and nothing is verified
	NeedsReview Stage = "Needs Review" // a person has to verify the rest
	Verified    Stage = "Complete"
)

// Progress is how far a set of phases is.
type Progress struct {
	Version string // of the milestone, "" when none is named
	Name    string
	Phases  []PhaseProgress
}

// PhaseProgress is a phase and its stage.
type PhaseProgress struct {
	*Phase
	Stage Stage
}

// Progress returns how far the phases in scope are.
func (tx *Tx) Progress(scope Scope) *Progress {
	version, name := tx.Milestone()
	phases := tx.Phases(scope)
	p := &Progress{Version: version, Name: name}
	for _, ph := range phases {
		p.Phases = append(p.Phases, PhaseProgress{ph, tx.Stage(ph)})
	}
	return p
}

// Stage returns how far a phase is. It reads the phase's verification report
// once every plan has a summary.
func (tx *Tx) Stage(p *Phase) Stage {
	switch {
	case len(p.Plans) == 0:
		return NotStarted
	case p.Executed() == 0:
		return Planned
	case !p.Complete():
		return InProgress
	}
	switch v := tx.Verification(p); {
	case v.Passed():
		return Verified
	case v.Waits():
		return NeedsReview
	}
	return Executed
}

// Verification reads a phase's verification report; the zero one when there
// is none.
func (tx *Tx) Verification(p *Phase) doc.Verification {
	name := p.File("VERIFICATION")
	if name == "" {
		return doc.Verification{}
	}
	return doc.ReadVerification(must.Get(tx.Read(path.Join(p.Dir, name))))
}

// Plans counts the plans, and those that have a summary.
func (p *Progress) Plans() (done, total int) {
	for _, ph := range p.Phases {
		done += ph.Executed()
		total += len(ph.Plans)
	}
	return done, total
}

// Complete counts the phases that are verified.
func (p *Progress) Complete() int {
	n := 0
	for _, ph := range p.Phases {
		if ph.Stage == Verified {
			n++
		}
	}
	return n
}

// Percent is how much of total is done, rounded and at most 100; of nothing,
// nothing is done.
func Percent(done, total int) int {
	if total <= 0 {
		return 0
	}
	return min(100, (200*done+total)/(2*total))
}

// RequirementCounts returns how many requirements REQUIREMENTS.md lists with
// a box, and how many are ticked.
func (tx *Tx) RequirementCounts() (done, total int) {
	q := tx.Requirements()
	if q == nil {
		return 0, 0
	}
	for _, it := range q.Items {
		if it.Done {
			done++
		}
	}
	return done, len(q.Items)
}

// LastActivity returns when STATE.md says that something was last done, as it
// stands there, or "".
func (tx *Tx) LastActivity() string {
	t := tx.ReadIfThere(tx.Path("STATE.md"))
	if t == nil {
		return ""
	}
	return cmp.Or(t.Front().Get("last_activity").Text(), doc.State{Text: t}.Value("Last Activity"))
}

// PhaseDirs returns the phases that have a directory, by name: those of the
// archives first. It does not read the roadmap.
func (tx *Tx) PhaseDirs() []*Phase {
	archived := tx.archivedPhases(tx.phaseDirs)
	return append(archived, tx.phaseDirs(tx.Path("phases"), "")...)
}

// Summaries returns the files that say a plan was executed, by name, those of
// no plan included.
func (p *Phase) Summaries() []string {
	out := slices.Clone(p.orphans)
	for _, f := range p.Plans {
		if f.Summary != "" {
			out = append(out, f.Summary)
		}
	}
	slices.Sort(out)
	return out
}
