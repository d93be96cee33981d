package plan

import (
	"context"
	"os"
	"testing"

	"cairn/internal/plan/doc"
	"cairn/test/cairntest"
	"cairn/test/plantest"
)

// A large plan is changed, and the change undone to the byte.
func TestChangesOfALargePlan(t *testing.T) {
	cairntest.Long(t)
	root := t.TempDir()
	plantest.Write(t, root, largeProject())
	id := func(s string) doc.PhaseID { id, _ := doc.ParsePhaseID(s); return id }
	for name, change := range map[string]func(*Tx) error{
		"remove": func(tx *Tx) error { tx.RemovePhase(id("51"), "", false); return nil },
		"move":   func(tx *Tx) error { tx.MovePhase(id("90"), id("3"), false, ""); return nil },
	} {
		t.Run(name, func(t *testing.T) {
			open := func() *Workspace {
				w, err := Open(root, "")
				if err != nil {
					t.Fatal(err)
				}
				return w
			}
			before := tree(t, open())
			if _, err := open().Update(context.Background(), name, change); err != nil {
				t.Fatal(err)
			}
			if _, err := open().Undo(context.Background(), false); err != nil {
				t.Fatal(err)
			}
			equalTrees(t, tree(t, open()), before)
			if fi, err := os.Stat(open().Abs(".planning/" + journalName)); err != nil || fi.Size() > maxJournal {
				t.Errorf("the journal has %d bytes, %v", fi.Size(), err)
			}
		})
	}
}
