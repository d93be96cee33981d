package postgrest

import (
	"fmt"
	"net/http"
	"strings"

	"cairn/internal/team/table"
)

// An Error is PostgREST's error body and the status it is sent with.
type Error struct {
	Status  int     `json:"-"`
	Code    string  `json:"code"` // PGRST… or an SQLSTATE
	Details *string `json:"details"`
	Hint    *string `json:"hint"`
	Message string  `json:"message"`
	Quota   string  `json:"-"` // the kind of limit that it is about: rows, bytes, …
}

func (e *Error) Error() string { return e.Code + ": " + e.Message }

// Refusal is what a page says of it.
func (e *Error) Refusal() (status int, message string) { return e.Status, e.Message }

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

// Unsupported refuses a part of PostgREST's language that this server does not
// have: the sentence names it and what there is.
func Unsupported(format string, args ...any) *Error {
	return fault(http.StatusBadRequest, "PGRST127", format, args...)
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

// NoTable is the error for a table that is not in the registry.
func NoTable(name string) *Error {
	return fault(http.StatusNotFound, "PGRST205", "Could not find the table 'public.%s' in the schema cache", short(name))
}

// NotSingular is the error for an answer in which one row was wanted.
func NotSingular(rows int64) *Error {
	return fault(http.StatusNotAcceptable, "PGRST116", "Cannot coerce the result to a single JSON object").
		because("The result contains %d rows", rows)
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

// AnswerTooLarge is the error for an answer of more than limit bytes.
func AnswerTooLarge(limit int) *Error {
	return fault(http.StatusRequestEntityTooLarge, "54000", "the answer is larger than %d MiB", limit>>20).
		but("ask for fewer rows with limit, or for fewer columns with select")
}

// Busy is the error while other answers have all the memory that there is for large ones.
func Busy() *Error {
	return fault(http.StatusServiceUnavailable, "53400", "the server is sending as many large answers as it can").
		but("ask again in a few seconds, or for fewer rows with limit")
}

// OverQuota is the error for what a team would have more of than it may. What is
// stored has a status by which clients keep what they could not send.
func OverQuota(kind, message string) *Error {
	e := fault(http.StatusInsufficientStorage, "53400", "%s", message)
	if kind == "channels" || kind == "invitations" {
		e = fault(http.StatusUnprocessableEntity, "54000", "%s", message)
	}
	e.Quota = kind
	return e.but("cairn team quota shows what the team has; the server's operator can raise it: cairn serve team quota SLUG --%s N", kind)
}

// noColumn is the error for a column that cannot be asked for: there is none, or nobody sees it.
func noColumn(t *table.Table, name string) *Error {
	if hides(t, name) {
		return fault(http.StatusForbidden, "42501", "permission denied for table %s", t.Name)
	}
	return fault(http.StatusBadRequest, "42703", "column %s.%s does not exist", t.Name, short(name))
}
