package plan

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	"cairn/internal/atomicfile"
)

// pending is a file that is ready to take its place.
type pending interface {
	Commit() error
	Discard()
}

// removal is the pending end of the file of that name.
type removal string

func (name removal) Commit() error {
	if err := os.Remove(string(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func (removal) Discard() {}

// renaming is a file that was kept, and the place that it had.
type renaming struct{ from, to string }

func (r renaming) Commit() error { return os.Rename(r.from, r.to) }
func (renaming) Discard()        {}

func staged(name string, content []byte) (pending, error) {
	s, err := atomicfile.StageUnsynced(name, content, 0o644)
	if err != nil {
		return nil, err
	}
	return s, nil
}

// replaceAll carries out writes, each file whole. First all are written beside
// the files that they replace, then each takes its place, several at a time. prepare
// returns nil for a file that stays as it is.
func (w *Workspace) replaceAll(ops []op, prepare func(op) (pending, error)) error {
	swept := map[string]bool{}
	for _, o := range ops {
		if dir := filepath.Dir(w.Abs(o.Path)); !swept[dir] {
			swept[dir] = true
			atomicfile.RemoveStale(dir)
		}
	}
	ready := make([]pending, len(ops))
	errs := make([]error, len(ops))
	var telling sync.Mutex
	severalAtOnce(len(ops), func(i int) {
		ready[i], errs[i] = prepare(ops[i])
		telling.Lock()
		defer telling.Unlock()
		w.progress.Add(1)
	})
	err := cmp.Or(errs...)
	if err == nil {
		err = atomicfile.Settle(stagedOf(ready))
	}
	var failed atomic.Bool
	failed.Store(err != nil)
	severalAtOnce(len(ready), func(i int) {
		switch p := ready[i]; {
		case p == nil:
		case failed.Load():
			p.Discard()
		default:
			if errs[i] = p.Commit(); errs[i] != nil {
				failed.Store(true)
			}
		}
	})
	return cmp.Or(err, cmp.Or(errs...))
}

func stagedOf(ready []pending) (files []*atomicfile.Staged) {
	for _, p := range ready {
		if s, ok := p.(*atomicfile.Staged); ok {
			files = append(files, s)
		}
	}
	return files
}

// writesFrom returns how many writes ops begin with.
func writesFrom(ops []op) int {
	for i, o := range ops {
		if o.Op != opWrite {
			return i
		}
	}
	return len(ops)
}

// lastWrites returns where the writes begin that ops end with.
func lastWrites(ops []op) int {
	from := len(ops)
	for from > 0 && ops[from-1].Op == opWrite {
		from--
	}
	return from
}
