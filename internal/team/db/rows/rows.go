// Package rows reads and writes the registry's tables in PostgREST's terms: a
// request's tree and who sends it become statements of SQLite or PostgreSQL,
// answers become JSON, errors become PostgREST's. Whatever PostgreSQL says,
// SQLite says too.
//
// Which rows somebody may touch is said in tenant.go and nowhere else; every
// statement here passes through it, on both databases. Handlers of requests
// (team/server/rest) import this package. Tables that are not in the registry,
// and HTTP, never belong here.
package rows

import (
	"context"
	"database/sql"

	"cairn/internal/team/db"
	"cairn/internal/team/table"
)

// A statement is put together from texts that are written in this package,
// names of the registry, and parameters. No text of a request gets into it.
type statement struct {
	dialect db.Dialect
	sql     []byte
	args    []any
}

func (s *statement) put(text string, args ...any) *statement {
	s.sql = append(s.sql, text...)
	s.args = append(s.args, args...)
	return s
}

// bind puts a value as a parameter. PostgreSQL reads its text form as the type.
func (s *statement) bind(k kind, v value) {
	s.put(s.parameter(k), v.as(s.dialect))
}

func (s *statement) parameter(k kind) string {
	if s.dialect == db.SQLite {
		return "?"
	}
	if k.Type == table.Timestamp {
		return "?::timestamptz"
	}
	return "?::" + k.String()
}

func (s *statement) add(other *statement) *statement { return s.put(string(other.sql), other.args...) }

// sub is a statement of the same database that becomes part of it.
func (s *statement) sub() *statement { return &statement{dialect: s.dialect} }

func (r *reader) statement() *statement { return &statement{dialect: r.tx.Dialect()} }

// each calls fn with the values of every row.
func (s *statement) each(ctx context.Context, tx *db.Tx, fn func([]any) error) error {
	rows, err := tx.Query(ctx, string(s.sql), s.args...)
	if err != nil {
		return err
	}
	return scanEach(rows, fn)
}

func scanEach(rows *sql.Rows, fn func([]any) error) error {
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return err
	}
	values := make([]any, len(columns))
	into := make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		if err := fn(values); err != nil {
			return err
		}
	}
	return rows.Err()
}

// columns puts the names of columns.
func (s *statement) columns(list []*table.Column) *statement {
	for i, c := range list {
		if i > 0 {
			s.put(", ")
		}
		s.put(c.Name)
	}
	return s
}
