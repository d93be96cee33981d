package drive

import (
	"cmp"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"cairn/internal/git"
	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/lifecycle"
	"cairn/internal/plan/proof"
	"cairn/internal/plan/proof/record"
	"cairn/internal/text"
)

// Proving is how a step has the claims of a phase proven.
type Proving struct {
	Trees   string        // where working trees are kept
	Trusted bool          // the project's commands may run: a person said so, or asked for it
	Budget  time.Duration // for what runs in one step; the next goes on
	Step    func(what string)
}

// Proof is what a verifier is told of the proof: what it need not judge, and what nothing
// could look at.
type Proof struct {
	File      string         `json:"file"`
	Counts    map[string]int `json:"counts"`
	Unchecked []string       `json:"unchecked"`
	Accepted  []string       `json:"accepted"`
}

const (
	theProof  = "proof" // its id in the journal and in questions
	mostLate  = 10      // steps that a proof may take
	mostLines = 12      // claims that one agent or person is told of
)

// prove has the claims of an executed phase proven, before anybody judges it. It ends the
// step while something is unproven: whoever could prove it is handed that.
func (d *Driver) prove(state lifecycle.State) bool {
	if !d.settings.Bool("workflow.prove") || d.Proving.Trees == "" || state == lifecycle.Gaps {
		return false
	}
	if !git.Repo(d.Root) {
		d.note("nothing is proven: the project is in no git repository")
		return false
	}
	last, holds := d.lastProof()
	if holds && last.Proven {
		d.proof = last
		return false
	}
	h := d.journal.of(theProof)
	switch {
	case d.DryRun:
		d.did("prove the phase")
		return d.say(Mend, "what comes after the proof is not known before it")
	case !d.Proving.Trusted && !holds:
		return d.say(Mend, "the phase is not proven, and a step may not run what its plans say (plan.step_proves): run cairn plan prove %s, whether that passes or not, then step again", d.step.Phase)
	case d.Proving.Trusted:
		if d.provenNow(h) {
			return true
		}
		if last, _ = d.lastProof(); last.Proven {
			d.proof = last
			return false
		}
	}
	return d.unproven(h, last)
}

// provenNow runs the proof. It ends the step when more time is needed.
func (d *Driver) provenNow(h *handed) bool {
	var s proof.Subject
	d.view(func(tx *plan.Tx) { s = proof.Read(tx, tx.Phase(d.step.phase.ID)) })
	r := must.Get(proof.Prove(d.Context, s, proof.Options{Trees: d.Proving.Trees, Budget: d.Proving.Budget, Step: d.Proving.Step}))
	if r.Late {
		h.Times++
		d.keep()
		if h.Times > mostLate {
			d.step.Ask = []Question{{ID: theProof, Type: "human-action", Question: "the proof takes too long for a step: run cairn plan prove " + d.step.Phase + " --budget 1h"}}
			return d.say(Ask, "the proof did not end in %d steps", mostLate)
		}
		return d.say(Mend, "the proof needs more time: step again, it goes on where it stopped (%d ran)", r.Ran)
	}
	h.Times = 0
	d.did("prove the phase: %s", counted(r))
	d.commit("docs("+d.step.phase.ID.Padded()+"): proof", s.File)
	return false
}

func counted(r *proof.Report) string {
	var out []string
	for _, w := range []record.Word{record.Proven, record.Guard, record.Accepted, record.Unchecked, record.Unproven} {
		if n := len(r.Of(w)); n > 0 {
			out = append(out, itoa(n)+" "+string(w))
		}
	}
	return strings.Join(out, ", ")
}

// lastProof is the last verdict on the phase, and whether it is of the code and the plans
// that there are. One that says nothing of its claims is not.
func (d *Driver) lastProof() (last *record.Verdict, holds bool) {
	last = &record.Verdict{}
	d.view(func(tx *plan.Tx) {
		p := tx.Phase(d.step.phase.ID)
		b, err := os.ReadFile(d.Abs(record.File(p)))
		v := record.Last(record.Parse(b))
		if err != nil || v == nil {
			return
		}
		tree, err := record.Tree(d.Context, d.Root)
		last, holds = v, err == nil && len(v.Claims) > 0 && v.For == record.Key(tree, record.Claims(tx, p))
	})
	return last, holds
}

