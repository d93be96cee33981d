// Package mirror keeps a copy of one team's rows of a server that is not ours, a
// Supabase project, in an embedded database: the team's pages show that copy as
// `cairn serve` shows its own rows. It asks as the person who is signed in, so it
// has what that person may see; transcripts and what is secret stay where they are.
//
// internal/cli imports it. What is shown belongs to dashboard, requests to client.
package mirror

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/gofrs/flock"
	"github.com/google/uuid"

	"cairn/internal/atomicfile"
	"cairn/internal/team/client"
	"cairn/internal/team/db"
)

// Weeks is how far back results of single cases are copied; runs, sums and
// records are copied for Years.
const (
	Weeks = 26
	Years = 2
)

// fullAge is when all is copied anew: rows may have been deleted.
const fullAge = 24 * time.Hour

// A Source is a signed-in client.
type Source interface {
	Send(ctx context.Context, r client.Request, out any) error
	People(ctx context.Context, team uuid.UUID) ([]client.Person, error)
}

// A Mirror is an open copy. One process at a time has it.
type Mirror struct {
	DB    *db.DB
	team  uuid.UUID
	path  string // of the state, beside the database
	state state
	lock  *flock.Flock
	now   func() time.Time
}

// state is how far the copy is.
type state struct {
	Begun   time.Time               `json:"begun"`   // of the whole copy
	Fresh   time.Time               `json:"fresh"`   // of the newest refresh that was complete
	Cursors map[string]client.Place `json:"cursors"` // by table: the newest row that is here
}

// ErrBusy says that another process has the copy open.
var ErrBusy = errors.New("another cairn dashboard has the copy of this team open")

// Open opens the copy in a directory of its own, or makes it. A copy that
// cannot be read is made anew: all of it is on the server.
func Open(ctx context.Context, dir string, team uuid.UUID, fresh bool) (*Mirror, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	m := &Mirror{team: team, path: filepath.Join(dir, "state.json"), lock: flock.New(filepath.Join(dir, "lock")), now: time.Now}
	if got, err := m.lock.TryLock(); err != nil {
		return nil, err
	} else if !got {
		return nil, ErrBusy
	}
	data, err := os.ReadFile(m.path)
	if err != nil || json.Unmarshal(data, &m.state) != nil || m.now().Sub(m.state.Begun) > fullAge || m.state.Begun.After(m.now()) {
		fresh = true
	}
	file := filepath.Join(dir, "team.db")
	if !fresh {
		if m.DB, err = open(ctx, file); err == nil {
			return m, nil
		}
	}
	if err := m.empty(file); err != nil {
		_ = m.lock.Unlock()
		return nil, err
	}
	m.state = state{Begun: m.now(), Cursors: map[string]client.Place{}}
	if m.DB, err = open(ctx, file); err != nil {
		_ = m.lock.Unlock()
		return nil, err
	}
	return m, nil
}

func open(ctx context.Context, file string) (*db.DB, error) {
	d, err := db.Open(ctx, file, db.Options{})
	if err != nil {
		return nil, err
	}
	if _, err := d.Migrate(ctx, false); err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

func (m *Mirror) empty(file string) error {
	for _, name := range []string{m.path, file, file + "-wal", file + "-shm"} {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// Close gives the copy up; it stays.
func (m *Mirror) Close() error {
	err := m.DB.Close()
	return errors.Join(err, m.lock.Unlock())
}

// Fresh is when the copy was last complete, zero for never.
func (m *Mirror) Fresh() time.Time { return m.state.Fresh }

func (m *Mirror) save() error {
	data, err := json.Marshal(m.state)
	if err != nil {
		return fmt.Errorf("the copy's state: %w", err)
	}
	return atomicfile.WriteFile(m.path, data, 0o600)
}
