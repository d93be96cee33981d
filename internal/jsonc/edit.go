package jsonc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sort"
	"strings"

	"github.com/tailscale/hujson"
)

// Append puts value, as encoding/json writes it, behind the last element of
// the array at p.
func (d *Doc) Append(p Path, value any) (*Doc, error) { return d.add(p, '[', "", value) }

// Set puts a member behind the last one of the object at p, which must not
// have one of that name.
func (d *Doc) Set(p Path, name string, value any) (*Doc, error) {
	if d.Kind(p.At(name)) != 0 {
		return nil, fmt.Errorf("%q is there already", name)
	}
	return d.add(p, '{', name, value)
}

// Replace puts value in the place of the one at p.
func (d *Doc) Replace(p Path, value any) (*Doc, error) {
	v := d.find(p)
	if v == nil {
		return nil, noValue(p)
	}
	s := d.style()
	text, err := s.render(value, s.lines, d.indentOf(v.StartOffset))
	if err != nil {
		return nil, err
	}
	return d.ReplaceText(p, text)
}

func noValue(p Path) error { return fmt.Errorf("%v: no such value", p) }

// Text returns the value at p as it stands, "" when there is none.
func (d *Doc) Text(p Path) string {
	v := d.find(p)
	if v == nil {
		return ""
	}
	return string(d.text[v.StartOffset:v.EndOffset])
}

// ReplaceText puts a value as Text returned it in the place of the one at p.
func (d *Doc) ReplaceText(p Path, text string) (*Doc, error) {
	v := d.find(p)
	if v == nil {
		return nil, noValue(p)
	}
	return d.splice(edit{v.StartOffset, v.EndOffset, text})
}

// Rename gives the member at p another name, which its object must not have.
func (d *Doc) Rename(p Path, name string) (*Doc, error) {
	in, i, err := d.slot(p)
	if err != nil {
		return nil, err
	}
	s := in[i]
	if !s.named || index(in, name) >= 0 {
		return nil, fmt.Errorf("%v: cannot be called %q", p, name)
	}
	return d.splice(edit{s.start, s.nameEnd, string(hujson.String(name))})
}

// Inner returns the text between the brackets of the object or array at p.
func (d *Doc) Inner(p Path) string {
	v := d.find(p)
	if v == nil || v.EndOffset-v.StartOffset < 2 {
		return ""
	}
	return string(d.text[v.StartOffset+1 : v.EndOffset-1])
}

// SetInner replaces the text between the brackets of the object or array at p.
func (d *Doc) SetInner(p Path, text string) (*Doc, error) {
	v := d.find(p)
	if slots(v) == nil && (v == nil || v.Value.Kind() != '{' && v.Value.Kind() != '[') {
		return nil, fmt.Errorf("%v: no object or array", p)
	}
	return d.splice(edit{v.StartOffset + 1, v.EndOffset - 1, text})
}

// Where an added slot goes: after the last comment before the closing bracket,
// so that a comment at the end of a line stays with what it is about. Remove
// is the exact inverse as long as the container was not empty.
func (d *Doc) add(p Path, kind byte, name string, value any) (*Doc, error) {
	v := d.find(p)
	if v == nil || byte(v.Value.Kind()) != kind {
		return nil, fmt.Errorf("%v: no %q here", p, kind)
	}
	s := d.style()
	in, rest := slots(v), tail(v)
	after, line := afterComments(rest)
	at := v.EndOffset - 1 - len(rest) + after

	lines, indent := s.lines, d.indentOf(v.StartOffset)+s.unit
	if len(in) > 0 {
		last := in[len(in)-1]
		lines = line || bytes.Contains(last.before, []byte("\n"))
		if bytes.Contains(last.before, []byte("\n")) {
			indent = d.indentOf(last.start)
		}
	}
	lines = lines || line
	body, err := s.render(value, lines, indent)
	if err != nil {
		return nil, err
	}
	if kind == '{' {
		body = string(hujson.String(name)) + ":" + s.space + body
	}
	switch {
	case lines:
		body = s.newline + indent + body
	case len(in) > 0:
		body = s.space + body
	}
	if len(in) == 0 && lines && !bytes.Contains(rest[after:], []byte("\n")) {
		body += s.newline + d.indentOf(v.StartOffset)
	}
	if trails(in) {
		body += ","
	} else if len(in) > 0 {
		end := in[len(in)-1].end()
		if end == at {
			return d.splice(edit{at, at, "," + body})
		}
		return d.splice(edit{end, end, ","}, edit{at, at, body})
	}
	return d.splice(edit{at, at, body})
}

