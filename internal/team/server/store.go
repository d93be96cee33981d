package server

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"

	"cairn/internal/home"
	"cairn/internal/team/db"
)

// A Store is where a server keeps its rows: a directory with an SQLite
// database, or a PostgreSQL.
type Store struct {
	DB   *db.DB
	Dir  string // "" for PostgreSQL
	lock *flock.Flock
}

// A Place says where a Store is.
type Place struct {
	Dir      string // of the embedded database
	Database string // URL of a PostgreSQL, "" for the embedded one
	Bouncer  bool   // a pooler stands before the PostgreSQL
	// Connections to the database at most, 0 for [db.Options]' default.
	Connections int
}

// Embedded is the SQLite file of a data directory.
func (p Place) Embedded() string { return filepath.Join(p.Dir, "cairn.db") }

// Certificates is where those of Let's Encrypt are kept.
func (p Place) Certificates() string { return filepath.Join(p.Dir, "certificates") }

// ErrLocked says that another server uses the data directory.
var ErrLocked = errors.New("another cairn serve uses it")

// ErrNoData says that no server was ever started on a data directory.
var ErrNoData = errors.New("no server was started on it yet")

// Open opens the store for a server: it makes the data directory, locks it
// and brings the schema up to date, or only checks it where migrate is false.
func Open(ctx context.Context, p Place, migrate bool) (st *Store, err error) {
	if p.Database != "" {
		st = &Store{}
		if st.DB, err = db.Open(ctx, p.Database, db.Options{Bouncer: p.Bouncer, Connections: p.Connections}); err != nil {
			return nil, err
		}
	} else if st, err = openDir(ctx, p); err != nil {
		return nil, err
	}
	if migrate {
		_, err = st.DB.Migrate(ctx, false)
	} else {
		err = st.DB.Ready(ctx)
	}
	if err != nil {
		st.Close()
		return nil, err
	}
	return st, nil
}

func openDir(ctx context.Context, p Place) (*Store, error) {
	if err := os.MkdirAll(p.Dir, home.PrivateDir); err != nil {
		return nil, err
	}
	st := &Store{Dir: p.Dir}
	var err error
	if st.lock, err = lockDir(p.Dir); err != nil {
		return nil, err
	}
	if err = makePrivate(p.Embedded()); err == nil {
		st.DB, err = db.Open(ctx, p.Embedded(), db.Options{Connections: p.Connections})
	}
	if err != nil {
		_ = st.lock.Unlock()
		return nil, err
	}
	return st, nil
}

// Join opens the store beside a server that may be running: nothing is locked
// and the schema must be there.
func Join(ctx context.Context, p Place) (*Store, error) {
	url := p.Database
	if url == "" {
		if _, err := os.Stat(p.Embedded()); errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%s: %w", p.Dir, ErrNoData)
		}
		url = p.Embedded()
	}
	d, err := db.Open(ctx, url, db.Options{Bouncer: p.Bouncer})
	if err != nil {
		return nil, err
	}
	if err := d.Ready(ctx); err != nil {
		d.Close()
		return nil, err
	}
	return &Store{DB: d, Dir: p.Dir}, nil
}

// Close closes the database and lets go of the directory.
func (st *Store) Close() error {
	err := st.DB.Close()
	if st.lock != nil {
		err = errors.Join(err, st.lock.Unlock())
	}
	return err
}

// lockDir takes the kernel's lock on a data directory, which ends with the process.
func lockDir(dir string) (*flock.Flock, error) {
	lock := flock.New(filepath.Join(dir, "lock"), flock.SetPermissions(home.PrivateFile))
	switch ok, err := lock.TryLock(); {
	case err != nil:
		return nil, err
	case !ok:
		return nil, fmt.Errorf("%s: %w", dir, ErrLocked)
	}
	return lock, nil
}

// makePrivate makes a file that only its owner reads before the database does;
// its log and index get the same mode.
func makePrivate(name string) error {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, home.PrivateFile)
	if err != nil {
		return err
	}
	return f.Close()
}
