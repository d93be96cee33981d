// Package decision is the register of a plan's decisions: those of every phase's
// CONTEXT.md, archived ones included, with how the project names each, what stands
// below it, and which plans cite it.
//
// The documents are the register: nothing is kept beside them. Ids go on through the
// project; in an older plan, where each phase begins again at D-01, a decision is
// named with its phase, 02/D-01. The verbs and package brief import it.
package decision

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/gate"
	"cairn/internal/plan/proof/record"
)

// State is where a decision stands.
type State string

const (
	Open       State = "open"       // no plan cites it
	Planned    State = "planned"    // plans cite it, and not all of them are executed
	Built      State = "built"      // those that cite it are executed
	Verified   State = "verified"   // and the verification of its phase passed
	Superseded State = "superseded" // another one is in its place
	Untracked  State = "untracked"  // no plan has to honor it: a tag says so, or it is the agent's
)

// Decision is a decision of the project.
type Decision struct {
	doc.Decision
	doc.DecisionNotes
	Phase *plan.Phase
	Ref   string // what names it in the whole project: D-07, or 02/D-07; "" without an id
	File  *gate.File
	Plans []string // those that cite it
	State State
	Proof *Proof // nil where no proof of its phase has looked at it

	own, waits bool // plans of its own phase cite it; one of those that count is not executed
}

// Proof is what the last proof of its phase says of a decision.
type Proof struct {
	Verdict record.Word `json:"verdict"`
	Where   []string    `json:"where"` // files of the plans that cite it
	Commit  string      `json:"commit"`
}

// Register is every decision, in the order of their phases.
type Register struct {
	All       []Decision
	Malformed []plan.InputError // lines that begin as a decision and are none
	tx        *plan.Tx
}

// Read reads the register. Whether plans cite what it lists is not looked at
// before [Register.Trace].
func Read(tx *plan.Tx) *Register {
	r := &Register{tx: tx}
	for _, p := range tx.Phases(plan.Everything) {
		if f := gate.Document(tx, p, "CONTEXT"); f != nil {
			r.add(p, f)
		}
	}
	times := map[string]int{}
	for _, d := range r.All {
		times[d.ID]++
	}
	for i := range r.All {
		if d := &r.All[i]; d.ID != "" {
			ref := doc.DecisionRef{Phase: d.Phase.ID, Named: times[d.ID] > 1, ID: d.ID}
			d.Ref = ref.String()
		}
	}
	return r
}

func (r *Register) add(p *plan.Phase, f *gate.File) {
	numbered, malformed := f.Decisions()
	proofs := r.proofs(p)
	for _, d := range slices.Concat(numbered, f.Unnumbered()) {
		r.All = append(r.All, Decision{Decision: d, DecisionNotes: f.DecisionNotes(d), Phase: p, File: f, Proof: proofs[d.ID]})
	}
	for _, line := range malformed {
		r.Malformed = append(r.Malformed, plan.InputError{Path: f.Path, Line: line + 1, What: "begins as a decision and is none"})
	}
}

// proofs are those of a phase's decisions, by their id.
func (r *Register) proofs(p *plan.Phase) map[string]*Proof {
	name := record.File(p)
	if !slices.Contains(p.Files, path.Base(name)) {
		return nil
	}
	v := record.Last(record.Parse(must.Get(r.tx.ReadBytes(name))))
	if v == nil {
		return nil
	}
	out := map[string]*Proof{}
	for _, c := range v.Of("decision") {
		out[c.ID] = &Proof{c.Verdict, append([]string{}, c.Found...), v.Commit}
	}
	return out
}

// Of returns the decisions of one phase.
func (r *Register) Of(p *plan.Phase) (out []Decision) {
	for _, d := range r.All {
		if d.Phase.Dir == p.Dir {
			out = append(out, d)
		}
	}
	return out
}

// Next is the number of the next free id: no phase of the plan has had a higher one.
func (r *Register) Next() int {
	last := 0
	for _, d := range r.All {
		last = max(last, doc.DecisionNumber(d.ID))
	}
	return last + 1
}

