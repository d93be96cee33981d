package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// A new name is taken only where it is free, of a file and of a directory.
func TestMove(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, name := range []string{"a", "b"} {
		if err := errors.Join(os.WriteFile(at(name), []byte(name), 0o600), os.Mkdir(at(name+".d"), 0o700)); err != nil {
			t.Fatal(err)
		}
	}
	for from, to := range map[string]string{"a": "b", "b": "a.d", "a.d": "b.d", "b.d": "a"} {
		if err := Move(at(from), at(to)); !errors.Is(err, fs.ErrExist) {
			t.Errorf("%s took the place of %s: %v", from, to, err)
		}
	}
	if err := errors.Join(Move(at("a"), at("c")), Move(at("a.d"), at("c.d"))); err != nil {
		t.Error(err)
	}
	check(t, at("c"), "a", 0o600)
	check(t, at("b"), "b", 0o600)
	if err := Move(at("none"), at("d")); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}
