package db

import (
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"strings"

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
		return strings.HasPrefix(pg.Code, "08") || strings.HasPrefix(pg.Code, "53") && pg.Code != "53400" || strings.HasPrefix(pg.Code, "57P")
	case errors.As(err, &lite):
		code := lite.Code() & 0xff
		return code == lib.SQLITE_FULL || code == lib.SQLITE_BUSY || code == lib.SQLITE_LOCKED
	}
	return unreached(err)
}

// unreached says whether a connection could not be made or broke.
func unreached(err error) bool {
	var connect *pgconn.ConnectError
	var network *net.OpError
	return errors.As(err, &connect) || errors.As(err, &network) || errors.Is(err, driver.ErrBadConn) || errors.Is(err, io.ErrUnexpectedEOF)
}
