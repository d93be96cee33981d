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

var planIndexCommands = []command{
	{name: "phase-plan-index|phase plan-index", run: phasePlanIndex, needs: "phase required for phase-plan-index"},
	{name: "phase list-plans", run: phaseListPlans},
	{name: "phase list-artifacts", run: phaseListArtifacts},
	{name: "roadmap annotate-dependencies", run: roadmapAnnotate, needs: "phase required for roadmap annotate-dependencies"},
}

// phasePlans finds the phase that argument 0 names and reads its plans; nil
// without an error when there is no such directory. Nested plans were not
// plans to the index.
func (c *call) phasePlans() (p *plan.Phase, docs []wave.Document, err error) {
	id, ok := doc.ParsePhaseID(c.arg(0))
	if !ok {
		return nil, nil, nil
	}
	err = c.View(func(tx *plan.Tx) error {
		found, err := tx.Phase(id)
		if err != nil || found == nil || found.Dir == "" || found.Archived != "" {
			return err
		}
		p = found
		docs, err = wave.Read(tx, found)
		docs = slices.DeleteFunc(docs, func(d wave.Document) bool { return strings.Contains(d.File, "/") })
		return err
	})
	return p, docs, err
}

// padded writes a phase as directories have it: 02 for 2.
func padded(phase string) string {
	if id, ok := doc.ParsePhaseID(phase); ok {
		return id.Padded()
	}
	return phase
}

func phasePlanIndex(c *call) (result, error) {
	p, docs, err := c.phasePlans()
	if err != nil {
		return result{}, err
	}
	if p == nil {
		return data(object{
			{"phase", padded(c.arg(0))}, {"plans", []any{}}, {"waves", object{}},
			{"incomplete", []string{}}, {"has_checkpoints", false}, {"error", "Phase not found"},
		}), nil
	}
	s, err := schedule(docs)
	if err != nil {
		return result{}, err
	}
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
	if len(s.Warnings) > 0 {
		var warnings []string
		for _, m := range s.Warnings {
			warnings = append(warnings, m.String())
		}
		o = o.with("warnings", warnings)
	}
	return data(o), nil
}

// schedule arranges plans as the index did: a number alone in depends_on was
// no plan of the phase.
func schedule(docs []wave.Document) (*wave.Schedule, error) {
	plans := wave.Plans(docs)
	for i, p := range plans {
		plans[i].DependsOn = slices.DeleteFunc(slices.Clone(p.DependsOn), func(dep string) bool {
			return strings.Trim(dep, "0123456789") == ""
		})
	}
	s, err := wave.Arrange(plans)
	var cycle *wave.CycleError
	if errors.As(err, &cycle) {
		return nil, fail("unknown", "depends_on cycle detected: %s", strings.Join(cycle.IDs, " -> "))
	}
	return s, err
}

func phaseListPlans(c *call) (result, error) {
	schema, filtered := c.flag("with-schema")
	if c.arg(0) == "" {
		return result{}, fail("sdk_missing_arg", "phase required for phase list-plans")
	}
	_, docs, err := c.phasePlans()
	if err != nil {
		return result{}, err
	}
	plans := []object{}
	for _, d := range docs {
		if filtered && !slices.Contains(d.Keys, schema) {
			continue
		}
		n := 1
		if d.Declared != nil {
			n = *d.Declared
		}
		plans = append(plans, object{
			{"id", d.ID}, {"file", d.File}, {"wave", n}, {"autonomous", !d.Checkpoint}, {"frontmatter_keys", list(d.Keys)},
		})
	}
	return data(object{{"phase", padded(c.arg(0))}, {"with_schema", orNull(schema)}, {"plans", plans}}), nil
}

func phaseListArtifacts(c *call) (result, error) {
	kind, _ := c.flag("type")
	if c.arg(0) == "" {
		return result{}, fail("sdk_missing_arg", "phase required for phase list-artifacts")
	}
	if !slices.Contains([]string{"context", "summary", "verification", "research"}, kind) {
		return result{}, fail("sdk_missing_arg", "--type must be one of: context, summary, verification, research")
	}
	p, _, err := c.phasePlans()
	if err != nil {
		return result{}, err
	}
	artifacts := []string{}
	if p != nil {
		for _, f := range p.Files {
			if plan.IsDocument(f, strings.ToUpper(kind)) && !strings.Contains(f, "/") {
				artifacts = append(artifacts, f)
			}
		}
	}
	return data(object{{"phase", padded(c.arg(0))}, {"type", kind}, {"artifacts", artifacts}}), nil
}