// unproven hands each claim to who could prove it: the executor of its plan, the planner
// where no plan builds what was decided, else a person.
func (d *Driver) unproven(h *handed, v *record.Verdict) bool {
	open := v.Said(record.Unproven)
	byPlan, planless, person := d.route(open)
	if !(len(byPlan) == 0 && len(planless) == 0 && len(person) == 0) && (h.Rounds >= d.budget() && h.Answer == "" || len(byPlan)+len(planless) == 0) {
		d.step.Ask = []Question{{
			ID: theProof, Type: "decision", Question: told(open),
			Options: []string{"fix it: say how", "accept what no command can prove: cairn plan prove " + d.step.Phase + " --accept NAME -r WHY, for each", "stop"},
		}}
		return d.say(Ask, "%s unproven: %s", text.Count(len(open), "claim"), kinds(open))
	}
	answer := h.Answer
	h.Rounds, h.Answer = h.Rounds+1, ""
	if len(planless) > 0 {
		p := d.journal.of("planner")
		p.Failed, p.Times, p.Answer = "the proof found what no plan builds; plan it (gap_closure: true), and nothing else: "+told(planless), 0, answer
		return d.start("planner", "", "no plan of the phase builds what was decided")
	}
	for id, claims := range byPlan {
		p := d.journal.of(id)
		p.Failed, p.Times, p.Answer = "its work is there, and this is not proven: "+told(claims), 0, answer
	}
	return d.handOut()
}

// route sorts claims by who could prove them.
func (d *Driver) route(open []record.Claim) (byPlan map[string][]record.Claim, planless, person []record.Claim) {
	byPlan = map[string][]record.Claim{}
	ids := d.step.phase.Plans
	for _, c := range open {
		plans := c.Plans
		if c.Plan != "" {
			plans = []string{c.Plan}
		}
		switch {
		case len(plans) > 0:
			for _, id := range plans {
				byPlan[id] = append(byPlan[id], c)
			}
		case c.Kind == "decision" || c.Kind == "requirement":
			planless = append(planless, c)
		case c.Kind == "commit" || c.Kind == "verification": // history, and what a verifier wrote
			person = append(person, c)
		default:
			last := plan.CanonicalPlanID(ids[len(ids)-1].ID)
			byPlan[last] = append(byPlan[last], c)
		}
	}
	return byPlan, planless, person
}

// told names claims with what would prove each.
func told(claims []record.Claim) string {
	var out []string
	for _, c := range claims[:min(len(claims), mostLines)] {
		what, said, _ := strings.Cut(c.What, "\n")
		if c.File != "" && c.Line > 0 {
			what = c.File + ":" + itoa(c.Line) + ": " + what
		}
		if lines := strings.Split(strings.TrimSpace(said), "\n"); said != "" {
			what += " (" + strings.Join(lines[max(0, len(lines)-3):], "; ") + ")"
		}
		out = append(out, c.Kind+" "+c.ID+": "+what+"; to prove it: "+cmp.Or(c.Remedy, "say what holds"))
	}
	if n := len(claims) - mostLines; n > 0 {
		out = append(out, "and "+text.Count(n, "claim")+" more: cairn plan verify proof lists them")
	}
	return strings.Join(out, "\n")
}

func kinds(claims []record.Claim) string {
	var out []string
	for _, c := range claims[:min(len(claims), 3)] {
		out = append(out, c.Kind+" "+c.ID)
	}
	if len(claims) > 3 {
		out = append(out, "…")
	}
	return strings.Join(out, ", ")
}

// proofFor is what the verifier is told of the proof, nil without one.
func (d *Driver) proofFor() *Proof {
	if d.proof == nil {
		return nil
	}
	p := &Proof{File: path.Join(d.step.phase.Dir, path.Base(record.File(d.step.phase))), Counts: d.proof.Counts, Unchecked: []string{}, Accepted: []string{}}
	for _, c := range d.proof.Said(record.Unchecked, record.Accepted) {
		what, _, _ := strings.Cut(c.What, "\n")
		if c.Verdict == record.Accepted {
			p.Accepted = append(p.Accepted, what)
		} else {
			p.Unchecked = append(p.Unchecked, what)
		}
	}
	return p
}

// Draft adds to a document that was just made what the last proof of the phase has for it.
func Draft(tx *plan.Tx, p *plan.Phase, kind, rel string) {
	name := record.File(p)
	if !slices.Contains([]string{"verification", "uat"}, kind) || !tx.Has(name) {
		return
	}
	if v := record.Last(record.Parse(must.Get(tx.ReadBytes(name)))); v != nil {
		v.Draft(kind, must.Get(tx.Read(rel)))
	}
}
