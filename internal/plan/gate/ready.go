package gate

import (
	"fmt"

	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/doc"
)

// Ready is the gate before a stage: the phase has what the stage works on.
// The phases it depends on must be complete before it is executed; it may be
// planned ahead of them. A phase that was found to have gaps may be planned
// again. It blocks.
func Ready(stage Stage, p *plan.Phase, dependencies []*plan.Phase, gaps, skipDiscuss bool) Result {
	r := Result{Gate: "ready", Stage: stage, Type: Transition, Blocking: true}
	var missing []Missing
	want := func(id, text string, remedies ...string) {
		missing = append(missing, Missing{ID: id, Category: "precondition", Text: text, File: p.Dir, Remedies: remedies})
	}
	open := 0
	for _, d := range dependencies {
		if d.Status() == plan.StatusComplete {
			continue
		}
		open++
		text := fmt.Sprintf("phase %s depends on it, and it is %s", p.ID, d.Status().Words())
		if stage == Plan {
			r.Warnings = append(r.Warnings, "phase "+d.ID.String()+": "+text)
			continue
		}
		want("phase "+d.ID.String(), text, "execute phase "+d.ID.String()+" first, or change Depends on in ROADMAP.md")
	}
	switch stage {
	case Plan:
		if p.Section == nil && p.Box == nil {
			want("roadmap", "ROADMAP.md has no such phase", "cairn plan phase add")
		}
		if closed(p) && !gaps {
			want("open phase", "the phase is complete already", "plan the next phase, or insert one after it: cairn plan phase insert")
		}
		if p.File("CONTEXT") == "" && !skipDiscuss {
			want("CONTEXT.md", "nothing says what was decided", "discuss the phase and write what was decided: cairn plan phase scaffold "+p.ID.String()+" context", "go without: cairn plan config set workflow.skip_discuss true")
		}
	case Execute, Verify:
		if len(p.Plans) == 0 {
			want("plans", "the phase has none", "plan the phase: cairn plan template fill plan --phase "+p.ID.String()+" --plan 1")
		}
		for _, f := range p.Plans {
			if stage == Verify && f.Summary == "" {
				want(f.ID, "the plan has no summary", "execute it, or remove the plan")
			}
		}
	}
	return r.judge(missing, fmt.Sprintf("phase %s can go into the %s stage", p.ID, stage),
		fmt.Sprintf("phase %s cannot go into the %s stage yet:", p.ID, stage))
}

// closed reports whether the roadmap calls the phase complete. One whose plans
// are all executed may get more until then.
func closed(p *plan.Phase) bool {
	if p.Box != nil {
		return p.Box.Done
	}
	return p.Status() == plan.StatusComplete
}

// dependencies returns the phases that the roadmap says the phase depends on.
// One that does not exist is an error.
func dependencies(tx *plan.Tx, p *plan.Phase) []*plan.Phase {
	f, _ := p.Field(tx.Roadmap(), "Depends on")
	var out []*plan.Phase
	for _, id := range doc.DependsOn(f.Value) {
		d := tx.Phase(id)
		if d == nil {
			must.Fail(&plan.InputError{Path: tx.Path("ROADMAP.md"), Line: f.Line + 1, What: "depends on phase " + id.String() + ", which does not exist"})
		}
		out = append(out, d)
	}
	return out
}
