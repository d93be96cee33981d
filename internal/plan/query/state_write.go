package query

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"cairn/internal/jsonc"
	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/doc"
)

func stateUpdate(c *call, s *plan.State) result {
	require(len(c.args) >= 2, missing, "field and value required for state update")
	if !s.SetValue(c.args[0], strings.Join(c.args[1:], " ")) {
		return notDone("updated", `Field "`+c.args[0]+`" not found in STATE.md`)
	}
	return dataBool(object{{"updated", true}}, true)
}

// notDone says that nothing was changed, and why.
func notDone(what, reason string) result {
	return dataBool(object{{what, false}, {"reason", reason}}, false)
}

// statePatch takes `--Field value …` or one JSON object.
func statePatch(c *call, s *plan.State) result {
	var values []jsonc.Member
	if text := c.opt("json"); strings.HasPrefix(text, "{") {
		v, err := jsonc.ParseValue([]byte(text))
		require(err == nil, "usage", "Invalid JSON for state patch: %v", err)
		for _, m := range v.(jsonc.Object) {
			values = append(values, jsonc.Member{Name: m.Name, Value: scalar(m.Value)})
		}
	}
	for _, p := range c.pairs {
		values = append(values, jsonc.Member{Name: p.name, Value: p.value})
	}
	require(len(values) > 0, missing, "field and value required for state patch")
	updated, failed := s.Patch(values)
	return dataBool(object{{"updated", updated}, {"failed", failed}}, len(updated) > 0)
}

// work reads what a command says of the phase that is worked on; count is null
// when the number of plans was not given.
func (c *call) work(name string) (w plan.PhaseWork, count any) {
	w = plan.PhaseWork{Number: c.opt("phase"), Name: name, Plans: -1}
	require(w.Number != "", missing, "phase required")
	if n, err := strconv.Atoi(c.opt("plans")); err == nil && n >= 0 {
		w.Plans, count = n, n
	}
	return w, count
}

func stateBegin(c *call, s *plan.State) result {
	w, count := c.work(c.opt("name"))
	updated := list(s.Begin(s.Known(w)))
	return dataBool(object{
		{"updated", updated}, {"phase", w.Number}, {"phase_name", orNull(w.Name)}, {"plan_count", count},
	}, len(updated) > 0)
}

func statePlanned(c *call, s *plan.State) result {
	w, count := c.work("")
	updated := list(s.Planned(w))
	return dataBool(object{{"updated", updated}, {"phase", w.Number}, {"plan_count", count}}, len(updated) > 0)
}

func stateComplete(c *call, s *plan.State) result {
	phase := c.opt("phase")
	current, _ := s.Phase()
	if _, ok := s.PhaseID(); ok && phase == "" {
		phase, _, _ = strings.Cut(current, " ")
	}
	if phase == "" {
		return dataBool(object{{"error", "Cannot determine current phase from STATE.md"}}, false)
	}
	updated, isCurrent := s.Finish(phase)
	if !isCurrent {
		return dataBool(object{
			{"updated", []string{}}, {"phase", phase}, {"idempotent", true},
			{"note", fmt.Sprintf("Current Phase is already %s, not %s", current, phase)},
		}, true)
	}
	return dataBool(object{{"updated", list(updated)}, {"phase", phase}}, len(updated) > 0)
}

func stateAdvance(_ *call, s *plan.State) result {
	if plan, total := s.Plan(); plan < 0 || total <= 0 {
		return dataBool(object{{"error", "Cannot parse Current Plan or Total Plans in Phase from STATE.md"}}, false)
	}
	a := s.Advance()
	if a.Last {
		return dataBool(object{
			{"advanced", false}, {"reason", "last_plan"}, {"current_plan", a.Current}, {"total_plans", a.Total},
			{"status", "ready_for_verification"},
		}, false)
	}
	return dataBool(object{
		{"advanced", true}, {"previous_plan", a.Previous}, {"current_plan", a.Current}, {"total_plans", a.Total},
	}, true)
}

func stateMetric(c *call, s *plan.State) result {
	m := plan.Metric{
		Phase: c.opt("phase"), Plan: c.opt("plan"), Duration: c.opt("duration"), Tasks: c.opt("tasks"), Files: c.opt("files"),
	}
	if m.Phase == "" || m.Plan == "" || m.Duration == "" {
		return problem("phase, plan, and duration required")
	}
	o := object{{"recorded", true}, {"phase", m.Phase}, {"plan", m.Plan}, {"duration", m.Duration}}
	return dataBool(o.withCreated(s.Record(m)), true)
}

// withCreated says that a section had to be made.
func (o object) withCreated(created bool) object {
	if created {
		return o.with("created", true)
	}
	return o
}

func stateProgress(_ *call, s *plan.State) result {
	counters, ok := s.ShowProgress()
	if !ok {
		return notDone("updated", "Progress field not found in STATE.md")
	}
	bar := doc.Bar(counters.PlanPercent())
	return dataRaw(object{
		{"updated", true}, {"percent", counters.PlanPercent()}, {"completed", counters.PlansDone}, {"total", counters.Plans}, {"bar", bar},
	}, bar)
}

