package brief

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"cairn/internal/plan"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/gate"
	"cairn/internal/plan/lifecycle"
	"cairn/internal/plan/template"
	"cairn/internal/plan/wave"
)

// Next is what to run now.
type Next struct {
	Command string  `json:"command"` // a workflow: plan-phase, execute-phase, …
	Phase   string  `json:"phase,omitempty"`
	Name    string  `json:"phase_name,omitempty"`
	Reason  string  `json:"reason"`
	Blocked []Block `json:"blocked,omitempty"` // what to clear up before
}

// Block is what stands in the way of Next.
type Block struct {
	Path string `json:"path,omitempty"`
	What string `json:"what"`
	Do   string `json:"do"` // how to clear it
}

// FindNext decides what to run now: what was interrupted first, then what is
// missing, then the first phase of the milestone that is not finished.
func FindNext(tx *plan.Tx) *Next {
	steps, _ := Board(tx)
	n := decide(lifecycle.New(context.Background(), tx), steps, readSession(tx, steps))
	n.Blocked = append(unreadable(tx), n.Blocked...)
	return n
}

func decide(look *lifecycle.Look, steps []Step, session *Session) *Next {
	n := interrupted(session)
	if n == nil {
		if n = beginning(look); n != nil {
			return n
		}
	}
	blocked := blocks(look.Tx)
	if n == nil {
		n = onward(look, steps)
	}
	n.Blocked = append(blocked, n.Blocked...)
	return n
}

// beginning: there is no plan, or not all of it.
func beginning(look *lifecycle.Look) *Next {
	tx := look.Tx
	roadmap := tx.Path("ROADMAP.md")
	reason := ""
	switch {
	case !tx.Has(tx.Shared("PROJECT.md")) && !tx.Has(roadmap):
		reason = "there is no plan yet"
	case !tx.Has(roadmap) && tx.Has(tx.Path("MILESTONES.md")):
		return &Next{Command: "new-milestone", Reason: "the last milestone is complete, and there is no roadmap for another"}
	case !tx.Has(roadmap) && tx.Stream != "":
		return &Next{Command: "new-milestone", Reason: "the workstream has no roadmap yet"}
	case !tx.Has(roadmap):
		reason = "the project has no roadmap yet"
	case isTemplate(tx):
		reason = roadmap + " is still the template"
	default:
		return nil
	}
	if !look.IsQuick() && len(Maps(tx)) == 0 && Look(tx.Root).Grown() {
		return &Next{Command: "map-codebase", Reason: reason + ", and there is code that a map would explain; then new-project"}
	}
	return &Next{Command: "new-project", Reason: reason}
}

// isTemplate reports whether no phase of the roadmap has a name yet.
func isTemplate(tx *plan.Tx) bool {
	r := tx.Roadmap()
	if r == nil {
		return false
	}
	for _, p := range r.Phases {
		if !template.IsGap(p.Name, "roadmap") {
			return false
		}
	}
	return len(r.Phases) > 0
}

// blocks returns what has to be looked at before any work goes on.
func blocks(tx *plan.Tx) []Block {
	var out []Block
	rel := tx.Path("STATE.md")
	t := tx.ReadIfThere(rel)
	if project := tx.Shared("PROJECT.md"); !tx.Has(project) {
		out = append(out, Block{project, "is missing", "cairn plan init writes one"})
	}
	switch {
	case t == nil && tx.Has(tx.Path("ROADMAP.md")):
		out = append(out, Block{rel, "is missing", "cairn plan health --fix"})
	case t != nil:
		status := cmp.Or(doc.State{Text: t}.Value("Status"), t.Front().Get("status").Text())
		if first, _, _ := strings.Cut(strings.ToLower(status), " "); first == "error" || first == "failed" {
			out = append(out, Block{rel, "says that the status is " + status, "fix what failed, then cairn plan state set Status"})
		}
		if sec, ok := t.Section("Error"); ok {
			out = append(out, Block{rel, "has an Error section: " + strings.TrimSpace(t.Span(sec.Start, min(sec.End, sec.Start+2))), "fix it and remove the section"})
		}
	}
	out = append(out, blockers(tx, rel)...)
	if waiting := tx.Path(plan.WaitingFile); tx.Has(waiting) {
		out = append(out, Block{waiting, "holds a question that nobody has answered", "answer it, then cairn plan state resume"})
	}
	return out
}

