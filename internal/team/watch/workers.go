package watch

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"cairn/internal/atomicfile"
	"cairn/internal/team/live"
	"cairn/internal/team/result"
)

// patience is how often a document may be unreadable before it is called
// broken: it may be in the middle of being written.
const patience = 4

// A document is a run of version 1 in a file that is written again and again.
type document struct {
	name  string
	info  os.FileInfo // when it was last read
	wrong int         // how often it could not be read since it could
	err   error
}

func (d *document) poll(run *live.Run, now time.Time) (news, more bool, err error) {
	info, err := os.Stat(d.name)
	if err != nil {
		return false, false, nil // taken away, as push does; what was seen stays
	}
	same := d.info != nil && os.SameFile(d.info, info) && info.Size() == d.info.Size() && info.ModTime().Equal(d.info.ModTime())
	if same && (d.wrong == 0 || d.wrong >= patience) {
		return false, false, d.err
	}
	d.info = info
	doc, err := readDocument(d.name, info)
	if err != nil {
		if d.wrong++; d.wrong >= patience {
			d.err = fmt.Errorf("%s: %w", d.name, err)
		}
		return false, false, d.err
	}
	d.wrong, d.err = 0, nil
	if now.Sub(info.ModTime()) > time.Minute {
		now = info.ModTime() // of a run that is over
	}
	run.Document(d.name, doc, now)
	return true, false, nil
}

func readDocument(name string, info os.FileInfo) (*result.Run, error) {
	if info.Size() > result.MaxBytes {
		return nil, fmt.Errorf("more than %d MB", result.MaxBytes>>20)
	}
	data, err := atomicfile.ReadRegular(name, result.MaxBytes)
	if err != nil {
		return nil, err
	}
	doc, _, err := result.Decode(data)
	return doc, err
}

// Workers follows the files worker_PID.json that the parallel workers of one
// run write into a directory.
func Workers(dir string) Source { return &workers{dir: dir, docs: map[string]*document{}} }

type workers struct {
	dir  string
	docs map[string]*document
	pids []int
}

func (w *workers) Name() string          { return w.dir }
func (w *workers) Around() (bool, []int) { return false, w.pids }

func (w *workers) Poll(run *live.Run, now time.Time) (news, more bool, err error) {
	for _, name := range workerFiles(w.dir) {
		d := w.docs[name]
		if d == nil {
			d = &document{name: name}
			w.docs[name] = d
			text := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(name), "worker_"), ".json")
			if pid, err := strconv.Atoi(text); err == nil && pid > 0 {
				w.pids = append(w.pids, pid)
			}
		}
		fresh, _, wrong := d.poll(run, now)
		news = news || fresh
		if err == nil {
			err = wrong
		}
	}
	return news, false, err
}

func workerFiles(dir string) (names []string) {
	entries, _ := os.ReadDir(dir) // none is none yet
	for _, e := range entries {
		if ok, _ := filepath.Match("worker_*.json", e.Name()); ok {
			names = append(names, filepath.Join(dir, e.Name()))
		}
	}
	slices.Sort(names)
	return names
}

// Suite follows whatever is written of a suite: FILE.ndjson in liveDir, or
// files of workers in a directory of that name in partialsDir, whichever is
// newer when there is one. With suite "" it is the newest of all suites.
func Suite(suite, liveDir, partialsDir string) Source {
	return &newest{suite: suite, live: liveDir, partials: partialsDir}
}

// IsSuite reports whether a word can be the name of a suite: of a file, in no
// other directory.
func IsSuite(word string) bool {
	return word != "" && word[0] != '.' && !strings.ContainsAny(word, "/\\:\x00")
}

type newest struct {
	suite, live, partials string
	found                 Source
}

func (s *newest) Name() string {
	switch {
	case s.found != nil:
		return s.found.Name()
	case s.suite != "":
		return filepath.Join(s.live, s.suite+".ndjson")
	}
	return filepath.Join(s.live, "*.ndjson")
}

func (s *newest) Around() (bool, []int) {
	if s.found == nil {
		return false, nil
	}
	return s.found.Around()
}

func (s *newest) Poll(run *live.Run, now time.Time) (news, more bool, err error) {
	if s.found == nil {
		s.found = s.look()
	}
	if s.found == nil {
		return false, false, nil
	}
	return s.found.Poll(run, now)
}

func (s *newest) look() (found Source) {
	var newest time.Time
	entries, _ := os.ReadDir(s.live)
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), ".ndjson")
		if !ok || s.suite != "" && name != s.suite {
			continue
		}
		if info, err := e.Info(); err == nil && info.ModTime().After(newest) {
			newest, found = info.ModTime(), File(filepath.Join(s.live, e.Name()))
		}
	}
	entries, _ = os.ReadDir(s.partials)
	for _, e := range entries {
		if !e.IsDir() || s.suite != "" && e.Name() != s.suite {
			continue
		}
		dir := filepath.Join(s.partials, e.Name())
		for _, name := range workerFiles(dir) {
			if info, err := os.Stat(name); err == nil && info.ModTime().After(newest) {
				newest, found = info.ModTime(), Workers(dir)
			}
		}
	}
	return found
}
