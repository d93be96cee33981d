package postgrest

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

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
