package db

import (
	"context"
	"errors"
	"fmt"
	"os"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// OpenPrivate opens a SQLite file of this machine, for its owner alone, and makes
// or migrates it where that is needed.
func OpenPrivate(ctx context.Context, file string) (*DB, error) {
	f, err := os.OpenFile(file, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	was, err := f.Stat()
	f.Close()
	if err != nil {
		return nil, err
	}
	d, err := Open(ctx, file, Options{Connections: 2, Cache: 4000}) // a command's memory is not a server's
	if err != nil {
		return nil, err
	}
	if was.Size() > 0 && d.Ready(ctx) == nil {
		return d, nil
	}
	if _, err := d.Migrate(ctx, false); err != nil {
		d.Close()
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return d, nil
}

// Useless reports whether an error says that a file is no database, a damaged one,
// or one of another version's schema.
func Useless(err error) bool {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		code := e.Code() & 0xff
		return code == sqlite3.SQLITE_CORRUPT || code == sqlite3.SQLITE_NOTADB
	}
	return errors.Is(err, ErrNewer) || errors.Is(err, ErrEdited)
}
