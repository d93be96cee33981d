package plan

import (
	"errors"
	"testing"

	"cairn/internal/plan/doc"
)

// What is no roadmap is not written into, and the error names the line.
func TestRoadmapThatIsNone(t *testing.T) {
	one, _ := doc.ParsePhaseID("1")
	two, _ := doc.ParsePhaseID("2")
	for text, line := range map[string]int{"": 1, " \n\n": 1, "# Roadmap\n\xff\xfe\n": 2, "\x00\x01": 1} {
		for name, fn := range map[string]func(*Tx){
			"add":    func(tx *Tx) { tx.AddPhase(NewPhase{Name: "X"}) },
			"remove": func(tx *Tx) { tx.RemovePhase(one, "", true) },
			"move":   func(tx *Tx) { tx.MovePhase(one, two, true, "") },
		} {
			w := project(t, map[string]string{".planning/ROADMAP.md": text, ".planning/phases/01-a/01-01-PLAN.md": "# x\n"})
			before := tree(t, w)
			_, err := w.Update(t.Context(), name, func(tx *Tx) error { fn(tx); return nil })
			var input *InputError
			if !errors.As(err, &input) || input.Line != line {
				t.Errorf("%s in %q: %v", name, text, err)
			}
			equalTrees(t, tree(t, w), before)
		}
	}
}

func TestMoveNextToNoPhase(t *testing.T) {
	w := project(t, map[string]string{".planning/ROADMAP.md": "# Roadmap\n\n- [ ] **Phase 1: A**\n- [ ] **Phase 2: B**\n"})
	id := func(s string) doc.PhaseID { id, _ := doc.ParsePhaseID(s); return id }
	for to, want := range map[string]string{"9": "no phase 9", "2": "phase 2 cannot be moved next to itself"} {
		_, err := w.Update(t.Context(), "move", func(tx *Tx) error { tx.MovePhase(id("2"), id(to), true, ""); return nil })
		if err == nil || err.Error() != want {
			t.Errorf("after %s: %v", to, err)
		}
	}
}

// The backlog has its own decimals.
func TestNextDecimalOfTheBacklog(t *testing.T) {
	w := project(t, map[string]string{".planning/ROADMAP.md": "# Roadmap\n\n- [ ] **Phase 1: A**\n- [ ] **Phase 999.1: I**\n", ".planning/phases/999.2-b/x": ""})
	if err := w.View(func(tx *Tx) error {
		if next, _ := tx.NextDecimal(doc.PhaseID{Number: 999}); next.String() != "999.3" {
			t.Errorf("got %s", next)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}
