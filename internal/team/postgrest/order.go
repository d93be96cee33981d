package postgrest

import (
	"net/http"
	"strings"
)

// readOrder reads order=column[.asc|.desc][.nullsfirst|.nullslast],…
func (r *request) readOrder(q *Query, text string) *Error {
	s := &scanner{what: "order", text: text}
	if strings.TrimSpace(text) == "" {
		return nil
	}
	for {
		name, err := s.name(fieldName)
		if err != nil {
			return err
		}
		if s.next("(") {
			return relatedOrder(q, name)
		}
		o := Order{}
		if o.Path, err = readPath(s, q.Table, name); err != nil {
			return err
		}
		if s.skip(".desc") {
			o.Desc = true
		} else {
			s.skip(".asc")
		}
		o.NullsFirst = o.Desc
		if s.skip(".nullsfirst") {
			o.NullsFirst = true
		} else if s.skip(".nullslast") {
			o.NullsFirst = false
		}
		if q.Order = append(q.Order, o); len(q.Order) > MaxItems {
			return tooMuch("there are more than %d columns to order by", MaxItems)
		}
		s.blanks()
		if s.done() {
			return nil
		}
		if !s.skip(",") {
			return s.unexpected(`"," or end of input`)
		}
	}
}

// relatedOrder refuses to order rows by a column of an embedded table.
func relatedOrder(q *Query, name string) *Error {
	if _, err := q.embedded([]string{name}); err != nil {
		return err
	}
	if e := q.embed(name); e.Relation.Many {
		return fault(http.StatusBadRequest, "PGRST118", "A related order on '%s' is not possible", short(name)).
			because("'%s' and '%s' do not form a many-to-one or one-to-one relationship", q.Table.Name, short(name))
	}
	return notDone("rows cannot be ordered by a column of an embedded table")
}
