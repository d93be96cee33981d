package brief

import (
	"cmp"
	"fmt"
	"path"
	"strings"

	"cairn/internal/plan"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/settings"
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
	n := decide(tx, steps, readSession(tx, steps))
	n.Blocked = append(unreadable(tx), n.Blocked...)
	return n
}

func decide(tx *plan.Tx, steps []Step, session *Session) *Next {
	n := interrupted(session)
	if n == nil {
		if n = beginning(tx); n != nil {
			return n
		}
	}
	blocked := blocks(tx)
	if n == nil {
		n = onward(tx, steps)
	}
	n.Blocked = append(blocked, n.Blocked...)
	return n
}

// beginning: there is no plan, or not all of it.
func beginning(tx *plan.Tx) *Next {
	roadmap := tx.Path("ROADMAP.md")
	reason := ""
	switch {
	case !tx.Has(tx.Shared("PROJECT.md")):
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
	if len(Maps(tx)) == 0 && Look(tx.Root).Grown() {
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
		if !isGap(p.Name) {
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
	if waiting := tx.Path(plan.WaitingFile); tx.Has(waiting) {
		out = append(out, Block{waiting, "holds a question that nobody has answered", "answer it, then cairn plan state resume"})
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
func onward(tx *plan.Tx, steps []Step) *Next {
	m := CurrentMilestone(tx)
	if m.Version != "" && tx.MilestoneEntered(m.Version) {
		return &Next{Command: "new-milestone", Reason: m.Version + " is complete"}
	}
	set := settings.Load(tx)
	var open []Block
	for i := range steps {
		s := &steps[i]
		n := phaseNext(tx, set, s)
		if n == nil {
			if box := s.Phase.Box; box != nil && !box.Done {
				open = append(open, Block{What: "phase " + s.Number + " is finished, and not completed", Do: "cairn plan phase complete " + s.Number})
			}
			continue
		}
		n.Phase, n.Name, n.Blocked = s.Number, s.Name, open
		for _, dep := range s.Waiting {
			n.Blocked = append(n.Blocked, Block{What: "phase " + s.Number + " depends on phase " + dep + ", which is not complete", Do: "complete phase " + dep + ", or move phase " + s.Number + " after it"})
		}
		return n
	}
	if len(steps) == 0 {
		return &Next{Command: "new-milestone", Reason: "the roadmap has no phase"}
	}
	return &Next{Command: "complete-milestone", Reason: "every phase of the milestone is finished", Blocked: open}
}

// phaseNext returns what a phase needs now, nil when it is finished: every
// plan executed and, if the settings want that, verified.
func phaseNext(tx *plan.Tx, set *settings.Settings, s *Step) *Next {
	p := s.Phase
	if p.Box != nil && p.Box.Done {
		return nil
	}
	switch p.DiskStatus() {
	case plan.StatusPartial:
		return &Next{Command: "execute-phase", Reason: fmt.Sprintf("%d of %s still to be executed", len(p.Plans)-p.Executed(), plans(len(p.Plans)))}
	case plan.StatusPlanned:
		return &Next{Command: "execute-phase", Reason: "it is planned: " + plans(len(p.Plans))}
	case plan.StatusComplete:
		return verifyNext(tx, set, p)
	case plan.StatusResearched:
		return &Next{Command: "plan-phase", Reason: "it was researched"}
	case plan.StatusDiscussed:
		return &Next{Command: "plan-phase", Reason: "it was discussed"}
	}
	if set.Bool("workflow.skip_discuss") {
		return &Next{Command: "plan-phase", Reason: "nothing was done for it, and workflow.skip_discuss is on"}
	}
	return &Next{Command: "discuss-phase", Reason: "nothing was done for it"}
}

func verifyNext(tx *plan.Tx, set *settings.Settings, p *plan.Phase) *Next {
	name := p.File("VERIFICATION")
	if name == "" {
		if !set.Bool("workflow.verifier") {
			return nil
		}
		return &Next{Command: "verify-work", Reason: "every plan is executed, and nothing was verified"}
	}
	v := tx.Verification(p)
	switch rel := path.Join(p.Dir, name); {
	case v.Gaps():
		return &Next{Command: "plan-phase", Reason: rel + " found gaps: plan what closes them (--gaps)"}
	case v.Status == "pending":
		return &Next{Command: "verify-work", Reason: rel + " is not filled in"}
	case v.Waits():
		return &Next{Command: "verify-work", Reason: rel + " waits for a person's verdict"}
	}
	return nil
}
