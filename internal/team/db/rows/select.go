package rows

import (
	"context"
	"database/sql"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/postgrest"
	"cairn/internal/team/table"
)

const (
	// MostRows is how many rows an answer has at most. A service key is not limited.
	MostRows = 10_000
	// MostCounted is how far rows are counted: more than that are a number that
	// nobody reads, and cost a scan of all of them.
	MostCounted = 100_000
)

// A reader answers one request.
type reader struct {
	ctx   context.Context
	tx    *db.Tx
	as    db.Identity
	teams []membership
	asked bool // for teams
}

// Select adds the rows that a query asks for to an answer. count asks for its Total.
func Select(ctx context.Context, tx *db.Tx, as db.Identity, q *postgrest.Query, count bool, a *Answer) error {
	r := &reader{ctx: ctx, tx: tx, as: as}
	if count {
		if err := r.count(q, a); err != nil {
			return err
		}
	}
	sh := r.shapeOf(q, a.budget)
	read := r.plain
	if tx.Dialect() == db.SQLite && len(q.Order) > 0 {
		read = r.ordered
	}
	if len(sh.embeds) > 0 {
		return r.embed(q, sh, read, a)
	}
	return read(q, sh, func(o []byte, _ []any) error { return a.add(o) })
}

// Count finds the Total that Select would, and no rows.
func Count(ctx context.Context, tx *db.Tx, as db.Identity, q *postgrest.Query, a *Answer) error {
	return (&reader{ctx: ctx, tx: tx, as: as}).count(q, a)
}

// A shape says what the objects of an answer are made of.
type shape struct {
	columns []*table.Column
	embeds  []*postgrest.Embed
	keys    []*table.Column // that embedded rows are found by
	budget  int             // no row may be larger
	last    []byte          // the last object, whose memory the next one has
}

// items returns what is shown: all columns that are not hidden where nothing is
// said, to a token of CI those without addresses.
func (r *reader) items(q *postgrest.Query) []postgrest.Item {
	if q.Select != nil {
		return q.Select
	}
	var out []postgrest.Item
	for i := range q.Table.Columns {
		if c := &q.Table.Columns[i]; !c.Hidden && !(c.Address && r.as.Team != uuid.Nil) {
			out = append(out, postgrest.Item{Column: c})
		}
	}
	return out
}

func (r *reader) shapeOf(q *postgrest.Query, budget int) *shape {
	sh := &shape{budget: budget}
	for _, item := range r.items(q) {
		if item.Embed == nil {
			sh.columns = append(sh.columns, item.Column)
			continue
		}
		sh.embeds = append(sh.embeds, item.Embed)
		for _, name := range item.Embed.Relation.Here {
			sh.keys = append(sh.keys, q.Table.Column(name))
		}
	}
	return sh
}

// show puts the expressions that a shape's object is made of, and its keys.
// PostgreSQL prints the object, as bytes that are cut where they are too many.
// SQLite gives the values, those that are too large as an empty blob: of a small
// answer every value has a bound, of a large one the row.
func (r *reader) show(s *statement, sh *shape) {
	if s.dialect == db.PostgreSQL {
		s.put("substring(convert_to(to_json((select x from (select ").columns(sh.columns).put(") as x))::text, 'UTF8') for " + strconv.Itoa(sh.budget+1) + ")")
		for _, c := range sh.keys {
			s.put(", " + c.Name + "::text")
		}
		return
	}
	whole := sizeOf(sh.columns)
	for i, c := range sh.columns {
		if i > 0 {
			s.put(", ")
		}
		size := whole
		if sh.budget < Most {
			size = "octet_length(" + c.Name + ")"
		}
		if isLong(c) {
			s.put("iif(" + size + " > " + strconv.Itoa(sh.budget) + ", x'', " + c.Name + ")")
		} else {
			s.put(c.Name)
		}
	}
	if len(sh.columns) == 0 {
		s.put("null")
	}
	for _, c := range sh.keys {
		s.put(", " + c.Name)
	}
}

// isLong says whether a column's values may have any length.
func isLong(c *table.Column) bool {
	return c.Type == table.Text || c.Type == table.JSON || c.Type == table.TextArray
}

// sizeOf is the expression for what columns of a row have in bytes, in SQLite.
func sizeOf(columns []*table.Column) string {
	size := strconv.Itoa(24 * len(columns)) // of numbers and the like
	for _, c := range columns {
		if isLong(c) {
			size += " + ifnull(octet_length(" + c.Name + "), 0)"
		}
	}
	return size
}

// object is what a statement's values are as a JSON object, until the next one is
// asked for; rest are the keys.
func (sh *shape) object(dialect db.Dialect, values []any) (o []byte, rest []any, err error) {
	if dialect == db.PostgreSQL {
		o, _ = values[0].([]byte)
		if len(o) > sh.budget {
			err = ErrTooLarge
		}
		return o, values[1:], err
	}
	o = append(sh.last[:0], '{')
	for i, c := range sh.columns {
		if i > 0 {
			o = append(o, ',')
		}
		o = append(append(append(o, '"'), c.Name...), '"', ':')
		if o, err = kindOf(c).show(o, values[i]); err != nil {
			return nil, nil, err
		}
	}
	sh.last = append(o, '}')
	return sh.last, values[max(len(sh.columns), 1):], nil
}

