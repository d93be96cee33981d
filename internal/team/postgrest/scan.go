package postgrest

import (
	"strconv"
	"strings"
	"unicode"
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

// name reads the name of a column, a table or an alias: quoted, or of letters,
// digits, _, $, blanks inside of it and - (but not ->).
func (s *scanner) name(expecting string) (string, *Error) {
	s.blanks()
	if s.next(`"`) {
		return s.quoted()
	}
	start := s.at
	for !s.done() {
		r, n := utf8.DecodeRuneInString(s.rest())
		if !(unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '$' || r == ' ' || r == '-' && !s.next("->")) {
			break
		}
		s.at += n
	}
	if name := strings.TrimSpace(s.text[start:s.at]); name != "" {
		return name, nil
	}
	s.at = start
	return "", s.unexpected(expecting)
}

// quoted reads "…", in which \ makes the next character itself.
func (s *scanner) quoted() (string, *Error) {
	s.at++ // the quote
	var b strings.Builder
	for !s.done() {
		c := s.text[s.at]
		s.at++
		switch {
		case c == '"':
			return b.String(), nil
		case c == '\\' && !s.done():
			c = s.text[s.at]
			s.at++
		}
		b.WriteByte(c)
	}
	return "", s.unexpected(`"\""`)
}

// loose reads a quoted value of a list as clients send it: a quote inside that
// nobody escaped is part of the value, and only one before an end (a comma or
// one of the closing characters) closes it.
func (s *scanner) loose(closing string) (string, *Error) {
	s.at++
	var b strings.Builder
	for !s.done() {
		c := s.text[s.at]
		s.at++
		switch {
		case c == '"' && (s.done() || s.text[s.at] == ',' || strings.IndexByte(closing, s.text[s.at]) >= 0):
			return b.String(), nil
		case c == '\\' && !s.done() && (s.text[s.at] == '"' || s.text[s.at] == '\\'):
			c = s.text[s.at]
			s.at++
		}
		b.WriteByte(c)
	}
	return "", s.unexpected(`"\""`)
}

// list reads values between two brackets, those of in or of an array.
func (s *scanner) list(open, end string) ([]string, *Error) {
	if err := s.want(open); err != nil {
		return nil, err
	}
	values := []string{}
	if s.skip(end) {
		return values, nil
	}
	for {
		value := ""
		if s.next(`"`) {
			var err *Error
			if value, err = s.loose(end); err != nil {
				return nil, err
			}
		} else {
			n := strings.IndexAny(s.rest(), ","+end)
			if n < 0 {
				s.at = len(s.text)
				return nil, s.unexpected(strconv.Quote(",") + " or " + strconv.Quote(end))
			}
			value = s.rest()[:n]
			s.at += n
		}
		if values = append(values, value); len(values) > MaxList {
			return nil, tooMuch("a list has more than %d values", MaxList)
		}
		if s.skip(end) {
			return values, nil
		}
		if err := s.want(","); err != nil {
			return nil, err
		}
	}
}
