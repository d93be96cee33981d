package postgrest

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"cairn/internal/team/table"
)

// readEmbed reads what follows the name of an embedded table: !inner, a hint
// which relation is meant, and the columns in parentheses.
func (r *request) readEmbed(s *scanner, t *table.Table, name string, spread bool, nesting int) (*Embed, *Error) {
	if r.embeds++; r.embeds > MaxEmbeds {
		return nil, tooMuch("more than %d tables are embedded", MaxEmbeds)
	}
	e := &Embed{Spread: spread}
	hint := ""
	for s.skip("!") {
		word, err := s.name("embedding hint")
		if err != nil {
			return nil, err
		}
		switch word {
		case "inner":
			e.Inner = true
		case "left":
		default:
			hint = word
		}
	}
	if err := s.want("("); err != nil {
		return nil, err
	}
	var err *Error
	if e.Relation, err = relation(t, name, hint); err != nil {
		return nil, err
	}
	if spread && e.Relation.Many {
		return nil, fault(http.StatusBadRequest, "PGRST119", "A spread operation on '%s' is not possible", short(name)).
			because("'%s' and '%s' do not form a many-to-one or one-to-one relationship", t.Name, short(name))
	}
	e.Query = Query{Table: table.Find(e.Relation.Name), Limit: -1, Select: []Item{}}
	if e.Query.Table == nil {
		return nil, Internal() // a relation of the registry to nowhere
	}
	s.blanks()
	if !s.next(")") {
		if err := r.readItems(s, &e.Query, nesting+1); err != nil {
			return nil, err
		}
	}
	return e, s.want(")")
}

// relation finds what a table's relation is called: by the other table, the
// foreign key's name or its column here.
func relation(t *table.Table, name, hint string) (*table.Relation, *Error) {
	var found []*table.Relation
	for i := range t.Relations {
		rel := &t.Relations[i]
		named := rel.Name == name || rel.Constraint == name || !rel.Many && slices.Contains(rel.Here, name)
		hinted := hint == "" || hint == rel.Constraint || hint == rel.Name || slices.Contains(rel.Here, hint) || slices.Contains(rel.There, hint)
		if named && hinted {
			found = append(found, rel)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		e := fault(http.StatusBadRequest, "PGRST200", "Could not find a relationship between '%s' and '%s' in the schema cache", t.Name, short(name))
		using := ""
		if hint != "" {
			using = fmt.Sprintf(" using the hint '%s'", short(hint))
		}
		e = e.because("Searched for a foreign key relationship between '%s' and '%s'%s in the schema 'public', but no matches were found.", t.Name, short(name), using)
		if near := nearest(name, relationNames(t)); near != "" && near != name {
			e = e.but("Perhaps you meant '%s' instead of '%s'.", near, short(name))
		}
		return nil, e
	}
	var ways []string
	for _, rel := range found {
		ways = append(ways, fmt.Sprintf("'%s!%s'", rel.Name, rel.Constraint))
	}
	return nil, fault(http.StatusMultipleChoices, "PGRST201", "Could not embed because more than one relationship was found for '%s' and '%s'", t.Name, short(name)).
		but("Try changing '%s' to one of the following: %s.", short(name), strings.Join(ways, ", "))
}

func relationNames(t *table.Table) []string {
	var names []string
	for _, rel := range t.Relations {
		names = append(names, rel.Name)
	}
	return names
}

// readEmbedFilter reads a filter on an embedded table as a whole: of these
// there is only whether it has a row.
func (r *request) readEmbedFilter(e *Embed, value string) *Error {
	switch strings.ToLower(value) {
	case "not.is.null":
		e.Inner = true
		return nil
	case "is.null":
		return notDone("rows that have no row of an embedded table cannot be asked for")
	}
	return fault(http.StatusBadRequest, "PGRST120", "Bad operator on the '%s' embedded resource", e.Relation.Name).
		because("Only is null or not is null filters are allowed on embedded resources")
}
