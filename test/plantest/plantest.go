// Package plantest makes the projects that tests of the plan work on.
//
// Only tests import it. It knows nothing of what is in the files.
package plantest

import (
	"os"
	"path/filepath"
)

// T is what it needs of a test.
type T interface {
	Helper()
	Fatal(args ...any)
}

// Write writes files under root: slash path → content.
func Write(t T, root string, files map[string]string) {
	t.Helper()
	for name, content := range files {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
