// Package spool is the queue of records that no server has yet: one file per
// record, ROOT/xx/ID.json, in 256 folders.
//
// Any number of processes may put and claim at once, and each may be killed at
// any point: a record is a file that is whole, and it changes hands by a rename.
//
//	put      ID.json is written beside its place and renamed into it
//	claim    ID.json becomes ID.json.claim-MILLISECONDS-RANDOM
//	done     the claim is removed
//	retry    the claim is written anew and becomes ID.json again
//	refuse   ID.reason is written to ROOT/refused, then the claim moves there
//
// A claim whose holder died becomes ID.json again after ClaimAge. So a record
// may be delivered twice, but is never lost: what is the same record is told by
// its ingest key, which the server looks at.
//
// What puts records, and what delivers them, import it. It knows no server and
// does not look into bodies.
package spool

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"cairn/internal/atomicfile"
	"cairn/internal/home"
	"cairn/internal/team/retry"
)

// ClaimAge is how long a claim may last. Who delivers must end within it.
const ClaimAge = time.Minute

const (
	suffix    = ".json"
	claimMark = ".json.claim-"
	refused   = "refused"
	reasonEnd = ".reason"
)

// A Spool is the queue in one directory, which need not exist.
type Spool struct {
	// URL is the server that records put from now on are for, Team the slug of
	// the team; "" leaves that to whoever delivers them.
	URL, Team string

	root string
	now  func() time.Time
}

// Open returns the queue in a directory. It touches nothing.
func Open(dir string) *Spool { return &Spool{root: dir, now: time.Now} }

// Put adds a record and returns its id. The body is one JSON value, kept byte
// for byte. When Put returns, the record is on the disk.
func (s *Spool) Put(kind, ingestKey string, body []byte) (id string, err error) {
	if err := checkBody(body); err != nil {
		return "", fmt.Errorf("the body of a record: %w", err)
	}
	now := s.now()
	id, folder := newID(now)
	data := encode(Record{ID: id, Kind: kind, IngestKey: ingestKey, URL: s.URL, Team: s.Team, QueuedAt: now, Body: body})
	err = atomicfile.WriteDeep(filepath.Join(s.root, folder, id+suffix), data, home.PrivateDir, home.PrivateFile)
	if err != nil {
		return "", err
	}
	return id, nil
}

// Status is how many records there are, and since when the oldest of those
// that are not refused waits.
type Status struct {
	Waiting, Claimed, Refused int
	Oldest                    time.Time // zero when none waits
}

// Status counts without reading a record.
func (s *Spool) Status() (Status, error) {
	var st Status
	err := s.each(func(f file) error {
		if f.claimed() {
			st.Claimed++
		} else {
			st.Waiting++
		}
		if at, ok := idTime(f.id); ok && (st.Oldest.IsZero() || at.Before(st.Oldest)) {
			st.Oldest = at
		}
		return nil
	})
	if err != nil {
		return st, err
	}
	entries, err := os.ReadDir(filepath.Join(s.root, refused))
	if errors.Is(err, fs.ErrNotExist) {
		return st, nil
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), suffix) {
			st.Refused++
		}
	}
	return st, err
}

// file is a record's, waiting or claimed. Its id is the name it has, which may
// be none of ours.
type file struct {
	path, id string
	claim    string // what follows claimMark in the name of a claim
}

func (f file) claimed() bool { return !strings.HasSuffix(f.path, suffix) }

// waiting is the name that the record has in the queue.
func (f file) waiting() string { return filepath.Join(filepath.Dir(f.path), f.id+suffix) }

// stale reports whether the claim's holder must be dead. A claim from further
// ahead than its age was made before the clock was set back; to wait for it
// could take days, to return it costs a delivery that the server knows.
func (f file) stale(now time.Time) bool {
	stamp, _, _ := strings.Cut(f.claim, "-")
	ms, err := strconv.ParseInt(stamp, 10, 64)
	age := now.Sub(time.UnixMilli(ms))
	return err != nil || age > ClaimAge || age < -ClaimAge
}

// each calls do for every record that waits or is claimed, folder by folder.
func (s *Spool) each(do func(file) error) error {
	folders, err := os.ReadDir(s.root)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, folder := range folders {
		if !folder.IsDir() || len(folder.Name()) != 2 {
			continue
		}
		dir := filepath.Join(s.root, folder.Name())
		entries, err := os.ReadDir(dir)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if strings.HasPrefix(e.Name(), ".") {
				atomicfile.RemoveStale(dir) // some writer was killed, or is at work
			}
			if !e.Type().IsRegular() {
				continue
			}
			f := file{path: filepath.Join(dir, e.Name())}
			var isWaiting bool
			if f.id, isWaiting = strings.CutSuffix(e.Name(), suffix); !isWaiting {
				i := strings.LastIndex(e.Name(), claimMark)
				if i < 0 {
					continue // a temporary file, or nothing of ours
				}
				f.id, f.claim = e.Name()[:i], e.Name()[i+len(claimMark):]
			}
			if err := do(f); err != nil {
				return err
			}
		}
	}
	return nil
}

// Sent are the ingest keys of what a command put once, by team, in a file.
// Without it all is put again, and the server knows it.
type Sent struct {
	file, team string
	keys       map[string]map[string]bool
}

// Sent reads what was put for the team of the queue, as far as a file has it.
func (s *Spool) Sent(file string) *Sent {
	sent := &Sent{file: file, team: s.URL + " " + s.Team}
	data, err := atomicfile.ReadRegular(file, 64<<20)
	if err != nil || json.Unmarshal(data, &sent.keys) != nil || sent.keys == nil {
		sent.keys = map[string]map[string]bool{}
	}
	return sent
}

// Has reports whether a record was put.
func (s *Sent) Has(key string) bool { return s.keys[s.team][key] }

// Add notes a record.
func (s *Sent) Add(key string) {
	if s.keys[s.team] == nil {
		s.keys[s.team] = map[string]bool{}
	}
	s.keys[s.team][key] = true
}

// Save writes the file.
func (s *Sent) Save() error {
	data, err := json.Marshal(s.keys, json.Deterministic(true))
	if err != nil {
		return err
	}
	return atomicfile.WriteDeep(s.file, append(data, '\n'), home.PrivateDir, home.PrivateFile)
}

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

const (
	maxBackoff = time.Hour
	maxAfter   = 6 * time.Hour // a server that says longer is asked again sooner
)

// delay is how long to wait after so many failed attempts: what the server
// asked for, and then some.
func delay(attempts int, after time.Duration) time.Duration {
	return min(max(0, after), maxAfter) + retry.Delay(attempts, 2*time.Second, maxBackoff)
}
