package query

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"cairn/internal/plan"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/wave"
)

// phasePlans finds the phase that argument 0 names and reads its plans; nil
// when there is no such directory. Nested plans were not plans to the index.
func phasePlans(c *call, tx *plan.Tx) (*plan.Phase, []wave.Document) {
	id, ok := doc.ParsePhaseID(c.arg(0))
	if !ok {
		return nil, nil
	}
	p := try(tx.Phase(id))
	if p == nil || p.Dir == "" || p.Archived != "" {
		return nil, nil
	}
	return p, slices.DeleteFunc(try(wave.Read(tx, p)), func(d wave.Document) bool { return strings.Contains(d.File, "/") })
}

// padded writes a phase as directories have it: 02 for 2.
func padded(phase string) string {
	if id, ok := doc.ParsePhaseID(phase); ok {
		return id.Padded()
	}
	return phase
}

func phasePlanIndex(c *call, tx *plan.Tx) result {
	p, docs := phasePlans(c, tx)
	if p == nil {
		return data(object{
			{"phase", padded(c.arg(0))}, {"plans", []any{}}, {"waves", object{}},
			{"incomplete", []string{}}, {"has_checkpoints", false}, {"error", "Phase not found"},
		})
	}
	s := schedule(docs)
	plans, incomplete, checkpoints := []object{}, []string{}, false
	for _, d := range docs {
		n, _ := s.Number(d.ID)
		plans = append(plans, object{
			{"id", d.ID}, {"wave", n}, {"depends_on", list(d.DependsOn)}, {"autonomous", !d.Checkpoint},
			{"objective", orNull(d.Objective)}, {"files_modified", list(d.Files)}, {"task_count", d.Tasks}, {"has_summary", d.Done},
		})
		checkpoints = checkpoints || d.Checkpoint
		if !d.Done {
			incomplete = append(incomplete, d.ID)
		}
	}
	waves := object{}
	for _, w := range s.Waves {
		var ids []string
		for _, p := range w.Plans {
			ids = append(ids, p.ID)
		}
		waves = waves.with(strconv.Itoa(w.Number), ids)
	}
	o := object{
		{"phase", p.ID.Padded()}, {"plans", plans}, {"waves", waves}, {"incomplete", incomplete}, {"has_checkpoints", checkpoints},
	}
	o = o.given("warning", strayWarning(p))
	var warnings []string
	for _, m := range s.Warnings {
		warnings = append(warnings, m.String())
	}
	if warnings != nil {
		o = o.with("warnings", warnings)
	}
	return data(o)
}

// schedule arranges plans as the index did: a number alone in depends_on was
// no plan of the phase.
func schedule(docs []wave.Document) *wave.Schedule {
	plans := wave.Plans(docs)
	for i, p := range plans {
		plans[i].DependsOn = slices.DeleteFunc(slices.Clone(p.DependsOn), func(dep string) bool {
			return strings.Trim(dep, "0123456789") == ""
		})
	}
	s, err := wave.Arrange(plans)
	if cycle := new(wave.CycleError); errors.As(err, &cycle) {
		refuse("unknown", "depends_on cycle detected: %s", strings.Join(cycle.IDs, " -> "))
	}
	return try(s, err)
}

func phaseListPlans(c *call, tx *plan.Tx) result {
	_, docs := phasePlans(c, tx)
	plans := []object{}
	for _, d := range docs {
		if c.given("with-schema") && !slices.Contains(d.Keys, c.opt("with-schema")) {
			continue
		}
		plans = append(plans, object{
			{"id", d.ID}, {"file", d.File}, {"wave", declared(d)}, {"autonomous", !d.Checkpoint}, {"frontmatter_keys", list(d.Keys)},
		})
	}
	return data(object{{"phase", padded(c.arg(0))}, {"with_schema", orNull(c.opt("with-schema"))}, {"plans", plans}})
}

func phaseListArtifacts(c *call, tx *plan.Tx) result {
	kind := c.opt("type")
	require(slices.Contains([]string{"context", "summary", "verification", "research"}, kind), missing, "--type must be one of: context, summary, verification, research")
	p, _ := phasePlans(c, tx)
	if p == nil {
		p = &plan.Phase{}
	}
	artifacts := []string{}
	for _, f := range p.Files {
		if plan.IsDocument(f, strings.ToUpper(kind)) && !strings.Contains(f, "/") {
			artifacts = append(artifacts, f)
		}
	}
	return data(object{{"phase", padded(c.arg(0))}, {"type", kind}, {"artifacts", artifacts}})
}
