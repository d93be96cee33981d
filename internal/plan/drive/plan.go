package drive

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"cairn/internal/plan"
	"cairn/internal/plan/brief"
	"cairn/internal/plan/gate"
	"cairn/internal/plan/lifecycle"
	"cairn/internal/plan/wave"
)

// mostChecks is how often plans are checked and corrected before a person is asked.
const mostChecks = 3

// planning says what a phase needs until its plans can be executed: research, the plans, a
// check of them by somebody else, the gates. It returns false when that is so already.
func (d *Driver) planning(state lifecycle.State) bool {
	under := d.journal.Agents["planner"] != nil || d.journal.Agents["plan-checker"] != nil
	switch {
	case state == lifecycle.Complete || state == lifecycle.NotStarted && !d.settings.Bool("workflow.skip_discuss") || state == lifecycle.Discussing:
		return false
	case d.Until != Plan && !under && (len(d.step.phase.Plans) > 0 || state == lifecycle.Drafted):
		return false // planned by hand, or before
	}
	d.step.Unmet = d.unmet(lifecycle.Plan)
	if len(d.step.phase.Plans) == 0 && len(d.step.Unmet) > 0 {
		d.step.refuse = true
		return d.say(Mend, "the phase cannot be planned yet: %s", named(d.step.Unmet))
	}
	d.step.Unmet = nil
	return d.research() || d.planner(state) || d.checker() || d.gates() || d.planned()
}

// unmet reads which conditions of a move do not hold.
func (d *Driver) unmet(m lifecycle.Move) (open []gate.Missing) {
	d.view(func(tx *plan.Tx) { open = lifecycle.New(d.Context, tx).Unmet(tx.Phase(d.step.phase.ID), m) })
	return open
}

func named(open []gate.Missing) string {
	var names []string
	for _, m := range open {
		names = append(names, m.ID+": "+m.Text)
	}
	return strings.Join(names, "; ")
}

// research has what is not known found out, and questions that it leaves answered.
func (d *Driver) research() bool {
	if len(d.step.phase.Plans) > 0 {
		return false
	}
	if d.settings.Bool("workflow.research") && !slices.Contains(d.Skip, "research") && d.step.phase.File("RESEARCH") == "" {
		return d.start("phase-researcher", "RESEARCH", "how the phase is best built is not researched")
	}
	var open gate.Result
	d.view(func(tx *plan.Tx) {
		open = lifecycle.New(d.Context, tx).Subject(tx.Phase(d.step.phase.ID)).Run("research", gate.Plan)
	})
	if open.No() {
		d.step.Unmet = open.Missing
		return d.say(Mend, "research left questions: ask each one, write the answer into RESEARCH.md under the question and mark it (RESOLVED)")
	}
	if h := d.journal.of("pattern-mapper"); d.settings.Bool("workflow.pattern_mapper") && h.Times == 0 && d.step.phase.File("PATTERNS") == "" && brief.Look(d.Root).Grown() {
		return d.start("pattern-mapper", "PATTERNS", "which code the new code is to resemble is not known")
	}
	return false
}

// planner has the plans written: all of them, or those that close what a verification found.
func (d *Driver) planner(state lifecycle.State) bool {
	if state == lifecycle.Gaps {
		report := path.Join(d.step.phase.Dir, d.step.phase.File("VERIFICATION"))
		d.journal.of("planner").Failed = "gaps: " + report + " names them; plan what closes them (gap_closure: true), and nothing else"
		return d.start("planner", "", "the verification found gaps that no plan closes")
	}
	return len(d.step.phase.Plans) == 0 && d.start("planner", "", "there is no plan")
}

// checker has somebody who did not write the plans look at them, and what is wrong
// corrected, until nothing is or a person has to say.
func (d *Driver) checker() bool {
	if !d.settings.Bool("workflow.plan_check") || slices.Contains(d.Skip, "check") {
		return false
	}
	h := d.journal.of("plan-checker")
	if strings.HasPrefix(strings.ToLower(h.Answer), "go on") { // a person's word
		h.Verdict = "done"
	}
	switch {
	case h.Verdict == "done":
		return false
	case h.Verdict == "issues" && h.Rounds >= mostChecks && h.Answer == "":
		d.step.Ask = []Question{{ID: "plan-checker", Type: "decision", Question: h.Failed, Options: []string{"go on with the plans as they are", "correct them: say how", "stop"}}}
		return d.say(Ask, "after %d checks the plans still have issues", h.Rounds)
	case h.Verdict == "issues":
		p := d.journal.of("planner")
		p.Failed, p.Times, p.Answer = h.Failed, 0, h.Answer
		h.Verdict, h.Failed, h.Times, h.Answer = "", "", 0, ""
		return d.start("planner", "", "the plans have issues: correct only what is named")
	}
	h.Rounds++
	return d.start("plan-checker", "", "nobody has checked the plans who did not write them")
}