// slot returns the members or elements that the value at p is among, and its place.
func (d *Doc) slot(p Path) (in []slot, i int, err error) {
	if len(p) == 0 || d.find(p) == nil {
		return nil, 0, noValue(p)
	}
	in = slots(d.find(p[:len(p)-1]))
	return in, index(in, p[len(p)-1]), nil
}

// Remove takes out the value at p with its name, its comma and the blanks
// before it. Comments stay.
func (d *Doc) Remove(p Path) (*Doc, error) {
	in, i, err := d.slot(p)
	if err != nil {
		return nil, err
	}
	it := in[i]
	after, line := afterComments(it.before)
	cut := edit{it.start - len(it.before) + after, it.end(), ""}
	cuts := []edit{}
	next := skip(d.text, it.end(), " \t")
	switch {
	case i < len(in)-1 || trails(in):
		cuts = append(cuts, edit{it.comma(), it.comma() + 1, ""})
		if i == 0 && len(it.before) == 0 { // {"a":1, "b":2} keeps no blank before "b"
			cuts[0].to = skip(d.text, it.comma()+1, " \t")
		}
		if next == it.comma() {
			next = skip(d.text, next+1, " \t")
		}
	case i > 0:
		prev := in[i-1]
		cuts = append(cuts, edit{prev.comma(), prev.comma() + 1, ""})
	}
	if line && d.text[next] != '\n' && d.text[next] != '\r' {
		cut.from = it.start // what follows on the line must not end up in the comment
	}
	return d.splice(append(cuts, cut)...)
}

func skip(text []byte, at int, blanks string) int {
	for at < len(text) && strings.IndexByte(blanks, text[at]) >= 0 {
		at++
	}
	return at
}

type edit struct {
	from, to int
	text     string
}

// splice applies edits that do not overlap.
func (d *Doc) splice(edits ...edit) (*Doc, error) {
	sort.SliceStable(edits, func(i, j int) bool { return edits[i].from < edits[j].from })
	out, done := bytes.Clone(d.bom), 0
	for _, e := range edits {
		out = append(append(out, d.text[done:e.from]...), e.text...)
		done = e.to
	}
	return Parse(append(out, d.text[done:]...))
}

// indentOf returns the blanks that begin the line of offset.
func (d *Doc) indentOf(offset int) string {
	from := 1 + bytes.LastIndexByte(d.text[:offset], '\n')
	return string(d.text[from:min(offset, skip(d.text, from, " \t"))])
}

// A style is how the author of a text lays it out.
type style struct {
	lines   bool   // one member a line, rather than all on one
	newline string // "\n" or "\r\n"
	unit    string // one level of indentation
	space   string // after a colon, and after a comma on one line
}

func (d *Doc) style() style {
	s := style{newline: "\n", unit: "  ", space: " "}
	if bytes.Contains(d.text, []byte("\r\n")) {
		s.newline = "\r\n"
	}
	in := slots(&d.root)
	s.lines = len(in) == 0 || bytes.Contains(d.text[d.root.StartOffset:d.root.EndOffset], []byte("\n"))
	for _, m := range in {
		if bytes.Contains(m.before, []byte("\n")) {
			s.unit = strings.TrimPrefix(d.indentOf(m.start), d.indentOf(d.root.StartOffset))
			break
		}
	}
	if len(in) > 0 && len(in[0].value.BeforeExtra) == 0 {
		s.space = ""
	}
	return s
}

// render writes value over several lines, of which the first has no
// indentation, or on one.
func (s style) render(value any, lines bool, indent string) (string, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if lines {
		e.SetIndent(indent, s.unit)
	}
	if err := e.Encode(value); err != nil {
		return "", err
	}
	text := strings.TrimSuffix(out.String(), "\n")
	if lines && s.unit == "" && indent == "" { // encoding/json takes this for "on one line"
		var spread bytes.Buffer
		if err := json.Indent(&spread, []byte(text), "", ""); err != nil {
			return "", err
		}
		text = spread.String()
	}
	return strings.ReplaceAll(text, "\n", s.newline), nil
}
