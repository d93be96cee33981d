// Package jsonc edits JSON with comments and trailing commas by splicing
// bytes: what an edit does not concern stays as it was, to the byte, with its
// comments, order, indentation, line ends and byte order mark.
//
// It is a leaf: install and plan import it. It knows nothing of hosts, hooks,
// settings or files.
package jsonc

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/tailscale/hujson"
)

// A Doc is a parsed text. It never changes: an edit returns a new Doc.
type Doc struct {
	bom  []byte // the byte order mark, or nil
	text []byte // all that follows; the offsets of root count from here
	root hujson.Value
}

// A SyntaxError says where a text stops being JSON with comments.
type SyntaxError struct {
	Line int // from 1
	Err  error
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }
func (e *SyntaxError) Unwrap() error { return e.Err }

var byteOrderMark = []byte("\ufeff")

// Parse reads a text whose outermost value is an object. Its errors are
// *SyntaxError.
func Parse(b []byte) (*Doc, error) {
	d := &Doc{text: bytes.Clone(b)}
	if bytes.HasPrefix(b, byteOrderMark) {
		d.bom, d.text = byteOrderMark, d.text[len(byteOrderMark):]
	}
	if at := tooDeep(d.text); at >= 0 {
		return nil, &SyntaxError{d.line(at), fmt.Errorf("more than %d brackets within one another", maxDepth)}
	}
	// The parser wants a line end after a comment that ends the file.
	root, err := hujson.Parse(append(d.text[:len(d.text):len(d.text)], '\n'))
	if err != nil {
		return nil, syntaxError(err, d.line(len(d.text)))
	}
	d.root = root
	if root.Value.Kind() != '{' {
		return nil, &SyntaxError{d.line(root.StartOffset), errors.New("an object is expected here")}
	}
	return d, nil
}

// maxDepth is how deep values may be nested: the parser calls itself for each
// level, and a process whose stack is used up cannot be saved.
const maxDepth = 1000

// tooDeep returns where the nesting passes maxDepth, -1 when it does not.
func tooDeep(text []byte) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '[', '{':
			if depth++; depth > maxDepth {
				return i
			}
		case ']', '}':
			depth--
		case '"':
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case '/':
			i += max(0, commentLen(text[i:])-1)
		}
	}
	return -1
}

// commentLen returns how long the comment at the start of text is, 0 when
// there is none.
func commentLen(text []byte) int {
	end := ""
	switch {
	case bytes.HasPrefix(text, []byte("//")):
		end = "\n"
	case bytes.HasPrefix(text, []byte("/*")):
		end = "*/"
	default:
		return 0
	}
	n := bytes.Index(text[2:], []byte(end))
	if n < 0 {
		return len(text)
	}
	return 2 + n + len(end)
}

// syntaxError takes the line out of the parser's message; the text ends in
// line last.
func syntaxError(err error, last int) error {
	var line, column int
	if _, serr := fmt.Sscanf(err.Error(), "hujson: line %d, column %d:", &line, &column); serr != nil {
		return &SyntaxError{1, err}
	}
	_, what, _ := strings.Cut(strings.TrimPrefix(err.Error(), "hujson: line "), ": ")
	return &SyntaxError{min(line, last), errors.New(what)}
}

// Bytes returns the text.
func (d *Doc) Bytes() []byte { return append(bytes.Clone(d.bom), d.text...) }

func (d *Doc) line(offset int) int {
	return 1 + bytes.Count(d.text[:offset], []byte("\n"))
}

// A Path leads to a value from the outermost one: a string is the name of a
// member, an int the index of an element.
type Path []any

// At returns p with one more step.
func (p Path) At(step any) Path { return append(p[:len(p):len(p)], step) }

// Kind is what stands at p: '{', '[', '"', '0', 't', 'f', 'n', or 0 when
// there is no such value.
func (d *Doc) Kind(p Path) byte {
	v := d.find(p)
	if v == nil {
		return 0
	}
	return byte(v.Value.Kind())
}

// Len returns how many members or elements the value at p has.
func (d *Doc) Len(p Path) int { return len(slots(d.find(p))) }

// Names returns the names of the members of the object at p, in order.
func (d *Doc) Names(p Path) []string {
	var names []string
	for _, s := range slots(d.find(p)) {
		names = append(names, s.name)
	}
	return names
}

// String returns the string at p, or "" when there is none.
func (d *Doc) String(p Path) string {
	if v := d.find(p); v != nil && v.Value.Kind() == '"' {
		return v.Value.(hujson.Literal).String()
	}
	return ""
}

// Number returns the number at p, or 0 when there is none.
func (d *Doc) Number(p Path) float64 {
	if v := d.find(p); v != nil && v.Value.Kind() == '0' {
		return v.Value.(hujson.Literal).Float()
	}
	return 0
}

// Line returns the line of the value at p, from 1, or 0 when there is none.
func (d *Doc) Line(p Path) int {
	v := d.find(p)
	if v == nil {
		return 0
	}
	return d.line(v.StartOffset)
}

func (d *Doc) find(p Path) *hujson.Value {
	v := &d.root
	for _, step := range p {
		i := index(slots(v), step)
		if i < 0 {
			return nil
		}
		v = slots(v)[i].value
	}
	return v
}

// index finds a step. Of two members with one name the last counts, as in
// every parser of JSON that hosts use.
func index(in []slot, step any) int {
	if i, ok := step.(int); ok {
		if i < 0 || i >= len(in) {
			return -1
		}
		return i
	}
	for i := len(in) - 1; i >= 0; i-- {
		if in[i].named && in[i].name == step {
			return i
		}
	}
	return -1
}

// A slot is a member of an object or an element of an array.
type slot struct {
	named   bool
	name    string
	before  hujson.Extra // blanks and comments after the bracket or comma before it
	start   int          // of the name or the value
	nameEnd int
	value   *hujson.Value
}

func (s slot) end() int { return s.value.EndOffset }

// comma is where the comma after the slot stands, if it has one.
func (s slot) comma() int { return s.value.EndOffset + len(s.value.AfterExtra) }

func slots(v *hujson.Value) []slot {
	if v == nil {
		return nil
	}
	var all []slot
	switch c := v.Value.(type) {
	case *hujson.Object:
		for i := range c.Members {
			m := &c.Members[i]
			name := m.Name.Value.(hujson.Literal).String()
			all = append(all, slot{true, name, m.Name.BeforeExtra, m.Name.StartOffset, m.Name.EndOffset, &m.Value})
		}
	case *hujson.Array:
		for i := range c.Elements {
			e := &c.Elements[i]
			all = append(all, slot{before: e.BeforeExtra, start: e.StartOffset, value: e})
		}
	}
	return all
}

// tail is the blanks and comments before the closing bracket of v, after the
// last comma if one trails.
func tail(v *hujson.Value) hujson.Extra {
	switch c := v.Value.(type) {
	case *hujson.Object:
		return c.AfterExtra
	case *hujson.Array:
		return c.AfterExtra
	}
	return nil
}

// trails reports whether a comma trails the last of in.
func trails(in []slot) bool {
	return len(in) > 0 && in[len(in)-1].value.AfterExtra != nil
}