// blockers returns what STATE.md says is in the way, the first few.
func blockers(tx *plan.Tx, rel string) []Block {
	if !tx.Has(rel) {
		return nil
	}
	const few = 5
	all := slices.DeleteFunc(tx.State().ListBlockers(), func(item string) bool { return doc.SaysNone(item) || doc.SaysSettled(item) })
	var out []Block
	for i, b := range all {
		if i == few {
			return append(out, Block{rel, fmt.Sprintf("lists %d more blockers", len(all)-few), "cairn plan state show"})
		}
		out = append(out, Block{rel, "has a blocker: " + b, "clear it, then cairn plan state unblock TEXT"})
	}
	return out
}

// interrupted: a session was paused, or left word where to go on.
func interrupted(s *Session) *Next {
	switch {
	case s.Paused != "":
		return &Next{Command: "resume-work", Reason: "work was paused: " + s.Paused}
	case len(s.Handoffs) > 0:
		return &Next{Command: "resume-work", Reason: s.Handoffs[0] + " says where to go on"}
	}
	return nil
}

// onward takes the first phase that is not finished. Those before that are
// not completed yet come first.
func onward(look *lifecycle.Look, steps []Step) *Next {
	tx := look.Tx
	m := CurrentMilestone(tx)
	if m.Version != "" && tx.MilestoneEntered(m.Version) {
		return &Next{Command: "new-milestone", Reason: m.Version + " is complete"}
	}
	var open, held []Block
	for i := range steps {
		s := &steps[i]
		n := PhaseNext(look, s.Phase)
		if n != nil && n.Command == "execute-phase" {
			all, said := heldByOthers(tx, s.Phase)
			if n.Reason += said; all { // somebody else does it
				held = append(held, Block{What: "phase " + s.Number + strings.Replace(said, "; ", ": ", 1), Do: "wait, or cairn plan claim release"})
				continue
			}
		}
		if n == nil {
			if look.Of(s.Phase) != lifecycle.Complete {
				open = append(open, Block{What: "phase " + s.Number + " is finished, and not completed", Do: "cairn plan phase complete " + s.Number})
			}
			continue
		}
		n.Phase, n.Name, n.Blocked = s.Number, s.Name, slices.Concat(open, held, n.Blocked, dependencies(tx, s))
		return n
	}
	if len(steps) == 0 {
		return &Next{Command: "new-milestone", Reason: "the roadmap has no phase"}
	}
	if len(held) > 0 {
		return &Next{Command: "progress", Reason: "others have claimed every plan that is left", Blocked: append(open, held...)}
	}
	if r := tx.Roadmap(); r != nil && m.Version != "" && len(r.Milestones) > 0 && !r.HasMilestone(m.Version) { // only STATE.md names it
		return &Next{Command: "new-milestone", Reason: "ROADMAP.md has no " + m.Version + " yet, and every phase in it is finished", Blocked: open}
	}
	return &Next{Command: "complete-milestone", Reason: "every phase of the milestone is finished", Blocked: open}
}

// PhaseNext returns what a phase needs now, nil when it needs nothing but to be
// completed, or not even that.
func PhaseNext(look *lifecycle.Look, p *plan.Phase) *Next {
	switch state := look.Of(p); state {
	case lifecycle.Complete, lifecycle.Verified:
		return nil
	case lifecycle.NotStarted, lifecycle.Discussing, lifecycle.Discussed, lifecycle.Researched:
		return beforePlans(look, p, state)
	case lifecycle.Planning:
		return &Next{Command: "plan-phase", Reason: "its plans cannot be executed yet", Blocked: unmet(look.Unmet(p, lifecycle.Ready))}
	case lifecycle.Planned:
		return &Next{Command: "execute-phase", Reason: "it is planned: " + plans(len(p.Plans)) + at(look, p)}
	case lifecycle.Executing:
		left := len(p.Plans) - p.Executed()
		return &Next{Command: "execute-phase", Reason: fmt.Sprintf("%d of %s still to be executed", left, plans(len(p.Plans))) + at(look, p),
			Blocked: unmet(except(look.Unmet(p, lifecycle.Begin), "depends"))}
	default:
		return afterPlans(look, p, state)
	}
}

