package cache

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"cairn/internal/atomicfile"
)

// A Suite is what a cache holds of one suite.
type Suite struct {
	Name   string    `json:"suite,omitempty"`
	Files  int       `json:"files"`
	Bytes  int64     `json:"bytes"`
	Oldest time.Time `json:"oldest,omitzero"` // when a file was written, by the file system
	Newest time.Time `json:"newest,omitzero"`
}

// Add adds what another suite holds.
func (s *Suite) Add(more Suite) {
	s.Files += more.Files
	s.Bytes += more.Bytes
	if s.Oldest.IsZero() || more.Oldest.Before(s.Oldest) {
		s.Oldest = more.Oldest
	}
	if more.Newest.After(s.Newest) {
		s.Newest = more.Newest
	}
}

// Stats looks at every suite, in the order of their names. It opens no entry.
func (c Cache) Stats() ([]Suite, error) {
	var list []Suite
	err := c.each("", func(f file) error {
		if len(list) == 0 || list[len(list)-1].Name != f.suite {
			list = append(list, Suite{Name: f.suite})
		}
		list[len(list)-1].Add(Suite{Files: 1, Bytes: f.size, Oldest: f.modTime, Newest: f.modTime})
		return nil
	})
	return list, err
}

// An Invalid is a file that is no usable entry, and why.
type Invalid struct {
	File string
	Err  error
}

// Verify reads every entry, and returns how many it read and those that are
// damaged, of another version or not where they belong. read is told the bytes
// of each.
func (c Cache) Verify(read func(bytes int64)) (files int, invalid []Invalid, err error) {
	err = c.each("", func(f file) error {
		files++
		read(f.size)
		err := checkNames(f.suite, f.key)
		if err == nil {
			_, err = readEntry(f.path, f.suite, f.key)
		}
		var corrupt *CorruptError
		var version *VersionError
		switch {
		case err == nil:
		case err == ErrMiss: // it went while we looked
			files--
		case errors.As(err, &corrupt):
			invalid = append(invalid, Invalid{f.path, corrupt.err})
		case errors.As(err, &version):
			invalid = append(invalid, Invalid{f.path, errors.New(version.reason())})
		default:
			invalid = append(invalid, Invalid{f.path, err})
		}
		return nil
	})
	return files, invalid, err
}

// Clear removes the entries of a suite, or of all suites for "", that were
// written before a time; the zero time is any. It returns what went.
func (c Cache) Clear(suite string, before time.Time) (files int, bytes int64, err error) {
	if err := checkName("suite", suite); suite != "" && err != nil {
		return 0, 0, err
	}
	err = c.each(suite, func(f file) error {
		if !before.IsZero() && !f.modTime.Before(before) {
			return nil
		}
		err := os.Remove(f.path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err == nil {
			files++
			bytes += f.size
			os.Remove(filepath.Dir(f.path)) // goes with its last entry
		}
		return err
	})
	return files, bytes, err
}

// file is one that has the place of an entry.
type file struct {
	path, suite, key string
	size             int64
	modTime          time.Time
}

// each calls do for the files of a suite, or of all for "". Other things that
// someone put there, and links, are not looked at. What writers that were
// killed left goes.
func (c Cache) each(suite string, do func(file) error) error {
	dirs, err := os.ReadDir(c.Root)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, d := range dirs {
		if !d.IsDir() || suite != "" && d.Name() != suite {
			continue
		}
		dir := filepath.Join(c.Root, d.Name())
		atomicfile.RemoveStale(dir)
		files, err := os.ReadDir(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		for _, e := range files {
			key, ok := strings.CutSuffix(e.Name(), suffix)
			fi, err := e.Info()
			if !ok || err != nil || !fi.Mode().IsRegular() {
				continue
			}
			if err := do(file{filepath.Join(dir, e.Name()), d.Name(), key, fi.Size(), fi.ModTime()}); err != nil {
				return err
			}
		}
	}
	return nil
}
