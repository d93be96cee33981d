package plan

import (
	"path"
	"runtime"
	"sync"

	"cairn/internal/plan/doc"
)

// fronts returns the frontmatter of each of many files, as far as the keys go,
// and nil for one without. They are read several at a time and, unlike with
// Read, not kept.
func (tx *Tx) fronts(names []string, keys ...string) ([]*doc.Node, error) {
	out := make([]*doc.Node, len(names))
	errs := make([]error, len(names))
	at := make([]string, len(names)) // on disk; "" for what tx holds already
	for i, rel := range names {
		where, ok := tx.onDisk(rel)
		if tx.files[rel] != nil || !ok {
			t, err := tx.Read(rel)
			if err != nil {
				return nil, err
			}
			out[i] = t.Front()
			continue
		}
		if err := tx.checkDir(path.Dir(where)); err != nil {
			return nil, err
		}
		at[i] = where
	}
	var wait sync.WaitGroup
	workers := min(runtime.GOMAXPROCS(0), len(names))
	for n := range workers {
		wait.Go(func() {
			for i := n; i < len(names); i += workers {
				if at[i] == "" {
					continue
				}
				b, err := tx.readFile(at[i])
				if err == nil {
					out[i] = doc.FrontOf(b, keys...)
				}
				errs[i] = err
			}
		})
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}
