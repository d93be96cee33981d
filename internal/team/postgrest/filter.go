package postgrest

import (
	"net/http"
	"strings"

	"cairn/internal/team/table"
)

// operators are the comparisons by name. quantified ones may be op(any) and op(all).
var operators = [...]struct {
	name       string
	op         Op
	quantified bool
}{
	{"eq", Eq, true}, {"neq", Neq, false},
	{"gt", Gt, true}, {"gte", Gte, true}, {"lt", Lt, true}, {"lte", Lte, true},
	{"like", Like, true}, {"ilike", ILike, true}, {"match", Match, true}, {"imatch", IMatch, true},
	{"in", In, false}, {"is", Is, false}, {"isdistinct", IsDistinct, false},
	{"cs", Contains, false}, {"cd", Contained, false}, {"ov", Overlaps, false},
	{"fts", Search, false}, {"plfts", Plain, false}, {"phfts", Phrase, false}, {"wfts", Web, false},
}

// readFilter reads column=op.value. The scanner stands behind the column's name.
func (r *request) readFilter(t *table.Table, key *scanner, name, value string) (Filter, *Error) {
	path, err := readPath(key, t, name)
	if err != nil {
		return Filter{}, err
	}
	if !key.done() {
		return Filter{}, key.unexpected("end of input")
	}
	s := &scanner{what: "filter", text: value}
	f, err := r.readComparison(s, path, false)
	if err == nil && !s.done() {
		err = s.unexpected("end of input")
	}
	return f, err
}

// readComparison reads [not.]op.value; in a tree the value ends at a comma or a parenthesis.
func (r *request) readComparison(s *scanner, path Path, inTree bool) (Filter, *Error) {
	if r.filters++; r.filters > MaxFilters {
		return Filter{}, tooMuch("there are more than %d filters", MaxFilters)
	}
	f := Filter{Path: path, Not: s.skip("not.")}
	quantified := false
	word := s.rest()[:len(s.rest())-len(strings.TrimLeft(s.rest(), "abcdefghijklmnopqrstuvwxyz"))]
	for _, o := range operators {
		if o.name == word {
			f.Op, quantified = o.op, o.quantified
		}
	}
	if f.Op == 0 {
		if word == "sl" || word == "sr" || word == "nxl" || word == "nxr" || word == "adj" {
			return Filter{}, fault(http.StatusNotFound, "42883", "operator does not exist: there is no column of a range type")
		}
		if f.Not {
			return Filter{}, s.unexpected("operator (eq, gt, ...)")
		}
		return Filter{}, s.unexpected(`"not" or operator (eq, gt, ...)`)
	}
	s.at += len(word)
	if s.next("(") {
		if err := readModifier(s, &f, quantified); err != nil {
			return Filter{}, err
		}
	}
	if err := s.want("."); err != nil {
		return Filter{}, err
	}
	return f, readValue(s, &f, inTree)
}

// readModifier reads (any), (all) or (configuration).
func readModifier(s *scanner, f *Filter, quantified bool) *Error {
	start := s.at
	s.at++
	word, err := s.name("modifier")
	if err != nil {
		return err
	}
	switch {
	case quantified && (word == "any" || word == "all"):
		f.Many, f.Every = true, word == "all"
	case f.Op >= Search && f.Op <= Web && strings.Trim(word, "abcdefghijklmnopqrstuvwxyz_") == "":
		f.Config = word
	default:
		s.at = start
		return s.unexpected(`"."`)
	}
	return s.want(")")
}

func readValue(s *scanner, f *Filter, inTree bool) (err *Error) {
	switch {
	case f.Op == In:
		f.Values, err = s.list("(", ")")
	case f.Many:
		f.Values, err = s.list("{", "}")
	case f.Op == Is:
		start := s.at
		word := strings.ToLower(strings.TrimSpace(s.value(true)))
		switch word {
		case "null", "not_null", "true", "false", "unknown":
		default:
			s.at = start
			return s.unexpected("null, not_null, true, false or unknown")
		}
		f.Values = []string{word}
	case !inTree:
		f.Values = []string{s.rest()}
		s.at = len(s.text)
	case s.next(`"`):
		var v string
		v, err = s.loose(")")
		f.Values = []string{v}
	default:
		f.Values = []string{s.value(false)}
	}
	if f.Op == Like || f.Op == ILike {
		for i, v := range f.Values {
			f.Values[i] = strings.ReplaceAll(v, "*", "%")
		}
	}
	return err
}

// value reads up to a comma or a closing parenthesis that stands outside of
// {…} and […]: an array or JSON. A plain one has none of these.
func (s *scanner) value(plain bool) string {
	start, depth, quoted := s.at, 0, false
	for ; !s.done(); s.at++ {
		switch c := s.text[s.at]; {
		case quoted:
			if c == '\\' && s.at+1 < len(s.text) {
				s.at++
			} else if c == '"' {
				quoted = false
			}
		case depth > 0 && c == '"':
			quoted = true
		case !plain && (s.at == start || depth > 0) && (c == '{' || c == '['):
			depth++
		case depth > 0 && (c == '}' || c == ']'):
			depth--
		case depth == 0 && (c == ',' || c == ')'):
			return s.text[start:s.at]
		}
	}
	return s.text[start:s.at]
}
