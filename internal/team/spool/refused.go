package spool

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A Refusal is a record that a server will never take.
type Refusal struct {
	ID     string    `json:"id"`
	Kind   string    `json:"kind"`
	URL    string    `json:"url"`
	Reason string    `json:"reason"`
	At     time.Time `json:"at"`
	File   string    `json:"file"` // the record, as it was queued
}

// Refusals returns what is in the directory refused, the newest first.
func (s *Spool) Refusals() ([]Refusal, error) {
	dir := filepath.Join(s.root, refused)
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var list []Refusal
	for _, e := range entries {
		id, ok := strings.CutSuffix(e.Name(), suffix)
		if !ok {
			continue
		}
		r := Refusal{ID: id, File: filepath.Join(dir, e.Name())}
		if reason, err := os.ReadFile(filepath.Join(dir, id+reasonEnd)); err == nil {
			r.Reason = strings.TrimSpace(string(reason))
		}
		if fi, err := os.Stat(filepath.Join(dir, id+reasonEnd)); err == nil {
			r.At = fi.ModTime()
		}
		if in, err := os.Open(r.File); err == nil {
			head, _, _ := decodeHead(in)
			r.Kind, r.URL = head.Kind, head.URL
			in.Close()
		}
		list = append(list, r)
	}
	slices.SortFunc(list, func(a, b Refusal) int { return b.At.Compare(a.At) })
	return list, err
}
