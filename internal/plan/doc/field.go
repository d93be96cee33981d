package doc

import "strings"

// Field is a line that names one value: `**Name:** value`, `**Name**: value`
// or `Name: value`.
type Field struct {
	Line  int
	Name  string
	Value string // trimmed
	Bold  bool
	at    int // where the value begins in the line, after one space
}

// Field returns the field of that name, compared without case, in the lines
// [from, to). A bold one is taken before a plain one.
func (t *Text) Field(from, to int, name string) (Field, bool) {
	var plain Field
	found := false
	for i := from; i < to; i++ {
		if t.Code(i) {
			continue
		}
		f, ok := field(t.Line(i))
		if !ok || !strings.EqualFold(f.Name, name) {
			continue
		}
		f.Line = i
		if f.Bold {
			return f, true
		}
		if !found {
			plain, found = f, true
		}
	}
	return plain, found
}

// Fields returns the fields in the lines [from, to), in order.
func (t *Text) Fields(from, to int) []Field {
	var out []Field
	for i := from; i < to; i++ {
		if f, ok := field(t.Line(i)); ok && !t.Code(i) {
			f.Line = i
			out = append(out, f)
		}
	}
	return out
}

// SetField writes the value of f, in the form f had.
func (t *Text) SetField(f Field, value string) {
	line := t.Line(f.Line)
	head := line[:f.at]
	if value != "" && !strings.HasSuffix(head, " ") && !strings.HasSuffix(head, "\t") {
		head += " "
	}
	t.SetLine(f.Line, head+value)
}

// field reads one line. A plain name is a capital letter and then letters,
// digits, spaces and a few signs, so that prose with a colon is not a field.
func field(line string) (Field, bool) {
	if rest, ok := strings.CutPrefix(line, "**"); ok {
		name, after, ok := strings.Cut(rest, "**")
		if !ok || name == "" {
			return Field{}, false
		}
		at := len(line) - len(after)
		spaces := len(after) - len(strings.TrimLeft(after, " "))
		switch {
		case strings.HasSuffix(name, ":"):
			name = strings.TrimSuffix(name, ":")
		case strings.HasPrefix(after[spaces:], ":"):
			at += spaces + 1
		default:
			return Field{}, false
		}
		return fieldAt(line, name, at, true), true
	}
	name, _, ok := strings.Cut(line, ":")
	if !ok || name == "" || len(name) > 60 || !isLetter(name[0]) || strings.ContainsAny(name, "*`|<>[]{}\"") {
		return Field{}, false
	}
	return fieldAt(line, name, len(name)+1, false), true
}

func fieldAt(line, name string, at int, isBold bool) Field {
	if at < len(line) && (line[at] == ' ' || line[at] == '\t') {
		at++
	}
	return Field{Name: strings.TrimSpace(name), Value: strings.TrimSpace(line[at:]), Bold: isBold, at: at}
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