// dependencies returns the phases that a phase waits for.
func dependencies(tx *plan.Tx, s *Step) []Block {
	var out []Block
	for _, dep := range doc.DependsOn(s.Depends) {
		does := "phase " + s.Number + " depends on phase " + dep.String()
		switch d := tx.Phase(dep); {
		case d == nil:
			out = append(out, Block{Path: tx.Path("ROADMAP.md"), What: does + ", which does not exist", Do: "correct Depends on of phase " + s.Number})
		case !tx.Closed(d):
			out = append(out, Block{What: does + ", which is not complete", Do: "complete phase " + d.ID.String() + ", or move phase " + s.Number + " after it"})
		}
	}
	return out
}

func beforePlans(look *lifecycle.Look, p *plan.Phase, state lifecycle.State) *Next {
	undiscussed := slices.ContainsFunc(look.Unmet(p, lifecycle.Plan), func(m gate.Missing) bool { return m.Condition == "context" })
	reason := map[lifecycle.State]string{
		lifecycle.NotStarted: "nothing was done for it", lifecycle.Discussing: "its CONTEXT.md is still the template",
		lifecycle.Discussed: "it was discussed", lifecycle.Researched: "it was researched",
	}[state]
	switch {
	case undiscussed && state == lifecycle.Researched:
		return &Next{Command: "discuss-phase", Reason: reason + ", and nothing says what was decided"}
	case undiscussed:
		return &Next{Command: "discuss-phase", Reason: reason}
	case state == lifecycle.NotStarted:
		reason += ", and workflow.skip_discuss is on"
	}
	return &Next{Command: "plan-phase", Reason: reason}
}

// afterPlans sends to the workflow that mends the first thing that is open.
func afterPlans(look *lifecycle.Look, p *plan.Phase, state lifecycle.State) *Next {
	open := look.Unmet(p, lifecycle.Finish)
	first := open[0]
	for _, m := range open {
		if m.Condition == "verification" || m.Condition == "uat" && first.Condition != "verification" {
			first = m
		}
	}
	rest := slices.DeleteFunc(slices.Clone(open), func(m gate.Missing) bool { return m.Condition == first.Condition && m.ID == first.ID })
	n := &Next{Command: lifecycle.Workflow(first), Reason: "every plan is executed, and " + first.Text, Blocked: unmet(rest)}
	if first.File != "" && first.Condition != "context" && path.Ext(first.File) == ".md" {
		n.Reason = "every plan is executed; " + first.File + ": " + first.Text
	}
	if state == lifecycle.Gaps {
		n.Command, n.Reason = "plan-phase", first.File+" found gaps: plan what closes them (--gaps)"
	}
	return n
}

// at names the wave and the plan with which execution goes on.
func at(look *lifecycle.Look, p *plan.Phase) string {
	s, err := wave.Arrange(wave.Plans(wave.Read(look.Tx, p)))
	if err != nil {
		return ""
	}
	for _, w := range s.Waves {
		for _, it := range w.Plans {
			if !it.Done {
				return fmt.Sprintf("; wave %d, plan %s is next", w.Number, it.ID)
			}
		}
	}
	return ""
}

func except(open []gate.Missing, condition string) []gate.Missing {
	return slices.DeleteFunc(slices.Clone(open), func(m gate.Missing) bool { return m.Condition == condition })
}

// unmet shows conditions as what stands in the way.
func unmet(open []gate.Missing) []Block {
	var out []Block
	for _, m := range open {
		b := Block{Path: m.File, What: m.ID + ": " + m.Text}
		if m.Line > 0 {
			b.Path = fmt.Sprintf("%s:%d", m.File, m.Line)
		}
		if len(m.Remedies) > 0 {
			b.Do = m.Remedies[0]
		}
		out = append(out, b)
	}
	return out
}
