// Package replica keeps a copy of one team's rows on this machine, in a database
// with the server's schema: what `sync pull` brings, what commands show of the team
// without a server, and what the team's pages are made of where the server has none
// (a Supabase project). It asks as whoever is signed in, so it has what they may
// see; transcripts and what is secret stay where they are.
//
// There is a database for each team and person: the addresses of people are unique
// in the schema, and what one may see another need not. link opens it; requests
// belong to client, sums to db/figures.
package replica

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
	"github.com/go-json-experiment/json/jsontext"
	"github.com/gofrs/flock"
	"github.com/google/uuid"

	"cairn/internal/atomicfile"
	"cairn/internal/home"
	"cairn/internal/team/client"
	"cairn/internal/team/db"
)

// A Replica is an open copy. Many processes may have it open; one refreshes it.
type Replica struct {
	DB    *db.DB
	dir   string
	state state
	now   func() time.Time
}

// state is how far the copy is. It lies beside the database and may be lost.
type state struct {
	Team    uuid.UUID                 `json:"team"`
	Fresh   time.Time                 `json:"fresh"`   // of the newest refresh that was complete
	Pulled  time.Time                 `json:"pulled"`  // when all that a pull brings was last asked for
	Paged   time.Time                 `json:"paged"`   // and all that the pages show
	Cursors map[string]client.Place   `json:"cursors"` // by table: the newest row that is here
	Said    map[string]jsontext.Value `json:"said"`    // what functions of the server answered
}

// Dir is where the copy is that somebody has of a team on a server: below dir, by
// the server's address and the team's name, and then by who it is. Where who is "",
// it is the newest of that team, "" for none.
func Dir(dir, url, team, who string) string {
	dir = filepath.Join(dir, hash(url+" "+team))
	if who != "" {
		return filepath.Join(dir, hash(who))
	}
	newest, at := "", time.Time{}
	all, _ := filepath.Glob(filepath.Join(dir, "*", stateFile))
	for _, file := range all {
		if fi, err := os.Stat(file); err == nil && fi.ModTime().After(at) {
			newest, at = filepath.Dir(file), fi.ModTime()
		}
	}
	return newest
}

// Remove removes everybody's copy of a team.
func Remove(dir, url, team string) error { return os.RemoveAll(filepath.Join(dir, hash(url+" "+team))) }

// There reports whether there is a copy in a directory.
func There(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, stateFile))
	return dir != "" && err == nil
}

func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:8])
}

const (
	stateFile = "state.json"
	dbFile    = "team.db"
	mostState = 16 << 20
)

// ErrDamaged says that a copy cannot be read.
var ErrDamaged = errors.New("the copy of the team's rows is damaged")

// Open opens the copy in a directory of its own. If create, it is made where there is
// none, and anew where it cannot be read: all of it is on the server. Else the
// error for that is [ErrDamaged].
func Open(ctx context.Context, dir string, create bool) (*Replica, error) {
	if err := os.MkdirAll(dir, home.PrivateDir); err != nil {
		return nil, err
	}
	r := &Replica{dir: dir, now: time.Now}
	unlock, err := r.lock(ctx) // one makes it
	if err != nil {
		return nil, err
	}
	defer unlock()
	file := filepath.Join(dir, dbFile)
	if err = r.load(); err == nil {
		if r.DB, err = db.OpenPrivate(ctx, file); err == nil || !db.Useless(err) {
			return r, err
		}
	}
	if !create {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	for _, name := range []string{filepath.Join(dir, stateFile), file, file + "-wal", file + "-shm"} {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	r.state = state{Cursors: map[string]client.Place{}, Said: map[string]jsontext.Value{}}
	if r.DB, err = db.OpenPrivate(ctx, file); err != nil {
		return nil, err
	}
	if err := r.save(); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// lock keeps others from refreshing the copy until unlock is called.
func (r *Replica) lock(ctx context.Context) (unlock func(), err error) {
	l := flock.New(filepath.Join(r.dir, "lock"), flock.SetPermissions(home.PrivateFile))
	if _, err := l.TryLockContext(ctx, 20*time.Millisecond); err != nil {
		return nil, fmt.Errorf("%s: %w", l.Path(), err)
	}
	return func() { _ = l.Unlock() }, nil
}

// Close gives the copy up; it stays.
func (r *Replica) Close() error { return r.DB.Close() }

// Fresh is when the copy was last complete, zero for never.
func (r *Replica) Fresh() time.Time { return r.state.Fresh }

// Known reports whether anything was ever copied.
func (r *Replica) Known() bool { return r.state.Team != uuid.Nil }

// load reads how far the copy is, which another process may have changed.
func (r *Replica) load() error {
	data, err := atomicfile.ReadRegular(filepath.Join(r.dir, stateFile), mostState)
	if err != nil {
		return err
	}
	var s state
	if err := json.Unmarshal(data, &s); err != nil {
		return err
	}
	if s.Cursors == nil || s.Said == nil {
		return errors.New("the copy's state is damaged")
	}
	r.state = s
	return nil
}

func (r *Replica) save() error {
	data, err := json.Marshal(r.state)
	if err != nil {
		return fmt.Errorf("the copy's state: %w", err)
	}
	return atomicfile.WriteFile(filepath.Join(r.dir, stateFile), data, home.PrivateFile)
}
