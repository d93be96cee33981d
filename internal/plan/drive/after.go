package drive

import (
	"cmp"
	"path"
	"strconv"
	"strings"

	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/brief"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/gate"
	"cairn/internal/plan/lifecycle"
)

func itoa(n int) string { return strconv.Itoa(n) }

// afterPlans is the step of a phase whose plans are all executed.
func (d *Driver) afterPlans(id doc.PhaseID, state lifecycle.State) *Step {
	switch {
	case len(d.step.phase.Plans) == 0 || state == lifecycle.Planning:
		return d.workflow()
	case d.unpushed(), d.prove(state):
		return d.step
	}
	state = d.look(id) // a proof may be what was missing
	d.waits()
	switch state {
	case lifecycle.Executed:
		d.reviewer()
		if d.settings.Bool("workflow.verifier") {
			return d.verifier()
		}
		if len(d.step.Spawn) > 0 {
			d.checked()
			d.say(Spawn, "the code was not reviewed yet")
			return d.step
		}
	case lifecycle.Verified:
		if d.Until == Verify {
			return d.done("everything holds; cairn plan phase complete " + d.step.Phase + " completes it")
		}
		return d.complete(id)
	}
	d.judged()
	return d.workflow()
}

// unpushed: a database schema that the phase changes has to be pushed first.
func (d *Driver) unpushed() bool {
	var open []gate.Missing
	for _, m := range d.unmet(lifecycle.Finish) {
		if m.Condition == "pushed" {
			open = append(open, m)
		}
	}
	if len(open) == 0 {
		return false
	}
	d.step.Unmet = open
	return d.say(Mend, "%s: with the user's consent run it, and name it in the last summary", open[0].Text)
}

// waits has STATE.md say that the phase waits for its verification.
func (d *Driver) waits() {
	d.view(func(tx *plan.Tx) {
		drift := lifecycle.New(d.Context, tx).Subject(tx.Phase(d.step.phase.ID)).Drift()
		if drift.Required {
			d.note("the code has outgrown its map: map-codebase --paths " + strings.Join(drift.Affected, ","))
		}
	})
	d.change(func(tx *plan.Tx) {
		if !tx.Has(tx.Path("STATE.md")) {
			return
		}
		tx.EditState(func(s *plan.State) {
			if at, total := s.Plan(); strings.HasPrefix(strings.ToLower(s.Value("Status")), "executing") && at > 0 && total > 0 {
				s.SetPlan(total, total)
				s.Advance()
			}
		})
	})
	d.commit("docs("+d.step.phase.ID.Padded()+"): every plan is executed", plan.Planning)
}

// verifier answers with the verifier to start: what was executed is not judged yet.
func (d *Driver) verifier() *Step {
	const id = "verifier"
	h := d.journal.of(id)
	if h.Times > d.budget() && h.Answer == "" {
		d.step.Ask = []Question{{ID: id, Type: "decision", Question: "the verifier was started " + itoa(h.Times) + " times, and the phase is still not verified", Options: []string{"try again", "stop"}}}
		d.say(Ask, "a person has to say how the verification goes on")
		return d.step
	}
	a, _ := d.agent("execute-phase", id, h)
	a.Write, a.Proof = path.Join(d.step.phase.Dir, d.step.phase.ID.Padded()+"-VERIFICATION.md"), d.proofFor()
	d.spawn(a, h)
	d.checked()
	d.say(Spawn, "every plan is executed; whether the goal is met is not verified")
	return d.step
}

// mostReviewed is how many files one reviewer takes.
const mostReviewed = 40

// reviewer adds who reviews the code, once for what was executed. What needs another
// program, or more than one reviewer, is left to the command code-review.
func (d *Driver) reviewer() {
	h := d.journal.of("code-reviewer")
	if !d.settings.Bool("workflow.code_review") || h.Times > 0 {
		return
	}
	var files []string
	d.view(func(tx *plan.Tx) { _, files = must.Get2(Changed(d.Context, tx, tx.Phase(d.step.phase.ID))) })
	if len(files) == 0 {
		return
	}
	if len(files) > mostReviewed || d.settings.Text("workflow.code_review_command") != "" || d.settings.Bool("code_quality.fallow.enabled") {
		h.Times++
		d.keep()
		d.note("the code was not reviewed: code-review " + d.step.Phase)
		return
	}
	a, _ := d.agent("phase-op", "code-reviewer", h)
	a.Criteria, a.Requirements, a.Plans = nil, nil, nil // it judges code, not the goal
	a.Files, a.Words = files, []string{cmp.Or(d.settings.Text("workflow.code_review_depth"), "standard")}
	if name := d.step.phase.File("REVIEW"); name != "" {
		a.Write = path.Join(d.step.phase.Dir, name)
	} else {
		d.change(func(tx *plan.Tx) {
			a.Write = tx.Create(plan.Draft{Kind: "review", Plan: "1", Phase: d.step.phase.ID, Today: d.Now})
		})
	}
	d.spawn(a, h)
}

// judged writes into a new report which decisions are found nowhere, and commits it.
func (d *Driver) judged() {
	delete(d.journal.Agents, "verifier")
	d.keep()
	if d.step.phase.File("VERIFICATION") == "" {
		return
	}
	d.change(func(tx *plan.Tx) {
		s := lifecycle.New(d.Context, tx).Subject(tx.Phase(d.step.phase.ID))
		s.Record = true
		s.Run("decisions", gate.Verify)
	})
	d.commit("docs("+d.step.phase.ID.Padded()+"): verification", plan.Planning)
}

// complete completes the phase.
func (d *Driver) complete(id doc.PhaseID) *Step {
	var next *brief.Next
	d.change(func(tx *plan.Tx) {
		if p := tx.Phase(id); p.Archived == "" {
			lifecycle.New(d.Context, tx).Ask(p, lifecycle.Finish, lifecycle.Override{})
		}
		c := Complete(tx, id, plan.Completion{Prune: d.settings.Bool("workflow.auto_prune_state")})
		next = c.Then
	})
	d.did("complete phase %s", id)
	d.commit("docs(" + id.Padded() + "): complete the phase")
	d.done("phase " + id.String() + " is complete")
	d.step.Run = strings.TrimSpace(next.Command + " " + next.Phase)
	return d.step
}

// Completed is what completing a phase did.
type Completed struct {
	*plan.Completed
	Then *brief.Next
}

// Complete completes a phase of which somebody has judged that it may be, and has STATE.md
// say where the work goes on. See [plan.Tx.CompletePhase].
func Complete(tx *plan.Tx, id doc.PhaseID, c plan.Completion) *Completed {
	done := tx.CompletePhase(id, c)
	if done.State {
		tx.EditState(func(s *plan.State) { leave(s, done) })
	}
	return &Completed{done, brief.FindNext(tx)}
}

// leave takes the phase off what STATE.md says is being done: the next session
// begins elsewhere.
func leave(s *plan.State, done *plan.Completed) {
	p := done.Phase
	if done.Next == nil {
		s.SetPosition("Phase", p.ID.String()+" ("+p.Name+") — COMPLETE")
	}
	s.Stop("Phase "+p.ID.String()+" complete", "")
}
