package operator

import (
	"errors"
	"slices"
	"strings"
	"unicode"
)

// Ways of reading what is searched for, named as PostgreSQL's functions.
const (
	Query  = "to_tsquery"
	Plain  = "plainto_tsquery"
	Phrase = "phraseto_tsquery"
	Web    = "websearch_to_tsquery"
)

// ErrQuery says that a query for to_tsquery cannot be read.
var ErrQuery = errors.New("syntax error in tsquery")

// A term is a tree of what a text must have.
type term struct {
	op     byte     // 'w' words in a row, '&', '|', '!'
	words  []string // of 'w'
	prefix bool     // the last word may go on
	of     []*term
}

// CheckQuery returns ErrQuery for what to_tsquery cannot read.
func CheckQuery(query string) error {
	_, err := readQuery(query, "simple")
	return err
}

// search says roughly what text search says: words are cut at what is neither
// letter nor digit, made small and, but for the configuration simple, freed of
// English endings.
func search(text, query, way, config string) any {
	var t *term
	switch way {
	case Query:
		var err error
		if t, err = readQuery(query, config); err != nil {
			return nil
		}
	case Phrase:
		t = &term{op: 'w', words: words(query, config)}
	case Web:
		t = readWeb(query, config)
	default:
		t = all(words(query, config))
	}
	if t == nil || t.op == 'w' && len(t.words) == 0 || t.op == '&' && len(t.of) == 0 {
		return false // nothing is searched for: nothing is found
	}
	return t.in(words(text, config))
}

func all(list []string) *term {
	t := &term{op: '&'}
	for _, w := range list {
		t.of = append(t.of, &term{op: 'w', words: []string{w}})
	}
	return t
}

func (t *term) in(have []string) bool {
	switch t.op {
	case '&':
		return !slices.ContainsFunc(t.of, func(o *term) bool { return !o.in(have) })
	case '|':
		return slices.ContainsFunc(t.of, func(o *term) bool { return o.in(have) })
	case '!':
		return !t.of[0].in(have)
	}
	for i := range have {
		if t.at(have[i:]) {
			return true
		}
	}
	return false
}

func (t *term) at(have []string) bool {
	if len(have) < len(t.words) {
		return false
	}
	for i, w := range t.words {
		if have[i] != w && !(t.prefix && i == len(t.words)-1 && strings.HasPrefix(have[i], w)) {
			return false
		}
	}
	return true
}

func words(text, config string) []string {
	list := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if config == "simple" {
		return list
	}
	for i, w := range list {
		list[i] = stem(w)
	}
	return list
}

// stem takes a common English ending away.
func stem(w string) string {
	if strings.HasSuffix(w, "ies") && len(w) > 4 {
		return w[:len(w)-3] + "i"
	}
	if strings.HasSuffix(w, "y") && len(w) > 3 {
		return w[:len(w)-1] + "i"
	}
	for _, end := range [...]string{"ing", "ed", "es", "s", "e"} {
		if s, ok := strings.CutSuffix(w, end); ok && len(s) > 2 && !strings.HasSuffix(w, "ss") {
			return s
		}
	}
	return w
}

// readWeb reads words, "a phrase", or, and -without.
func readWeb(query, config string) *term {
	either := &term{op: '|'}
	both := &term{op: '&'}
	for i, part := range strings.Split(query, `"`) {
		if i%2 == 1 {
			both.of = append(both.of, &term{op: 'w', words: words(part, config)})
			continue
		}
		for _, w := range strings.Fields(part) {
			if strings.EqualFold(w, "or") {
				either.of, both = append(either.of, both), &term{op: '&'}
				continue
			}
			without := strings.HasPrefix(w, "-")
			list := words(w, config)
			if len(list) == 0 {
				continue
			}
			t := &term{op: 'w', words: list}
			if without {
				t = &term{op: '!', of: []*term{t}}
			}
			both.of = append(both.of, t)
		}
	}
	either.of = append(either.of, both)
	either.of = slices.DeleteFunc(either.of, func(t *term) bool { return len(t.of) == 0 })
	if len(either.of) == 0 {
		return nil
	}
	return either
}
