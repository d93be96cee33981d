package plan

import (
	"path"
	"runtime"
	"sync"

	"cairn/internal/plan/doc"
)

// readAhead reads documents and their frontmatter, several at a time, so that
// Read finds them. What cannot be read is left to Read, which says why.
func (tx *Tx) readAhead(names []string) {
	type job struct {
		rel, at string
		file    *file
	}
	var jobs []job
	for _, rel := range names {
		at, ok := tx.onDisk(rel)
		if tx.files[rel] == nil && ok && tx.checkDir(path.Dir(at)) == nil {
			jobs = append(jobs, job{rel: rel, at: at})
		}
	}
	workers := min(runtime.GOMAXPROCS(0), len(jobs))
	var wait sync.WaitGroup
	for n := range workers {
		wait.Go(func() {
			for i := n; i < len(jobs); i += workers {
				b, err := tx.readFile(jobs[i].at)
				if err != nil {
					continue
				}
				f := &file{before: b, data: b, text: doc.Parse(b)}
				f.text.Front()
				jobs[i].file = f
			}
		})
	}
	wait.Wait()
	for _, j := range jobs {
		if j.file != nil {
			tx.files[j.rel] = j.file
		}
	}
}
