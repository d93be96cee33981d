package install

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// ErrOutside is a path that leads out of the directory that is ours to write
// in. Nothing was changed.
var ErrOutside = error(&mistake{"it leads out of the directory", "cairn writes below that directory only; put a directory in the place of the link, then run this again"})

// ErrDangling is a link of the user's to what does not exist.
var ErrDangling = error(&mistake{"does not exist", "make what it points to, or remove the link, then run this again"})

// leadsNowhere reports an error for a link to what does not exist.
func leadsNowhere(name string) error {
	if link, err := os.Readlink(name); err == nil {
		return fmt.Errorf("%s is a link to %s, which %w", name, link, ErrDangling)
	}
	return nil
}

// place returns where a path below the configuration directory is on this
// machine. It must not lead out: not by its words and not by a symbolic link
// to a directory. In a repository it may leave the host's directory, but not
// the repository.
func (t Target) place(name string) (string, error) {
	bound, below := t.Dir, name
	if t.Local() {
		rel, err := filepath.Rel(t.Root, t.Dir)
		if err != nil {
			return "", err
		}
		bound, below = t.Root, path.Join(filepath.ToSlash(rel), name)
	}
	if !fs.ValidPath(below) || below == "." || path.IsAbs(name) || strings.ContainsAny(name, "\\:\x00") {
		return "", fmt.Errorf("%q in %s: %w", name, t.Dir, ErrOutside)
	}
	full := filepath.Join(bound, filepath.FromSlash(below))
	real, err := filepath.EvalSymlinks(bound)
	if errors.Is(err, fs.ErrNotExist) {
		return full, leadsNowhere(bound) // else it is to be made
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", bound, err)
	}
	// The nearest directory above that is there.
	dir := filepath.Dir(full)
	for ; len(dir) > len(bound); dir = filepath.Dir(dir) {
		if exists(dir) {
			break
		}
	}
	at, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", fmt.Errorf("%s: %w", dir, err)
	}
	if at != real && !strings.HasPrefix(at, strings.TrimSuffix(real, string(filepath.Separator))+string(filepath.Separator)) {
		return "", fmt.Errorf("%s: %s is a link to %s: %w", full, dir, at, ErrOutside)
	}
	if fi, err := os.Stat(at); err == nil && !fi.IsDir() {
		return "", fmt.Errorf("%s: %w: it is no directory", dir, ErrForeign)
	}
	return full, nil
}
