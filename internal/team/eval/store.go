// Package eval is the local store of eval results, ~/.cairn/evals: one file a
// run, an index that can be lost, and how runs are found in it again.
//
// It imports result, stats and the leaves. cli imports it, and gstack, which
// completes and cleans runs as a push does. What the commands print of runs in
// time (trend, baselines, leaderboard) is computed here too. It asks no server:
// records for a team go to the spool, by the command that pushes.
package eval

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"cairn/internal/atomicfile"
	"cairn/internal/home"
	"cairn/internal/team/result"
)

// A Store is a directory of runs. Many processes may use it at once.
type Store struct {
	dir    string
	others *Elsewheres // nil for none
}

// Open returns the store in dir, which need not be there yet.
func Open(dir string) *Store { return &Store{dir: dir} }

// Put stores a run under a name made of its content and returns its entry;
// fresh is false when that content was there already. The run gets its ID.
func (s *Store) Put(run *result.Run) (e Entry, fresh bool, err error) {
	e, known, err := s.Has(run)
	if err != nil || known {
		return e, false, err
	}
	err = s.Add(e, run)
	return e, err == nil, err
}

// Add stores a run that Has says is not there.
func (s *Store) Add(e Entry, run *result.Run) error {
	data, err := json.Marshal(run, json.Deterministic(true))
	if err == nil && len(data) >= result.MaxBytes { // it could not be read again
		err = fmt.Errorf("the run takes more than %d MB in the store", result.MaxBytes>>20)
	}
	if err != nil {
		return err
	}
	if err := os.MkdirAll(s.dir, home.PrivateDir); err != nil {
		return err
	}
	if err := atomicfile.Create(filepath.Join(s.dir, e.File), append(data, '\n'), home.PrivateFile); err != nil {
		return err
	}
	s.note(e) // the index is made again where this fails
	return nil
}

// Has returns the entry that a run has or would have, and whether it is there.
// The run gets its ID.
func (s *Store) Has(run *result.Run) (e Entry, known bool, err error) {
	if err := run.Identify(); err != nil {
		return Entry{}, false, err
	}
	e = EntryOf(run)
	_, err = os.Stat(filepath.Join(s.dir, e.File))
	return e, err == nil, nil
}

// mostKept is how many results a loader keeps in memory.
const mostKept = 200_000

// loader is Load for who reads a run once for each of its suites: runs with
// several are kept, up to a limit. Nobody may change them.
func (s *Store) loader() func(Entry) (*result.Run, error) {
	kept, results := map[string]*result.Run{}, 0
	return func(e Entry) (*result.Run, error) {
		if run := kept[e.File]; run != nil {
			return run, nil
		}
		run, err := s.Load(e)
		if err == nil && len(e.Suites) > 1 && results+len(run.Results) <= mostKept {
			kept[e.File] = run
			results += len(run.Results)
		}
		return run, err
	}
}

// Load reads the run of an entry.
func (s *Store) Load(e Entry) (*result.Run, error) {
	if e.Where == Elsewhere && s.others != nil {
		return s.others.Load(e)
	}
	return s.read(e.File)
}

func (s *Store) read(file string) (*result.Run, error) {
	data, err := atomicfile.ReadRegular(filepath.Join(s.dir, file), result.MaxBytes)
	if err != nil {
		return nil, err
	}
	run, _, err := result.Decode(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(s.dir, file), err)
	}
	return run, nil
}

// files returns the names of all runs.
func (s *Store) files() ([]string, error) {
	d, err := os.Open(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer d.Close()
	names, err := d.Readdirnames(-1)
	runs, stale := names[:0], false
	for _, name := range names {
		if strings.HasSuffix(name, ".json") && name[0] != '.' {
			runs = append(runs, name)
		}
		stale = stale || name[0] == '.'
	}
	if stale { // a push was killed
		atomicfile.RemoveStale(s.dir)
	}
	return runs, err
}

// Where a run is, as a person reads it.
const (
	Here      = "here"
	Elsewhere = "team"
	Both      = "both"
)

// Elsewheres are runs that others have, too: those of a team.
type Elsewheres struct {
	Entries []Entry // their ids are the beginnings of ingest keys, as here
	Load    func(Entry) (*result.Run, error)
}

// With returns the store together with runs that are elsewhere. A run that is
// here as well, which its id tells, is read here. Put is as before.
func (s *Store) With(others Elsewheres) *Store { return &Store{s.dir, &others} }

// merge adds the entries of runs that are not here, and marks where each is.
// written returns when a file here was written.
func (o *Elsewheres) merge(here []Entry, written func(file string) time.Time) []Entry {
	at := make(map[string]int, len(here))
	for i := range here {
		here[i].Where = Here
		at[here[i].ID] = i
	}
	times := map[int64]bool{} // of what is elsewhere
	for _, e := range o.Entries {
		times[e.Time.UnixNano()] = true
		if i, ok := at[e.ID]; ok {
			here[i].Where, here[i].Came = Both, e.Came
			continue
		}
		e.Where = Elsewhere
		at[e.ID] = len(here)
		here = append(here, e)
	}
	for i := range here {
		if here[i].Where == Here && times[here[i].Time.UnixNano()] {
			here[i].Came = written(here[i].File)
		}
	}
	sortNewest(here)
	return here
}

// sortNewest puts entries in the order of List: by their time, and runs of one
// time by when they came. Entries that are equal in both keep their order.
func sortNewest(entries []Entry) {
	slices.SortStableFunc(entries, func(a, b Entry) int {
		return cmp.Or(b.Time.Compare(a.Time.Time), b.Came.Compare(a.Came))
	})
}
