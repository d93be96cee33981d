package export

import (
	"bufio"
	"context"
	"database/sql"
	"fmt"
	"strings"

	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/db/rows"
	"cairn/internal/team/table"
)

// How many rows one statement reads: it ends long before the database's limit
// of a statement's time, however slowly they are taken.
const (
	pageRows = 2000
	pageLong = 50 // of rows with documents in them
)

// rows writes a table's rows as JSON, by key, and returns how many.
func (s *selection) rows(ctx context.Context, tx *db.Tx, src source, out *bufio.Writer) (n int64, err error) {
	from := []string{src.from}
	if src.month {
		if from, err = tx.Months(ctx, src.name); err != nil {
			return 0, err
		}
	}
	for _, physical := range from {
		for more := []any(nil); ; {
			var count int
			more, count, err = s.page(ctx, tx, src, physical, more, out)
			if n += int64(count); err != nil {
				return n, fmt.Errorf("%s: %w", src.name, err)
			}
			if more == nil {
				break
			}
		}
	}
	return n, nil
}

// page writes the rows behind a key, and returns the key of the last one where
// there may be more.
func (s *selection) page(ctx context.Context, tx *db.Tx, src source, from string, after []any, out *bufio.Writer) (last []any, n int, err error) {
	most := pageRows
	switch src.name {
	case "session_transcripts", "qa_reports", "eval_payloads":
		most = pageLong
	}
	query, args := s.query(src, from, after, most)
	found, err := tx.Query(ctx, query, args...)
	if err != nil {
		return nil, 0, err
	}
	defer found.Close()
	for found.Next() {
		n++
		if last, err = s.line(found, src, out); err != nil {
			return nil, n, err
		}
	}
	if n < most {
		last = nil
	}
	return last, n, found.Err()
}

// line writes a row and returns its key.
func (s *selection) line(found *sql.Rows, src source, out *bufio.Writer) (key []any, err error) {
	width := len(src.columns)
	if s.dialect == db.PostgreSQL {
		width = 1
	}
	values := make([]any, width+len(src.key))
	into := make([]any, len(values))
	for i := range values {
		into[i] = &values[i]
	}
	if err := found.Scan(into...); err != nil {
		return nil, err
	}
	line, err := s.object(src, values[:width])
	if err != nil {
		return nil, err
	}
	_, err = out.Write(append(line, '\n'))
	return values[width:], err
}

// object is a row as JSON; PostgreSQL has made it already.
func (s *selection) object(src source, values []any) ([]byte, error) {
	if s.dialect == db.PostgreSQL {
		text, ok := values[0].(string)
		if !ok {
			return nil, fmt.Errorf("a row came as %T", values[0])
		}
		return []byte(text), nil
	}
	line := []byte{'{'}
	for i := range src.columns {
		shown, err := rows.Show(&src.columns[i], values[i])
		if err != nil {
			return nil, err
		}
		if i > 0 {
			line = append(line, ',')
		}
		line = append(append(line, `"`+src.columns[i].Name+`":`...), shown...)
	}
	return append(line, '}'), nil
}

// query is the statement of a page: the columns, or all of them as one object,
// then the key.
func (s *selection) query(src source, from string, after []any, most int) (string, []any) {
	var list, keys, marks []string
	for _, c := range src.columns {
		if e := src.instead[c.Name]; e != "" {
			list = append(list, e+" as "+c.Name)
			continue
		}
		list = append(list, c.Name)
	}
	for _, k := range src.key {
		if s.dialect == db.PostgreSQL {
			keys, marks = append(keys, "x."+k+"::text"), append(marks, "?::"+typeOf(src, k))
		} else {
			keys, marks = append(keys, k), append(marks, "?")
		}
	}
	where, args := s.where(src)
	key := strings.Join(src.key, ", ")
	if after != nil {
		where, args = where+" and ("+key+") > ("+strings.Join(marks, ", ")+")", append(args, after...)
	}
	rest := fmt.Sprintf(" from %s where %s order by %s limit %d", from, where, key, most)
	if s.dialect == db.PostgreSQL {
		return "select row_to_json(x)::text, " + strings.Join(keys, ", ") + " from (select " + strings.Join(list, ", ") + rest + ") x order by x." + strings.Join(src.key, ", x."), args
	}
	return "select " + strings.Join(append(list, keys...), ", ") + rest, args
}

// where is the condition of the rows that are wanted.
func (s *selection) where(src source) (string, []any) {
	where, args := "true", []any{}
	if src.team != "" && s.Team != uuid.Nil {
		where, args = src.team+" = ?", append(args, s.Team)
	}
	if s.Person == uuid.Nil {
		return where, args
	}
	for _, c := range src.person {
		switch c {
		case '?':
			args = append(args, s.Person)
		case '@':
			args = append(args, strings.ToLower(s.email))
		}
	}
	return where + " and " + strings.ReplaceAll(src.person, "@", "?"), args
}

// typeOf is PostgreSQL's name of a key column's type.
func typeOf(src source, column string) string {
	for _, c := range src.columns {
		if c.Name == column {
			return map[table.Type]string{table.UUID: "uuid", table.Text: "text", table.BigInt: "bigint", table.SmallInt: "smallint",
				table.Timestamp: "timestamptz", table.Date: "date"}[c.Type]
		}
	}
	panic("no column " + column) // of a source of ours
}
