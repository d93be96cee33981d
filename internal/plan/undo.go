package plan

import (
	"context"
	"errors"
	"fmt"
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
// is given: then what was edited is lost, except for Redo.
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
	defer j.dropping.Wait()
	if err := j.load(); err != nil {
		return nil, err
	}
	if err := j.recover(); err != nil {
		return nil, err
	}
	e, ok := j.inForce()
	if !ok {
		return nil, j.nothing(ErrNothingToUndo)
	}
	now := w.current(e.Ops)
	if !force {
		if err := w.changedFrom(e.Ops, now); err != nil {
			return nil, term.Hint(err, "look at it, then --force to undo and lose what was edited since %q", e.Command)
		}
	}
	if err := w.keptWhole(e.Ops); err != nil {
		return nil, err
	}
	u := &Undone{ID: e.ID, Command: e.Command, Time: e.Time, Paths: []string{}, Change: w.reverse(e.Ops, now)}
	seen := map[string]bool{}
	for _, f := range u.Change.Files {
		if !seen[f.Path] {
			seen[f.Path] = true
			u.Paths = append(u.Paths, f.Path)
		}
	}
	if w.DryRun {
		return u, nil
	}
	mark := entry{ID: j.next, Time: time.Now().UTC(), Command: "undo", By: w.By, Undoes: e.ID, Ops: replaced(e.Ops, now)}
	if err := j.keep(&mark); err != nil {
		return nil, err
	}
	if err := j.append(mark, true); err != nil {
		return nil, err
	}
	defer j.holdOpen()()
	w.progress.BeginCount("undoing "+e.Command, int64(len(e.Ops)))
	defer w.progress.End()
	if err := j.takeBack(mark.ID, e.Ops, true); err != nil {
		return nil, term.Hint(err, "the next command that changes the plan goes on with the undo")
	}
	return u, j.append(entry{ID: mark.ID, Done: true}, false)
}

// nothing is err, or what of the journal cannot be read when nothing of it can.
func (j *journal) nothing(err error) error {
	if j.damaged == 0 {
		return err
	}
	if len(j.entries) > 0 {
		return term.Hint(err, "line %d of %s cannot be read", j.damaged, j.w.Rel(j.name))
	}
	return term.Hint(&InputError{Path: j.w.Rel(j.name), Line: j.damaged, What: "is not a line of the journal, so no change can be undone"},
		"move it away, and look at the plan with git diff; cairn begins a new one")
}

// replaced returns the files that taking back ops replaces, as they are now.
func replaced(ops []op, now [][]byte) (out []op) {
	for i, o := range ops {
		if o.Op == opWrite && now[i] != nil {
			out = append(out, op{Op: opWrite, Path: o.Path, Before: now[i], at: o.Path})
		}
	}
	return out
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

// current returns what the files that ops wrote are now; nil for one that cannot
// be read and for other ops.
func (w *Workspace) current(ops []op) [][]byte {
	now := make([][]byte, len(ops))
	severalAtOnce(len(ops), func(i int) {
		if ops[i].Op != opWrite {
			return
		}
		if b, err := readFile(w.Abs(ops[i].Path), ops[i].Path); err == nil {
			now[i] = append([]byte{}, b...) // an empty file is not nil
		}
	})
	return now
}

// changedSince says what of the result of ops is no longer what it was; nil
// when all of it is.
func (w *Workspace) changedSince(ops []op) error { return w.changedFrom(ops, w.current(ops)) }

// changedFrom is changedSince for files that were read.
func (w *Workspace) changedFrom(ops []op, now [][]byte) error {
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
			if now[i] == nil || hash(now[i]) != o.After {
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
	switch name := w.Abs(o.Path); o.Op {
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
		return atomicfile.Move(name, from)
	}
	return w.replaceAll([]op{o}, func(op) (pending, error) { return w.stageBack(o, force) })
}

// stageBack is stage of what was there before; see takeBack. It returns nil for a
// file that stays as it is.
func (w *Workspace) stageBack(o op, force bool) (pending, error) {
	if err := w.writable(o.Path); err != nil {
		return nil, err
	}
	name := w.Abs(o.Path)
	if b, err := readFile(name, o.Path); !force && (err != nil || hash(b) != o.After) {
		return nil, nil // not written yet, or by someone else
	}
	if o.New {
		return removal(name), nil
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return nil, err
	}
	if o.Kept != "" {
		if !force { // with it Undo has asked
			if _, err := w.readKept(o); err != nil {
				return nil, err
			}
		}
		return renaming{w.Abs(o.Kept), name}, w.writable(o.Kept)
	}
	return staged(name, o.Before)
}

// reverse is what taking back ops does, where their files are so now.
func (w *Workspace) reverse(ops []op, now [][]byte) *Change {
	c := &Change{}
	for i, o := range slices.Backward(ops) {
		switch o.Op {
		case opMove:
			c.Files = append(c.Files, FileChange{Path: o.From, Moved: o.Path})
		case opWrite:
			f := FileChange{Path: o.Path, Before: now[i], After: o.Before}
			if o.Kept != "" && w.DryRun { // for the diff
				f.After, _ = w.readKept(o)
			}
			if f.Before == nil {
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
