package plan

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"cairn/internal/atomicfile"
	"cairn/internal/term"
)

// Undone is a change that Undo took back. Paths are those that are again as
// they were before; Change is what taking it back did.
type Undone struct {
	ID      int       `json:"id"`
	Command string    `json:"command"`
	Time    time.Time `json:"time"`
	Paths   []string  `json:"paths"`
	Change  *Change   `json:"-"`
}

// ErrNothingToUndo says that the journal holds no change that is in force.
var ErrNothingToUndo = errors.New("nothing to undo")

// Undo takes back the newest change that was not yet taken back, to the byte.
// A file that was edited since is an error that changes nothing, unless force
// is given: then what was edited is lost.
func (w *Workspace) Undo(ctx context.Context, force bool) (*Undone, error) {
	l, err := w.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = l.Close() }()
	j, err := w.openJournal()
	if err != nil {
		return nil, err
	}
	if err := j.load(); err != nil {
		return nil, err
	}
	if err := j.recover(); err != nil {
		return nil, err
	}
	e, ok := j.inForce()
	if !ok {
		return nil, ErrNothingToUndo
	}
	if !force {
		if err := w.changedSince(e.Ops); err != nil {
			return nil, term.Hint(err, "look at it, then --force to undo and lose what was edited since %q", e.Command)
		}
	}
	u := &Undone{ID: e.ID, Command: e.Command, Time: e.Time, Paths: []string{}, Change: w.reverse(e.Ops)}
	for _, f := range u.Change.Files {
		if !slices.Contains(u.Paths, f.Path) {
			u.Paths = append(u.Paths, f.Path)
		}
	}
	if w.DryRun {
		return u, nil
	}
	mark := entry{ID: j.next, Time: time.Now().UTC(), Command: "undo", By: w.By, Undoes: e.ID}
	if err := j.append(mark, true); err != nil {
		return nil, err
	}
	if err := j.takeBack(mark.ID, e.Ops, true); err != nil {
		return nil, term.Hint(err, "the next command that changes the plan goes on with the undo")
	}
	return u, j.append(entry{ID: mark.ID, Done: true}, false)
}

// inForce returns the newest change that was not undone.
func (j *journal) inForce() (entry, bool) {
	undone := map[int]bool{}
	for i := len(j.entries) - 1; i >= 0; i-- {
		e := j.entries[i]
		switch {
		case e.Undoes > 0:
			undone[e.Undoes] = true
		case !undone[e.ID]:
			return e, true
		}
	}
	return entry{}, false
}

// changedSince says what of the result of ops is no longer what it was; nil
// when all of it is.
func (w *Workspace) changedSince(ops []op) error {
	for i, o := range ops {
		later := ops[i+1:]
		switch o.Op {
		case opMove:
			// A later move may have taken it on, or put something in its place.
			if !exists(w.Abs(o.Path)) && !slices.ContainsFunc(later, func(l op) bool { return l.From == o.Path }) {
				return fmt.Errorf("%s is gone", o.Path)
			}
			if exists(w.Abs(o.From)) && !slices.ContainsFunc(later, func(l op) bool { return within(l.Path, o.From) }) {
				return fmt.Errorf("there is a new %s", o.From)
			}
		case opWrite:
			if b, err := readFile(w.Abs(o.Path), o.Path); err != nil || hash(b) != o.After {
				return fmt.Errorf("%s has changed since", o.Path)
			}
		}
	}
	return nil
}

// within reports whether rel is dir or under it.
func within(rel, dir string) bool {
	_, ok := rebase(rel, dir, "")
	return ok
}

// takeBack undoes one op as far as it was done. Without force it leaves a
// file alone that is neither what was there before nor what was written.
func (w *Workspace) takeBack(o op, force bool) error {
	if err := w.writable(o.Path); err != nil {
		return err
	}
	name := w.Abs(o.Path)
	switch o.Op {
	case opMkdir:
		if err := os.Remove(name); err != nil && exists(name) {
			return nil // something is in it by now
		}
		return nil
	case opMove:
		if err := w.writable(o.From); err != nil {
			return err
		}
		from := w.Abs(o.From)
		if !exists(name) || exists(from) {
			return nil
		}
		if err := os.MkdirAll(filepath.Dir(from), 0o755); err != nil {
			return err
		}
		return os.Rename(name, from)
	}
	if b, err := readFile(name, o.Path); !force && (err != nil || hash(b) != o.After) {
		return nil // not written yet, or by someone else
	}
	if o.New {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return atomicfile.WriteFile(name, o.Before, 0o644)
}

// reverse is what taking back ops does.
func (w *Workspace) reverse(ops []op) *Change {
	c := &Change{}
	for _, o := range slices.Backward(ops) {
		switch o.Op {
		case opMove:
			c.Files = append(c.Files, FileChange{Path: o.From, Moved: o.Path})
		case opWrite:
			f := FileChange{Path: o.Path, After: o.Before}
			if f.Before, _ = readFile(w.Abs(o.Path), o.Path); f.Before == nil {
				f.Before = []byte{}
			}
			if f.After == nil && !o.New {
				f.After = []byte{}
			}
			c.Files = append(c.Files, f)
		}
	}
	return c
}
