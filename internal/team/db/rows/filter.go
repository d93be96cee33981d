package rows

import (
	"strings"

	"cairn/internal/team/db"
	"cairn/internal/team/db/operator"
	"cairn/internal/team/postgrest"
	"cairn/internal/team/table"
)

// kindOfPath says what a path leads to.
func kindOfPath(p postgrest.Path) kind {
	switch {
	case len(p.Keys) == 0:
		return kindOf(p.Column)
	case p.Text:
		return kind{Type: table.Text}
	}
	return kind{Type: table.JSON}
}

// path puts what a path leads to, as something that can be compared.
func (s *statement) path(p postgrest.Path, qualifier string) kind {
	k := kindOfPath(p)
	column := qualifier + p.Column.Name
	if len(p.Keys) > 0 {
		s.keys(p, column)
	} else {
		s.put(column)
	}
	if s.dialect == db.SQLite {
		switch k.Type {
		case table.JSON:
			s.put(" collate cairn_json")
		case table.TextArray:
			s.put(" collate cairn_list")
		}
	}
	return k
}

// keys puts what stands inside of a column, which is null unless it is JSON or a list.
func (s *statement) keys(p postgrest.Path, column string) {
	inside := p.Column.Type == table.JSON || p.Column.Type == table.TextArray
	if s.dialect == db.SQLite {
		way := "json"
		if p.Text {
			way = "text"
		}
		if !inside {
			column = "null"
		}
		s.put("cairn_get("+column+", ?, ?)", operator.Path(p.Keys), way)
		return
	}
	s.put("(")
	switch {
	case !inside:
		s.put("null::jsonb")
	case p.Column.Type == table.TextArray:
		s.put("to_jsonb(" + column + ")")
	default:
		s.put(column)
	}
	for i, key := range p.Keys {
		arrow := " -> "
		if p.Text && i == len(p.Keys)-1 {
			arrow = " ->> "
		}
		if index, err := (kind{Type: table.Int}).literal(key); err == nil && key != "" && strings.Trim(key, "-0123456789") == "" {
			s.put(arrow+"?::int", index.text)
		} else {
			s.put(arrow+"?::text", key)
		}
	}
	s.put(")")
}

// filters puts a condition for each filter, all of which must hold.
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

func (s *statement) filter(f *postgrest.Filter, qualifier string) error {
	if f.Not {
		s.put("not ")
	}
	s.put("(")
	var err error
	switch {
	case len(f.All) > 0:
		err = s.filters(f.All, qualifier, " and ")
	case len(f.Any) > 0:
		err = s.filters(f.Any, qualifier, " or ")
	case f.Op == 0: // an empty and()
		s.put("true")
	case f.Op == postgrest.Is:
		err = s.is(f, qualifier)
	case f.Op == postgrest.In:
		err = s.in(f, qualifier)
	case f.Many:
		err = s.many(f, qualifier)
	default:
		err = s.compare(f, qualifier, f.Values[0])
	}
	s.put(")")
	return err
}

// many is op(any) and op(all).
func (s *statement) many(f *postgrest.Filter, qualifier string) error {
	join, none := " or ", "false"
	if f.Every {
		join, none = " and ", "true"
	}
	if len(f.Values) == 0 {
		s.put(none)
		return nil
	}
	for i, v := range f.Values {
		if i > 0 {
			s.put(join)
		}
		if err := s.compare(f, qualifier, v); err != nil {
			return err
		}
	}
	return nil
}

func (s *statement) is(f *postgrest.Filter, qualifier string) error {
	what := f.Values[0]
	k := kindOfPath(f.Path)
	if what != "null" && what != "not_null" && k.Type != table.Bool {
		return fail(400, "42804", "argument of IS "+strings.ToUpper(what)+" must be type boolean, not type "+k.String())
	}
	s.path(f.Path, qualifier)
	switch what {
	case "null", "unknown":
		s.put(" is null")
	case "not_null":
		s.put(" is not null")
	case "true":
		s.put(" is true")
	case "false":
		s.put(" is false")
	default:
		return fail(400, "PGRST100", `"`+what+`" is not null, not_null, true, false or unknown`)
	}
	return nil
}

func (s *statement) in(f *postgrest.Filter, qualifier string) error {
	if len(f.Values) == 0 {
		s.put("false")
		return nil
	}
	k := s.path(f.Path, qualifier)
	s.put(" in (")
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
	s.put(")")
	return nil
}

// comparisons are the operators that both databases write alike.
func comparison(op postgrest.Op) string {
	switch op {
	case postgrest.Eq:
		return " = "
	case postgrest.Neq:
		return " <> "
	case postgrest.Gt:
		return " > "
	case postgrest.Gte:
		return " >= "
	case postgrest.Lt:
		return " < "
	case postgrest.Lte:
		return " <= "
	case postgrest.IsDistinct:
		return " is distinct from "
	}
	return ""
}

func (s *statement) compare(f *postgrest.Filter, qualifier, text string) error {
	if sign := comparison(f.Op); sign != "" {
		k := kindOfPath(f.Path)
		v, err := k.literal(text)
		if err != nil {
			return err
		}
		s.path(f.Path, qualifier)
		s.put(sign)
		s.bind(k, v)
		return nil
	}
	return s.special(f, qualifier, text)
}
