package rows

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"cairn/internal/team/db"
	"cairn/internal/team/postgrest"
	"cairn/internal/team/table"
)

// A reader answers one request.
type reader struct {
	ctx   context.Context
	tx    *db.Tx
	as    db.Identity
	alias int // tables that were given a name so far
	teams []membership
	asked bool // for teams
}

// A cell is a member of the objects of an answer.
type cell struct {
	name string
	at   int  // of the statement's values
	kind kind // of the value, in SQLite
	cast string
	// embed is what stands there instead of a value.
	embed *postgrest.Embed
	keys  []int // of the statement's values: what the embedded rows are found by
}

// A shape says what an answer's objects are made of.
type shape struct {
	cells []cell
	width int // values that belong to the shape
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
			out = append(out, postgrest.Item{Column: postgrest.Path{Column: c}})
		}
	}
	return out
}

// columns puts the expressions that a shape needs, with comma between them.
func (r *reader) columns(s *statement, q *postgrest.Query, qualifier string) (*shape, error) {
	sh := &shape{}
	next := func() int {
		if sh.width > 0 {
			s.put(", ")
		}
		sh.width++
		return sh.width - 1
	}
	for _, item := range r.items(q) {
		if item.Embed == nil {
			c := cell{name: name(item), at: next(), kind: kindOfPath(item.Column), cast: item.Cast}
			if err := s.shown(item, qualifier); err != nil {
				return nil, err
			}
			sh.cells = append(sh.cells, c)
			continue
		}
		if chosen := item.Embed.Query.Select; chosen != nil && len(chosen) == 0 {
			continue // its rows are only filtered by
		}
		c := cell{name: item.Alias, embed: item.Embed}
		if c.name == "" {
			c.name = item.Embed.Relation.Name
		}
		for _, column := range item.Embed.Relation.Here {
			c.keys = append(c.keys, next())
			s.key(qualifier + column)
		}
		sh.cells = append(sh.cells, c)
	}
	if sh.width == 0 {
		next()
		s.put("1")
	}
	return sh, nil
}

// name is the member's name: that of the last name on the path to it.
func name(item postgrest.Item) string {
	if item.Alias != "" {
		return item.Alias
	}
	for i := len(item.Column.Keys) - 1; i >= 0; i-- {
		if _, err := (kind{Type: table.Int}).literal(item.Column.Keys[i]); err != nil {
			return item.Column.Keys[i]
		}
	}
	return item.Column.Column.Name
}

// shown puts an item's expression: JSON on PostgreSQL, the bare value on SQLite.
func (s *statement) shown(item postgrest.Item, qualifier string) error {
	if s.dialect == db.SQLite {
		s.path(item.Column, qualifier)
		return nil
	}
	s.put("to_json(")
	s.path(item.Column, qualifier)
	if item.Cast != "" {
		if !castable(item.Cast) {
			return fail(400, "42704", `type "`+item.Cast+`" does not exist`)
		}
		s.put("::" + item.Cast)
	}
	s.put(")::text")
	return nil
}

// key puts a column that rows are joined by.
func (s *statement) key(column string) {
	if s.dialect == db.PostgreSQL {
		column += "::text"
	}
	s.put(column)
}

// value prints a cell's value as JSON.
func (r *reader) value(c *cell, v any) (jsontext.Value, error) {
	if r.tx.Dialect() == db.SQLite {
		if c.cast != "" {
			return c.kind.castTo(c.cast, v)
		}
		return c.kind.show(v)
	}
	switch v := v.(type) {
	case string:
		return jsontext.Value(v), nil
	case []byte:
		return jsontext.Value(string(v)), nil
	}
	return jsontext.Value("null"), nil
}

// selection begins a statement that selects a query's items.
func (r *reader) selection(q *postgrest.Query, alias string) (*statement, *shape, error) {
	s := &statement{dialect: r.tx.Dialect()}
	s.put("select ")
	sh, err := r.columns(s, q, alias+".")
	return s, sh, err
}