// content returns an option, or what the file of --name-file holds.
func (c *call) content(name string) string {
	if !c.given(name + "-file") {
		return c.opt(name)
	}
	file := c.opt(name + "-file")
	b, err := plan.ReadFile(c.at(file))
	if err != nil {
		b, err = plan.ReadFile(under(c.Dir, file))
	}
	if err != nil {
		finish(notDone("added", name+" file not found: "+file))
	}
	return strings.TrimRight(string(b), "\r\n")
}

// wanted is a text that has to be there.
func wanted(name, text string) string {
	if strings.TrimSpace(text) == "" {
		finish(problem(name + " required"))
	}
	return text
}

func stateDecide(c *call, s *plan.State) result {
	summary, why := c.content("summary"), c.content("rationale")
	d := plan.Decision{Phase: cmp.Or(c.opt("phase"), "?"), Summary: wanted("summary", summary), Rationale: why}
	o := object{{"added", true}, {"decision", "- " + d.String()}}
	return dataBool(o.withCreated(s.Decide(d)), true)
}

func stateBlock(c *call, s *plan.State) result {
	text := wanted("text", c.content("text"))
	o := object{{"added", true}, {"blocker", text}}
	return dataBool(o.withCreated(s.Block(text)), true)
}

// stateUnblock says resolved also when no blocker matched, as the old tool
// did: the blocker is not there afterwards.
func stateUnblock(c *call, s *plan.State) result {
	text := wanted("text", c.opt("text"))
	if _, ok := s.Unblock(text); !ok {
		return notDone("resolved", "Blockers section not found in STATE.md")
	}
	return dataBool(object{{"resolved", true}, {"blocker", text}}, true)
}

func stateSession(c *call, s *plan.State) result {
	updated := s.Stop(c.opt("stopped-at"), c.opt("resume-file"))
	if len(updated) == 0 {
		return notDone("recorded", "No session fields found in STATE.md")
	}
	return dataBool(object{{"recorded", true}, {"updated", updated}}, true)
}

func stateEvolve(c *call, s *plan.State) result {
	e := plan.Evolution{
		Phase: c.opt("phase"), Action: c.opt("action"), Note: c.opt("note"), After: c.opt("after"), Urgent: c.given("urgent"),
	}
	require(e.Phase != "" && e.Action != "", missing, "phase and action required")
	err := e.Check()
	require(err == nil, "usage", "Invalid action: %v", err)
	if !s.Evolve(e) {
		return data(object{{"added", false}, {"reason", "duplicate"}, {"entry", "- " + e.String()}})
	}
	return data(object{{"added", true}, {"entry", "- " + e.String()}})
}

func stateMilestone(c *call, s *plan.State) result {
	version, name := c.opt("milestone"), cmp.Or(c.opt("name"), "milestone")
	require(version != "", missing, "milestone required (--milestone <vX.Y>)")
	s.SwitchMilestone(version, name)
	return dataBool(object{{"switched", true}, {"version", version}, {"name", name}, {"status", "planning"}}, true)
}

func statePrune(c *call) result {
	keep, dry := 3, c.given("dry-run")
	if v := c.opt("keep-recent"); v != "" {
		n, err := strconv.Atoi(v)
		require(err == nil && n >= 0, "usage", "--keep-recent must be a non-negative integer")
		keep = n
	}
	w := *c.Workspace
	w.DryRun = w.DryRun || dry
	c.Workspace = &w
	return editState(c, func(c *call, s *plan.State) result {
		var p plan.Pruned
		if err := must.Catch(func() { p = s.Prune(keep) }); err != nil {
			return dataBool(object{{"error", err.Error()}}, false)
		}
		var archive any
		if p.Total > 0 {
			archive = plan.ArchiveFile
		}
		o := object{
			{"pruned", p.Total > 0 && !dry}, {"cutoff_phase", p.Cutoff}, {"keep_recent", p.Keep}, {"sections", p.Sections},
			{"total_archived", p.Total}, {"archive_file", archive},
		}
		if dry {
			o = o.with("dry_run", true)
		}
		if p.Cutoff <= 0 {
			o = o.with("reason", fmt.Sprintf("Only %d phases — nothing to prune with --keep-recent %d", p.Cutoff+p.Keep, keep))
		}
		return dataBool(o, p.Total > 0 && !dry)
	})
}

func stateWait(c *call) result {
	w := plan.Waiting{Type: cmp.Or(c.opt("type"), "decision_point"), Question: c.opt("question")}
	for o := range strings.SplitSeq(c.opt("options"), "|") {
		if o = strings.TrimSpace(o); o != "" {
			w.Options = append(w.Options, o)
		}
	}
	if phase := c.opt("phase"); phase != "" {
		w.Phase = &phase
	}
	c.change(func(tx *plan.Tx) { tx.Wait(w) })
	return dataBool(object{{"signaled", true}, {"path", c.Abs(c.Path(plan.WaitingFile))}}, true)
}

func stateResume(c *call) result {
	waits := false
	c.look(func(tx *plan.Tx) { waits = tx.Has(tx.Path(plan.WaitingFile)) })
	if waits {
		c.change(func(tx *plan.Tx) { waits = tx.Resume() })
	}
	return dataBool(object{{"resumed", true}, {"removed", waits}}, waits)
}
