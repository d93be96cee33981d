package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"
)

// Unavailable says whether an error is the database's state and not the
// request's fault: it is not reached, starts, stops, is busy or has no room.
// The same request can succeed later.
func Unavailable(err error) bool {
	var pg *pgconn.PgError
	var lite *sqlite.Error
	switch {
	case errors.As(err, &pg):
		return strings.HasPrefix(pg.Code, "08") || strings.HasPrefix(pg.Code, "53") && pg.Code != "53400" && !strings.HasPrefix(pg.Code, "53Q") || strings.HasPrefix(pg.Code, "57P")
	case errors.As(err, &lite):
		code := lite.Code() & 0xff
		return code == lib.SQLITE_FULL || code == lib.SQLITE_BUSY || code == lib.SQLITE_LOCKED || code == lib.SQLITE_IOERR || code == lib.SQLITE_CANTOPEN
	}
	return unreached(err)
}

// unreached says whether a connection could not be made or broke. The driver
// says so in many ways: by types of its own, by those of the network, or by
// nothing but that a statement was never sent.
func unreached(err error) bool {
	var connect *pgconn.ConnectError
	var network *net.OpError
	switch {
	case err == nil || errors.Is(err, context.Canceled):
		return false
	case errors.As(err, &connect): // also after connectTime
		return true
	case errors.Is(err, context.DeadlineExceeded):
		return false
	}
	return errors.As(err, &network) || errors.Is(err, driver.ErrBadConn) || errors.Is(err, sql.ErrConnDone) ||
		errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) || errors.Is(err, net.ErrClosed) || pgconn.SafeToRetry(err)
}

// ended says whether an error ended its connection, so that a new one may do better.
func ended(err error) bool {
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok {
		return strings.HasPrefix(pg.Code, "57P") || strings.HasPrefix(pg.Code, "08")
	}
	return unreached(err)
}

// noRoom says whether a write failed because the disk takes none.
func noRoom(err error) bool {
	var pg *pgconn.PgError
	var lite *sqlite.Error
	switch {
	case errors.As(err, &pg):
		return pg.Code == "53100"
	case errors.As(err, &lite):
		code := lite.Code() & 0xff
		return code == lib.SQLITE_FULL || code == lib.SQLITE_IOERR || code == lib.SQLITE_READONLY
	}
	return errors.Is(err, syscall.ENOSPC)
}

// Remedy says what would help a database that cannot be opened, "" where only
// the error tells.
func Remedy(err error) string {
	var pg *pgconn.PgError
	var lite *sqlite.Error
	code := 0
	if errors.As(err, &lite) {
		code = lite.Code() & 0xff
	}
	switch {
	case errors.As(err, &pg) && strings.Contains(pg.Message, "unsupported startup parameter"): // PgBouncer, in every mode
		return "a pooler stands before the PostgreSQL: add --bouncer"
	case code == lib.SQLITE_CORRUPT, code == lib.SQLITE_NOTADB:
		return "cairn serve restore BACKUP --force puts a backup in its place"
	case code == lib.SQLITE_FULL, errors.Is(err, syscall.ENOSPC):
		return "make room on its disk; what was written is still there"
	}
	return ""
}

// A full is the last write for which there was no room.
type full struct {
	at  time.Time
	err error
}

// Full is when a write last found no room on the disk, and what it was told; no
// error if none did.
func (d *DB) Full() (time.Time, error) {
	if f := d.full.Load(); f != nil {
		return f.at, f.err
	}
	return time.Time{}, nil
}
