package query

import (
	"cmp"
	"errors"
	"strconv"
	"strings"

	"cairn/internal/jsonc"
	"cairn/internal/plan"
	"cairn/internal/plan/doc"
)

func stateCommands() []command {
	return []command{
		{name: "state load|state", run: reads(stateLoad)},
		{name: "state json", run: readsState(stateJSON)},
		{name: "state get", run: stateGet},
		{name: "state update", run: writesState(stateUpdate)},
		{name: "state patch", run: writesState(statePatch)},
		{name: "state begin-phase", run: writesState(stateBegin)},
		{name: "state advance-plan", run: writesState(stateAdvance)},
		{name: "state planned-phase", run: writesState(statePlanned)},
		{name: "state complete-phase", run: writesState(stateComplete)},
		{name: "state record-metric", run: writesState(stateMetric)},
		{name: "state update-progress", run: writesState(stateProgress)},
		{name: "state add-decision", run: writesState(stateDecide)},
		{name: "state add-blocker", run: writesState(stateBlock)},
		{name: "state resolve-blocker", run: writesState(stateUnblock)},
		{name: "state record-session", run: writesState(stateSession)},
		{name: "state add-roadmap-evolution", run: writesState(stateEvolve)},
		{name: "state validate", run: readsState(stateValidate)},
		{name: "state sync", run: stateSync},
		{name: "state prune", run: statePrune},
		{name: "state milestone-switch", run: writesState(stateMilestone)},
		{name: "state signal-waiting", run: stateWait},
		{name: "state signal-resume", run: stateResume},
		{name: "state-snapshot|state snapshot", run: readsState(stateSnapshot)},
	}
}

type onState func(*call, *plan.State) (result, error)

// readsState calls fn with STATE.md. Without one the answer is an error that
// ends with exit code 0.
func readsState(fn onState) func(*call) (result, error) {
	return func(c *call) (res result, err error) {
		err = c.View(func(tx *plan.Tx) error {
			s, err := tx.State()
			if err == nil {
				res, err = fn(c, s)
			}
			return err
		})
		return noState(res, err)
	}
}

// writesState is readsState for a command that changes STATE.md.
func writesState(fn onState) func(*call) (result, error) {
	return func(c *call) (res result, err error) {
		err = c.View(func(tx *plan.Tx) error { // without one no lock is made
			_, err := tx.State()
			return err
		})
		if err != nil {
			return noState(res, err)
		}
		_, err = c.Update(c.context, "query state", func(tx *plan.Tx) error {
			return tx.EditState(func(s *plan.State) (err error) {
				res, err = fn(c, s)
				return err
			})
		})
		return noState(res, err)
	}
}

const stateNotFound = "STATE.md not found"

func noState(res result, err error) (result, error) {
	if errors.Is(err, plan.ErrNoState) {
		return data(problem(stateNotFound)), nil
	}
	return res, err
}

func stateLoad(c *call, tx *plan.Tx) (result, error) {
	if sub := c.positional(0); sub != "" {
		return result{}, unknown([]string{"state", sub})
	}
	var raw strings.Builder
	text := ""
	s, err := tx.State()
	switch {
	case err == nil:
		text = s.String()
	case !errors.Is(err, plan.ErrNoState):
		return result{}, err
	}
	conf := c.load(tx)
	flat := conf.Flat()
	exists := object{
		{"state_exists", tx.Has(tx.Path("STATE.md"))}, {"roadmap_exists", tx.Has(tx.Path("ROADMAP.md"))},
		{"config_exists", conf.Exists()},
	}
	o := append(object{{"config", flat}, {"state_raw", text}}, exists...)
	for _, key := range []string{
		"model_profile", "commit_docs", "branching_strategy", "phase_branch_template", "milestone_branch_template",
		"parallelization", "research", "plan_checker", "verifier",
	} {
		v, _ := flat.Get(key)
		raw.WriteString(key + "=" + scalar(v) + "\n")
	}
	for _, key := range []int{2, 1, 0} {
		raw.WriteString(exists[key].key + "=" + strconv.FormatBool(exists[key].value.(bool)) + "\n")
	}
	return dataRaw(o, strings.TrimSuffix(raw.String(), "\n")), nil
}

// stateJSON is the frontmatter that STATE.md should have, with two habits of
// the old tool: a milestone has a name in any case, and counters that are
// higher than the files show are believed.
func stateJSON(c *call, s *plan.State) (result, error) {
	front, err := s.Derived()
	if err != nil {
		return result{}, err
	}
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
	return data(o), nil
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
		for _, m := range derived {
			higher = higher || m.Name == key && key != "percent" && n.Int(0) > m.Value.(int)
		}
	}
	if higher && len(was) > 0 {
		return was
	}
	return derived
}

func stateGet(c *call) (result, error) {
	name := c.positional(0)
	res, err := readsState(func(c *call, s *plan.State) (result, error) {
		if name == "" {
			return dataRaw(object{{"content", s.String()}}, s.String()), nil
		}
		value, ok := s.Lookup(name)
		if !ok {
			return dataRaw(problem(`Section or field "`+name+`" not found`), ""), nil
		}
		return dataRaw(object{{name, value}}, value), nil
	})(c)
	if o, ok := res.data.(object); ok && o[0].value == stateNotFound && !res.plain {
		return result{}, fail("unknown", stateNotFound)
	}
	return res, err
}

func stateSnapshot(_ *call, s *plan.State) (result, error) { return data(s.Snapshot()), nil }
