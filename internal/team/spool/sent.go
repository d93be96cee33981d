package spool

import (
	"github.com/go-json-experiment/json"

	"cairn/internal/atomicfile"
	"cairn/internal/home"
)

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
