package eval

import (
	"bytes"
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"cairn/internal/atomicfile"
	"cairn/internal/home"
)

// The index is a line of JSON for each run, in no order. It is a memory of
// what the files say and nothing more: a line that is torn or missing is read
// from its file again, a line without a file counts for nothing. So nobody has
// to lock it.
const indexName = "index.ndjson"

// note adds a line, which is one write.
func (s *Store) note(entries ...Entry) {
	var lines bytes.Buffer
	for _, e := range entries {
		data, err := json.Marshal(e)
		if err != nil {
			return
		}
		lines.Write(append(data, '\n'))
	}
	f, err := os.OpenFile(filepath.Join(s.dir, indexName), os.O_WRONLY|os.O_CREATE|os.O_APPEND, home.PrivateFile)
	if err != nil {
		return
	}
	f.Write(lines.Bytes())
	f.Close()
}

// List returns all runs, the newest first. Files that cannot be read are left
// out and returned apart, each with the reason.
func (s *Store) List() (entries []Entry, broken []error, err error) {
	files, err := s.files()
	if err != nil || len(files) == 0 {
		return nil, nil, err
	}
	known, lines := s.readIndex()
	entries = make([]Entry, 0, len(files))
	var unknown []Entry
	for _, file := range files {
		if e, ok := known[file]; ok {
			entries = append(entries, e)
			continue
		}
		run, err := s.read(file)
		if err == nil {
			err = run.Identify()
		}
		if err != nil {
			broken = append(broken, err)
			continue
		}
		e := entryOf(run)
		e.File = file
		unknown = append(unknown, e)
	}
	entries = append(entries, unknown...)
	switch {
	case lines > 2*len(files)+100: // mostly of runs that are gone
		s.rewriteIndex(entries)
	case len(unknown) > 0:
		s.note(unknown...)
	}
	slices.SortFunc(entries, func(a, b Entry) int {
		return cmp.Or(b.Time.Compare(a.Time.Time), strings.Compare(b.File, a.File))
	})
	return entries, broken, nil
}

func (s *Store) readIndex() (known map[string]Entry, lines int) {
	data, err := os.ReadFile(filepath.Join(s.dir, indexName))
	if err != nil {
		return nil, 0
	}
	known = make(map[string]Entry, len(data)/300)
	for line := range bytes.Lines(data) {
		lines++
		var e Entry
		if json.Unmarshal(line, &e) == nil && e.File != "" {
			known[e.File] = e
		}
	}
	return known, lines
}

func (s *Store) rewriteIndex(entries []Entry) {
	var lines bytes.Buffer
	for _, e := range entries {
		data, err := json.Marshal(e)
		if err != nil {
			return
		}
		lines.Write(append(data, '\n'))
	}
	_ = atomicfile.WriteFile(filepath.Join(s.dir, indexName), lines.Bytes(), home.PrivateFile)
}
