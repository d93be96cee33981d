package query

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/wave"
)

// phasePlans finds the phase that argument 0 names and reads its plans; nil
// when there is no such directory.
func phasePlans(c *call, tx *plan.Tx) (*plan.Phase, []wave.Document) {
	id, ok := doc.ParsePhaseID(c.arg(0))
	if !ok {
		return nil, nil
	}
	p := tx.Phase(id)
	if p == nil || p.Dir == "" || p.Archived != "" {
		return nil, nil
	}
	return p, wave.Read(tx, p)
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
	plans := each(docs, func(d wave.Document) object {
		n, _ := s.Number(d.ID)
		return object{
			{"id", d.ID}, {"wave", n}, {"depends_on", list(d.DependsOn)}, {"autonomous", !d.Checkpoint},
			{"objective", orNull(d.Objective)}, {"files_modified", list(d.Files)}, {"task_count", d.Tasks}, {"has_summary", d.Done},
		}
	})
	incomplete := each(only(docs, func(d wave.Document) bool { return !d.Done }), func(d wave.Document) string { return d.ID })
	checkpoints := slices.ContainsFunc(docs, func(d wave.Document) bool { return d.Checkpoint })
	waves := object{}
	for _, w := range s.Waves {
		waves = waves.with(strconv.Itoa(w.Number), each(w.Plans, func(p wave.Plan) string { return p.ID }))
	}
	o := object{
		{"phase", p.ID.Padded()}, {"plans", plans}, {"waves", waves}, {"incomplete", incomplete}, {"has_checkpoints", checkpoints},
	}
	o = o.given("warning", strayWarning(p))
	if len(s.Warnings) > 0 {
		o = o.with("warnings", each(s.Warnings, wave.Mismatch.String))
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
	return must.Get(s, err)
}

func phaseListPlans(c *call, tx *plan.Tx) result {
	_, docs := phasePlans(c, tx)
	if c.given("with-schema") {
		docs = only(docs, func(d wave.Document) bool { return slices.Contains(d.Keys, c.opt("with-schema")) })
	}
	plans := each(docs, func(d wave.Document) object {
		return object{{"id", d.ID}, {"file", d.File}, {"wave", declared(d)}, {"autonomous", !d.Checkpoint}, {"frontmatter_keys", list(d.Keys)}}
	})
	return data(object{{"phase", padded(c.arg(0))}, {"with_schema", orNull(c.opt("with-schema"))}, {"plans", plans}})
}

func phaseListArtifacts(c *call, tx *plan.Tx) result {
	kind := c.opt("type")
	require(slices.Contains([]string{"context", "summary", "verification", "research"}, kind), missing, "--type must be one of: context, summary, verification, research")
	p, _ := phasePlans(c, tx)
	if p == nil {
		p = &plan.Phase{}
	}
	_, artifacts, _ := plansOf(p)
	if kind != "summary" {
		artifacts = only(p.Files, func(f string) bool { return plan.IsDocument(f, strings.ToUpper(kind)) })
	}
	return data(object{{"phase", padded(c.arg(0))}, {"type", kind}, {"artifacts", artifacts}})
}
