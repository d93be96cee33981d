// Package atomicfile replaces a file so that a reader, a crash or a full disk
// sees the old content or the new one, never a part.
//
// It is a leaf: every package may import it and it imports none of ours.
// Locking and the choice of paths belong to the caller.
package atomicfile

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// WriteFile writes data to a temporary file in name's directory, syncs it and
// renames it over name. A file that exists keeps its mode; a new one gets
// perm. Symbolic links are followed, so the link stays and its target is
// replaced. On an error name is untouched and the temporary file is gone.
func WriteFile(name string, data []byte, perm fs.FileMode) (err error) {
	if target, rerr := filepath.EvalSymlinks(name); rerr == nil {
		name = target
	}
	if fi, serr := os.Stat(name); serr == nil {
		if !fi.Mode().IsRegular() {
			return fmt.Errorf("%s is not a regular file", name)
		}
		perm = fi.Mode().Perm()
	}
	RemoveStale(filepath.Dir(name))
	f, err := os.CreateTemp(filepath.Dir(name), temporary) // mode 0600
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	if _, err = f.Write(data); err != nil {
		return err
	}
	if err = f.Chmod(perm); err != nil {
		return err
	}
	if err = f.Sync(); err != nil {
		return err
	}
	if err = f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}

const (
	temporary = ".cairn-*.tmp"
	staleAge  = time.Hour // no write takes that long
)

// RemoveStale removes the temporary files in dir of writers that were killed.
func RemoveStale(dir string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if ours, _ := filepath.Match(temporary, e.Name()); !ours {
			continue
		}
		if fi, err := e.Info(); err == nil && fi.Mode().IsRegular() && time.Since(fi.ModTime()) > staleAge {
			os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}