// from returns the rest of it: from, and where with the tenant's condition, the
// filters and those of embedded tables that must have a row.
func (r *reader) from(q *postgrest.Query, alias string) (*statement, error) {
	s := &statement{dialect: r.tx.Dialect()}
	return s, r.fromPhysical(s, q, q.Table.Name, alias)
}

// fromPhysical is from one of the tables that a table's rows are kept in.
func (r *reader) fromPhysical(s *statement, q *postgrest.Query, physical, alias string) error {
	t, err := r.enter(q.Table, reads)
	if err == nil {
		err = t.shows(q)
	}
	if err != nil {
		return err
	}
	s.put(" from " + physical + " as " + alias + " where (")
	t.where(s, alias+".")
	s.put(")")
	return r.conditions(s, q, alias)
}

// count counts the rows that a query leaves without limit and offset: months
// one by one, each by its own indexes, which the view of all months would not use.
func (r *reader) count(q *postgrest.Query) (int64, error) {
	names := []string{q.Table.Name}
	if q.Table.Month != "" {
		var err error
		if names, err = r.tx.Months(r.ctx, q.Table.Name); err != nil {
			return 0, err
		}
	}
	var total int64
	for _, name := range names {
		s := &statement{dialect: r.tx.Dialect()}
		s.put("select count(*)")
		if err := r.fromPhysical(s, q, name, q.Table.Name); err != nil {
			return 0, err
		}
		if q.Table.Month != "" {
			shown, err := r.tx.Shown(r.ctx, name)
			if err != nil {
				return 0, err
			}
			s.put(" and " + shown)
		}
		var n int64
		if err := r.tx.QueryRow(r.ctx, string(s.sql), s.args...).Scan(&n); err != nil {
			return 0, err
		}
		total += n
	}
	return total, nil
}

func (r *reader) conditions(s *statement, q *postgrest.Query, alias string) error {
	if len(q.Where) > 0 {
		s.put(" and ")
		if err := s.filters(q.Where, alias+".", " and "); err != nil {
			return err
		}
	}
	for _, item := range q.Select {
		if item.Embed == nil || !item.Embed.Inner {
			continue
		}
		if err := r.exists(s, item.Embed, alias); err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) order(s *statement, q *postgrest.Query, alias string) error {
	for i, o := range q.Order {
		if i == 0 {
			s.put(" order by ")
		} else {
			s.put(", ")
		}
		s.path(o.Path, alias+".")
		if o.Desc {
			s.put(" desc")
		}
		if o.NullsFirst {
			s.put(" nulls first")
		} else {
			s.put(" nulls last")
		}
	}
	return nil
}

// read runs a statement and returns its rows as objects, what is embedded with them.
func (r *reader) read(s *statement, sh *shape) ([]jsontext.Value, error) {
	var raw [][]any
	err := s.each(r.ctx, r.tx, func(values []any) error {
		raw = append(raw, append([]any(nil), values...))
		return nil
	})
	if err != nil {
		return nil, err
	}
	return r.objects(raw, sh)
}

func (r *reader) objects(raw [][]any, sh *shape) ([]jsontext.Value, error) {
	embedded := make([]*embedded, len(sh.cells))
	for i := range sh.cells {
		if sh.cells[i].embed == nil {
			continue
		}
		var err error
		if embedded[i], err = r.embed(&sh.cells[i], raw); err != nil {
			return nil, err
		}
	}
	out := make([]jsontext.Value, 0, len(raw))
	for _, values := range raw {
		o := []byte{'{'}
		for i := range sh.cells {
			c := &sh.cells[i]
			if c.embed != nil {
				o = embedded[i].member(o, c, values)
				continue
			}
			v, err := r.value(c, values[c.at])
			if err != nil {
				return nil, err
			}
			o = member(o, c.name, v)
		}
		out = append(out, append(o, '}'))
	}
	return out, nil
}

func member(o []byte, name string, v jsontext.Value) []byte {
	if len(o) > 1 {
		o = append(o, ',')
	}
	o, _ = jsontext.AppendQuote(o, name)
	return append(append(o, ':'), v...)
}
