package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// strange is a directory as strangers may have committed it: links in it lead
// out and within.
func strange(t *testing.T) (root *os.Root, dir, outside string) {
	t.Helper()
	dir, outside = t.TempDir(), t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "in"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{filepath.Join(dir, "in", "f"), filepath.Join(outside, "f")} {
		if err := os.WriteFile(name, []byte("old"), 0o640); err != nil {
			t.Fatal(err)
		}
	}
	for link, target := range map[string]string{
		"out": outside, "f-out": filepath.Join(outside, "f"), "f-in": filepath.Join("in", "f"), "d-in": "in", "dangling": "none",
	} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Skip(err)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return root, dir, outside
}

// A link within the root is read through; one that leads out is not.
func TestReadIn(t *testing.T) {
	root, dir, _ := strange(t)
	for _, name := range []string{"in/f", "f-in", "d-in/f"} {
		if data, err := ReadIn(root, name, 3); err != nil || string(data) != "old" {
			t.Errorf("%s: %q, %v", name, data, err)
		}
	}
	for name, want := range map[string]error{"out/f": ErrOutside, "f-out": ErrOutside, "../f": ErrOutside, "none": fs.ErrNotExist, "in/f/x": nil, "in": nil} {
		data, err := ReadIn(root, name, 100)
		if err == nil || data != nil || want != nil && !errors.Is(err, want) || !strings.Contains(err.Error(), filepath.Join(dir, name)) {
			t.Errorf("%s: %q, %v", name, data, err)
		}
	}
	if data, err := ReadIn(root, "in/f", 2); data != nil || err == nil || !strings.Contains(err.Error(), filepath.Join(dir, "in", "f")+" holds more than") {
		t.Errorf("more than may be read: %q, %v", data, err)
	}
	large := make([]byte, 3<<20+1)
	if err := os.WriteFile(filepath.Join(dir, "large"), large, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadIn(root, "large", 3<<20); err == nil || !strings.Contains(err.Error(), "more than 3 MB") {
		t.Error(err)
	}
}

func TestWriteIn(t *testing.T) {
	root, dir, _ := strange(t)
	if err := WriteIn(root, "in/f", []byte("new"), 0o755, 0o600); err != nil {
		t.Fatal(err)
	}
	check(t, filepath.Join(dir, "in", "f"), "new", 0o640) // the mode of what was replaced
	if err := WriteIn(root, "deep/er/f", []byte("x"), 0o700, 0o604); err != nil {
		t.Fatal(err)
	}
	check(t, filepath.Join(dir, "deep", "er", "f"), "x", 0o604)
	if fi, err := os.Stat(filepath.Join(dir, "deep")); err != nil || fi.Mode().Perm() != 0o700 {
		t.Errorf("the directory that was made: %v, %v", fi, err)
	}
	for name, want := range map[string]string{"in": "not a regular file", "in/f/x": "not a directory"} {
		if err := WriteIn(root, name, []byte("x"), 0o755, 0o600); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	leftovers(t, filepath.Join(dir, "in"))
	leftovers(t, filepath.Join(dir, "deep", "er"))
}

// Nothing is written through a link, wherever it leads, nor instead of one.
func TestWriteInFollowsNoLink(t *testing.T) {
	root, dir, outside := strange(t)
	for _, name := range []string{"out/f", "out/new/f", "f-out", "f-in", "d-in/f", "dangling", "dangling/f"} {
		if err := WriteIn(root, name, []byte("x"), 0o755, 0o600); err == nil || !strings.Contains(err.Error(), "is a symbolic link") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := WriteIn(root, "../f", []byte("x"), 0o755, 0o600); !errors.Is(err, ErrOutside) {
		t.Errorf("above the root: %v", err)
	}
	check(t, filepath.Join(outside, "f"), "old", 0o640)
	check(t, filepath.Join(dir, "in", "f"), "old", 0o640)
	for where, n := range map[string]int{dir: 6, outside: 1} {
		if entries, err := os.ReadDir(where); err != nil || len(entries) != n {
			t.Errorf("%s: %v, %v", where, entries, err)
		}
	}
}

// Only the temporary files of this very directory go, and no link is one.
func TestRemoveStaleIn(t *testing.T) {
	root, dir, outside := strange(t)
	old := time.Now().Add(-2 * staleAge)
	for _, name := range []string{filepath.Join(dir, ".cairn-f-1.tmp"), filepath.Join(dir, "in", ".cairn-f-2.tmp"), filepath.Join(outside, ".cairn-f-3.tmp")} {
		if err := errors.Join(os.WriteFile(name, nil, 0o600), os.Chtimes(name, old, old)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(outside, ".cairn-f-3.tmp"), filepath.Join(dir, ".cairn-link.tmp")); err != nil {
		t.Fatal(err)
	}
	RemoveStaleIn(root)
	for name, stays := range map[string]bool{
		filepath.Join(dir, ".cairn-f-1.tmp"): false, filepath.Join(dir, "in", ".cairn-f-2.tmp"): true,
		filepath.Join(dir, ".cairn-link.tmp"): true, filepath.Join(outside, ".cairn-f-3.tmp"): true,
	} {
		if _, err := os.Lstat(name); (err == nil) != stays {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A write removes what a killed one left beside its file, once no writer can be at
// work on it any more, and nothing else.
func TestWriteInRemovesStale(t *testing.T) {
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if err := os.Mkdir(filepath.Join(dir, ".cairn"), 0o700); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-2 * time.Hour)
	for name, at := range map[string]time.Time{".cairn/.cairn-team.json-1.tmp": old, ".cairn/.cairn-team.json-2.tmp": time.Now(), ".cairn/mine.tmp": old, ".cairn-top.tmp": old} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.WriteFile(file, nil, 0o600), os.Chtimes(file, at, at)); err != nil {
			t.Fatal(err)
		}
	}
	if err := WriteIn(root, ".cairn/team.json", []byte("{}"), 0o700, 0o600); err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, pattern := range []string{".cairn/.*", ".cairn/*", ".cairn-*"} {
		names, _ := filepath.Glob(filepath.Join(dir, pattern))
		for _, name := range names {
			left = append(left, filepath.Base(name))
		}
	}
	slices.Sort(left)
	if want := []string{".cairn-team.json-2.tmp", ".cairn-top.tmp", "mine.tmp", "team.json"}; !slices.Equal(slices.Compact(left), want) {
		t.Errorf("%q, want %q", left, want)
	}
}
