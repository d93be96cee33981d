// Package atomicfile replaces a file so that a reader, a crash or a full disk
// sees the old content or the new one, never a part.
//
// It is a leaf: every package may import it and it imports none of ours.
// Locking and the choice of paths belong to the caller.
package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// WriteFile writes data to a temporary file in name's directory, syncs it and
// renames it over name. A file that exists keeps its mode; a new one gets
// perm. Symbolic links are followed, so the link stays and its target is
// replaced. On an error name is untouched and the temporary file is gone.
func WriteFile(name string, data []byte, perm fs.FileMode) error {
	s, err := Stage(name, data, perm)
	if err != nil {
		return err
	}
	return s.Commit()
}

// WriteDeep is WriteFile that makes the directories it takes, too.
func WriteDeep(name string, data []byte, dirPerm, perm fs.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(name), dirPerm); err != nil {
		return err
	}
	return WriteFile(name, data, perm)
}

// Staged is a file that is written whole, beside the one it will replace. One
// of Commit and Discard ends it.
type Staged struct{ temp, name string }

// Stage does all of WriteFile but the last step, which needs no space: who
// has many files to write can know that all of them fit before one changes.
func Stage(name string, data []byte, perm fs.FileMode) (*Staged, error) {
	name, perm, err := target(name, perm)
	if err != nil {
		return nil, err
	}
	RemoveStale(filepath.Dir(name))
	return stage(name, data, perm, true)
}

// target returns the file that is meant by name, through links, and its mode, or
// perm for a new one.
func target(name string, perm fs.FileMode) (string, fs.FileMode, error) {
	fi, err := os.Lstat(name)
	if err == nil && fi.Mode()&fs.ModeSymlink != 0 {
		if at, err := filepath.EvalSymlinks(name); err == nil {
			name = at
		}
		fi, err = os.Stat(name)
	}
	switch {
	case err != nil:
		return name, perm, nil
	case !fi.Mode().IsRegular():
		return "", 0, fmt.Errorf("%s is not a regular file", name)
	}
	return name, fi.Mode().Perm(), nil
}

// Create is WriteFile for who writes many files into one directory: it does not
// look each time for what killed writers left there.
func Create(name string, data []byte, perm fs.FileMode) error {
	s, err := stage(name, data, perm, true)
	if err != nil {
		return err
	}
	return s.Commit()
}

func stage(name string, data []byte, perm fs.FileMode, sync bool) (s *Staged, err error) {
	f, err := temporary(filepath.Dir(name))
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	return &Staged{f.Name(), name}, fill(f, data, perm, sync)
}

// temporary makes a new file that only we can read.
func temporary(dir string) (f *os.File, err error) {
	for range 100 {
		f, err = create(filepath.Join(dir, strings.Replace(Temporary, "*", strconv.FormatUint(rand.Uint64(), 36), 1)))
		if !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	return f, err
}

// fill writes a new file whole, with sync onto the disk, and closes it.
func fill(f *os.File, data []byte, perm fs.FileMode, sync bool) error {
	if _, err := f.Write(data); err != nil {
		return err
	}
	if err := f.Chmod(perm); err != nil {
		return err
	}
	if sync {
		if err := f.Sync(); err != nil {
			return err
		}
	}
	return f.Close()
}

// Commit puts the file in its place.
func (s *Staged) Commit() error {
	err := rename(s.temp, s.name)
	if err != nil {
		s.Discard()
	}
	return err
}

// Discard removes what was written.
func (s *Staged) Discard() { os.Remove(s.temp) }

const (
	// Temporary is what matches the names of files that are not yet in place.
	Temporary = ".cairn-*.tmp"
	staleAge  = time.Hour // no write takes that long
)

// RemoveStale removes the temporary files in dir of writers that were killed.
func RemoveStale(dir string) { removeTemporary(dir, staleAge) }

// RemoveStaleIn is RemoveStale of a directory that was opened.
func RemoveStaleIn(dir *os.Root) { removeStale(dir, staleAge) }

// Sweep is RemoveStale for who knows that nobody writes in dir now.
func Sweep(dir string) { removeTemporary(dir, -staleAge) }

func removeTemporary(dir string, older time.Duration) {
	if fi, err := os.Stat(dir); err != nil || !fi.IsDir() { // to open a pipe waits for its writer
		return
	}
	if root, err := os.OpenRoot(dir); err == nil {
		defer root.Close()
		removeStale(root, older)
	}
}

func removeStale(root *os.Root, older time.Duration) {
	entries, _ := fs.ReadDir(root.FS(), ".")
	for _, e := range entries {
		if ours, _ := filepath.Match(Temporary, e.Name()); !ours {
			continue
		}
		if fi, err := e.Info(); err == nil && fi.Mode().IsRegular() && time.Since(fi.ModTime()) > older {
			_ = root.Remove(e.Name())
		}
	}
}

// RemoveOlder removes what is in dir longer than age and that which is for.
func RemoveOlder(dir string, age time.Duration, which func(fs.DirEntry) bool) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if fi, err := e.Info(); err == nil && time.Since(fi.ModTime()) > age && which(e) {
			os.RemoveAll(filepath.Join(dir, e.Name()))
		}
	}
}

// RemoveOver removes the oldest of what is in dir and that which is for, until
// the rest has at most so many bytes.
func RemoveOver(dir string, most int64, which func(fs.DirEntry) bool) {
	entries, _ := os.ReadDir(dir)
	var files []fs.FileInfo
	for _, e := range entries {
		if fi, err := e.Info(); err == nil && which(e) {
			files = append(files, fi)
			most -= fi.Size()
		}
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	for _, fi := range files {
		if most >= 0 {
			return
		}
		if os.Remove(filepath.Join(dir, fi.Name())) == nil {
			most += fi.Size()
		}
	}
}

// Append adds data to the end of a file, which it makes with its directory if
// need be. What several processes add at once does not mix: each is one write.
func Append(name string, data []byte, dirPerm, perm fs.FileMode) error {
	const flags = os.O_WRONLY | os.O_CREATE | os.O_APPEND
	f, err := os.OpenFile(name, flags, perm)
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.MkdirAll(filepath.Dir(name), dirPerm); err == nil {
			f, err = os.OpenFile(name, flags, perm)
		}
	}
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// ReadFile reads a file that a person named, of at most so many bytes; a pipe,
// which a shell makes of <(command), is read to its end. An error names the
// file; of one that is not there it is fs.ErrNotExist.
func ReadFile(name string, most int64) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	return readAll(f, name, most)
}

// readAll reads an open file, and closes it.
func readAll(f *os.File, name string, most int64) ([]byte, error) {
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	switch {
	case err != nil:
		return nil, err
	case int64(len(data)) > most:
		return nil, fmt.Errorf("%s holds more than %s, which is the most that is read", name, size(most))
	}
	return data, nil
}

// ReadRegular is ReadFile of a file that nobody named: anything but a regular
// file in its place is an error at once, for to open a pipe waits for a writer.
func ReadRegular(name string, most int64) ([]byte, error) {
	fi, err := os.Stat(name)
	if err == nil && !fi.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: name, Err: errors.New("not a regular file")}
	}
	if err != nil {
		return nil, err
	}
	return ReadFile(name, most)
}

func size(n int64) string {
	if n < 1<<20 {
		return fmt.Sprintf("%d KB", n>>10)
	}
	return fmt.Sprintf("%d MB", n>>20)
}
