package plan

import (
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"cairn/internal/must"
	"cairn/internal/plan/doc"
)

// Fronts returns the frontmatter of each of many files, as far as the keys go,
// and nil for one without. They are read several at a time and, unlike with
// Read, not kept.
func (tx *Tx) Fronts(names []string, keys ...string) []*doc.Node {
	out := make([]*doc.Node, len(names))
	tx.eachOf(names, func(i int, b []byte) error {
		out[i] = doc.FrontOf(b, keys...)
		return nil
	})
	return out
}

// EditMany is Read and fn for each of many documents, several at a time. What does
// not concern fn is not read as a document. An error of fn is about the file.
func (tx *Tx) EditMany(names []string, concerns func(i int, b []byte) bool, fn func(i int, t *doc.Text) error) {
	files := make([]*file, len(names))
	tx.eachOf(names, func(i int, b []byte) error {
		if !concerns(i, b) {
			return nil
		}
		f := tx.files[names[i]]
		if f == nil {
			f = &file{before: slices.Clone(b)}
			f.data = f.before
		}
		if f.text == nil {
			f.text = doc.Parse(f.data)
		}
		files[i] = f
		if err := fn(i, f.text); err != nil {
			return &InputError{Path: names[i], What: err.Error()}
		}
		return nil
	})
	for i, f := range files {
		if f != nil {
			tx.put(names[i], f)
		}
	}
}

// eachOf calls fn with the bytes of each of many files, several at a time, and
// fails with the first error in their order. fn must not change tx, nor keep the
// bytes: the next file is read into them.
func (tx *Tx) eachOf(names []string, fn func(i int, b []byte) error) {
	errs := make([]error, len(names))
	at := make([]string, len(names)) // on disk; "" for what tx holds already
	for i, rel := range names {
		where, ok := tx.onDisk(rel)
		if tx.files[rel] != nil || !ok {
			must.Get(tx.load(rel))
			continue
		}
		must.OK(tx.checkDir(path.Dir(where)))
		at[i] = where
	}
	buffers := sync.Pool{New: func() any { b := make([]byte, 0, 64<<10); return &b }}
	severalAtOnce(len(names), func(i int) {
		if at[i] == "" {
			errs[i] = fn(i, tx.files[names[i]].bytes())
			return
		}
		buffer := buffers.Get().(*[]byte)
		defer buffers.Put(buffer)
		var b []byte
		if b, errs[i] = tx.readInto(at[i], *buffer); errs[i] == nil {
			errs[i] = fn(i, b)
		}
	})
	for _, err := range errs {
		must.OK(err)
	}
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
// processors. Each takes numbers that follow one another, for those are often of
// files in one directory, which the system lets only one writer change at a time;
// and takes more when it is done, for those that nothing happens to take no time.
func severalAtOnce(n int, fn func(i int)) {
	var wait sync.WaitGroup
	var taken atomic.Int64
	workers := min(runtime.GOMAXPROCS(0), n)
	parts := min(8*workers, n)
	for range workers {
		wait.Go(func() {
			for k := int(taken.Add(1)) - 1; k < parts; k = int(taken.Add(1)) - 1 {
				for i := k * n / parts; i < (k+1)*n/parts; i++ {
					fn(i)
				}
			}
		})
	}
	wait.Wait()
}
