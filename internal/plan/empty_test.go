package plan_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"cairn/internal/plan"
	"cairn/test/plantest"
)

// A file without a byte is a file: a change that rewrites it notes no new one, and undo
// does not remove it.
func TestEmptyFileStays(t *testing.T) {
	root := t.TempDir()
	name := ".planning/STATE.md"
	plantest.Write(t, root, map[string]string{name: "", ".planning/PROJECT.md": "# P\n"})
	w, err := plan.Open(root, "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Update(context.Background(), "test", func(tx *plan.Tx) error { tx.Write(name, []byte("x\n")); return nil }); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Undo(context.Background(), false); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(filepath.Join(root, name)); err != nil || len(b) != 0 {
		t.Errorf("%q %v", b, err)
	}
}
