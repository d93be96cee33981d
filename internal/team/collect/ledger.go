// Package collect is what a team gets of a repository without anybody writing it
// down: weeks and ships from git, how far its plan is, how its people work with
// agents, what compaction saved; and of who agreed to it, sessions. It remembers
// what was queued, so that nothing is sent twice.
//
// It is where git, the plan, transcripts and the team's queue meet: the commands
// that share import it. Of what anybody said there are figures only, but in the
// sessions of a person who agreed.
package collect

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/gofrs/flock"

	"cairn/internal/atomicfile"
	"cairn/internal/home"
)

// A Ledger says what was queued of a repository for a team: the newest content of
// each thing, by a name for it. Losing it costs sending all again, of which a
// server keeps what is new.
type Ledger struct {
	file    string
	lock    *flock.Flock
	changed bool
	known   map[string]string // the beginning of a content's key, by thing
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
	l := &Ledger{file: name + ".json", lock: flock.New(name+".lock", flock.SetPermissions(home.PrivateFile)), known: map[string]string{}}
	if _, err := l.lock.TryLockContext(ctx, 20*time.Millisecond); err != nil {
		return nil, fmt.Errorf("%s: %w", l.lock.Path(), err)
	}
	data, err := atomicfile.ReadRegular(l.file, mostLedger)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		l.Close()
		return nil, err
	case json.Unmarshal(data, &l.known) != nil || l.known == nil:
		l.known = map[string]string{} // damaged: it is made anew
	}
	return l, nil
}

// Close lets others have it.
func (l *Ledger) Close() { _ = l.lock.Unlock() }

// isNew reports whether an item was not queued as it is.
func (l *Ledger) isNew(it Item) bool {
	known := l.known[it.Thing]
	return known != short(it.Content) && (known == "" || !it.Settled)
}

// is reports whether a thing is noted with this content; "" is none.
func (l *Ledger) is(thing, content string) bool {
	return content != "" && l.known[thing] == short(content)
}

// things are the names of things that begin with something.
func (l *Ledger) things(prefix string) (names []string) {
	for _, thing := range slices.Sorted(maps.Keys(l.known)) {
		if strings.HasPrefix(thing, prefix) {
			names = append(names, thing)
		}
	}
	return names
}

// queued notes that an item is in the queue.
func (l *Ledger) queued(it Item) {
	l.known[it.Thing], l.changed = short(it.Content), true
}

func short(key string) string { return key[:min(len(key), 16)] }

// save writes the ledger, if anything was noted.
func (l *Ledger) save() error {
	if !l.changed {
		return nil
	}
	data, err := json.Marshal(l.known, json.Deterministic(true))
	if err != nil {
		return err
	}
	err = atomicfile.WriteDeep(l.file, append(data, '\n'), home.PrivateDir, home.PrivateFile)
	l.changed = err != nil
	return err
}
