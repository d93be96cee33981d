package workstream

import (
	"fmt"
	"strings"

	"cairn/internal/plan"
	"cairn/internal/term"
)

// Unfinished lists the phases of a workstream that are not complete.
func (s *Stream) Unfinished() []string {
	var out []string
	for _, p := range s.Phases {
		if !p.Complete {
			out = append(out, p.Directory)
		}
	}
	return out
}

// MayComplete makes sure that nothing of a workstream is unfinished.
func (s *Stream) MayComplete() error {
	if left := s.Unfinished(); len(left) > 0 {
		return term.Hint(fmt.Errorf("%s has unfinished phases: %s", s.Name, strings.Join(left, ", ")), "finish them, or archive it as it is with --force")
	}
	if missing := s.Planned - len(s.Phases); missing > 0 {
		return term.Hint(fmt.Errorf("%s has %d phases in its roadmap that were not begun", s.Name, missing), "finish them, or archive it as it is with --force")
	}
	return nil
}

// Archive moves a workstream to milestones/ws-NAME-DATE and returns where it
// is then and which workstreams are left. After the last the project is flat.
func Archive(tx *plan.Tx, name, today string) (to string, left []string) {
	to = tx.Shared("milestones", "ws-"+name+"-"+today)
	for n := 2; tx.Has(to); n++ {
		to = tx.Shared("milestones", fmt.Sprintf("ws-%s-%s-%d", name, today, n))
	}
	tx.Move(Path(tx.Workspace, name), to)
	if left = Names(tx); len(left) > 0 {
		return to, left
	}
	rest := tx.ReadDir(tx.Shared(dirName))
	if len(rest) > 0 {
		return to, left
	}
	tx.Remove(tx.Shared(dirName))
	return to, left
}
