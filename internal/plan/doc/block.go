package doc

import "strings"

// Block is an XML-like element whose tags stand in Markdown, such as
// `<task type="auto"> … </task>`. It is not XML: entities and nesting of the
// same name are text.
type Block struct {
	Name  string
	Attrs map[string]string
	Line  int    // of the opening tag
	End   int    // the line after the closing tag
	Text  string // between the tags, untrimmed
}

// Blocks returns the elements of that name outside code, in the lines
// [from, to). One that is never closed ends where to does.
func (t *Text) Blocks(from, to int, name string) []Block {
	var out []Block
	for i := from; i < to; {
		at := openTag(t.Line(i), name)
		if at < 0 || t.Code(i) {
			i++
			continue
		}
		b, ok := t.block(i, to, at, name)
		if !ok {
			i++
			continue
		}
		out = append(out, b)
		i = b.End
	}
	return out
}

// maxTagLines is over how many lines an opening tag may go.
const maxTagLines = 20

func (t *Text) block(from, to, at int, name string) (b Block, ok bool) {
	b = Block{Name: name, Line: from, End: to}
	text := t.Line(from)[at:]
	tagEnd := strings.IndexByte(text, '>')
	for last := min(to, from+maxTagLines) - 1; tagEnd < 0; {
		if from >= last {
			return b, false
		}
		from++
		text += "\n" + t.Line(from)
		tagEnd = strings.IndexByte(text, '>')
	}
	b.Attrs = attributes(text[len(name)+1 : tagEnd])
	if strings.HasSuffix(text[:tagEnd], "/") {
		b.End = from + 1
		return b, true
	}
	closing := "</" + name + ">"
	var inner strings.Builder
	rest := text[tagEnd+1:]
	for i := from; ; rest = t.Line(i) {
		if i == from || !t.Code(i) {
			if n := strings.Index(rest, closing); n >= 0 {
				inner.WriteString(rest[:n])
				b.Text, b.End = inner.String(), i+1
				return b, true
			}
		}
		inner.WriteString(rest)
		if i++; i >= to {
			b.Text = inner.String()
			return b, true
		}
		inner.WriteByte('\n')
	}
}

// openTag returns where `<name` stands in the line as a whole word, or -1. In
// backticks it is text.
func openTag(line, name string) int {
	for from := 0; ; {
		i := strings.Index(line[from:], "<"+name)
		if i < 0 {
			return -1
		}
		i += from
		after := i + 1 + len(name)
		if (after == len(line) || strings.IndexByte(" \t>/", line[after]) >= 0) && (i == 0 || line[i-1] != '`') {
			return i
		}
		from = after
	}
}

// attributes reads `type="auto" tdd='true' gate=blocking`.
func attributes(s string) map[string]string {
	out := map[string]string{}
	for {
		s = strings.TrimLeft(s, " \t\n/")
		name, rest, ok := strings.Cut(s, "=")
		if !ok {
			return out
		}
		name = strings.TrimSpace(name)
		rest = strings.TrimLeft(rest, " \t\n")
		var value string
		if rest != "" && (rest[0] == '"' || rest[0] == '\'') {
			value, s, _ = strings.Cut(rest[1:], rest[:1])
		} else {
			value, s, _ = strings.Cut(rest, " ")
		}
		if name != "" {
			out[name] = value
		}
	}
}

// Elements returns the elements of that name inside a block's text; see
// [Text.Blocks].
func Elements(text, name string) []Block {
	t := Parse([]byte(text))
	return t.Blocks(0, t.Len(), name)
}
