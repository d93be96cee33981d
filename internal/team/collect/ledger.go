// Package collect is what a team gets of a repository without anybody writing it
// down: how far its plan is, how its people work with agents, what compaction
// saved. It makes rows of plain values and remembers what was queued, so that
// nothing is sent twice.
//
// cli imports it and brings the values: which plan, which transcripts and whose
// account they are of does not belong here. Nothing that anybody said gets in:
// of a session there are figures.
package collect

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/go-json-experiment/json"

	"cairn/internal/atomicfile"
	"cairn/internal/home"
	"cairn/internal/team/record"
)

// A Ledger says what was queued of a repository for a team: the newest content of
// each thing, by a name for it. Losing it costs sending all again, of which a
// server keeps what is new.
type Ledger struct {
	file    string
	changed bool
	Known   map[string]string // the beginning of a content's key, by thing
}

const mostLedger = 64 << 20

// OpenLedger reads the ledger of a repository for a team on a server.
func OpenLedger(h home.Home, server, team, repo string) (*Ledger, error) {
	sum := sha256.Sum256([]byte(server + "\n" + team + "\n" + repo))
	l := &Ledger{file: filepath.Join(h.Collected(), hex.EncodeToString(sum[:12])+".json"), Known: map[string]string{}}
	data, err := atomicfile.ReadRegular(l.file, mostLedger)
	if errors.Is(err, fs.ErrNotExist) {
		return l, nil
	}
	if err != nil {
		return nil, err
	}
	if json.Unmarshal(data, &l.Known) != nil || l.Known == nil {
		l.Known = map[string]string{} // damaged: it is made anew
	}
	return l, nil
}

// An Item is a row to be sent, the name of the thing that it is about, and what
// tells its content from another.
type Item struct {
	Thing   string
	Content string
	Row     record.Row
	Settled bool // once it was queued it stays, whatever its content
}

// New returns the items that were not queued as they are.
func (l *Ledger) New(items []Item) []Item {
	var out []Item
	for _, it := range items {
		known := l.Known[it.Thing]
		if known != short(it.Content) && (known == "" || !it.Settled) {
			out = append(out, it)
		}
	}
	return out
}

// Is reports whether a thing is noted with this content; "" is none.
func (l *Ledger) Is(thing, content string) bool {
	return content != "" && l.Known[thing] == short(content)
}

// Queued notes that an item is in the queue.
func (l *Ledger) Queued(it Item) {
	l.Known[it.Thing], l.changed = short(it.Content), true
}

func short(key string) string { return key[:min(len(key), 16)] }

// Save writes the ledger, if anything was noted.
func (l *Ledger) Save() error {
	if !l.changed {
		return nil
	}
	data, err := json.Marshal(l.Known, json.Deterministic(true))
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(l.file), home.PrivateDir); err != nil {
		return err
	}
	if err := atomicfile.WriteFile(l.file, append(data, '\n'), home.PrivateFile); err != nil {
		return err
	}
	l.changed = false
	return nil
}
