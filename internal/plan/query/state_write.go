package query

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cairn/internal/jsonc"
	"cairn/internal/plan"
	"cairn/internal/plan/doc"
)

func stateUpdate(c *call, s *plan.State) (result, error) {
	if len(c.args) < 2 {
		return result{}, fail("sdk_missing_arg", "field and value required for state update")
	}
	if !s.SetValue(c.args[0], strings.Join(c.args[1:], " ")) {
		return dataBool(object{{"updated", false}, {"reason", `Field "` + c.args[0] + `" not found in STATE.md`}}, false), nil
	}
	return dataBool(object{{"updated", true}}, true), nil
}

// statePatch takes `--Field value …` or one JSON object.
func statePatch(c *call, s *plan.State) (result, error) {
	var values []jsonc.Member
	if text := c.positional(0); strings.HasPrefix(text, "{") {
		v, err := jsonc.ParseValue([]byte(text))
		if err != nil {
			return result{}, fail("usage", "Invalid JSON for state patch: %v", err)
		}
		for _, m := range v.(jsonc.Object) {
			values = append(values, jsonc.Member{Name: m.Name, Value: scalar(m.Value)})
		}
	}
	c.scan(func(name, value string) { values = append(values, jsonc.Member{Name: name, Value: value}) }, func(string) {})
	if len(values) == 0 {
		return result{}, fail("sdk_missing_arg", "field and value required for state patch")
	}
	updated, failed := s.Patch(values)
	return dataBool(object{{"updated", updated}, {"failed", failed}}, len(updated) > 0), nil
}

// work reads --phase, --name and --plans, by position in the order of names.
func (c *call) work(names ...string) (plan.PhaseWork, error) {
	at := func(name string) string { return c.value(name, slices.Index(names, name)) }
	w := plan.PhaseWork{Number: at("phase"), Name: at("name"), Plans: -1}
	if w.Number == "" {
		return w, fail("sdk_missing_arg", "phase required")
	}
	if n, err := strconv.Atoi(at("plans")); err == nil && n >= 0 {
		w.Plans = n
	}
	return w, nil
}

// planCount is null when it was not given.
func planCount(w plan.PhaseWork) any {
	if w.Plans < 0 {
		return nil
	}
	return w.Plans
}

func stateBegin(c *call, s *plan.State) (result, error) {
	w, err := c.work("phase", "name", "plans")
	if err != nil {
		return result{}, err
	}
	known, err := s.Known(w)
	if err != nil {
		return result{}, err
	}
	updated := list(s.Begin(known))
	return dataBool(object{
		{"updated", updated}, {"phase", w.Number}, {"phase_name", orNull(w.Name)}, {"plan_count", planCount(w)},
	}, len(updated) > 0), nil
}

func statePlanned(c *call, s *plan.State) (result, error) {
	w, err := c.work("phase", "plans")
	if err != nil {
		return result{}, err
	}
	updated := list(s.Planned(w))
	return dataBool(object{{"updated", updated}, {"phase", w.Number}, {"plan_count", planCount(w)}}, len(updated) > 0), nil
}

func stateComplete(c *call, s *plan.State) (result, error) {
	phase := c.value("phase", 0)
	current, _ := s.Phase()
	if _, ok := s.PhaseID(); ok && phase == "" {
		phase, _, _ = strings.Cut(current, " ")
	}
	if phase == "" {
		return dataBool(problem("Cannot determine current phase from STATE.md"), false), nil
	}
	updated, isCurrent := s.Finish(phase)
	if !isCurrent {
		return dataBool(object{
			{"updated", []string{}}, {"phase", phase}, {"idempotent", true},
			{"note", fmt.Sprintf("Current Phase is already %s, not %s", current, phase)},
		}, true), nil
	}
	return dataBool(object{{"updated", list(updated)}, {"phase", phase}}, len(updated) > 0), nil
}

func stateAdvance(_ *call, s *plan.State) (result, error) {
	if plan, total := s.Plan(); plan < 0 || total <= 0 {
		return dataBool(problem("Cannot parse Current Plan or Total Plans in Phase from STATE.md"), false), nil
	}
	a, err := s.Advance()
	if err != nil {
		return result{}, err
	}
	if a.Last {
		return dataBool(object{
			{"advanced", false}, {"reason", "last_plan"}, {"current_plan", a.Current}, {"total_plans", a.Total},
			{"status", "ready_for_verification"},
		}, false), nil
	}
	return dataBool(object{
		{"advanced", true}, {"previous_plan", a.Previous}, {"current_plan", a.Current}, {"total_plans", a.Total},
	}, true), nil
}

func stateMetric(c *call, s *plan.State) (result, error) {
	m := plan.Metric{
		Phase: c.value("phase", 0), Plan: c.value("plan", 1), Duration: c.value("duration", 2),
		Tasks: c.value("tasks", 3), Files: c.value("files", 4),
	}
	if m.Phase == "" || m.Plan == "" || m.Duration == "" {
		return data(problem("phase, plan, and duration required")), nil
	}
	o := object{{"recorded", true}, {"phase", m.Phase}, {"plan", m.Plan}, {"duration", m.Duration}}
	return dataBool(o.withCreated(s.Record(m)), true), nil
}

