package eval

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json"

	"cairn/internal/atomicfile"
	"cairn/internal/home"
)

// The index is a line of JSON for each run, in no order. It is a memory of
// what the files say and nothing more: a line that is torn or missing is read
// from its file again, a line without a file counts for nothing. So nobody has
// to lock it.
const (
	indexName = "index.ndjson"
	maxIndex  = 1 << 30
)

// note adds a line for each entry, all in one write. After a torn line both
// are read from their files once more.
func (s *Store) note(entries ...Entry) {
	f, err := os.OpenFile(filepath.Join(s.dir, indexName), os.O_WRONLY|os.O_CREATE|os.O_APPEND, home.PrivateFile)
	if err != nil {
		return
	}
	_, _ = f.Write(indexLines(entries))
	f.Close()
}

func indexLines(entries []Entry) []byte {
	var text bytes.Buffer
	for i := range entries {
		if data, err := json.Marshal(&entries[i]); err == nil {
			text.Write(append(data, '\n'))
		}
	}
	return text.Bytes()
}

// List returns all runs, the newest first. Files that cannot be read are left
// out and returned apart, each with the reason.
func (s *Store) List() (entries []Entry, broken []error, err error) {
	entries, broken, err = s.list()
	if err == nil && s.others != nil {
		entries = s.others.merge(entries)
	}
	return entries, broken, err
}

// list is List of what is here.
func (s *Store) list() (entries []Entry, broken []error, err error) {
	files, err := s.files()
	if err != nil || len(files) == 0 {
		return nil, nil, err
	}
	entries, unknown, lines := s.readIndex(files)
	known := len(entries)
	for _, file := range unknown {
		e, err := s.readEntry(file)
		if err != nil {
			broken = append(broken, err)
			continue
		}
		entries = append(entries, e)
	}
	switch {
	case lines > 2*len(files)+100: // mostly of runs that are gone
		_ = atomicfile.WriteFile(filepath.Join(s.dir, indexName), indexLines(entries), home.PrivateFile)
	case len(entries) > known:
		s.note(entries[known:]...)
	}
	sortNewest(entries)
	return entries, broken, nil
}

// readIndex returns the entries of those files that the index knows, which
// files it does not know, and how many lines it has.
func (s *Store) readIndex(files []string) (entries []Entry, unknown []string, lines int) {
	data, _ := atomicfile.ReadRegular(filepath.Join(s.dir, indexName), maxIndex) // what is not there knows nothing
	there := make(map[string]bool, len(files))                                   // and whether the index has it
	for _, file := range files {
		there[file] = false
	}
	entries = make([]Entry, 0, len(files))
	for line := range bytes.Lines(data) {
		lines++
		entries = append(entries, Entry{})
		e := &entries[len(entries)-1]
		if json.Unmarshal(line, e) != nil || !e.whole() {
			entries = entries[:len(entries)-1]
			continue
		}
		if seen, ok := there[e.File]; seen || !ok {
			entries = entries[:len(entries)-1]
			continue
		}
		there[e.File] = true
	}
	for _, file := range files {
		if !there[file] {
			unknown = append(unknown, file)
		}
	}
	return entries, unknown, lines
}

// whole reports whether a line of the index says what every line has to: the
// name of a file ends with the id.
func (e *Entry) whole() bool {
	return e.ID != "" && strings.HasSuffix(e.File, e.ID+".json")
}

// readEntry makes the entry of a file from what is in it.
func (s *Store) readEntry(file string) (Entry, error) {
	run, err := s.read(file)
	if err != nil {
		return Entry{}, err
	}
	e := EntryOf(run)
	e.File = file
	if e.whole() {
		return e, nil
	}
	err = run.Identify() // somebody put the file there by hand
	e.ID = run.ID
	return e, err
}
