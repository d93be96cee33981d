package query

import (
	"encoding/json"
	"strings"
	"time"

	"cairn/internal/plan"
	"cairn/internal/plan/brief"
)

func initProgress(s *starting) object {
	m, steps := milestone(s.tx), brief.Steps(s.tx)
	paused := brief.Paused(s.tx)
	phases := each(steps, func(step brief.Step) object { return progressStep(&step) })
	now, next := brief.CurrentStep(steps), brief.NextStep(steps)
	return s.finish(object{
		s.model("executor", "executor"), s.model("planner", "planner"), s.commitDocs(),
		{"milestone_version", m.Version}, {"milestone_name", m.Name},
		{"phases", phases}, {"phase_count", len(steps)},
		{"completed_count", brief.Count(steps, brief.StepComplete)}, {"in_progress_count", brief.Count(steps, brief.StepInProgress)},
		{"current_phase", stepOrNull(now)}, {"next_phase", stepOrNull(next)},
		{"paused_at", orNull(paused)}, {"has_work_in_progress", now != nil},
	}, s.exist("PROJECT.md", "ROADMAP.md", "STATE.md"), s.paths("STATE.md", "ROADMAP.md", "PROJECT.md", "config.json"))
}

func stepOrNull(step *brief.Step) any {
	if step == nil {
		return nil
	}
	return progressStep(step)
}

func progressStep(step *brief.Step) object {
	return object{
		{"number", numberOf(step.Phase)}, {"name", nameOf(step.Phase)}, {"directory", orNull(step.Directory)}, {"status", step.Status},
		{"plan_count", step.Plans}, {"summary_count", step.Summaries}, {"has_research", step.Research},
	}
}

func initMilestoneOp(s *starting) object {
	m, steps := milestone(s.tx), brief.Steps(s.tx)
	done := 0
	for _, step := range steps {
		summaries := step.Phase.Executed() + len(step.Phase.Orphans())
		if step.Status == brief.StepComplete || step.Plans == 0 && summaries > 0 {
			done++
		}
	}
	archived := s.directories("archive")
	return s.finish(object{
		s.commitDocs(), {"milestone_version", m.Version}, {"milestone_name", m.Name}, {"milestone_slug", orNull(slug(m.Name))},
		{"phase_count", len(steps)}, {"completed_phases", done}, {"all_phases_complete", len(steps) > 0 && done == len(steps)},
		{"archived_milestones", archived}, {"archive_count", len(archived)},
	}, s.exist("PROJECT.md", "ROADMAP.md", "STATE.md", "archive"), object{s.has("phases_dir_exists", "phases")})
}

// directories returns the names of those in one of the plan's directories.
func (s *starting) directories(name string) []string {
	dirs := only(s.tx.ReadDir(s.tx.Path(name)), func(e plan.Entry) bool { return e.Dir })
	return each(dirs, func(e plan.Entry) string { return e.Name })
}

func initResume(s *starting) object {
	id := brief.InterruptedAgent(s.tx)
	return s.finish(s.exist("STATE.md", "ROADMAP.md", "PROJECT.md"), object{s.planning()}, s.paths("STATE.md", "ROADMAP.md", "PROJECT.md"),
		object{{"has_interrupted_agent", id != ""}, {"interrupted_agent_id", orNull(id)}, s.commitDocs()})
}

// activeFor is how long a phase counts as active after its last change.
const activeFor = 5 * time.Minute

func initManager(s *starting) object {
	require(s.tx.Has(s.pathOf("ROADMAP.md")), "usage", "No ROADMAP.md found. Run /gsd-new-milestone first.")
	require(s.tx.Has(s.pathOf("STATE.md")), "usage", "No STATE.md found. Run /gsd-new-project first.")
	m := milestone(s.tx)
	steps, actions := brief.Board(s.tx)
	discuss := ""
	todo := each(actions, func(a brief.Action) object {
		if a.Do == "discuss" {
			discuss = a.Phase
		}
		return object{
			{"phase", a.Phase}, {"phase_name", a.Name}, {"action", a.Do}, {"reason", a.Reason}, {"command", "/gsd-" + a.Do + "-phase " + a.Phase},
		}
	})
	changes := s.tx.LastChanges(each(steps, func(step brief.Step) *plan.Phase { return step.Phase }))
	phases, working := []object{}, 0
	for i, step := range steps {
		phases = append(phases, managed(&step, changes[i], step.Number == discuss))
		switch step.Phase.Status() {
		case plan.StatusPlanned, plan.StatusPartial, plan.StatusDiscussed, plan.StatusResearched:
			working++
		}
	}
	complete := brief.Count(steps, brief.StepComplete)
	flags := object{}
	for _, name := range []string{"discuss", "plan", "execute"} {
		flags = flags.with(name, safeFlags(s.set.Text("manager.flags."+name)))
	}
	return s.finish(object{
		{"milestone_version", m.Version}, {"milestone_name", m.Name}, {"phases", phases}, {"phase_count", len(steps)},
		{"completed_count", complete}, {"in_progress_count", working}, {"recommended_actions", todo},
		{"waiting_signal", s.waiting()}, {"all_complete", len(steps) > 0 && complete == len(steps)},
		s.has("project_exists", "PROJECT.md"), {"roadmap_exists", true}, {"state_exists", true}, {"manager_flags", flags},
	})
}

// managed is a phase as the manager's board shows it.
func managed(step *brief.Step, last time.Time, discuss bool) object {
	p := step.Phase
	var activity any
	if !last.IsZero() {
		activity = last.UTC().Format(millis)
	}
	name := p.Name
	if r := []rune(name); len(r) > 20 {
		name = string(r[:19]) + "…"
	}
	number := step.Number
	if p.Section != nil {
		number = p.Section.Written
	}
	o := object{
		{"number", number}, {"name", p.Name}, {"goal", orNull(step.Goal)}, {"depends_on", orNull(step.Depends)},
		{"disk_status", p.Status()}, hasFile(p, "CONTEXT"), {"has_research", step.Research},
		{"plan_count", step.Plans}, {"summary_count", step.Summaries}, {"roadmap_complete", p.Box != nil && p.Box.Done},
		{"last_activity", activity}, {"is_active", !last.IsZero() && time.Since(last) < activeFor},
		{"display_name", name}, {"deps_satisfied", len(step.Waiting) == 0},
	}
	shown := "—"
	if len(step.DependsOn) > 0 {
		shown = strings.Join(step.DependsOn, ",")
		o = o.with("dep_phases", step.DependsOn)
	}
	return append(o, member{"deps_display", shown}, member{"is_next_to_discuss", discuss})
}

// waiting is the question that a workflow left for a person, or null.
func (s *starting) waiting() any {
	for _, rel := range []string{s.tx.Path(plan.WaitingFile), ".gsd/WAITING.json"} {
		b, err := s.tx.ReadBytes(rel)
		if err == nil && json.Valid(b) {
			return json.RawMessage(b)
		}
	}
	return nil
}

// safeFlags returns the flags that the manager appends to a command, or ""
// when they hold anything else: they end up on a command line.
func safeFlags(text string) string {
	for i, word := range strings.Fields(text) {
		flag := strings.HasPrefix(word, "-")
		plain := strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=.,") == ""
		if !plain || i == 0 && !flag {
			return ""
		}
	}
	return strings.TrimSpace(text)
}
