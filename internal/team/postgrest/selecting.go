package postgrest

import (
	"net/http"
	"slices"
	"strings"

	"cairn/internal/team/table"
)

// readSelect reads select=…: columns, each once, and related tables with columns of theirs.
func (q *Query) readSelect(text string) *Error {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	s := &scanner{what: "select parameter", text: text}
	if err := q.readItems(s, true); err != nil {
		return err
	}
	if !s.done() {
		return s.unexpected(`"," or end of input`)
	}
	return nil
}

// readItems reads items up to the end or to a closing parenthesis. What is
// embedded embeds nothing: neither its own table again nor the one around it.
func (q *Query) readItems(s *scanner, embeds bool) *Error {
	q.Select = []Item{}
	for {
		if s.blanks(); s.skip("*") {
			for i := range q.Table.Columns {
				if c := &q.Table.Columns[i]; !c.Hidden {
					if err := q.add(Item{Column: c}); err != nil {
						return err
					}
				}
			}
		} else if err := q.readItem(s, embeds); err != nil {
			return err
		}
		if s.blanks(); !s.skip(",") {
			break
		}
	}
	if !slices.ContainsFunc(q.Select, func(i Item) bool { return i.Embed != nil }) && len(q.Select) == visible(q.Table) {
		q.Select = nil // all of them
	}
	return nil
}

// add selects an item. Nothing is selected twice: a large column a hundred times
// would be an answer of any size.
func (q *Query) add(item Item) *Error {
	for _, there := range q.Select {
		switch {
		case item.Column != nil && there.Column == item.Column:
			return Unsupported("selecting a column twice is not supported; %s is selected already", item.Column.Name)
		case item.Embed != nil && there.Embed != nil && there.Embed.Relation == item.Embed.Relation:
			return Unsupported("embedding a table twice is not supported; %s is embedded already", item.Embed.Relation.Name)
		}
	}
	q.Select = append(q.Select, item)
	return nil
}

func visible(t *table.Table) (n int) {
	for _, c := range t.Columns {
		if !c.Hidden {
			n++
		}
	}
	return n
}

func (q *Query) readItem(s *scanner, embeds bool) *Error {
	if s.next("...") {
		return Unsupported("spreading an embedded table with ... is not supported; embed it as table(columns)")
	}
	name, err := s.name("field name (* or [a..z0..9_])")
	if err != nil {
		return err
	}
	switch {
	case s.next("::"):
		return Unsupported("a cast is not supported; select %s as it is", short(name))
	case s.next(":"):
		return Unsupported("an alias is not supported; select columns by their names")
	case s.next("->"):
		return noPath(name)
	case s.next("."), name == "count" && s.next("()"):
		return fault(http.StatusBadRequest, "PGRST123", "Use of aggregate functions is not allowed")
	case s.next("!"):
		return Unsupported("!inner and other hints are not supported; embed a related table as table(columns)")
	case !s.skip("("):
		c, err := column(q.Table, name)
		if err != nil {
			return err
		}
		return q.add(Item{Column: c})
	case !embeds:
		return Unsupported("embedding a table in an embedded one is not supported; ask for %s with a request of its own", short(name))
	}
	i := slices.IndexFunc(q.Table.Relations, func(r table.Relation) bool { return r.Name == name })
	if i < 0 {
		return fault(http.StatusBadRequest, "PGRST200", "Could not find a relationship between '%s' and '%s' in the schema cache", q.Table.Name, short(name))
	}
	e := &Embed{Relation: &q.Table.Relations[i], Query: Query{Table: table.Find(name), Limit: -1}}
	if err := e.Query.readItems(s, false); err != nil {
		return err
	}
	if err := s.want(")"); err != nil {
		return err
	}
	return q.add(Item{Embed: e})
}

// noPath refuses what is inside of a JSON column.
func noPath(name string) *Error {
	return Unsupported("a path into JSON is not supported; select the whole column %s", short(name))
}

// notScalar refuses to compare or order what has no order of its own.
func notScalar(c *table.Column) *Error {
	what := "JSON"
	if c.Type == table.TextArray {
		what = "a list"
	}
	return Unsupported("comparing and ordering by %s is not supported; column %s can be selected, and filtered with is.null", what, c.Name)
}