// gates has plans corrected that cannot be executed as they are.
func (d *Driver) gates() bool {
	if d.step.Unmet = d.unmet(lifecycle.Ready); len(d.step.Unmet) == 0 {
		return false
	}
	d.journal.of("planner").Failed = named(d.step.Unmet)
	return d.start("planner", "", "the plans cannot be executed yet")
}

// planned records that the phase can be executed.
func (d *Driver) planned() bool {
	delete(d.journal.Agents, "planner")
	delete(d.journal.Agents, "plan-checker")
	d.keep()
	number := d.step.phase.ID
	d.change(func(tx *plan.Tx) {
		p := tx.Phase(number)
		docs := wave.Read(tx, p)
		if s, err := wave.Arrange(wave.Plans(docs)); err == nil && tx.Roadmap() != nil {
			Annotate(tx, p, docs, s)
		}
		tx.EditState(func(s *plan.State) {
			s.Planned(s.Known(plan.PhaseWork{Number: number.String(), Plans: -1, Done: p.Executed()}))
			s.Stop("Phase "+number.String()+" planned", "")
		})
	})
	d.did("record the plans")
	d.commit("docs(" + number.Padded() + "): plan the phase")
	if d.Until == Plan {
		d.done("the phase is planned")
		d.step.Run = "execute-phase " + d.step.Phase
		return true
	}
	return false
}

// start answers with one agent to start; after as many tries as the budget has a person is
// asked.
func (d *Driver) start(role, document, why string) bool {
	h := d.journal.of(role)
	if d.stuck(role, why, h) {
		return true
	}
	a, of := d.agent("plan-phase", role, h)
	a.Directory = of.Phase.Directory
	if document != "" {
		a.Write = path.Join(of.Phase.Directory, d.step.phase.ID.Padded()+"-"+document+".md")
	}
	if role == "planner" {
		for setting, word := range map[string]string{"workflow.tdd_mode": "tdd", "workflow.mvp_mode": "mvp", "workflow.nyquist_validation": "validation"} {
			if d.settings.Bool(setting) {
				a.Words = append(a.Words, word)
			}
		}
		slices.Sort(a.Words)
	}
	d.spawn(a, h)
	return d.say(Spawn, "%s", why)
}

// stuck asks a person what an agent asked, or how it goes on where it was started often
// enough.
func (d *Driver) stuck(role, why string, h *handed) bool {
	if h.Question == "" && (h.Times <= d.budget() || h.Answer != "") {
		return false
	}
	q := Question{ID: role, Type: cmp.Or(h.Type, "decision"), Question: h.Question}
	if q.Question == "" {
		q.Question = role + " was started " + itoa(h.Times) + " times, and " + why
		if h.Failed != "" {
			q.Question += ": " + h.Failed
		}
		q.Options = []string{"try again: say what to do otherwise", "stop"}
	}
	d.step.Ask = []Question{q}
	return d.say(Ask, "a person has to say how this goes on")
}

// agent is the row of a role that starts for a workflow, with what it is given to read and
// what the last one left.
func (d *Driver) agent(workflow, role string, h *handed) (a Agent, of *brief.Brief) {
	of = d.brief(workflow, role)
	a = Agent{
		Role: role, Model: of.Agents[role], Reads: of.Reads[role], Goal: of.Phase.Goal, Criteria: of.Phase.Criteria, Requirements: of.Phase.Requirements,
		Failed: h.Failed, Answer: h.Answer,
	}
	for _, p := range of.Phase.Plans {
		a.Plans = append(a.Plans, p.Path)
	}
	return a, of
}

// spawn hands an agent out. What the last one left is told once.
func (d *Driver) spawn(a Agent, h *handed) {
	h.Times, h.Failed, h.Answer = h.Times+1, "", ""
	d.keep()
	d.step.Spawn = append(d.step.Spawn, a)
}

// Annotate lists a phase's plans by wave in the roadmap.
func Annotate(tx *plan.Tx, p *plan.Phase, docs []wave.Document, s *wave.Schedule) (listed int, done *plan.Annotated) {
	var waves [][]string
	var plans []plan.PlanItem
	for _, w := range s.Waves {
		var ids []string
		for _, it := range w.Plans {
			ids = append(ids, it.ID)
		}
		waves = append(waves, ids)
		for _, d := range docs {
			if slices.Contains(ids, d.ID) {
				plans = append(plans, plan.PlanItem{ID: d.ID, Objective: d.Objective})
			}
		}
	}
	listed = tx.ListPlans(p, plans)
	done = tx.AnnotatePhase(tx.Phase(p.ID), waves) // after each of these the phase's lines have moved
	tx.SyncProgress(tx.Phase(p.ID), false)
	return listed, done
}
