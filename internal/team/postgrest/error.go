package postgrest

import (
	"fmt"
	"net/http"
	"strings"
)

// An Error is PostgREST's error body and the status it is sent with.
type Error struct {
	Status  int     `json:"-"`
	Code    string  `json:"code"` // PGRST… or an SQLSTATE
	Details *string `json:"details"`
	Hint    *string `json:"hint"`
	Message string  `json:"message"`
}

func (e *Error) Error() string { return e.Code + ": " + e.Message }

// fault makes an error of a code; format and args make its message.
func fault(status int, code, format string, args ...any) *Error {
	return &Error{Status: status, Code: code, Message: fmt.Sprintf(format, args...)}
}

// because adds details.
func (e *Error) because(format string, args ...any) *Error {
	text := fmt.Sprintf(format, args...)
	e.Details = &text
	return e
}

// but adds a hint.
func (e *Error) but(format string, args ...any) *Error {
	text := fmt.Sprintf(format, args...)
	e.Hint = &text
	return e
}

// parseError says where a parameter cannot be read: at is an offset in bytes.
func parseError(what, text string, at int, unexpected, expecting string) *Error {
	e := fault(http.StatusBadRequest, "PGRST100", `"failed to parse %s (%s)" (line 1, column %d)`, what, short(text), at+1)
	return e.because("unexpected %s expecting %s", unexpected, expecting)
}

// tooMuch refuses a request that asks for more than anyone needs.
func tooMuch(format string, args ...any) *Error {
	return fault(http.StatusBadRequest, "PGRST100", "the request is too large").because(format, args...)
}

// notDone is a part of PostgREST's language that this server does not have.
func notDone(format string, args ...any) *Error {
	return fault(http.StatusBadRequest, "PGRST127", "Feature not implemented").because(format, args...)
}

func badBody(message string) *Error { return fault(http.StatusBadRequest, "PGRST102", "%s", message) }

// short cuts what a request said for a message.
func short(text string) string {
	const most = 200
	if len(text) > most {
		text = text[:most] + "…"
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}

// TooLong is the error for a value that has more bytes than its column takes.
func TooLong(table, column string, most, have int) *Error {
	return fault(http.StatusBadRequest, "22001", "%s of %s must be at most %d bytes, not %d", column, table, most, have)
}

// NoTable is the error for a table that is not in the registry. Names are
// compared with those that there are for a hint.
func NoTable(name string, known []string) *Error {
	e := fault(http.StatusNotFound, "PGRST205", "Could not find the table 'public.%s' in the schema cache", short(name))
	if near := nearest(name, known); near != "" {
		return e.but("Perhaps you meant the table 'public.%s'", near)
	}
	return e
}

// NotSingular is the error for an answer in which one row was wanted.
func NotSingular(rows int) *Error {
	return fault(http.StatusNotAcceptable, "PGRST116", "Cannot coerce the result to a single JSON object").
		because("The result contains %d rows", rows)
}

// TooManyAffected is the error for a write that changed more rows than the request allows.
func TooManyAffected(rows int64) *Error {
	return fault(http.StatusBadRequest, "PGRST124", "Query result exceeds max-affected preference constraint").
		because("The query affects %d rows", rows)
}

// BeyondRange is the error for an offset behind the last row.
func BeyondRange(offset int, total int64) *Error {
	return badRange("An offset of %d was requested, but there are only %d rows.", offset, total)
}

func badRange(format string, args ...any) *Error {
	return fault(http.StatusRequestedRangeNotSatisfiable, "PGRST103", "Requested range not satisfiable").because(format, args...)
}

// BadMethod is the error for a method that a resource does not have.
func BadMethod(method string) *Error {
	return fault(http.StatusMethodNotAllowed, "PGRST117", "Unsupported HTTP method: %s", short(method))
}

// BadPath is the error for an address that names neither a table nor a function.
func BadPath() *Error {
	return fault(http.StatusNotFound, "PGRST125", "Invalid path specified in request URL")
}

// BadToken is the error for an access token that cannot be accepted; expired
// says that it once could.
func BadToken(expired bool, message string) *Error {
	if expired {
		return fault(http.StatusUnauthorized, "PGRST303", "JWT expired")
	}
	return fault(http.StatusUnauthorized, "PGRST301", "%s", message)
}

// TooLarge is the error for a body over the server's limit, in bytes.
func TooLarge(limit int64) *Error {
	return fault(http.StatusRequestEntityTooLarge, "PGRST102", "The request body is larger than %d bytes", limit)
}

// Internal is the error for what is the server's own fault; what it was is in its log.
func Internal() *Error {
	return fault(http.StatusInternalServerError, "PGRSTX00", "Internal server error")
}

// noColumn is PostgreSQL's error for a column that a table does not have.
func noColumn(table, column string, known []string) *Error {
	e := fault(http.StatusBadRequest, "42703", "column %s.%s does not exist", table, short(column))
	if near := nearest(column, known); near != "" {
		return e.but(`Perhaps you meant to reference the column "%s.%s".`, table, near)
	}
	return e
}

// unknownColumn is the error for a column in a body or in columns=.
func unknownColumn(table, column string) *Error {
	return fault(http.StatusBadRequest, "PGRST204", "Could not find the '%s' column of '%s' in the schema cache", short(column), table)
}
