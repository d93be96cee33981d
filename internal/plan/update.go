package plan

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/gofrs/flock"

	"cairn/internal/atomicfile"
	"cairn/internal/term"
)

// Names in the planning directory that are cairn's own. Git ignores them.
const (
	ownDir      = ".cairn" // the lock and the trash
	journalName = ".journal.jsonl"
)

// lockTimeout is how long Update waits for another writer.
const lockTimeout = 30 * time.Second

// ErrLocked says that the planning directory's lock could not be had.
var ErrLocked = errors.New("another process is changing the plan")

// Update calls fn with the documents and then writes what fn changed: all of
// it under the directory's lock, each file whole, with an entry in the
// journal that Undo can take back. If fn ends with an error nothing is written.
// The command names the change in the journal. With DryRun nothing is locked
// or written, and the Change tells what would be.
func (w *Workspace) Update(ctx context.Context, command string, fn func(*Tx) error) (*Change, error) {
	return w.update(ctx, func(tx *Tx) (entry, error) { return entry{Command: command}, fn(tx) })
}

// update is Update for a function that says itself what the journal has of it.
func (w *Workspace) update(ctx context.Context, fn func(*Tx) (entry, error)) (*Change, error) {
	tx := newTx(w)
	tx.trash = w.Shared(ownDir, "trash", "next")
	var e entry
	do := func(tx *Tx) (err error) { e, err = fn(tx); return err }
	if !w.merged {
		if err := w.Merged(ctx); err != nil {
			return nil, err
		}
	}
	if w.DryRun {
		if err := tx.do(do); err != nil {
			return nil, err
		}
		return tx.change(), nil
	}
	if !exists(w.Abs(w.shared)) {
		defer w.sweep()
	}
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
	if err := j.recover(); err != nil {
		return nil, err
	}
	for exists(w.Abs(w.trash(j.next))) || exists(w.Abs(w.kept(j.next))) { // from a journal that was lost
		j.next++
	}
	tx.trash = w.trash(j.next)
	if err := tx.do(do); err != nil {
		return nil, err
	}
	change := tx.change()
	if len(change.ops) == 0 {
		return change, nil
	}
	if !held(l) {
		return nil, term.Hint(fmt.Errorf("%w: %s was removed meanwhile", ErrLocked, l.Path()), "nothing was changed; try again")
	}
	change.ID = j.next
	e.ID, e.Time, e.By, e.Ops = j.next, time.Now().UTC(), w.By, change.ops
	return change, j.apply(e, change)
}

// lock takes the one lock of the planning directory, which the kernel frees
// when its holder dies.
func (w *Workspace) lock(ctx context.Context) (*flock.Flock, error) {
	name, err := w.ownFile(w.Shared(ownDir, "lock"))
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, lockTimeout)
	defer cancel()
	for {
		l := flock.New(name)
		ok, err := l.TryLockContext(ctx, 5*time.Millisecond)
		switch {
		case ctx.Err() != nil && !ok:
			return nil, term.Hint(ErrLocked, "try again when the other cairn has ended; a lock never outlives its process")
		case err != nil:
			return nil, fmt.Errorf("cannot lock the plan: %w", err)
		case held(l):
			return l, nil
		}
		_ = l.Close()
	}
}

// sweep takes away a planning directory that has nothing but the lock: a
// change that failed must not make a project of any directory.
func (w *Workspace) sweep() {
	if exists(w.Abs(w.Shared(journalName))) {
		return
	}
	for _, name := range []string{w.Shared(ownDir, "lock"), w.Shared(ownDir), w.Shared(".gitignore"), w.shared, Planning} {
		if os.Remove(w.Abs(name)) != nil && name == w.Shared(ownDir) {
			return
		}
	}
}

// trash returns where what the entry id removed is kept.
func (w *Workspace) trash(id int) string { return w.Shared(ownDir, "trash", strconv.Itoa(id)) }

// held reports whether a lock still keeps others out: its file may have been
// removed, by git clean for one, and the next process then locks a new one.
func held(l *flock.Flock) bool {
	ours, err := l.Stat()
	if err != nil {
		return false
	}
	named, err := os.Stat(l.Path())
	return err == nil && os.SameFile(ours, named)
}

// Change is what an Update did, or with DryRun would do.
type Change struct {
	ID    int // in the journal; 0 for none
	Files []FileChange
	ops   []op
}

// FileChange is one file before and after; nil is not there. Moved is where
// a moved file or directory came from.
type FileChange struct {
	Path   string
	Moved  string
	Before []byte
	After  []byte
}

// change compares what is staged with what was read.
func (tx *Tx) change() *Change {
	c := &Change{}
	made := map[string]bool{}
	for _, s := range tx.steps {
		if s.from == "" {
			c.mkdir(tx, s.to, made)
			continue
		}
		c.mkdir(tx, path.Dir(s.to), made)
		c.ops = append(c.ops, op{Op: opMove, Path: s.to, From: s.from})
		made[s.to] = true
		c.Files = append(c.Files, FileChange{Path: s.to, Moved: s.from})
	}
	names := slices.Sorted(maps.Keys(tx.files))
	writes, contents := make([]op, len(names)), make([][]byte, len(names))
	severalAtOnce(len(names), func(i int) {
		f := tx.files[names[i]]
		after := f.bytes()
		if f.before != nil && bytes.Equal(f.before, after) || f.before == nil && after == nil {
			return
		}
		at, _ := tx.onDisk(names[i])
		writes[i] = op{Op: opWrite, Path: names[i], Before: f.before, New: f.before == nil, After: hash(after), at: at}
		contents[i] = after
	})
	for i, o := range writes {
		if o.Op == "" {
			continue
		}
		c.mkdir(tx, path.Dir(o.Path), made)
		c.ops = append(c.ops, o)
		c.Files = append(c.Files, FileChange{Path: o.Path, Before: o.Before, After: contents[i]})
	}
	return c
}

// mkdir adds the directories that dir needs, the outer first, so that Undo
// can remove them again.
func (c *Change) mkdir(tx *Tx, dir string, made map[string]bool) {
	if dir == "." || made[dir] {
		return
	}
	if exists(tx.Abs(dir)) {
		made[dir] = true
		return
	}
	c.mkdir(tx, path.Dir(dir), made)
	made[dir] = true
	c.ops = append(c.ops, op{Op: opMkdir, Path: dir})
}

func hash(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// do carries out one op.
func (w *Workspace) do(o op, content []byte) error {
	switch o.Op {
	case opMkdir:
		return os.Mkdir(w.Abs(o.Path), 0o755)
	case opMove:
		return atomicfile.Move(w.Abs(o.From), w.Abs(o.Path))
	}
	return w.replaceAll([]op{o}, func(op) (pending, error) { return w.stage(o, content) })
}

// stage writes a file beside the one that it replaces. One that someone else
// has written since it was read is not replaced.
func (w *Workspace) stage(o op, content []byte) (pending, error) {
	name := w.Abs(o.Path)
	now, err := readFile(name, o.Path)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err == nil && (now == nil != o.New || !bytes.Equal(now, o.Before)) {
		err = term.Hint(fmt.Errorf("%s was changed by another program at the same time", o.Path), "nothing was changed; try again")
	}
	if err != nil {
		return nil, err
	}
	return staged(name, content)
}
