package plan

import (
	"os"
	"path"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"cairn/internal/must"
	"cairn/internal/plan/doc"
)

// Fronts returns the frontmatter of each of many files, as far as the keys go,
// and nil for one without. They are read several at a time and, unlike with
// Read, not kept.
func (tx *Tx) Fronts(names []string, keys ...string) []*doc.Node {
	out := make([]*doc.Node, len(names))
	errs := make([]error, len(names))
	at := make([]string, len(names)) // on disk; "" for what tx holds already
	for i, rel := range names {
		where, ok := tx.onDisk(rel)
		if tx.files[rel] != nil || !ok {
			out[i] = must.Get(tx.Read(rel)).Front()
			continue
		}
		must.OK(tx.checkDir(path.Dir(where)))
		at[i] = where
	}
	severalAtOnce(len(names), func(i int) {
		if at[i] == "" {
			return
		}
		b, err := tx.readFile(at[i])
		if err == nil {
			out[i] = doc.FrontOf(b, keys...)
		}
		errs[i] = err
	})
	for _, err := range errs {
		must.OK(err)
	}
	return out
}

// listMany lists directories of the disk, several at a time, so that ReadDir
// finds them listed. What cannot be listed is left to it.
func (tx *Tx) listMany(dirs []string) {
	if len(dirs) < 8 { // a second thread takes longer to wake
		return
	}
	lists := make([][]Entry, len(dirs))
	for i, rel := range dirs {
		if tx.listed[rel] != nil || tx.checkDir(rel) != nil {
			dirs[i] = ""
		}
	}
	severalAtOnce(len(dirs), func(i int) {
		if dirs[i] != "" {
			lists[i], _ = tx.list(dirs[i])
		}
	})
	for i, entries := range lists {
		if entries != nil {
			tx.keepList(dirs[i], entries)
		}
	}
}

// LastChanges returns for each phase when one of its files changed last; the
// zero time for one without files.
func (tx *Tx) LastChanges(phases []*Phase) []time.Time {
	out := make([]time.Time, len(phases))
	severalAtOnce(len(phases), func(i int) {
		dir := tx.Abs(phases[i].Dir) + string(filepath.Separator)
		for _, name := range phases[i].Files {
			if fi, err := os.Stat(dir + name); err == nil && fi.ModTime().After(out[i]) {
				out[i] = fi.ModTime()
			}
		}
	})
	return out
}

// severalAtOnce calls fn for each of n numbers, as many at a time as there are
// processors.
func severalAtOnce(n int, fn func(i int)) {
	var wait sync.WaitGroup
	workers := min(runtime.GOMAXPROCS(0), n)
	for first := range workers {
		wait.Go(func() {
			for i := first; i < n; i += workers {
				fn(i)
			}
		})
	}
	wait.Wait()
}
