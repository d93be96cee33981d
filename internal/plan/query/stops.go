package query

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"cairn/internal/plan"
	"cairn/internal/plan/gate"
)

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