// Trace finds the plans that cite each decision, and where it stands. A plan of its
// own phase cites it by its id or its words, one of another phase by the name that
// the whole project knows.
func (r *Register) Trace() {
	byRef := map[string]*Decision{}
	byDir := map[string][]*Decision{}
	for i := range r.All {
		d := &r.All[i]
		if d.ID != "" {
			byRef[d.Ref] = d
			byRef[doc.DecisionRef{Phase: d.Phase.ID, Named: true, ID: d.ID}.String()] = d
		}
		byDir[d.Phase.Dir] = append(byDir[d.Phase.Dir], d)
	}
	for _, p := range r.tx.Phases(plan.Everything) {
		for _, f := range p.Plans {
			text := must.Get(r.tx.Read(path.Join(p.Dir, f.Path)))
			promises := gate.ReadPromises(text, p.ID)
			for _, d := range byDir[p.Dir] {
				if promises.Cite(d.Decision) {
					d.cited(f, true)
				}
			}
			for _, ref := range gate.RefsOf(text) {
				if d := byRef[ref.String()]; d != nil && d.Phase.Dir != p.Dir {
					d.cited(f, false)
				}
			}
		}
	}
	for i := range r.All {
		d := &r.All[i]
		d.State = r.state(d)
	}
}

// cited notes a plan that cites the decision. Those of its own phase say whether it
// is built; others only where there is none.
func (d *Decision) cited(f plan.PlanFile, own bool) {
	if slices.Contains(d.Plans, f.ID) {
		return
	}
	d.Plans = append(d.Plans, f.ID)
	if own && !d.own {
		d.own, d.waits = true, false
	}
	if own == d.own {
		d.waits = d.waits || f.Summary == ""
	}
}

func (r *Register) state(d *Decision) State {
	switch {
	case d.SupersededBy != "" || slices.Contains(d.Tags, "superseded"):
		return Superseded
	case !d.Trackable():
		return Untracked
	case len(d.Plans) == 0:
		return Open
	case d.waits:
		return Planned
	case d.Phase.Complete() && r.tx.Verification(d.Phase).Passed():
		return Verified
	}
	return Built
}

// Find returns the decision that a ref names. Of several phases with that id the one
// of the ref's phase; else it is an error that names them.
func (r *Register) Find(ref string) (*Decision, error) {
	want, ok := doc.ParseDecisionRef(ref)
	if !ok {
		return nil, &plan.InputError{Path: ref, What: "is no decision: give its id, such as D-07 or 02/D-07"}
	}
	var found []*Decision
	for i := range r.All {
		if d := &r.All[i]; d.ID == want.ID && (!want.Named || d.Phase.ID.Same(want.Phase)) {
			found = append(found, d)
		}
	}
	if live := slices.DeleteFunc(slices.Clone(found), func(d *Decision) bool { return d.Phase.Archived != "" }); want.Named && len(live) == 1 {
		found = live // the number was used again after the milestone was archived
	}
	switch len(found) {
	case 0:
		return nil, &plan.InputError{Path: ref, What: "is no decision of this plan"}
	case 1:
		return found[0], nil
	}
	var names []string
	for _, d := range found {
		names = append(names, fmt.Sprintf("%s/%s (%s)", d.Phase.ID.Padded(), d.ID, d.File.Path))
	}
	return nil, &plan.InputError{Path: ref, What: "is the id of several decisions: " + strings.Join(names, ", ")}
}

// Supersede notes below the old decision that the new one is in its place, since a
// day and why.
func (r *Register) Supersede(old, by *Decision, day, why string) error {
	switch {
	case old == by:
		return &plan.InputError{Path: old.Ref, What: "cannot supersede itself"}
	case by.SupersededBy != "":
		return &plan.InputError{Path: by.Ref, What: "does not hold itself: it is superseded by " + by.SupersededBy}
	}
	if !old.File.Supersede(old.Decision, by.Ref, day, why) {
		return &plan.InputError{Path: old.File.Path, Line: old.Line + 1, What: "is a row of a table or a paragraph, below which no note can stand: write " + old.ID + " as a list item"}
	}
	return nil
}
