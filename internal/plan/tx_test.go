package plan

import (
	"cairn/internal/must"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A directory that leads out of the project is not followed, however deep.
func TestReadThroughLinks(t *testing.T) {
	base := t.TempDir()
	root := filepath.Join(base, "project")
	outside := filepath.Join(base, "outside", "deep")
	for _, dir := range []string{outside, filepath.Join(root, Planning, "phases"), filepath.Join(root, "kept")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range []string{outside, filepath.Join(root, "kept")} {
		if err := os.WriteFile(filepath.Join(dir, "x.md"), []byte("x\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{"out": filepath.Join(base, "outside"), "in": filepath.Join(root, "kept")} {
		if err := os.Symlink(to, filepath.Join(root, Planning, link)); err != nil {
			t.Skip(err)
		}
	}
	w, err := At(root, "", "")
	if err != nil {
		t.Fatal(err)
	}
	if err := w.View(func(tx *Tx) error {
		if _, err := tx.Read(".planning/in/x.md"); err != nil {
			t.Errorf("inside: %v", err)
		}
		for _, rel := range []string{".planning/out/deep/x.md", ".planning/out/x.md", ".planning/../../outside/deep/x.md"} {
			if _, err := tx.Read(rel); err == nil || !strings.Contains(err.Error(), "of the project") {
				t.Errorf("%s: %v", rel, err)
			}
		}
		if tx.Has(".planning/out/deep/x.md") {
			t.Error("it has what is outside")
		}
		if must.Catch(func() { tx.ReadDir(".planning/out/deep") }) == nil {
			t.Error("what is outside can be listed")
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}
