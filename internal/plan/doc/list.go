package doc

import "strings"

// Item is a list item: `- text`, `* text`, `1. text`, with or without a box.
type Item struct {
	Line   int
	Indent int // bytes of white space before the mark
	Number bool
	Box    bool
	Done   bool
	Text   string
	box    int // where the character in the box stands in the line
}

// Items returns the list items in the lines [from, to), in order.
func (t *Text) Items(from, to int) []Item {
	var out []Item
	for i := from; i < to; i++ {
		if it, ok := item(t.Line(i)); ok && !t.Code(i) {
			it.Line = i
			out = append(out, it)
		}
	}
	return out
}

// Tick fills or empties the item's box.
func (t *Text) Tick(it Item, done bool) {
	if !it.Box || it.Done == done {
		return
	}
	mark := " "
	if done {
		mark = "x"
	}
	line := t.Line(it.Line)
	t.SetLine(it.Line, line[:it.box]+mark+line[it.box+1:])
}

func item(line string) (Item, bool) {
	s := strings.TrimLeft(line, " \t")
	it := Item{Indent: len(line) - len(s)}
	switch {
	case len(s) > 1 && strings.IndexByte("-*+", s[0]) >= 0 && (s[1] == ' ' || s[1] == '\t'):
		s = s[2:]
	default:
		digits := len(s) - len(strings.TrimLeft(s, "0123456789"))
		if digits == 0 || digits > 9 || len(s) < digits+2 || s[digits] != '.' && s[digits] != ')' || s[digits+1] != ' ' {
			return Item{}, false
		}
		it.Number = true
		s = s[digits+2:]
	}
	s = strings.TrimLeft(s, " \t")
	if len(s) >= 3 && s[0] == '[' && s[2] == ']' && (len(s) == 3 || s[3] == ' ' || s[3] == '\t') {
		switch s[1] {
		case ' ', 'x', 'X':
			it.Box, it.Done = true, s[1] != ' '
			it.box = len(line) - len(s) + 1
			s = s[3:]
		}
	}
	it.Text = strings.TrimSpace(s)
	return it, true
}