// withCreated says that a section had to be made.
func (o object) withCreated(created bool) object {
	if created {
		return o.with("created", true)
	}
	return o
}

func stateProgress(_ *call, s *plan.State) (result, error) {
	counters, ok, err := s.ShowProgress()
	if err != nil {
		return result{}, err
	}
	if !ok {
		return dataBool(object{{"updated", false}, {"reason", "Progress field not found in STATE.md"}}, false), nil
	}
	bar := doc.Bar(counters.PlanPercent())
	return dataRaw(object{
		{"updated", true}, {"percent", counters.PlanPercent()}, {"completed", counters.PlansDone}, {"total", counters.Plans}, {"bar", bar},
	}, bar), nil
}

// content returns --name, else what the file of --name-file holds, else
// positional argument i.
func (c *call) content(name string, i int) (string, error) {
	file, ok := c.options()[name+"-file"]
	if !ok {
		return c.value(name, i), nil
	}
	b, err := plan.ReadFile(under(c.Root, file))
	if err != nil {
		b, err = plan.ReadFile(under(c.Dir, file))
	}
	if err != nil {
		return "", fmt.Errorf("%s file not found: %s", name, c.options()[name+"-file"])
	}
	return strings.TrimRight(string(b), "\r\n"), nil
}

func stateDecide(c *call, s *plan.State) (result, error) {
	summary, err := c.content("summary", 0)
	if err != nil {
		return dataBool(object{{"added", false}, {"reason", err.Error()}}, false), nil
	}
	why, err := c.content("rationale", -1)
	if err != nil {
		return dataBool(object{{"added", false}, {"reason", err.Error()}}, false), nil
	}
	if strings.TrimSpace(summary) == "" {
		return data(problem("summary required")), nil
	}
	d := plan.Decision{Phase: cmp.Or(c.value("phase", -1), "?"), Summary: summary, Rationale: why}
	o := object{{"added", true}, {"decision", "- " + d.String()}}
	return dataBool(o.withCreated(s.Decide(d)), true), nil
}

func stateBlock(c *call, s *plan.State) (result, error) {
	text, err := c.content("text", 0)
	if err != nil {
		return dataBool(object{{"added", false}, {"reason", err.Error()}}, false), nil
	}
	if strings.TrimSpace(text) == "" {
		return data(problem("text required")), nil
	}
	o := object{{"added", true}, {"blocker", text}}
	return dataBool(o.withCreated(s.Block(text)), true), nil
}

// stateUnblock says resolved also when no blocker matched, as the old tool
// did: the blocker is not there afterwards.
func stateUnblock(c *call, s *plan.State) (result, error) {
	text := c.value("text", 0)
	if strings.TrimSpace(text) == "" {
		return data(problem("text required")), nil
	}
	if _, ok := s.Unblock(text); !ok {
		return dataBool(object{{"resolved", false}, {"reason", "Blockers section not found in STATE.md"}}, false), nil
	}
	return dataBool(object{{"resolved", true}, {"blocker", text}}, true), nil
}

func stateSession(c *call, s *plan.State) (result, error) {
	updated := s.Stop(c.value("stopped-at", 0), c.value("resume-file", 1))
	if len(updated) == 0 {
		return dataBool(object{{"recorded", false}, {"reason", "No session fields found in STATE.md"}}, false), nil
	}
	return dataBool(object{{"recorded", true}, {"updated", updated}}, true), nil
}

func stateEvolve(c *call, s *plan.State) (result, error) {
	_, urgent := c.options()["urgent"]
	e := plan.Evolution{
		Phase: c.value("phase", 0), Action: c.value("action", 1), Note: c.value("note", -1), After: c.value("after", -1), Urgent: urgent,
	}
	if e.Phase == "" || e.Action == "" {
		return result{}, fail("sdk_missing_arg", "phase and action required")
	}
	if err := e.Check(); err != nil {
		return result{}, fail("usage", "Invalid action: %s", err)
	}
	if !s.Evolve(e) {
		return data(object{{"added", false}, {"reason", "duplicate"}, {"entry", "- " + e.String()}}), nil
	}
	return data(object{{"added", true}, {"entry", "- " + e.String()}}), nil
}

func stateMilestone(c *call, s *plan.State) (result, error) {
	version, name := c.value("milestone", 0), cmp.Or(c.value("name", 1), "milestone")
	if version == "" {
		return result{}, fail("sdk_missing_arg", "milestone required (--milestone <vX.Y>)")
	}
	if err := s.SwitchMilestone(version, name); err != nil {
		return result{}, err
	}
	return dataBool(object{{"switched", true}, {"version", version}, {"name", name}, {"status", "planning"}}, true), nil
}
