package postgrest

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"cairn/internal/team/table"
)

// operators are the comparisons by name.
var operators = [...]string{Eq: "eq", Neq: "neq", Gt: "gt", Gte: "gte", Lt: "lt", Lte: "lte", In: "in", Is: "is"}

// readFilter reads column=op.value.
func (r *request) readFilter(t *table.Table, p param) (Filter, *Error) {
	key := &scanner{what: "filter", text: p.key}
	name, err := key.name("field name")
	switch {
	case err != nil:
		return Filter{}, err
	case key.next("->"):
		return Filter{}, noPath(name)
	case key.next("."):
		return Filter{}, Unsupported("filters, order and limit of an embedded table are not supported; they count for %s alone", t.Name)
	case !key.done():
		return Filter{}, noColumn(t, p.key)
	}
	if slices.ContainsFunc(t.Relations, func(rel table.Relation) bool { return rel.Name == name }) && t.Column(name) == nil {
		return Filter{}, Unsupported("filtering by an embedded table is not supported; filter by columns of %s", t.Name)
	}
	s := &scanner{what: "filter", text: p.value}
	f, err := r.readComparison(s, t, name, false)
	if err == nil && !s.done() {
		err = s.unexpected("end of input")
	}
	return f, err
}

// readTree reads and=(…) or or=(…).
func (r *request) readTree(t *table.Table, p param) (Filter, *Error) {
	s := &scanner{what: "logic tree", text: p.value}
	word, not := strings.CutPrefix(p.key, "not.")
	f, err := r.readBranch(s, t, word, 1)
	if err == nil && !s.done() {
		err = s.unexpected("end of input")
	}
	f.Not = not
	return f, err
}

// readBranch reads the members of an and or or, in parentheses.
func (r *request) readBranch(s *scanner, t *table.Table, word string, depth int) (Filter, *Error) {
	if depth > MaxDepth {
		return Filter{}, tooMuch("and and or stand in each other more than %d times", MaxDepth)
	}
	if err := s.want("("); err != nil {
		return Filter{}, err
	}
	var members []Filter
	for {
		s.blanks()
		f, err := r.readMember(s, t, depth)
		if err != nil {
			return Filter{}, err
		}
		members = append(members, f)
		if s.blanks(); s.skip(")") {
			break
		}
		if !s.skip(",") {
			return Filter{}, s.unexpected(`"," or ")"`)
		}
	}
	if word == "or" {
		return Filter{Any: members}, nil
	}
	return Filter{All: members}, nil
}

// readMember reads a tree in a tree, or column.op.value.
func (r *request) readMember(s *scanner, t *table.Table, depth int) (Filter, *Error) {
	start := s.at
	not := s.skip("not.")
	for _, word := range [...]string{"and", "or"} {
		if s.next(word + "(") {
			s.at += len(word)
			f, err := r.readBranch(s, t, word, depth+1)
			f.Not = not
			return f, err
		}
	}
	s.at = start
	name, err := s.name("field name, negation operator (not) or logic operator (and, or)")
	if err != nil {
		return Filter{}, err
	}
	if s.next("->") {
		return Filter{}, noPath(name)
	}
	if err := s.want("."); err != nil {
		return Filter{}, err
	}
	return r.readComparison(s, t, name, true)
}

// readComparison reads [not.]op.value; in a tree the value ends at a comma or a parenthesis.
func (r *request) readComparison(s *scanner, t *table.Table, name string, inTree bool) (f Filter, err *Error) {
	if f.Column, err = column(t, name); err != nil {
		return f, err
	}
	if r.filters++; r.filters > MaxFilters {
		return f, tooMuch("there are more than %d filters", MaxFilters)
	}
	f.Not = s.skip("not.")
	rest := s.rest()
	word := rest[:len(rest)-len(strings.TrimLeft(rest, "abcdefghijklmnopqrstuvwxyz"))]
	if word == "" {
		return f, s.unexpected("operator (eq, gt, ...)")
	}
	op := slices.Index(operators[:], word)
	if s.at += len(word); op < 0 || s.next("(") {
		modifier, _, _ := strings.Cut(s.rest(), ".")
		e := Unsupported("the filter %s is not supported; eq, neq, gt, gte, lt, lte, in, is, not, and and or are", short(word+modifier))
		e.Code = "PGRST100"
		return f, e
	}
	f.Op = Op(op)
	if err := s.want("."); err != nil {
		return f, err
	}
	if f.Op != Is && (f.Column.Type == table.JSON || f.Column.Type == table.TextArray) {
		return f, notScalar(f.Column)
	}
	switch {
	case f.Op == In:
		f.Values, err = r.readList(s)
	case inTree || f.Op == Is:
		f.Values = make([]string, 1)
		f.Values[0], err = s.value()
	default:
		f.Values, s.at = []string{s.rest()}, len(s.text)
	}
	if err != nil {
		return f, err
	}
	if f.Op == Is {
		f.Values[0] = strings.ToLower(f.Values[0])
		if !slices.Contains([]string{"null", "true", "false"}, f.Values[0]) {
			return f, parseError(s.what, s.text, s.at-len(f.Values[0]), short(f.Values[0]), "null, true or false")
		}
	}
	if r.values += len(f.Values); r.values > MaxValues {
		return f, tooMuch("there are more than %d values", MaxValues)
	}
	return f, nil
}

