package operator

import "strings"

// deepest is how far brackets may be inside of each other.
const deepest = 50

// A reader reads to_tsquery's language: word, word:*, 'words', !, &, |, <->, ( ).
type reader struct {
	rest   string
	config string
	depth  int
}

func readQuery(query, config string) (*term, error) {
	r := &reader{rest: strings.TrimSpace(query), config: config}
	if r.rest == "" {
		return nil, nil
	}
	t, err := r.either()
	if err != nil || r.rest != "" {
		return nil, ErrQuery
	}
	return t, nil
}

// take takes a sign if it comes next.
func (r *reader) take(sign string) bool {
	rest, ok := strings.CutPrefix(strings.TrimLeft(r.rest, " \t\r\n"), sign)
	if ok {
		r.rest = strings.TrimLeft(rest, " \t\r\n")
	}
	return ok
}

func (r *reader) either() (*term, error) { return r.list('|', "|", r.both) }
func (r *reader) both() (*term, error)   { return r.list('&', "&", r.row) }

func (r *reader) list(op byte, sign string, next func() (*term, error)) (*term, error) {
	t := &term{op: op}
	for {
		n, err := next()
		if err != nil {
			return nil, err
		}
		t.of = append(t.of, n)
		if !r.take(sign) {
			break
		}
	}
	if len(t.of) == 1 {
		return t.of[0], nil
	}
	return t, nil
}

// row reads a <-> b: words that follow each other.
func (r *reader) row() (*term, error) {
	t, err := r.single()
	if err != nil {
		return nil, err
	}
	for r.take("<->") {
		n, err := r.single()
		if err != nil {
			return nil, err
		}
		if t.op == 'w' && n.op == 'w' {
			t = &term{op: 'w', words: append(t.words, n.words...), prefix: n.prefix}
		} else {
			t = &term{op: '&', of: []*term{t, n}}
		}
	}
	return t, nil
}

func (r *reader) single() (*term, error) {
	if r.depth++; r.depth > deepest {
		return nil, ErrQuery
	}
	defer func() { r.depth-- }()
	switch {
	case r.take("!"):
		t, err := r.single()
		return &term{op: '!', of: []*term{t}}, err
	case r.take("("):
		t, err := r.either()
		if err == nil && !r.take(")") {
			err = ErrQuery
		}
		return t, err
	}
	var word string
	if quoted, ok := strings.CutPrefix(r.rest, "'"); ok {
		end := strings.IndexByte(quoted, '\'')
		if end < 0 {
			return nil, ErrQuery
		}
		word, r.rest = quoted[:end], quoted[end+1:]
	} else {
		end := strings.IndexAny(r.rest, " \t\r\n&|!()<:'")
		if end < 0 {
			end = len(r.rest)
		}
		word, r.rest = r.rest[:end], r.rest[end:]
	}
	if word == "" {
		return nil, ErrQuery
	}
	t := &term{op: 'w', words: words(word, r.config)}
	if rest, ok := strings.CutPrefix(r.rest, ":"); ok {
		r.rest = strings.TrimLeft(rest, "*ABCDabcd")
		t.prefix = strings.Contains(rest[:len(rest)-len(r.rest)], "*")
	}
	r.take("")
	return t, nil
}
