package query

import (
	"errors"
	"fmt"
	"io/fs"
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

// stops are what keeps a workflow from going on.
type stops struct {
	continueHere, errorState, unresolved bool
	blockers                             []object
}

func (s *stops) add(gate, file string, antiPatterns []string) {
	s.blockers = append(s.blockers, object{
		{"gate", gate}, {"file", file}, {"severity", "blocking"}, {"anti_patterns", list(antiPatterns)},
	})
}

// findStops looks for a handover that was not taken up, for a state that is
// an error, and, when a phase is given, for failed rows of its verification.
func findStops(tx *plan.Tx, p *plan.Phase) (stops, error) {
	s := stops{blockers: []object{}}
	here, err := gate.ReadIfThere(tx, tx.Path(".continue-here.md"))
	if err != nil {
		return s, err
	}
	if here != nil {
		s.continueHere = true
		s.add("continue-here", here.Path, antiPatterns(here))
	}
	state, err := gate.ReadIfThere(tx, tx.Path("STATE.md"))
	if err != nil {
		return s, err
	}
	if state != nil && isErrorState(state) {
		s.errorState = true
		s.add("error-state", state.Path, nil)
	}
	if p == nil {
		return s, nil
	}
	verification, err := gate.Document(tx, p, "VERIFICATION")
	if err != nil {
		return s, err
	}
	for _, row := range rowsOf(verification) {
		if row.has("fail", "failed") {
			s.unresolved = true
		}
	}
	if s.unresolved {
		s.add("unresolved-verification", verification.Path, nil)
	}
	return s, nil
}

func isErrorState(state *gate.File) bool {
	status := frontOf(state, "status")
	if f, ok := state.Field(state.Body(), state.Len(), "Status"); ok && status == "" {
		status = f.Value
	}
	_, section := state.Section("Error")
	return section || strings.EqualFold(status, "error") || strings.EqualFold(status, "failed")
}

// antiPatterns returns what a handover's table calls blocking.
func antiPatterns(f *gate.File) []string {
	var out []string
	for _, tb := range f.Tables(f.Body(), f.Len()) {
		severity := tb.Column("Severity")
		for i := range tb.Rows {
			if severity > 0 && strings.EqualFold(tb.Cell(i, severity), "blocking") {
				out = append(out, tb.Cell(i, 0))
			}
		}
	}
	return out
}

func checkGates(c *call, tx *plan.Tx) (result, error) {
	name, _ := c.flag("phase")
	if c.arg(0) == "" {
		return result{}, fail("sdk_missing_arg", "workflow name required")
	}
	p, err := phaseOf(tx, name)
	if err != nil {
		return result{}, err
	}
	s, err := findStops(tx, p)
	return data(object{{"passed", len(s.blockers) == 0}, {"blockers", s.blockers}, {"warnings", []string{}}}), err
}

func verificationStatus(c *call, tx *plan.Tx, p *plan.Phase) (result, error) {
	if p == nil {
		p = &plan.Phase{}
	}
	f, err := gate.Document(tx, p, "VERIFICATION")
	if err != nil {
		return result{}, err
	}
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
		status = frontOf(f, "status")
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
	return data(object{{"status", status}, {"score", score}, {"gaps", gaps}, {"human_items", human}, {"deferred", deferred}}), nil
}

// callsMade returns the count that a running chain of workflows keeps.
func callsMade(tx *plan.Tx) (int, error) {
	b, err := tx.ReadBytes(tx.Path(".next-call-count"))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	n := 0
	_, _ = fmt.Sscan(string(b), &n)
	return n, err
}
