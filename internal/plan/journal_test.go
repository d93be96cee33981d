package plan

import (
	"bytes"
	"os"
	"testing"

	"cairn/internal/plan/doc"
)

// A phase's files that get another number and then other bytes have no line each: the
// disk tells how far they are.
func TestRenumberingIsTwoLines(t *testing.T) {
	w := project(t, map[string]string{
		".planning/ROADMAP.md":                "# R\n\n- [ ] **Phase 1: A**\n- [ ] **Phase 2: B**\n\n### Phase 1: A\n\n### Phase 2: B\n",
		".planning/STATE.md":                  "# S\n",
		".planning/phases/01-a/01-01-PLAN.md": "---\nphase: 01-a\n---\n",
		".planning/phases/02-b/02-01-PLAN.md": "---\nphase: 02-b\n---\n",
		".planning/phases/02-b/02-02-PLAN.md": "---\nphase: 02-b\n---\n",
		".planning/phases/02-b/02-03-PLAN.md": "---\nphase: 02-b\n---\n",
	})
	update(t, w, func(tx *Tx) error {
		tx.RemovePhase(doc.PhaseID{Number: 1}, "", true)
		return nil
	})
	if !exists(w.Abs(".planning/phases/01-b/01-03-PLAN.md")) {
		t.Error("it was not renumbered")
	}
	b, err := os.ReadFile(w.Abs(w.Shared(journalName)))
	if n := bytes.Count(b, []byte("\n")); err != nil || n != 2 {
		t.Errorf("%d lines (%v): %s", n, err, b)
	}
}
