package rows

import (
	"strings"

	"cairn/internal/team/postgrest"
	"cairn/internal/team/table"
)

// filters puts a condition for each filter, with a word between them.
func (s *statement) filters(list []postgrest.Filter, qualifier, join string) error {
	for i := range list {
		if i > 0 {
			s.put(join)
		}
		if err := s.filter(&list[i], qualifier); err != nil {
			return err
		}
	}
	return nil
}

func (s *statement) filter(f *postgrest.Filter, qualifier string) (err error) {
	if f.Not {
		s.put("not ")
	}
	s.put("(")
	switch {
	case len(f.All) > 0:
		err = s.filters(f.All, qualifier, " and ")
	case len(f.Any) > 0:
		err = s.filters(f.Any, qualifier, " or ")
	default:
		err = s.compare(f, qualifier+f.Column.Name)
	}
	s.put(")")
	return err
}

// signs are the operators that both databases write alike.
var signs = [...]string{postgrest.Eq: " = ", postgrest.Neq: " <> ", postgrest.Gt: " > ", postgrest.Gte: " >= ", postgrest.Lt: " < ", postgrest.Lte: " <= ", postgrest.In: " in (", postgrest.Is: " is "}

func (s *statement) compare(f *postgrest.Filter, column string) error {
	k := kindOf(f.Column)
	switch {
	case f.Op == postgrest.Is && f.Values[0] == "null":
		s.put(column + " is null")
		return nil
	case f.Op == postgrest.Is && k.Type != table.Bool:
		return fail(400, "42804", "argument of IS "+strings.ToUpper(f.Values[0])+" must be type boolean, not type "+k.String())
	case f.Op == postgrest.Is:
		s.put(column + map[bool]string{true: " is true", false: " is false"}[f.Values[0] == "true"])
		return nil
	case len(f.Values) == 0: // in ()
		s.put("false")
		return nil
	}
	s.put(column + signs[f.Op])
	for i, text := range f.Values {
		v, err := k.literal(text)
		if err != nil {
			return err
		}
		if i > 0 {
			s.put(", ")
		}
		s.bind(k, v)
	}
	if f.Op == postgrest.In {
		s.put(")")
	}
	return nil
}
