package query

import (
	"fmt"
	"slices"
	"strings"

	"cairn/internal/plan"
	"cairn/internal/plan/gate"
	"cairn/internal/plan/lifecycle"
)

func phaseReady(c *call, tx *plan.Tx, p *plan.Phase) result {
	found := p.Dir != ""
	number, name, dir := any(c.arg(0)), any(nil), any(nil)
	if found {
		number, name, dir = p.ID.Padded(), p.Slug, p.Dir
	} else {
		p = &plan.Phase{}
	}
	met := !slices.ContainsFunc(tx.Phases(plan.Current), func(d *plan.Phase) bool {
		return found && d.ID.Compare(p.ID) < 0 && !tx.Closed(d)
	})
	return data(object{
		{"found", found}, {"ready", found && met}, {"phase", number}, {"phase_name", name}, {"phase_dir", dir},
		hasFile(p, "CONTEXT"), hasFile(p, "RESEARCH"),
		{"has_plans", len(p.Plans) > 0}, {"plan_count", len(p.Plans)}, {"incomplete_plans", len(p.Plans) - p.Executed()},
		hasFile(p, "VERIFICATION"), hasFile(p, "UI-SPEC"),
		{"has_ui_indicators", len(wordsIn(phaseText(tx, p), frontendWords())) > 0}, {"dependencies_met", met},
		{"blockers", []string{}}, {"next_step", nextStep(lifecycle.New(c.context, tx), p)},
	})
}

// nextStep is what is to be done with a phase next.
func nextStep(look *lifecycle.Look, p *plan.Phase) string {
	switch look.Of(p) {
	case lifecycle.NotStarted, lifecycle.Discussing:
		if len(look.Lacks(p, "context")) > 0 {
			return "discuss"
		}
		return "plan"
	case lifecycle.Discussed, lifecycle.Researched, lifecycle.Planning, lifecycle.Gaps:
		return "plan"
	case lifecycle.Planned, lifecycle.Executing:
		return "execute"
	case lifecycle.Verified, lifecycle.Complete:
		return "complete"
	}
	return "verify"
}

func shipReady(c *call, tx *plan.Tx, p *plan.Phase) result {
	s := lifecycle.New(c.context, tx).Subject(p).Ship()
	return data(object{
		{"ready", s.Result.Passed}, {"verification_passed", s.Verified}, {"clean_tree", s.Clean},
		{"on_feature_branch", s.Feature}, {"current_branch", orNull(s.Branch)}, {"base_branch", s.Base},
		{"remote_configured", s.Remote}, {"gh_available", s.GH}, {"gh_authenticated", false}, {"blockers", each(s.Result.Missing, func(m gate.Missing) string { return m.ID + ": " + m.Text })},
	})
}

func phaseText(tx *plan.Tx, p *plan.Phase) string {
	goal, _ := p.Field(tx.Roadmap(), "Goal")
	return p.Name + "\n" + goal.Value
}

func completion(c *call) result {
	switch c.arg(0) {
	case "phase":
		c.args = c.args[1:]
		return lookAtPhase(c, phaseCompletion)
	case "milestone":
		c.look(func(tx *plan.Tx) { finish(milestoneCompletion(tx)) })
	}
	return refuse("usage", "Usage: check completion phase <N> | milestone")
}

func phaseCompletion(c *call, tx *plan.Tx, p *plan.Phase) result {
	require(known(p), "phase_not_found", "Phase %s not found", c.arg(0))
	verification := gate.Document(tx, p, "VERIFICATION")
	uat := gate.Document(tx, p, "UAT")
	status := statusOf(verification)
	return data(object{
		{"complete", p.Complete()}, {"plans_total", len(p.Plans)}, {"plans_with_summaries", p.Executed()},
		{"missing_summaries", unsummarized(p)}, {"verification_status", orNull(status)}, {"uat_status", orNull(statusOf(uat))},
		{"debt", object{{"uat_gaps", uatGaps(uat)}, {"verification_failures", failures(verification)}, {"human_needed", status == "human_needed"}}},
	})
}

// unsummarized returns the plans that were not executed.
func unsummarized(p *plan.Phase) []string {
	open := only(p.Plans, func(f plan.PlanFile) bool { return f.Summary == "" })
	return each(open, func(f plan.PlanFile) string { return f.ID })
}

// failures counts the rows of a verification that failed.
func failures(verification *gate.File) int {
	return len(only(rowsOf(verification), func(r statusRow) bool { return r.has("fail", "failed") }))
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

func milestoneCompletion(tx *plan.Tx) result {
	phases := tx.Phases(plan.Current)
	open := only(phases, func(p *plan.Phase) bool { return !tx.Closed(p) })
	incomplete := each(open, func(p *plan.Phase) string { return p.ID.String() })
	return data(object{
		{"complete", len(phases) > 0 && len(incomplete) == 0}, {"phase_count", len(phases)},
		{"phases_complete", len(phases) - len(incomplete)}, {"phases_incomplete", incomplete}, {"blockers", []string{}},
	})
}

func verificationStatus(c *call, tx *plan.Tx, p *plan.Phase) result {
	f := gate.Document(tx, p, "VERIFICATION")
	status := "missing"
	var score any
	gaps, human, deferred := []string{}, []string{}, []string{}
	passed, rows := 0, rowsOf(f)
	for _, row := range rows {
		switch {
		case row.has("pass", "passed", "verified", "✓"):
			passed++
		case row.has("fail", "failed", "gap"):
			gaps = append(gaps, row.about)
		case row.has("human"):
			human = append(human, row.about)
		case row.has("deferred"):
			deferred = append(deferred, row.about)
		}
	}
	if len(rows) > 0 {
		score = fmt.Sprintf("%d/%d", passed, len(rows))
	}
	if f != nil {
		status = statusOf(f)
		switch {
		case status != "":
		case len(rows) > 0 && passed == len(rows):
			status = "pass"
		case passed > 0:
			status = "partial"
		default:
			status = "fail"
		}
	}
	return data(object{{"status", status}, {"score", score}, {"gaps", gaps}, {"human_items", human}, {"deferred", deferred}})
}

type statusRow struct{ about, status string }

// has reports whether the row's status has one of the words.
func (r statusRow) has(words ...string) bool { return len(wordsIn(r.status, words)) > 0 }

// rowsOf returns the rows of a document's tables that have a status: what
// each is about, and its status in the case it is written in.
func rowsOf(f *gate.File) (rows []statusRow) {
	if f == nil {
		return nil
	}
	for _, tb := range f.Tables(f.Body(), f.Len()) {
		column := tb.Column("Status", "Result", "Verdict")
		if column < 0 {
			continue
		}
		about := tb.Column("Description", "Truth", "Test", "Name", "Item", "Must-have", "Requirement")
		if about < 0 {
			about = min(1, column)
		}
		for i := range tb.Rows {
			rows = append(rows, statusRow{about: tb.Cell(i, about), status: tb.Cell(i, column)})
		}
	}
	return rows
}

// statusOf returns the status in a document's frontmatter, "" without one.
func statusOf(f *gate.File) string {
	if f == nil {
		return ""
	}
	return f.Front().Get("status").Text()
}
