package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestWriteFile(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "f")
	if err := WriteFile(name, []byte("one"), 0o600); err != nil {
		t.Fatal(err)
	}
	check(t, name, "one", 0o600)
	if err := os.Chmod(name, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(name, []byte("two"), 0o600); err != nil {
		t.Fatal(err)
	}
	check(t, name, "two", 0o640) // the mode of what was replaced
	leftovers(t, dir)
}

func TestLinkStays(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
	if err := os.WriteFile(target, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("target", link); err != nil {
		t.Skip(err)
	}
	if err := WriteFile(link, []byte("new"), 0o600); err != nil {
		t.Fatal(err)
	}
	check(t, target, "new", 0o644)
	if to, err := os.Readlink(link); err != nil || to != "target" {
		t.Errorf("the link became %q, %v", to, err)
	}
}

func TestRefusals(t *testing.T) {
	dir := t.TempDir()
	if err := WriteFile(dir, []byte("x"), 0o600); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("a directory: %v", err)
	}
	if err := WriteFile(filepath.Join(dir, "none", "f"), []byte("x"), 0o600); err == nil {
		t.Error("a directory that does not exist: no error")
	}
	leftovers(t, dir)
}

// A reader sees one whole content or another, whoever writes.
func TestReadersSeeWholeFiles(t *testing.T) {
	name := filepath.Join(t.TempDir(), "f")
	contents := []string{strings.Repeat("a", 50_000), strings.Repeat("b", 70_000)}
	if err := WriteFile(name, []byte(contents[0]), 0o600); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for _, c := range contents {
		wg.Go(func() {
			for range 20 {
				if err := WriteFile(name, []byte(c), 0o600); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for range 200 {
		data, err := os.ReadFile(name)
		if err != nil || string(data) != contents[0] && string(data) != contents[1] {
			t.Fatalf("%d bytes, %v", len(data), err)
		}
	}
	wg.Wait()
}

// What a writer that was killed left goes with a later write, what one at work
// just made does not, nor what is not ours.
func TestStale(t *testing.T) {
	dir := t.TempDir()
	old := time.Now().Add(-2 * staleAge)
	for name, at := range map[string]time.Time{".cairn-1.tmp": old, ".cairn-2.tmp": time.Now(), "cairn-3.tmp": old} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(filepath.Join(dir, name), at, at); err != nil {
			t.Fatal(err)
		}
	}
	if err := WriteFile(filepath.Join(dir, "a"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	entries, _ := os.ReadDir(dir)
	if got := fmt.Sprint(entries); len(entries) != 3 || strings.Contains(got, ".cairn-1.tmp") {
		t.Error(got)
	}
}

// What is staged changes nothing yet, and a file that cannot take its place
// leaves nothing behind.
func TestStage(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "f")
	if err := Create(name, []byte("one"), 0o640); err != nil {
		t.Fatal(err)
	}
	s, err := Stage(name, []byte("two"), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	check(t, name, "one", 0o640)
	s.Discard()
	check(t, name, "one", 0o640)
	leftovers(t, dir)
	if err := os.MkdirAll(filepath.Join(dir, "d", "full"), 0o755); err != nil {
		t.Fatal(err)
	}
	for what, err := range map[string]error{
		"in the place of a directory":        Create(filepath.Join(dir, "d"), nil, 0o600),
		"in a directory that is not there":   Create(filepath.Join(dir, "none", "f"), nil, 0o600),
		"in what is a file and no directory": Create(filepath.Join(name, "f"), nil, 0o600),
	} {
		if err == nil {
			t.Error("created " + what)
		}
	}
	leftovers(t, dir)
}

// Sweep removes leftovers of any age, and no other file; a directory that does not
// exist is left alone.
func TestSweep(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{".cairn-1.tmp", "other.tmp"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	Sweep(filepath.Join(dir, "none"))
	Sweep(filepath.Join(dir, "other.tmp"))
	Sweep(dir)
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 || entries[0].Name() != "other.tmp" {
		t.Errorf("%v, %v", entries, err)
	}
}

func check(t *testing.T, name, want string, mode os.FileMode) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil || string(data) != want {
		t.Errorf("%s: %q, %v", name, data, err)
	}
	if fi, err := os.Stat(name); err != nil || fi.Mode().Perm() != mode {
		t.Errorf("%s: mode %v, %v", name, fi.Mode(), err)
	}
}

func leftovers(t *testing.T, dir string) {
	t.Helper()
	if names, _ := filepath.Glob(filepath.Join(dir, ".cairn-*")); len(names) > 0 {
		t.Errorf("left behind: %v", names)
	}
}

func TestAppendAndRemoveOlder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	old, young := filepath.Join(dir, "old"), filepath.Join(dir, "young")
	for _, name := range []string{old, young, young} {
		if err := Append(name, []byte("x\n"), 0o700, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	before := time.Now().Add(-time.Hour)
	if err := errors.Join(os.Chtimes(old, before, before), os.Mkdir(filepath.Join(dir, "d"), 0o700), os.Chtimes(filepath.Join(dir, "d"), before, before)); err != nil {
		t.Fatal(err)
	}
	RemoveOlder(dir, time.Minute, func(e fs.DirEntry) bool { return !e.IsDir() })
	if data, _ := os.ReadFile(young); string(data) != "x\nx\n" {
		t.Errorf("appended %q", data)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 2 || entries[0].Name() != "d" {
		t.Errorf("left %v", entries)
	}
	RemoveOlder(filepath.Join(dir, "none"), 0, func(fs.DirEntry) bool { return true })
}
