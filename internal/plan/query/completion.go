package query

import (
	"strings"

	"cairn/internal/plan"
	"cairn/internal/plan/gate"
)

func completion(c *call) (result, error) {
	switch c.arg(0) {
	case "phase":
		c.args = c.args[1:]
		return onPhase(phaseCompletion)(c)
	case "milestone":
		return reads(milestoneCompletion)(c)
	}
	return result{}, fail("usage", "Usage: check completion phase <N> | milestone")
}

func phaseCompletion(c *call, tx *plan.Tx, p *plan.Phase) (result, error) {
	if p == nil {
		return result{}, fail("phase_not_found", "Phase %s not found", c.arg(0))
	}
	missing := []string{}
	for _, f := range p.Plans {
		if f.Summary == "" {
			missing = append(missing, f.ID)
		}
	}
	verification, err := gate.Document(tx, p, "VERIFICATION")
	if err != nil {
		return result{}, err
	}
	uat, err := gate.Document(tx, p, "UAT")
	if err != nil {
		return result{}, err
	}
	status := frontOf(verification, "status")
	failures := 0
	for _, row := range rowsOf(verification) {
		if row.has("fail", "failed") {
			failures++
		}
	}
	return data(object{
		{"complete", p.Complete()}, {"plans_total", len(p.Plans)}, {"plans_with_summaries", p.Executed()},
		{"missing_summaries", missing}, {"verification_status", orNull(status)}, {"uat_status", orNull(frontOf(uat, "status"))},
		{"debt", object{{"uat_gaps", uatGaps(uat)}, {"verification_failures", failures}, {"human_needed", status == "human_needed"}}},
	}), nil
}

// uatGaps counts the tests whose result is an issue.
func uatGaps(uat *gate.File) int {
	n := 0
	if uat != nil {
		for i := uat.Body(); i < uat.Len(); i++ {
			value, ok := strings.CutPrefix(uat.Line(i), "result:")
			if value = strings.TrimSpace(value); ok && !uat.Code(i) && (value == "issue" || value == "fail") {
				n++
			}
		}
	}
	return n
}

func milestoneCompletion(c *call, tx *plan.Tx) (result, error) {
	phases, err := tx.Phases(plan.Current)
	incomplete := []string{}
	for _, p := range phases {
		if p.Status() != plan.StatusComplete {
			incomplete = append(incomplete, p.ID.String())
		}
	}
	return data(object{
		{"complete", len(phases) > 0 && len(incomplete) == 0}, {"phase_count", len(phases)},
		{"phases_complete", len(phases) - len(incomplete)}, {"phases_incomplete", incomplete}, {"blockers", []string{}},
	}), err
}
