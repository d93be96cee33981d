package rows

import (
	"context"
	"errors"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"cairn/internal/team/db"
	"cairn/internal/team/postgrest"
	"cairn/internal/team/table"
)

// Explain turns any error of this package into what a request is answered:
// PostgREST's body and status. What went wrong inside stays inside.
func Explain(err error, as db.Identity) *postgrest.Error {
	var ours *postgrest.Error
	var pg *pgconn.PgError
	var lite *sqlite.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &ours):
		return ours
	case errors.As(err, &pg):
		return explainPostgres(pg, as)
	case errors.As(err, &lite):
		return explainSQLite(lite)
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return fail(500, "57014", "canceling statement due to statement timeout")
	case db.Unavailable(err):
		return fail(503, "PGRST001", "Database connection error. Retrying the connection.")
	}
	return internal()
}

func internal() *postgrest.Error { return fail(500, "XX000", "internal error") }

func explainPostgres(e *pgconn.PgError, as db.Identity) *postgrest.Error {
	out := &postgrest.Error{Status: status(e.Code, as), Code: e.Code, Message: withoutMonth(e.Message)}
	// A failing row has columns that not everyone may see.
	if e.Detail != "" && !strings.HasPrefix(e.Detail, "Failing row") {
		detail := withoutMonth(e.Detail)
		out.Details = &detail
	}
	if e.Hint != "" {
		out.Hint = &e.Hint
	}
	switch e.Code[:2] {
	case "22", "23", "21", "P0":
		return out
	case "42":
		if e.Code == "42501" || e.Code == "42846" || e.Code == "42883" || e.Code == "42804" || e.Code == "42P10" {
			return out
		}
	case "40", "53", "55", "57", "08", "54", "25":
		return fail(out.Status, e.Code, e.Message)
	}
	return internal()
}

// status is the one that PostgREST sends an SQLSTATE with.
// Source: https://docs.postgrest.org/en/v13/references/errors.html
func status(code string, as db.Identity) int {
	switch code {
	case "42501":
		return forbidden(as)
	case "23503", "23505":
		return 409
	case "25006":
		return 405
	case "42883", "42P01":
		return 404
	case "42P17", "53400":
		return 500
	case "P0001":
		return 400
	}
	if strings.HasPrefix(code, "57P") { // the database stops, or starts
		return 503
	}
	switch code[:2] {
	case "08", "53":
		return 503
	case "0L", "0P", "28":
		return 403
	case "25", "2D", "38", "39", "3B", "40", "54", "55", "57", "58", "F0", "HV", "XX", "P0":
		return 500
	}
	return 400
}

// withoutMonth takes the month out of the names of tables that are kept apart by month.
func withoutMonth(s string) string {
	for _, t := range table.All() {
		if t.Month == "" {
			continue
		}
		for from := 0; ; {
			i := strings.Index(s[from:], t.Name+"_")
			if i < 0 {
				break
			}
			end := from + i + len(t.Name) + 1
			rest := s[end:]
			if after, ok := strings.CutPrefix(rest, "default"); ok {
				s = s[:end-1] + after
			} else if len(rest) >= 6 && strings.Trim(rest[:6], "0123456789") == "" {
				s = s[:end-1] + rest[6:]
			}
			from = end - 1
		}
	}
	return s
}

func explainSQLite(e *sqlite.Error) *postgrest.Error {
	text := e.Error()
	switch e.Code() {
	case lib.SQLITE_CONSTRAINT_TRIGGER:
		if strings.Contains(text, keepOwner) {
			return fail(400, "23514", keepOwner)
		}
	case lib.SQLITE_BUSY, lib.SQLITE_LOCKED:
		return fail(503, "53300", "the database is busy")
	case lib.SQLITE_FULL:
		return fail(503, "53100", "the disk is full")
	case lib.SQLITE_INTERRUPT:
		return fail(500, "57014", "canceling statement due to statement timeout")
	case lib.SQLITE_READONLY:
		return fail(405, "25006", "cannot write in a read-only transaction")
	case lib.SQLITE_TOOBIG:
		return fail(500, "54000", "the value is too large")
	}
	if db.Unavailable(e) {
		return fail(503, "PGRST001", "the database cannot be used now")
	}
	return internal()
}

// keepOwner is what a trigger says that keeps the last owner of a team.
const keepOwner = "a team must keep one owner"