// plain calls fn with every row's object and keys as the database finds them.
func (r *reader) plain(q *postgrest.Query, sh *shape, fn func(o []byte, keys []any) error) error {
	s := r.statement().put("select ")
	r.show(s, sh)
	if err := r.from(s, q); err != nil {
		return err
	}
	return r.objects(s, sh, fn)
}

func (r *reader) objects(s *statement, sh *shape, fn func(o []byte, keys []any) error) error {
	return s.each(r.ctx, r.tx, func(values []any) error {
		o, keys, err := sh.object(s.dialect, values)
		if err != nil {
			return err
		}
		return fn(o, keys)
	})
}

// from puts the rest of a statement that reads: from, where with the tenant's
// condition and the filters, order and range.
func (r *reader) from(s *statement, q *postgrest.Query) error {
	if err := r.where(s, q, q.Table.Name); err != nil {
		return err
	}
	for i, o := range q.Order {
		s.put([...]string{", ", " order by "}[b2i(i == 0)] + o.Column.Name)
		if o.Desc {
			s.put(" desc")
		}
		s.put([...]string{" nulls last", " nulls first"}[b2i(o.NullsFirst)])
	}
	limit := q.Limit
	if r.as.Role != db.Service && (limit < 0 || limit > MostRows) {
		limit = MostRows
	}
	switch {
	case limit >= 0:
		s.put(" limit " + strconv.Itoa(limit))
	case s.dialect == db.SQLite && q.Offset > 0:
		s.put(" limit -1")
	}
	if q.Offset > 0 {
		s.put(" offset " + strconv.Itoa(q.Offset))
	}
	return nil
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// where puts from one of the tables that a table's rows are kept in, and where.
func (r *reader) where(s *statement, q *postgrest.Query, physical string) error {
	t, err := r.enter(q.Table, reads)
	if err == nil {
		err = t.shows(q)
	}
	if err != nil {
		return err
	}
	s.put(" from " + physical + " as " + q.Table.Name + " where (")
	t.where(s, q.Table.Name+".")
	s.put(")")
	return r.conditions(s, q)
}

func (r *reader) conditions(s *statement, q *postgrest.Query) error {
	if len(q.Where) == 0 {
		return nil
	}
	s.put(" and ")
	return s.filters(q.Where, q.Table.Name+".", " and ")
}

// ordered is plain where SQLite sorts rows, which it does in memory: of them it
// sorts the keys. Each row is then read by its key, in the table of its month.
func (r *reader) ordered(q *postgrest.Query, sh *shape, fn func(o []byte, keys []any) error) error {
	s := r.statement().put("select " + strings.Join(q.Table.Key, ", "))
	if err := r.from(s, q); err != nil {
		return err
	}
	var keys [][]any
	err := s.each(r.ctx, r.tx, func(values []any) error {
		keys = append(keys, slices.Clone(values))
		return nil
	})
	if err != nil {
		return err
	}
	prepared := map[string]*sql.Stmt{}
	for _, key := range keys {
		physical := q.Table.Name
		if at := slices.Index(q.Table.Key, q.Table.Month); at >= 0 {
			physical += "_" + time.UnixMicro(key[at].(int64)).UTC().Format("200601")
		}
		one := prepared[physical]
		if one == nil {
			s := r.statement().put("select ")
			r.show(s, sh)
			s.put(" from " + physical + " where " + strings.Join(q.Table.Key, " = ? and ") + " = ?")
			if one, err = r.tx.Prepare(r.ctx, string(s.sql)); err != nil {
				return err
			}
			defer one.Close()
			prepared[physical] = one
		}
		rows, err := one.QueryContext(r.ctx, key...)
		if err != nil {
			return err
		}
		err = scanEach(rows, func(values []any) error {
			o, rest, err := sh.object(db.SQLite, values)
			if err != nil {
				return err
			}
			return fn(o, rest)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// count counts the rows that a query leaves without limit and offset: months
// one by one, each by its own indexes, which the view of all months would not use.
func (r *reader) count(q *postgrest.Query, a *Answer) error {
	physical := []string{q.Table.Name}
	if q.Table.Month != "" {
		var err error
		if physical, err = r.tx.Months(r.ctx, q.Table.Name); err != nil {
			return err
		}
	}
	a.Total = 0
	for _, name := range physical {
		s := r.statement().put("select count(*) from (select 1")
		if err := r.where(s, q, name); err != nil {
			return err
		}
		if q.Table.Month != "" {
			shown, err := r.tx.Shown(r.ctx, name)
			if err != nil {
				return err
			}
			s.put(" and " + shown)
		}
		s.put(" limit " + strconv.Itoa(MostCounted+1) + ") as counted")
		var n int64
		if err := r.tx.QueryRow(r.ctx, string(s.sql), s.args...).Scan(&n); err != nil {
			return err
		}
		if a.Total += n; a.Total > MostCounted {
			a.Total = -1
			return nil
		}
	}
	return nil
}
