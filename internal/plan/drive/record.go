package drive

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"cairn/internal/git"
	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/lifecycle"
	"cairn/internal/text"
)

// record writes down every plan that is executed and not in STATE.md's metrics: its
// decisions, and what it took by git. One whose summary does not hold is not executed.
func (d *Driver) record() {
	var fresh []plan.PlanFile
	d.view(func(tx *plan.Tx) {
		p := tx.Phase(d.step.phase.ID)
		for _, f := range p.Plans {
			if f.Summary != "" && !(tx.Has(tx.Path("STATE.md")) && tx.State().Recorded(p.ID.String(), planNumber(f.ID))) {
				fresh = append(fresh, f)
			}
		}
	})
	var done []plan.PlanFile
	for _, f := range fresh {
		if problem := d.unfinished("", f.ID); problem != "" {
			d.journal.of(f.ID).Failed = problem // it is handed out again
			continue
		}
		done = append(done, f)
	}
	if len(done) == 0 {
		return
	}
	metrics := make([]plan.Metric, len(done))
	for i, f := range done {
		metrics[i] = d.measure(f)
	}
	decisions := 0
	d.change(func(tx *plan.Tx) { decisions = enter(tx, tx.Phase(d.step.phase.ID), done, metrics) })
	delete(d.journal.Agents, "code-reviewer") // there is more to review
	names := make([]string, len(done))
	for i, f := range done {
		names[i] = f.ID
		d.journal.of(f.ID).Failed = "" // whatever was said of it: its summary holds
	}
	d.keep()
	d.did("record %s, %s", strings.Join(names, ", "), text.Count(decisions, "decision"))
	d.step.Check = &Check{}
	d.commit(fmt.Sprintf("docs(%s): %s executed", d.step.phase.ID.Padded(), strings.Join(names, ", ")))
}

// enter puts executed plans into STATE.md and the roadmap. A verification from before is
// out of date.
func enter(tx *plan.Tx, p *plan.Phase, done []plan.PlanFile, metrics []plan.Metric) (decisions int) {
	tx.EditState(func(s *plan.State) {
		for i, f := range done {
			for _, dec := range doc.ReadSummary(must.Get(tx.Read(path.Join(p.Dir, f.Summary)))).Decisions {
				s.Decide(plan.Decision{Phase: p.ID.String(), Summary: dec.Summary, Rationale: dec.Rationale})
				decisions++
			}
			s.Record(metrics[i]) // last: it marks the plan as recorded
		}
		s.Begin(s.Known(plan.PhaseWork{Number: p.ID.String(), Plans: -1, Done: p.Executed()}))
		s.Stop(done[len(done)-1].ID+" executed, "+itoa(p.Executed())+" of "+text.Count(len(p.Plans), "plan"), "")
	})
	if name := p.File("VERIFICATION"); name != "" {
		t := must.Get(tx.Read(path.Join(p.Dir, name)))
		closes := slices.ContainsFunc(done, func(f plan.PlanFile) bool {
			return doc.ReadPlan(must.Get(tx.Read(path.Join(p.Dir, f.Path)))).GapClosure
		})
		if closes || !doc.ReadVerification(t).Gaps() { // a gap stays found until a plan closes it
			must.OK(t.SetFront("pending", "status"))
		}
	}
	if tx.Roadmap() != nil {
		tx.SyncProgress(p, false)
	}
	tx.EditState(func(s *plan.State) { s.Sync() })
	return decisions
}

// reopen makes what a gap leaves undone incomplete again, where it was called complete
// before the gap was found.
func (d *Driver) reopen() bool {
	var ids, undone []string
	var found, phase bool
	d.view(func(tx *plan.Tx) { ids, found = lifecycle.New(d.Context, tx).Undone(tx.Phase(d.step.phase.ID)) })
	if !found {
		return false
	}
	d.change(func(tx *plan.Tx) {
		if phase, undone = tx.Reopen(tx.Phase(d.step.phase.ID), ids); phase && tx.Has(tx.Path("STATE.md")) {
			tx.EditState(func(s *plan.State) { s.Sync() })
		}
	})
	what := undone
	if phase {
		what = append([]string{"phase " + d.step.phase.ID.String()}, what...)
	}
	if len(what) == 0 {
		return false
	}
	d.did("reopen %s: a gap was found", strings.Join(what, ", "))
	d.commit(fmt.Sprintf("docs(%s): a gap reopens %s", d.step.phase.ID.Padded(), strings.Join(what, ", ")))
	return true
}

// measure says what executing a plan took by git. What git does not know is "-".
func (d *Driver) measure(f plan.PlanFile) plan.Metric {
	m := plan.Metric{Phase: d.step.phase.ID.String(), Plan: planNumber(f.ID), Duration: "-"}
	if !git.Repo(d.Root) {
		return m
	}
	w := must.Get(workOf(d.Context, d.Root, f.ID))
	if len(w.commits) == 0 {
		return m
	}
	m.Duration = cmp.Or(w.took(d.journal.of(f.ID).At), "-")
	m.Tasks, m.Files = strconv.Itoa(w.tasks()), strconv.Itoa(len(w.files))
	return m
}

// planNumber is what follows the phase in a plan's id: 01 of 02-01.
func planNumber(id string) string { return id[strings.LastIndexByte(id, '-')+1:] }
