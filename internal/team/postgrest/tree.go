package postgrest

import "cairn/internal/team/table"

// readTree reads and=(…) or or=(…).
func (r *request) readTree(t *table.Table, word, text string) (Filter, *Error) {
	s := &scanner{what: "logic tree", text: text}
	f, err := r.readBranch(s, t, word, 1)
	if err == nil && !s.done() {
		err = s.unexpected("end of input")
	}
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
		s.blanks()
		if s.skip(")") {
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
	name, err := s.name("field name (* or [a..z0..9_$]), negation operator (not) or logic operator (and, or)")
	if err != nil {
		return Filter{}, err
	}
	path, err := readPath(s, t, name)
	if err != nil {
		return Filter{}, err
	}
	if err := s.want("."); err != nil {
		return Filter{}, err
	}
	return r.readComparison(s, path, true)
}
