package plan

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"syscall"

	"cairn/internal/atomicfile"
	"cairn/internal/term"
)

// maxFile is the size above which a file is not a planning document.
const maxFile = 16 << 20

// ReadFile reads a regular file of at most 16 MB. Anything else in its place
// (a directory, a FIFO, a device) is an *[InputError] at once: to read it
// could last forever. A file that is not there is [fs.ErrNotExist].
func ReadFile(name string) ([]byte, error) { return readFile(name, name) }

// readFile is ReadFile of a file that errors call by another name.
func readFile(name, called string) ([]byte, error) {
	fi, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, readError(err, called)
	case !fi.Mode().IsRegular(): // opening a pipe would wait for its writer
		return nil, &InputError{Path: called, What: "is not a regular file"}
	}
	return readRegular(name, called, nil)
}

// readRegular reads what is known to be a regular file, into a buffer as far as
// there is one that is large enough.
func readRegular(name, called string, buffer []byte) ([]byte, error) {
	b, size, err := slurp(name, buffer)
	switch {
	case err != nil:
		return nil, readError(err, called)
	case size > maxFile:
		return nil, &InputError{Path: called, What: fmt.Sprintf("%d MB, more than a planning document may have (%d MB)", size>>20, maxFile>>20)}
	}
	return b, nil
}

func readError(err error, called string) error {
	var cause *fs.PathError
	if errors.As(err, &cause) {
		err = cause.Err
	}
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return &fs.PathError{Op: "open", Path: called, Err: fs.ErrNotExist}
	}
	return &InputError{Path: called, What: "cannot be read: " + err.Error()}
}

// ownFile returns where a file of cairn's own is. A link that leads out of
// the project, and anything but a file, is refused before it is opened.
func (w *Workspace) ownFile(rel string) (string, error) {
	if err := w.inside(rel); errors.Is(err, fs.ErrNotExist) {
		dir := path.Dir(rel)
		for !exists(w.Abs(dir)) {
			dir = path.Dir(dir)
		}
		return "", &InputError{Path: dir, What: "is not a directory"}
	} else if err != nil {
		return "", err
	}
	name := w.Abs(rel)
	if fi, err := os.Stat(name); err == nil && !fi.Mode().IsRegular() {
		return "", term.Hint(&InputError{Path: rel, What: "is not a regular file"}, "move it away: cairn makes its own")
	}
	return name, nil
}

// Leftovers names the files that writers left in the planning directory which
// were killed before they put them in place; of a writer that is at work now,
// too, unless who asks holds the lock.
func (w *Workspace) Leftovers() (names []string) {
	_ = filepath.WalkDir(w.Abs(w.shared), func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return nil // what cannot be read has nothing to remove
		}
		if e.IsDir() && e.Name() == ownDir {
			return fs.SkipDir // its trash may hold some
		}
		if ours, _ := filepath.Match(atomicfile.Temporary, e.Name()); ours && e.Type().IsRegular() {
			if rel, err := filepath.Rel(w.Root, name); err == nil {
				names = append(names, filepath.ToSlash(rel))
			}
		}
		return nil
	})
	return names
}
