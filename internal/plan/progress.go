package plan

import (
	"cmp"
	"path"
	"slices"

	"cairn/internal/must"
	"cairn/internal/plan/doc"
)

// Verification reads a phase's verification report; the zero one when there
// is none.
func (tx *Tx) Verification(p *Phase) doc.Verification {
	name := p.File("VERIFICATION")
	if name == "" {
		return doc.Verification{}
	}
	return doc.ReadVerification(must.Get(tx.Read(path.Join(p.Dir, name))))
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
