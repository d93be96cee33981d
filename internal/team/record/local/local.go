// Package local keeps records on this machine, with a team or without one:
// DIR/TABLE.jsonl, a row a line, as package record made it.
//
// A line is added by one write to the end of a file, so many processes may do it
// at once. The same row may get two lines that way: its ingest key is what it is
// known by. A line that is torn counts for nothing.
//
// cli imports it. It knows no server: what is for a team goes to the spool.
package local

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/home"
	"cairn/internal/team/record"
)

// A Store is a directory of records, which need not be there. Close it when
// rows were put.
type Store struct {
	dir    string
	tables map[string]*shelf
}

// shelf is what is known of a table's file.
type shelf struct {
	known map[[32]byte]bool // the ingest keys
	out   *os.File          // nil before the first row is put
	torn  bool              // the last line has no end
}

// Open returns the store in a directory. It touches nothing.
func Open(dir string) *Store { return &Store{dir: dir, tables: map[string]*shelf{}} }

// Has reports whether a row is there.
func (s *Store) Has(row record.Row) (bool, error) {
	t, err := s.shelf(row.Table)
	if err != nil {
		return false, err
	}
	key, err := keyOf(row.IngestKey)
	return t.known[key], err
}

// Put adds a row; fresh is false when it was there.
func (s *Store) Put(row record.Row) (fresh bool, err error) {
	if known, err := s.Has(row); err != nil || known {
		return false, err
	}
	line := jsontext.Value(bytes.Clone(row.Body))
	if err := line.Compact(); err != nil {
		return false, err
	}
	t := s.tables[row.Table]
	if t.out == nil {
		if err := os.MkdirAll(s.dir, home.PrivateDir); err != nil {
			return false, err
		}
		if t.out, err = os.OpenFile(s.file(row.Table), os.O_WRONLY|os.O_CREATE|os.O_APPEND, home.PrivateFile); err != nil {
			t.out = nil
			return false, err
		}
		if t.torn {
			line = append([]byte("\n"), line...)
		}
	}
	if _, err := t.out.Write(append(line, '\n')); err != nil {
		return false, err
	}
	key, _ := keyOf(row.IngestKey)
	t.known[key] = true
	return true, nil
}

// Close sees to it that what was put is on the disk.
func (s *Store) Close() error {
	var failed error
	for _, t := range s.tables {
		if t.out != nil {
			failed = errors.Join(failed, t.out.Sync(), t.out.Close())
			t.out = nil
		}
	}
	return failed
}

// Each calls do for every row of a table, in the order they came.
func (s *Store) Each(table string, do func(record.Row) error) error {
	seen := map[[32]byte]bool{}
	_, err := s.lines(table, func(line []byte) error {
		row, key, ok := rowOf(table, line)
		if !ok || seen[key] {
			return nil
		}
		seen[key] = true
		return do(row)
	})
	return err
}

func (s *Store) file(table string) string { return filepath.Join(s.dir, table+".jsonl") }

func (s *Store) shelf(table string) (*shelf, error) {
	if t := s.tables[table]; t != nil {
		return t, nil
	}
	t := &shelf{known: map[[32]byte]bool{}}
	var err error
	t.torn, err = s.lines(table, func(line []byte) error {
		if _, key, ok := rowOf(table, line); ok {
			t.known[key] = true
		}
		return nil
	})
	if err == nil {
		s.tables[table] = t
	}
	return t, err
}

// lines reads a table's file; torn says that the last line has no end.
func (s *Store) lines(table string, do func([]byte) error) (torn bool, err error) {
	name := s.file(table)
	if fi, err := os.Stat(name); err == nil && !fi.Mode().IsRegular() {
		return false, fmt.Errorf("%s is not a regular file", name)
	}
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer f.Close()
	in := bufio.NewReaderSize(f, 1<<16)
	for {
		line, err := in.ReadBytes('\n')
		if len(line) > 0 && err == nil {
			if err := do(line); err != nil {
				return false, err
			}
		}
		if errors.Is(err, io.EOF) {
			return len(line) > 0, nil
		}
		if err != nil {
			return false, err
		}
	}
}

// rowOf reads a line.
func rowOf(table string, line []byte) (row record.Row, key [32]byte, ok bool) {
	var in struct {
		Key string `json:"ingest_key"`
	}
	if json.Unmarshal(line, &in) != nil {
		return row, key, false
	}
	key, err := keyOf(in.Key)
	body := jsontext.Value(bytes.TrimSpace(bytes.Clone(line)))
	return record.Row{Table: table, IngestKey: in.Key, Body: body}, key, err == nil
}

func keyOf(ingestKey string) (key [32]byte, err error) {
	if len(ingestKey) != hex.EncodedLen(len(key)) {
		return key, fmt.Errorf("%q is no ingest key", ingestKey)
	}
	_, err = hex.Decode(key[:], []byte(ingestKey))
	return key, err
}
