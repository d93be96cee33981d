package rows

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"cairn/internal/team/db"
	"cairn/internal/team/postgrest"
	"cairn/internal/team/table"
)

func fail(status int, code, message string) *postgrest.Error {
	return &postgrest.Error{Status: status, Code: code, Message: message}
}

func detailed(e *postgrest.Error, details string) *postgrest.Error {
	e.Details = &details
	return e
}

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
	case errors.Is(err, ErrTooLarge):
		return postgrest.AnswerTooLarge(Most)
	case errors.As(err, &pg):
		if kind := quotas[pg.Code]; kind != "" {
			return postgrest.OverQuota(kind, pg.Message)
		}
		return explainPostgres(pg, as)
	case errors.As(err, &lite):
		return explainSQLite(lite)
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return fail(500, "57014", "canceling statement due to statement timeout")
	case db.Unavailable(err):
		return fail(503, "PGRST001", "Database connection error. Retrying the connection.")
	}
	return fail(500, "XX000", "internal error")
}

// month is the name of a table that keeps rows of a month: only the server knows it.
var month = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(eval_results|eval_payloads)_(\d{6}|default)`) })

// explainPostgres passes on what is said of the request's values, without its
// details: a row has columns that not everyone may see.
func explainPostgres(e *pgconn.PgError, as db.Identity) *postgrest.Error {
	out := &postgrest.Error{Status: status(e.Code, as), Code: e.Code, Message: month().ReplaceAllString(e.Message, "$1")}
	switch class := e.Code[:2]; {
	case e.Code == "53100": // its own words name a file of the database
		return fail(503, e.Code, noRoom)
	case e.Code == "23503":
		if _, missing, ok := strings.Cut(e.Detail, " is not present"); ok {
			return detailed(out, "Key is not present"+missing)
		}
	case class == "22", class == "23", class == "21", class == "P0", e.Code == "42501", e.Code == "42P10",
		class == "40", class == "53", class == "55", class == "57", class == "08", class == "54", class == "25":
	default:
		return fail(500, "XX000", "internal error")
	}
	return out
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
	case "P0001":
		return 400
	}
	if strings.HasPrefix(code, "57P") { // the database stops, or starts
		return 503
	}
	switch code[:2] {
	case "08", "53":
		return 503
	case "25", "40", "54", "55", "57", "P0":
		return 500
	}
	return 400
}

func explainSQLite(e *sqlite.Error) *postgrest.Error {
	text := e.Error()
	switch e.Code() {
	case lib.SQLITE_CONSTRAINT_TRIGGER:
		if strings.Contains(text, keepOwner) {
			return fail(400, "23514", keepOwner)
		}
		if strings.Contains(text, ownsMost) {
			return fail(403, "42501", ownsMost)
		}
	case lib.SQLITE_ERROR:
		if _, over, ok := strings.Cut(text, "bad JSON path: 'quota "); ok { // see the migration 0093
			kind, message, _ := strings.Cut(over, ": ")
			return postgrest.OverQuota(kind, message[:max(0, strings.LastIndex(message, "' ("))])
		}
	case lib.SQLITE_BUSY, lib.SQLITE_LOCKED:
		return fail(503, "53300", "the database is busy")
	case lib.SQLITE_FULL:
		return fail(503, "53100", noRoom)
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
	return fail(500, "XX000", "internal error")
}

// ownsMost is what a trigger says that keeps people from owning very many teams.
const ownsMost = "one user can own at most 20 teams"

// noRoom is what is said of a disk that takes nothing, whichever database found it so.
const noRoom = "the disk is full"

// quotas are the kinds of limits that PostgreSQL's triggers refuse by.
var quotas = map[string]string{"53Q01": "rows", "53Q02": "bytes", "23Q01": "channels", "23Q02": "invitations"}

// keepOwner is what a trigger says that keeps the last owner of a team.
const keepOwner = "a team must keep one owner"

// explainWrite says in PostgreSQL's words which constraint of SQLite a row violates.
func explainWrite(r *reader, err error, t *table.Table, get getter) error {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return err
	}
	// SQLite names the column or the constraint last: "constraint failed: CHECK constraint failed: X (275)".
	subject := e.Error()
	if i := strings.LastIndex(subject, " ("); i >= 0 {
		subject = subject[:i]
	}
	subject = subject[strings.LastIndex(subject, "failed: ")+len("failed: "):]
	switch e.Code() {
	case lib.SQLITE_CONSTRAINT_NOTNULL:
		_, column, _ := strings.Cut(subject, ".")
		return nullViolation(t.Name, column)
	case lib.SQLITE_CONSTRAINT_CHECK:
		return fail(400, "23514", `new row for relation "`+t.Name+`" violates check constraint "`+subject+`"`)
	case lib.SQLITE_CONSTRAINT_UNIQUE, lib.SQLITE_CONSTRAINT_PRIMARYKEY, lib.SQLITE_CONSTRAINT_ROWID:
		return fail(409, "23505", `duplicate key value violates unique constraint "`+t.Name+duplicate(t, subject)+`"`)
	case lib.SQLITE_CONSTRAINT_FOREIGNKEY:
		return r.orphan(t, get)
	}
	return err
}

func nullViolation(name, column string) *postgrest.Error {
	return fail(400, "23502", `null value in column "`+column+`" of relation "`+name+`" violates not-null constraint`)
}

// duplicate is how PostgreSQL names the constraint of columns "table.a, table.b" after the table.
func duplicate(t *table.Table, subject string) string {
	var columns []string
	for part := range strings.SplitSeq(subject, ", ") {
		_, column, _ := strings.Cut(part, ".")
		columns = append(columns, column)
	}
	last := columns[len(columns)-1]
	switch {
	case slices.Equal(columns, t.Key):
		return "_pkey"
	case last == "slug":
		return "_slug_key"
	case last == "ingest_key":
		return "_ingest"
	case last == "session_id":
		return "_session"
	case last == "token_hash":
		return "_token"
	}
	return "_open" // of an expression: team_invites
}

// orphan finds the parent that a row lacks.
func (r *reader) orphan(t *table.Table, get getter) error {
	constraint, parent := t.Name+"_user_id_fkey", "users"
	for _, rel := range t.Relations {
		if rel.Many || rel.Name == "eval_cases" { // a case need not be known before its results
			continue
		}
		s := r.statement().put("select count(*) from " + rel.Name + " where true")
		for i, there := range rel.There {
			v, _ := get(rel.Here[i])
			s.put(" and " + there + " = ")
			s.bind(kindOf(table.Find(rel.Name).Column(there)), v)
		}
		var n int
		if err := r.tx.QueryRow(r.ctx, string(s.sql), s.args...).Scan(&n); err != nil {
			return err
		}
		if n == 0 {
			constraint, parent = rel.Constraint, rel.Name
			break
		}
	}
	e := fail(409, "23503", `insert or update on table "`+t.Name+`" violates foreign key constraint "`+constraint+`"`)
	return detailed(e, `Key is not present in table "`+parent+`".`)
}
