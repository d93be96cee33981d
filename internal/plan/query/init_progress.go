package query

import (
	"encoding/json"
	"strings"
	"time"

	"cairn/internal/plan"
	"cairn/internal/plan/brief"
	"cairn/internal/plan/doc"
	"cairn/internal/text"
)

func initProgress(s *starting) (object, error) {
	m, err := milestone(s.Tx)
	if err != nil {
		return nil, err
	}
	steps, err := brief.Steps(s.Tx)
	if err != nil {
		return nil, err
	}
	paused, err := brief.Paused(s.Tx)
	if err != nil {
		return nil, err
	}
	phases := []object{}
	for i := range steps {
		phases = append(phases, progressStep(&steps[i]))
	}
	now, next := brief.CurrentStep(steps), brief.NextStep(steps)
	return s.finish(object{
		{"executor_model", s.model("executor")}, {"planner_model", s.model("planner")}, s.commitDocs(),
		{"milestone_version", m.Version}, {"milestone_name", m.Name},
		{"phases", phases}, {"phase_count", len(steps)},
		{"completed_count", brief.Count(steps, brief.StepComplete)}, {"in_progress_count", brief.Count(steps, brief.StepInProgress)},
		{"current_phase", stepOrNull(now)}, {"next_phase", stepOrNull(next)},
		{"paused_at", orNull(paused)}, {"has_work_in_progress", now != nil},
		s.has("project_exists", "PROJECT.md"), s.has("roadmap_exists", "ROADMAP.md"), s.has("state_exists", "STATE.md"),
		s.file("state_path", "STATE.md"), s.file("roadmap_path", "ROADMAP.md"),
		s.file("project_path", "PROJECT.md"), s.file("config_path", "config.json"),
	}), nil
}

func stepOrNull(step *brief.Step) any {
	if step == nil {
		return nil
	}
	return progressStep(step)
}

func progressStep(step *brief.Step) object {
	p := initPhase{Phase: step.Phase}
	return object{
		{"number", p.number()}, {"name", p.name()}, {"directory", orNull(step.Directory)}, {"status", step.Status},
		{"plan_count", step.Plans}, {"summary_count", step.Summaries}, {"has_research", step.Research},
	}
}

func initMilestoneOp(s *starting) (object, error) {
	m, err := milestone(s.Tx)
	if err != nil {
		return nil, err
	}
	steps, err := brief.Steps(s.Tx)
	if err != nil {
		return nil, err
	}
	done := 0
	for _, step := range steps {
		summaries := step.Phase.Executed() + len(step.Phase.Orphans())
		if step.Status == brief.StepComplete || step.Plans == 0 && summaries > 0 {
			done++
		}
	}
	archive, err := s.Tx.ReadDir(s.Tx.Path("archive"))
	if err != nil {
		return nil, err
	}
	archived := []string{}
	for _, e := range archive {
		if e.Dir {
			archived = append(archived, e.Name)
		}
	}
	return s.finish(object{
		s.commitDocs(), {"milestone_version", m.Version}, {"milestone_name", m.Name}, {"milestone_slug", orNull(text.LetterSlug(m.Name, doc.SlugLength))},
		{"phase_count", len(steps)}, {"completed_phases", done}, {"all_phases_complete", len(steps) > 0 && done == len(steps)},
		{"archived_milestones", archived}, {"archive_count", len(archived)},
		s.has("project_exists", "PROJECT.md"), s.has("roadmap_exists", "ROADMAP.md"), s.has("state_exists", "STATE.md"),
		s.has("archive_exists", "archive"), s.has("phases_dir_exists", "phases"),
	}), nil
}

func initResume(s *starting) (object, error) {
	id := brief.InterruptedAgent(s.Tx)
	return s.finish(object{
		s.has("state_exists", "STATE.md"), s.has("roadmap_exists", "ROADMAP.md"), s.has("project_exists", "PROJECT.md"), s.planning(),
		s.file("state_path", "STATE.md"), s.file("roadmap_path", "ROADMAP.md"), s.file("project_path", "PROJECT.md"),
		{"has_interrupted_agent", id != ""}, {"interrupted_agent_id", orNull(id)}, s.commitDocs(),
	}), nil
}

// activeFor is how long a phase counts as active after its last change.
const activeFor = 5 * time.Minute

func initManager(s *starting) (object, error) {
	if !s.Tx.Has(s.pathOf("ROADMAP.md")) {
		return nil, fail("usage", "No ROADMAP.md found. Run /gsd-new-milestone first.")
	}
	if !s.Tx.Has(s.pathOf("STATE.md")) {
		return nil, fail("usage", "No STATE.md found. Run /gsd-new-project first.")
	}
	m, err := milestone(s.Tx)
	if err != nil {
		return nil, err
	}
	steps, actions, err := brief.Board(s.Tx)
	if err != nil {
		return nil, err
	}
	discuss := ""
	todo := []object{}
	for _, a := range actions {
		if a.Do == "discuss" {
			discuss = a.Phase
		}
		todo = append(todo, object{
			{"phase", a.Phase}, {"phase_name", a.Name}, {"action", a.Do}, {"reason", a.Reason}, {"command", "/gsd-" + a.Do + "-phase " + a.Phase},
		})
	}
	touched := make([]*plan.Phase, len(steps))
	for i, step := range steps {
		touched[i] = step.Phase
	}
	changed := s.Tx.LastChanges(touched)
	phases := []object{}
	working := 0
	for i := range steps {
		phases = append(phases, s.managed(&steps[i], changed[i], steps[i].Number == discuss))
		switch steps[i].Phase.Status() {
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
	}), nil
}

// managed is a phase as the manager's board shows it.
func (s *starting) managed(step *brief.Step, last time.Time, discuss bool) object {
	p := step.Phase
	var activity any
	if !last.IsZero() {
		activity = last.UTC().Format("2006-01-02T15:04:05.000Z")
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
		{"disk_status", p.Status()}, {"has_context", p.File("CONTEXT") != ""}, {"has_research", step.Research},
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
	for _, rel := range []string{s.Tx.Path(plan.WaitingFile), ".gsd/WAITING.json"} {
		b, err := s.Tx.ReadBytes(rel)
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
