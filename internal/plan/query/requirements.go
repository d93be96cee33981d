package query

import (
	"fmt"
	"slices"
	"strings"

	"cairn/internal/plan"
)

var requirementsCommands = []command{
	{name: "requirements mark-complete", run: requirementsMarkComplete},
	{name: "requirements extract-from-plans", run: onPhase(requirementsFromPlans), needs: "phase number required for requirements extract-from-plans"},
	{name: "requirements", run: func(*call) (result, error) {
		return result{}, fail("sdk_unknown_command", "Unknown requirements subcommand. Available: mark-complete")
	}},
}

// requirementsMarkComplete takes ids by commas, spaces and brackets.
func requirementsMarkComplete(c *call) (result, error) {
	var ids []string
	for _, id := range strings.FieldsFunc(strings.Join(c.args, " "), func(r rune) bool { return strings.ContainsRune(", []\t\n\"'", r) }) {
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return result{}, fail("sdk_missing_arg", "requirement IDs required. Usage: requirements mark-complete REQ-01,REQ-02 or REQ-01 REQ-02")
	}
	there := true
	var m plan.Marked
	_, err := c.Update(c.context, "requirements complete", func(tx *plan.Tx) error {
		q, err := tx.Requirements()
		if err != nil {
			return err
		}
		if there = q != nil; there {
			m = plan.MarkComplete(q, ids)
		}
		return nil
	})
	if err != nil {
		return result{}, err
	}
	if !there {
		return dataRaw(object{{"updated", false}, {"reason", "REQUIREMENTS.md not found"}, {"ids", ids}}, "no requirements file"), nil
	}
	return dataRaw(object{
		{"updated", len(m.Complete) > 0}, {"marked_complete", m.Complete}, {"already_complete", m.Already},
		{"not_found", m.NotFound}, {"total", len(ids)},
	}, fmt.Sprintf("%d/%d requirements marked complete", len(m.Complete), len(ids))), nil
}

func requirementsFromPlans(c *call, tx *plan.Tx, p *plan.Phase) (result, error) {
	if p == nil {
		p = &plan.Phase{}
	}
	all, by := []string{}, object{}
	for _, f := range p.Plans {
		ids, err := tx.PlanRequirements(p, f)
		if err != nil {
			return result{}, err
		}
		all, by = append(all, ids...), by.with(f.ID, list(ids))
	}
	slices.Sort(all)
	return data(object{{"phase", c.arg(0)}, {"requirements", slices.Compact(all)}, {"by_plan", by}}), nil
}
