package postgrest

import (
	"net/http"
	"slices"
	"strings"

	"cairn/internal/team/table"
)

// readSelect reads select=…: columns with aliases, casts and JSON paths, and
// tables embedded in each other.
func (r *request) readSelect(q *Query, text string) *Error {
	s := &scanner{what: "select parameter", text: text}
	if strings.TrimSpace(text) == "" {
		return nil
	}
	if err := r.readItems(s, q, 0); err != nil {
		return err
	}
	if !s.done() {
		return s.unexpected(`"," or end of input`)
	}
	return nil
}

// readItems reads items up to the end or to a closing parenthesis.
func (r *request) readItems(s *scanner, q *Query, nesting int) *Error {
	if nesting > MaxNesting {
		return tooMuch("tables are embedded in each other more than %d times", MaxNesting)
	}
	q.Select = []Item{}
	every := 0
	for {
		s.blanks()
		if s.skip("*") {
			every++
			for i := range q.Table.Columns {
				if c := &q.Table.Columns[i]; !c.Hidden {
					q.Select = append(q.Select, Item{Column: Path{Column: c}})
				}
			}
		} else {
			item, err := r.readItem(s, q.Table, nesting)
			if err != nil {
				return err
			}
			q.Select = append(q.Select, item)
		}
		if r.items++; r.items > MaxItems || len(q.Select) > MaxItems {
			return tooMuch("more than %d columns are selected", MaxItems)
		}
		s.blanks()
		if !s.skip(",") {
			break
		}
	}
	if every == 1 && !slices.ContainsFunc(q.Select, func(i Item) bool { return i.plain() == nil }) && len(q.Select) == visible(q.Table) {
		q.Select = nil // * alone
	}
	return nil
}

// plain returns the column of an item that is just one, nil for any other.
func (i Item) plain() *table.Column {
	if i.Embed != nil || i.Alias != "" || i.Cast != "" || len(i.Column.Keys) > 0 {
		return nil
	}
	return i.Column.Column
}

func visible(t *table.Table) int {
	n := 0
	for _, c := range t.Columns {
		if !c.Hidden {
			n++
		}
	}
	return n
}

const fieldName = "field name (* or [a..z0..9_$])"

func (r *request) readItem(s *scanner, t *table.Table, nesting int) (Item, *Error) {
	spread := s.skip("...")
	name, err := s.name(fieldName)
	if err != nil {
		return Item{}, err
	}
	var item Item
	if !spread && s.next(":") && !s.next("::") {
		s.at++
		if item.Alias = name; len(name) > 128 {
			return Item{}, tooMuch("an alias has more than 128 bytes")
		}
		if name, err = s.name(fieldName); err != nil {
			return Item{}, err
		}
	}
	if name == "count" && s.next("()") {
		return Item{}, noAggregates()
	}
	if s.next("!") || s.next("(") {
		item.Embed, err = r.readEmbed(s, t, name, spread, nesting)
		return item, err
	}
	if spread {
		return Item{}, s.unexpected(`"("`)
	}
	if item.Column, err = readPath(s, t, name); err != nil {
		return Item{}, err
	}
	if keys := item.Column.Keys; len(keys) > 0 && item.Alias == "" {
		item.Alias = pathName(name, keys)
	}
	if s.skip("::") {
		word, err := s.name("type name")
		if err != nil {
			return Item{}, err
		}
		if item.Cast = castTo(word); item.Cast == "" {
			return Item{}, fault(http.StatusBadRequest, "42704", `type "%s" does not exist`, short(word))
		}
	}
	for _, f := range [...]string{".sum()", ".avg()", ".min()", ".max()", ".count()"} {
		if s.next(f) {
			return Item{}, noAggregates()
		}
	}
	return item, nil
}

func noAggregates() *Error {
	return fault(http.StatusBadRequest, "PGRST123", "Use of aggregate functions is not allowed")
}

// pathName is what a JSON path is called in an answer: its last name.
func pathName(column string, keys []string) string {
	for _, k := range slices.Backward(keys) {
		if !isIndex(k) {
			return k
		}
	}
	return column
}

// castTo returns the one name of a type that a cast may name, "" for any other.
func castTo(word string) string {
	switch strings.ToLower(word) {
	case "text", "varchar", "character varying":
		return "text"
	case "smallint", "int2":
		return "int2"
	case "int", "integer", "int4":
		return "int4"
	case "bigint", "int8":
		return "int8"
	case "real", "float4":
		return "float4"
	case "float", "float8", "double precision":
		return "float8"
	case "numeric", "decimal":
		return "numeric"
	case "bool", "boolean":
		return "bool"
	case "timestamptz", "timestamp with time zone":
		return "timestamptz"
	case "uuid", "date", "json", "jsonb":
		return strings.ToLower(word)
	}
	return ""
}
