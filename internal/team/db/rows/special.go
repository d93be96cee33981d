package rows

import (
	"cairn/internal/team/db"
	"cairn/internal/team/db/operator"
	"cairn/internal/team/postgrest"
	"cairn/internal/team/table"
)

// special puts an operator that SQLite has as a function of package operator.
func (s *statement) special(f *postgrest.Filter, qualifier, text string) error {
	k := kindOfPath(f.Path)
	switch f.Op {
	case postgrest.Like, postgrest.ILike, postgrest.Match, postgrest.IMatch:
		return s.pattern(f, k, qualifier, text)
	case postgrest.Contains, postgrest.Contained, postgrest.Overlaps:
		return s.contain(f, k, qualifier, text)
	}
	return s.search(f, k, qualifier, text)
}

func missing(k kind, sign string) *postgrest.Error {
	e := fail(404, "42883", "operator does not exist: "+k.String()+" "+sign+" unknown")
	hint := "No operator matches the given name and argument types. You might need to add explicit type casts."
	e.Hint = &hint
	return e
}

func (s *statement) pattern(f *postgrest.Filter, k kind, qualifier, text string) error {
	sign := map[postgrest.Op]string{postgrest.Like: "~~", postgrest.ILike: "~~*", postgrest.Match: "~", postgrest.IMatch: "~*"}[f.Op]
	if k.Type != table.Text {
		return missing(k, sign)
	}
	if _, err := k.literal(text); err != nil {
		return err
	}
	name, fold := "cairn_match", f.Op == postgrest.ILike || f.Op == postgrest.IMatch
	if f.Op == postgrest.Like || f.Op == postgrest.ILike {
		name = "cairn_like"
		if operator.EndsInEscape(text) {
			return fail(400, "22025", "LIKE pattern must not end with escape character")
		}
	}
	if s.dialect == db.PostgreSQL {
		s.path(f.Path, qualifier)
		s.put(" "+sign+" ?::text", text)
		return nil
	}
	way := "s"
	if fold {
		way = "i"
	}
	if name == "cairn_match" {
		if _, err := operator.Compile(text, fold); err != nil {
			return fail(400, "2201B", "invalid regular expression: "+err.Error())
		}
	}
	s.put(name + "(")
	s.path(f.Path, qualifier)
	s.put(", ?, ?)", text, way)
	return nil
}

func (s *statement) contain(f *postgrest.Filter, k kind, qualifier, text string) error {
	sign := map[postgrest.Op]string{postgrest.Contains: "@>", postgrest.Contained: "<@", postgrest.Overlaps: "&&"}[f.Op]
	if k.Type != table.TextArray && (k.Type != table.JSON || f.Op == postgrest.Overlaps) {
		return missing(k, sign)
	}
	v, err := k.literal(text)
	if err != nil {
		return err
	}
	if s.dialect == db.PostgreSQL {
		s.path(f.Path, qualifier)
		s.put(" " + sign + " ")
		s.bind(k, v)
		return nil
	}
	name := "cairn_json_contains("
	switch {
	case f.Op == postgrest.Overlaps:
		name = "cairn_list_overlaps("
	case k.Type == table.TextArray:
		name = "cairn_list_contains("
	}
	s.put(name)
	if f.Op == postgrest.Contained {
		s.bind(k, v)
		s.put(", ")
		s.path(f.Path, qualifier)
	} else {
		s.path(f.Path, qualifier)
		s.put(", ")
		s.bind(k, v)
	}
	s.put(")")
	return nil
}

// configurations of text search that a request may name: PostgreSQL's own.
func configuration(name string) bool {
	for _, known := range [...]string{"", "simple", "english", "german", "french", "spanish", "italian", "dutch", "portuguese", "russian", "swedish",
		"norwegian", "danish", "finnish", "hungarian", "romanian", "turkish", "arabic", "greek", "irish", "indonesian", "lithuanian", "nepali", "tamil"} {
		if name == known {
			return true
		}
	}
	return false
}

func (s *statement) search(f *postgrest.Filter, k kind, qualifier, text string) error {
	if k.Type != table.Text && k.Type != table.JSON {
		return missing(k, "@@")
	}
	if !configuration(f.Config) {
		return fail(400, "42704", `text search configuration "`+f.Config+`" does not exist`)
	}
	if _, err := (kind{Type: table.Text}).literal(text); err != nil {
		return err
	}
	way := operator.Query
	switch f.Op {
	case postgrest.Plain:
		way = operator.Plain
	case postgrest.Phrase:
		way = operator.Phrase
	case postgrest.Web:
		way = operator.Web
	default:
		if operator.CheckQuery(text) != nil {
			return fail(400, "42601", `syntax error in tsquery: "`+text+`"`)
		}
	}
	if s.dialect == db.SQLite {
		config := f.Config
		if config == "" {
			config = "english"
		}
		s.put("cairn_search(")
		s.path(f.Path, qualifier)
		s.put(", ?, ?, ?)", text, way, config)
		return nil
	}
	config := ""
	if f.Config != "" {
		config = "'" + f.Config + "'::regconfig, " // one of the list above
	}
	s.put("to_tsvector(" + config)
	s.path(f.Path, qualifier)
	s.put(") @@ "+way+"("+config+"?::text)", text)
	return nil
}
