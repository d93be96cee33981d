package plan

import (
	"errors"
	"os"
	"strings"
	"testing"
)

func undo(t *testing.T, w *Workspace) {
	t.Helper()
	if _, err := w.Undo(t.Context(), false); err != nil {
		t.Fatal(err)
	}
}

func redo(t *testing.T, w *Workspace) {
	t.Helper()
	if _, err := w.Redo(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// Redo is undo's way back, over several changes and as often as one likes.
func TestRedo(t *testing.T) {
	for name, w := range map[string]*Workspace{"small": reworkable(t), "large": largeProjectOf(t)} {
		change := rework
		if name == "large" {
			change = large
		}
		trees := []map[string]string{tree(t, w)}
		for _, fn := range []func(*Tx) error{change, func(tx *Tx) error { tx.Write(".planning/empty.md", nil); return nil }} {
			update(t, w, fn)
			trees = append(trees, tree(t, w))
		}
		for range 3 {
			undo(t, w)
			equalTrees(t, tree(t, w), trees[1])
			undo(t, w)
			equalTrees(t, tree(t, w), trees[0])
			redo(t, w)
			equalTrees(t, tree(t, w), trees[1])
			redo(t, w)
			equalTrees(t, tree(t, w), trees[2])
			if _, err := w.Redo(t.Context()); !errors.Is(err, ErrNothingToRedo) {
				t.Errorf("%s: once more: %v", name, err)
			}
		}
	}
}

// What changed since the undo is not overwritten, whoever changed it.
func TestRedoAfterAnotherChange(t *testing.T) {
	w := reworkable(t)
	update(t, w, rework)
	undo(t, w)
	update(t, w, func(tx *Tx) error { tx.Write(".planning/x.md", []byte("x\n")); return nil })
	before := tree(t, w)
	if _, err := w.Redo(t.Context()); !errors.Is(err, ErrNothingToRedo) {
		t.Errorf("after a change: %v", err)
	}
	equalTrees(t, tree(t, w), before)
	for edited, what := range map[string]string{".planning/STATE.md": "has changed since", ".planning/todos/pending/a.md": "is there again"} {
		w := reworkable(t)
		update(t, w, rework)
		undo(t, w)
		if err := errors.Join(os.MkdirAll(w.Abs(".planning/todos/pending"), 0o755), os.WriteFile(w.Abs(edited), []byte("mine\n"), 0o644)); err != nil {
			t.Fatal(err)
		}
		before := tree(t, w)
		if _, err := w.Redo(t.Context()); err == nil || !strings.Contains(err.Error(), edited+" "+what) {
			t.Errorf("%s was edited: %v", edited, err)
		}
		equalTrees(t, tree(t, w), before)
	}
}

// A journal that is none is said to be so.
func TestJournalThatIsNone(t *testing.T) {
	w := project(t, map[string]string{".planning/STATE.md": "# S\n", ".planning/" + journalName: "\x00\xff garbage\n"})
	_, uerr := w.Undo(t.Context(), false)
	_, rerr := w.Redo(t.Context())
	_, herr := w.History()
	for _, err := range []error{uerr, rerr, herr} {
		var input *InputError
		if !errors.As(err, &input) || input.Line != 1 || !strings.HasSuffix(input.Path, journalName) {
			t.Errorf("got %v", err)
		}
	}
}
