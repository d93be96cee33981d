package plan

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"strconv"

	"cairn/internal/term"
)

// maxInline is how many bytes that were there before an entry has in its line.
// Where there are more, the files themselves are kept: the journal stays one that
// is read at once, and a large change does not push those before it out.
const maxInline = 256 << 10

// kept returns where the files are that the entry id replaced.
func (w *Workspace) kept(id int) string { return w.Shared(ownDir, "replaced", strconv.Itoa(id)) }

// keep gives each file that the entry is about to replace a second name, when
// they are much. What has none, as on a file system without links, is kept in
// the journal's line.
func (j *journal) keep(e *entry) error {
	size := 0
	for _, o := range e.Ops {
		size += len(o.Before)
	}
	if size <= maxInline {
		return nil
	}
	dir := j.w.kept(e.ID)
	if err := j.w.writable(dir); err != nil {
		return err
	}
	for part := range (len(e.Ops)-1)/keptPart + 1 {
		if err := os.MkdirAll(j.w.Abs(path.Join(dir, strconv.Itoa(part))), 0o755); err != nil {
			return err
		}
	}
	severalAtOnce(len(e.Ops), func(i int) {
		o := &e.Ops[i]
		if o.Op != opWrite || o.New {
			return
		}
		from, to := j.w.Abs(o.at), path.Join(dir, strconv.Itoa(i/keptPart), strconv.Itoa(i))
		if fi, err := os.Lstat(from); err != nil || !fi.Mode().IsRegular() || os.Link(from, j.w.Abs(to)) != nil {
			return
		}
		o.Kept, o.Was = to, hash(o.Before)
	})
	return nil
}

// keptPart is how many files are kept in one directory: the system lets only one
// writer change a directory at a time.
const keptPart = 128

// readKept returns what was there before an op, wherever that is kept.
func (w *Workspace) readKept(o op) ([]byte, error) {
	if o.Kept == "" {
		return o.Before, nil
	}
	if err := w.writable(o.Kept); err != nil {
		return nil, err
	}
	b, err := readFile(w.Abs(o.Kept), o.Kept)
	if err == nil && hash(b) == o.Was {
		return b, nil
	}
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		err = &InputError{Path: o.Kept, What: "is not what was kept of " + o.Path + ", so the change cannot be undone"}
	}
	return nil, term.Hint(err, "git has the files as they were committed")
}

// keptWhole makes sure that what was kept of the files of ops is there.
func (w *Workspace) keptWhole(ops []op) error {
	errs := make([]error, len(ops))
	severalAtOnce(len(ops), func(i int) { _, errs[i] = w.readKept(ops[i]) })
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// forget removes what keep kept.
func (j *journal) forget(id int) { _ = os.RemoveAll(j.w.Abs(j.w.kept(id))) }
