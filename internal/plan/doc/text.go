// Package doc reads and edits the Markdown files of a planning directory
// without losing a byte: a file is its lines, everything else — headings,
// fields, lists, tables, blocks, frontmatter — is a view of them, and an edit
// changes the lines it names and no other.
//
// Package plan and the packages under it import it. It opens no file and
// knows nothing of projects, locks or commands.
package doc

import (
	"bytes"
	"slices"
	"strings"
)

// Text is a file as lines. Every line keeps its own ending, so Bytes of a
// Text that was not edited is what Parse was given, whatever that was.
type Text struct {
	bom   bool
	lines []string  // each with its ending; only the last may have none
	code  []bool    // per line, computed when asked for; nil after an edit
	front *front    // the frontmatter, read when asked for; nil after an edit
	heads []Heading // likewise
	edits int
}

const bom = "\xef\xbb\xbf"

// Parse reads a file. It never fails: what it cannot understand is text.
func Parse(b []byte) *Text {
	rest, hasBOM := bytes.CutPrefix(b, []byte(bom))
	t := &Text{bom: hasBOM}
	if len(rest) > 0 {
		t.lines = make([]string, 0, bytes.Count(rest, []byte("\n"))+1)
		for line := range strings.Lines(string(rest)) {
			t.lines = append(t.lines, line)
		}
	}
	return t
}

// New makes a file of lines, each ended by a line feed.
func New(lines ...string) *Text {
	t := &Text{}
	t.Insert(0, lines...)
	return t
}

// Bytes returns the file.
func (t *Text) Bytes() []byte {
	size := len(bom)
	for _, line := range t.lines {
		size += len(line)
	}
	b := make([]byte, 0, size)
	if t.bom {
		b = append(b, bom...)
	}
	for _, line := range t.lines {
		b = append(b, line...)
	}
	return b
}

// String returns the file's text without its byte order mark.
func (t *Text) String() string { return strings.Join(t.lines, "") }

// Clone returns a copy that can be edited apart.
func (t *Text) Clone() *Text {
	return &Text{bom: t.bom, lines: slices.Clone(t.lines)}
}

// Len returns the number of lines.
func (t *Text) Len() int { return len(t.lines) }

// Line returns line i, counted from 0, without its ending.
func (t *Text) Line(i int) string { return cutEnding(t.lines[i]) }

// Lines returns the lines [from, to) without their endings.
func (t *Text) Lines(from, to int) []string {
	out := make([]string, 0, max(to-from, 0))
	for i := from; i < to; i++ {
		out = append(out, t.Line(i))
	}
	return out
}

// Span returns the text of the lines [from, to), joined by line feeds.
func (t *Text) Span(from, to int) string { return strings.Join(t.Lines(from, to), "\n") }

// SetLine replaces line i and keeps its ending.
func (t *Text) SetLine(i int, s string) {
	old := t.Line(i)
	if old == s {
		return
	}
	code := t.code
	t.lines[i] = s + ending(t.lines[i])
	t.edited()
	if !bordersCode(old) && !bordersCode(s) {
		t.code = code
	}
}

// Insert puts lines before line i; i may be Len, which appends. New lines end
// as the file's lines do.
func (t *Text) Insert(i int, lines ...string) {
	if len(lines) == 0 {
		return
	}
	end := t.ending()
	added := make([]string, len(lines))
	for k, s := range lines {
		added[k] = s + end
	}
	if last := len(t.lines) - 1; i > last && last >= 0 && ending(t.lines[last]) == "" {
		// The file has no final line feed and still has none afterwards.
		t.lines[last] += end
		added[len(added)-1] = lines[len(lines)-1]
	}
	t.lines = slices.Insert(t.lines, i, added...)
	t.edited()
}

// Delete removes the lines [from, to).
func (t *Text) Delete(from, to int) {
	if from >= to {
		return
	}
	t.lines = slices.Delete(t.lines, from, to)
	t.edited()
}

// edited forgets what was computed from the lines.
func (t *Text) edited() {
	t.code, t.front, t.heads = nil, nil, nil
	t.edits++
}

// Edits counts the edits, so that what was read of a text can be kept while
// it does not change.
func (t *Text) Edits() int { return t.edits }

// Code reports whether line i is inside a code fence or an HTML comment, or
// is their first or last line: it looks like structure and is text.
func (t *Text) Code(i int) bool {
	if t.code == nil {
		t.code = t.scanCode()
	}
	return t.code[i]
}

// ending returns how the file's lines end: as its first one does.
func (t *Text) ending() string {
	if len(t.lines) > 0 {
		if e := ending(t.lines[0]); e != "" {
			return e
		}
	}
	return "\n"
}

func ending(line string) string { return line[len(cutEnding(line)):] }

func cutEnding(line string) string {
	s := strings.TrimSuffix(line, "\n")
	if len(s) < len(line) {
		s = strings.TrimSuffix(s, "\r")
	}
	return s
}
