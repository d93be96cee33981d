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
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"cairn/internal/team/db"
	"cairn/internal/team/postgrest"
	"cairn/internal/team/table"
)

// MostRows is how many rows an answer, or the list of an embedded table in a
// row, has at most. A service key is not limited.
const MostRows = 10_000

// An Answer is what a request gets.
type Answer struct {
	Rows     []jsontext.Value // objects
	Total    int64            // rows that the filters leave, without limit and offset; -1 where it was not asked for
	Affected int64            // rows that a write changed
}

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

func (s *statement) exec(ctx context.Context, tx *db.Tx) (int64, error) {
	return tx.Exec(ctx, string(s.sql), s.args...)
}

// each calls fn with the values of every row.
func (s *statement) each(ctx context.Context, tx *db.Tx, fn func([]any) error) error {
	rows, err := tx.Query(ctx, string(s.sql), s.args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	return scanEach(rows, fn)
}

func scanEach(rows *sql.Rows, fn func([]any) error) error {
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

func (s *statement) list(names []string, qualifier string) *statement {
	for i, n := range names {
		if i > 0 {
			s.put(", ")
		}
		s.put(qualifier + n)
	}
	return s
}

// Select answers a query. count asks for Total.
func Select(ctx context.Context, tx *db.Tx, as db.Identity, q *postgrest.Query, count bool) (*Answer, error) {
	r := reader{ctx: ctx, tx: tx, as: as}
	from, err := r.from(q, q.Table.Name)
	if err != nil {
		return nil, err
	}
	a := &Answer{Total: -1}
	if count {
		if a.Total, err = r.count(q); err != nil {
			return nil, err
		}
	}
	s, shape, err := r.selection(q, q.Table.Name)
	if err != nil {
		return nil, err
	}
	s.add(from)
	if err := r.order(s, q, q.Table.Name); err != nil {
		return nil, err
	}
	limit := q.Limit
	if as.Role != db.Service && (limit < 0 || limit > MostRows) {
		limit = MostRows
	}
	switch {
	case limit >= 0:
		s.put(" limit " + strconv.Itoa(limit))
	case tx.Dialect() == db.SQLite && q.Offset > 0:
		s.put(" limit -1")
	}
	if q.Offset > 0 {
		s.put(" offset " + strconv.Itoa(q.Offset))
	}
	a.Rows, err = r.read(s, shape)
	return a, err
}