// readList reads the values of in.
func (r *request) readList(s *scanner) ([]string, *Error) {
	if err := s.want("("); err != nil {
		return nil, err
	}
	values := []string{}
	if s.skip(")") {
		return values, nil
	}
	for {
		v, err := s.value()
		if err != nil {
			return nil, err
		}
		values = append(values, v)
		if s.skip(")") {
			return values, nil
		}
		if !s.skip(",") {
			return nil, s.unexpected(`"," or ")"`)
		}
	}
}

// A scanner reads one parameter from left to right. Its errors are
// PostgREST's: what is being read, the whole text, the column.
type scanner struct {
	what string // "select parameter", "filter", "logic tree", "order"
	text string
	at   int
}

func (s *scanner) rest() string { return s.text[s.at:] }
func (s *scanner) done() bool   { return s.at >= len(s.text) }

// next says whether the text goes on with a word, without reading it.
func (s *scanner) next(word string) bool { return strings.HasPrefix(s.rest(), word) }

// skip reads a word if the text goes on with it.
func (s *scanner) skip(word string) bool {
	if !s.next(word) {
		return false
	}
	s.at += len(word)
	return true
}

func (s *scanner) blanks() {
	for s.skip(" ") || s.skip("\t") {
	}
}

// unexpected is the error that something else was wanted here.
func (s *scanner) unexpected(expecting string) *Error {
	found := "end of input"
	if !s.done() {
		r, _ := utf8.DecodeRuneInString(s.rest())
		found = strconv.Quote(string(r))
	}
	return parseError(s.what, s.text, s.at, found, expecting)
}

// want reads a word that must be there.
func (s *scanner) want(word string) *Error {
	if !s.skip(word) {
		return s.unexpected(strconv.Quote(word))
	}
	return nil
}

// name reads the name of a column or a table, quoted or not.
func (s *scanner) name(expecting string) (string, *Error) {
	s.blanks()
	if s.next(`"`) {
		return s.quoted("")
	}
	rest := s.rest()
	n := strings.IndexFunc(rest, func(r rune) bool {
		return !(r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z')
	})
	if n < 0 {
		n = len(rest)
	}
	if n == 0 {
		return "", s.unexpected(expecting)
	}
	s.at += n
	s.blanks()
	return rest[:n], nil
}

// quoted reads "…", in which \ makes the next quote or \ itself. A client does
// not escape what stands in a list: there, where ends are given, a quote closes the
// value only before a comma or one of the ends.
func (s *scanner) quoted(ends string) (string, *Error) {
	s.at++
	var b strings.Builder
	for !s.done() {
		c := s.text[s.at]
		s.at++
		switch {
		case c == '"' && (ends == "" || s.done() || strings.IndexByte(ends, s.text[s.at]) >= 0):
			return b.String(), nil
		case c == '\\' && !s.done() && (s.text[s.at] == '"' || s.text[s.at] == '\\'):
			c = s.text[s.at]
			s.at++
		}
		b.WriteByte(c)
	}
	return "", s.unexpected(`"\""`)
}

// value reads one of a list or a tree: quoted, or up to a comma or a parenthesis.
func (s *scanner) value() (string, *Error) {
	if s.next(`"`) {
		return s.quoted(",)")
	}
	n := strings.IndexAny(s.rest(), ",)")
	if n < 0 {
		n = len(s.rest())
	}
	text := s.rest()[:n]
	s.at += n
	return text, nil
}
