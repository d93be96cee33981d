package rows

import (
	"errors"
	"slices"
	"strings"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"cairn/internal/team/db"
	"cairn/internal/team/postgrest"
	"cairn/internal/team/table"
)

// explain says in PostgreSQL's words which constraint of SQLite a row violates.
// PostgreSQL keeps values to itself where row-level security stands before a
// table, so only a service key is told them.
func (i *insertion) explain(err error, r row) error {
	return explainWrite(&i.reader, err, i.w.Table, r.get(i.w.Table))
}

func explainWrite(rd *reader, err error, t *table.Table, get getter) error {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return err
	}
	subject := subject(e.Error())
	switch e.Code() {
	case lib.SQLITE_CONSTRAINT_NOTNULL:
		_, column, _ := strings.Cut(subject, ".")
		return nullViolation(t.Name, column)
	case lib.SQLITE_CONSTRAINT_CHECK:
		return fail(400, "23514", `new row for relation "`+t.Name+`" violates check constraint "`+subject+`"`)
	case lib.SQLITE_CONSTRAINT_UNIQUE, lib.SQLITE_CONSTRAINT_PRIMARYKEY, lib.SQLITE_CONSTRAINT_ROWID:
		return duplicate(rd.as, t, columnsIn(subject), get)
	case lib.SQLITE_CONSTRAINT_FOREIGNKEY:
		return rd.orphan(t, get)
	}
	return err
}

// subject is what SQLite names at the end of "constraint failed: CHECK constraint failed: X (275)".
func subject(text string) string {
	if i := strings.LastIndex(text, " ("); i >= 0 {
		text = text[:i]
	}
	if i := strings.LastIndex(text, "failed: "); i >= 0 {
		text = text[i+len("failed: "):]
	}
	return text
}

func nullViolation(name, column string) *postgrest.Error {
	return fail(400, "23502", `null value in column "`+column+`" of relation "`+name+`" violates not-null constraint`)
}

func columnsIn(subject string) []string {
	var out []string
	for _, part := range strings.Split(subject, ", ") {
		_, column, _ := strings.Cut(part, ".")
		out = append(out, column)
	}
	return out
}

func duplicate(as db.Identity, t *table.Table, columns []string, get getter) error {
	name := t.Name + "_pkey"
	switch {
	case slices.Equal(columns, t.Key):
	case t.Name == "teams":
		name = "teams_slug_key"
	case slices.Contains(columns, "ingest_key"):
		name = t.Name + "_ingest"
	case slices.Contains(columns, "session_id"):
		name = t.Name + "_session"
	case slices.Contains(columns, "token_hash"):
		name = t.Name + "_token"
	case t.Name == "team_invites":
		name = "team_invites_open"
		columns = nil // of an expression
	}
	e := fail(409, "23505", `duplicate key value violates unique constraint "`+name+`"`)
	if as.Role != db.Service || columns == nil {
		return e
	}
	var values []string
	for _, c := range columns {
		v, known := get(c)
		if !known {
			return e
		}
		values = append(values, v.text)
	}
	return detailed(e, "Key ("+strings.Join(columns, ", ")+")=("+strings.Join(values, ", ")+") already exists.")
}

// orphan finds the parent that a row lacks.
func (r *reader) orphan(t *table.Table, get getter) error {
	for _, rel := range t.Relations {
		if rel.Many || rel.Name == "eval_cases" { // a case need not be known before its results
			continue
		}
		s := &statement{dialect: r.tx.Dialect()}
		s.put("select count(*) from " + rel.Name + " where true")
		parent := table.Find(rel.Name)
		var values []string
		for i, there := range rel.There {
			v, _ := get(rel.Here[i])
			values = append(values, v.text)
			s.put(" and " + there + " = ")
			s.bind(kindOf(parent.Column(there)), v)
		}
		var n int
		if err := r.tx.QueryRow(r.ctx, string(s.sql), s.args...).Scan(&n); err != nil {
			return err
		}
		if n == 0 {
			return foreign(r.as, t.Name, rel.Constraint, rel.Name, rel.Here, values)
		}
	}
	user, _ := get("user_id")
	return foreign(r.as, t.Name, t.Name+"_user_id_fkey", "users", []string{"user_id"}, []string{user.text})
}

func foreign(as db.Identity, name, constraint, parent string, columns, values []string) *postgrest.Error {
	e := fail(409, "23503", `insert or update on table "`+name+`" violates foreign key constraint "`+constraint+`"`)
	if as.Role != db.Service {
		return detailed(e, `Key is not present in table "`+parent+`".`)
	}
	return detailed(e, "Key ("+strings.Join(columns, ", ")+")=("+strings.Join(values, ", ")+`) is not present in table "`+parent+`".`)
}
