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
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/gofrs/flock"

	"cairn/internal/atomicfile"
	"cairn/internal/home"
	"cairn/internal/team/record"
)

// A Ledger says what was queued of a repository for a team: the newest content of
// each thing, by a name for it. Losing it costs sending all again, of which a
// server keeps what is new.
type Ledger struct {
	file    string
	lock    *flock.Flock
	changed bool
	Known   map[string]string // the beginning of a content's key, by thing
}

const mostLedger = 64 << 20

// OpenLedger reads the ledger of a repository for a team on a server, and keeps
// others from it until it is closed.
func OpenLedger(ctx context.Context, h home.Home, server, team, repo string) (*Ledger, error) {
	sum := sha256.Sum256([]byte(server + "\n" + team + "\n" + repo))
	name := filepath.Join(h.Collected(), hex.EncodeToString(sum[:12]))
	if err := os.MkdirAll(h.Collected(), home.PrivateDir); err != nil {
		return nil, err
	}
	l := &Ledger{file: name + ".json", lock: flock.New(name+".lock", flock.SetPermissions(home.PrivateFile)), Known: map[string]string{}}
	if _, err := l.lock.TryLockContext(ctx, 20*time.Millisecond); err != nil {
		return nil, fmt.Errorf("%s: %w", l.lock.Path(), err)
	}
	data, err := atomicfile.ReadRegular(l.file, mostLedger)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		l.Close()
		return nil, err
	case json.Unmarshal(data, &l.Known) != nil || l.Known == nil:
		l.Known = map[string]string{} // damaged: it is made anew
	}
	return l, nil
}

// Close lets others have it.
func (l *Ledger) Close() { _ = l.lock.Unlock() }

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
