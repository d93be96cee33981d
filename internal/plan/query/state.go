package query

import (
	"cmp"
	"fmt"

	"cairn/internal/jsonc"
	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/doc"
)

// readState calls fn with STATE.md. Without one the answer is an error that ends
// with exit code 0.
func readState(c *call, fn func(*call, *plan.State) result) (res result) {
	c.look(func(tx *plan.Tx) { res = fn(c, stateOf(tx)) })
	return res
}

// editState is readState for a command that changes STATE.md.
func editState(c *call, fn func(*call, *plan.State) result) (res result) {
	c.look(func(tx *plan.Tx) { stateOf(tx) }) // without one no lock is made
	c.change(func(tx *plan.Tx) {
		tx.EditState(func(s *plan.State) { res = fn(c, s) })
	})
	return res
}

const stateNotFound = "STATE.md not found"

func stateOf(tx *plan.Tx) *plan.State {
	if !hasState(tx) {
		finish(problem(stateNotFound))
	}
	return tx.State()
}

func hasState(tx *plan.Tx) bool { return tx.Has(tx.Path("STATE.md")) }

func stateLoad(c *call, tx *plan.Tx) result {
	if sub := c.opt("subcommand"); sub != "" {
		must.OK(unknown(c.table, []string{"state", sub}))
	}
	text := ""
	if hasState(tx) {
		text = tx.State().String()
	}
	conf := c.load(tx)
	flat := conf.Flat()
	state, roadmap, config := hasState(tx), tx.Has(tx.Path("ROADMAP.md")), conf.Exists()
	raw := ""
	for _, key := range []string{
		"model_profile", "commit_docs", "branching_strategy", "phase_branch_template", "milestone_branch_template",
		"parallelization", "research", "plan_checker", "verifier",
	} {
		v, _ := flat.Get(key)
		raw += key + "=" + scalar(v) + "\n"
	}
	raw += fmt.Sprintf("config_exists=%v\nroadmap_exists=%v\nstate_exists=%v", config, roadmap, state)
	return dataRaw(object{
		{"config", flat}, {"state_raw", text}, {"state_exists", state}, {"roadmap_exists", roadmap}, {"config_exists", config},
	}, raw)
}

// stateJSON is the frontmatter that STATE.md should have, with two habits of
// the old tool: a milestone has a name in any case, and counters that are
// higher than the files show are believed.
func stateJSON(c *call, s *plan.State) result {
	front := s.Derived()
	o := object{
		{"gsd_state_version", front.Text("gsd_state_version")},
		{"milestone", cmp.Or(front.Text("milestone"), "v1.0")},
		{"milestone_name", cmp.Or(front.Text("milestone_name"), "milestone")},
	}
	for _, m := range front.Object {
		switch m.Name {
		case "gsd_state_version", "milestone", "milestone_name":
		default:
			o = o.with(m.Name, m.Value)
		}
	}
	if progress := believed(s.Front().Get("progress"), front.Progress); len(progress) > 0 {
		o = o.with("progress", progress)
	}
	return data(o)
}

func believed(old *doc.Node, derived jsonc.Object) jsonc.Object {
	var was jsonc.Object
	higher := len(derived) == 0
	for _, key := range []string{"total_phases", "completed_phases", "total_plans", "completed_plans", "percent"} {
		n := old.Get(key)
		if n == nil {
			continue
		}
		was = append(was, jsonc.Member{Name: key, Value: n.Int(0)})
		if v, ok := derived.Get(key); ok && key != "percent" && n.Int(0) > v.(int) {
			higher = true
		}
	}
	if higher && len(was) > 0 {
		return was
	}
	return derived
}

func stateGet(c *call, tx *plan.Tx) result {
	name := c.opt("name")
	require(hasState(tx), "unknown", stateNotFound)
	s := tx.State()
	if name == "" {
		return dataRaw(object{{"content", s.String()}}, s.String())
	}
	value, ok := s.Lookup(name)
	if !ok {
		return dataRaw(object{{"error", `Section or field "` + name + `" not found`}}, "")
	}
	return dataRaw(object{{name, value}}, value)
}

func stateSnapshot(_ *call, s *plan.State) result { return data(s.Snapshot()) }

func stateValidate(_ *call, s *plan.State) result {
	d := s.Validate()
	drift := object{}
	if d.PlanCount != nil {
		drift = drift.with("plan_count", d.PlanCount)
	}
	if d.Verification != nil {
		drift = drift.with("verification_status", d.Verification)
	}
	return data(object{{"valid", len(d.Warnings) == 0}, {"warnings", d.Warnings}, {"drift", drift}})
}

// stateSync with --verify tells what it would change.
func stateSync(c *call) result {
	verify := c.given("verify")
	run := func(_ *call, s *plan.State) result {
		changes := s.Sync()
		return data(object{{"synced", !verify || len(changes) == 0}, {"changes", changes}, {"dry_run", verify}})
	}
	if verify {
		return readState(c, run)
	}
	return editState(c, run)
}
