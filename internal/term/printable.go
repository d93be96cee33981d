package term

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"cairn/internal/text"
)

// Line is a stranger's text on one line, as Printable makes it, without runs
// of space.
func Line(text string) string { return strings.Join(strings.Fields(Printable(text)), " ") }

// Printable is a stranger's text as one line that can do nothing: without
// escape sequences and control characters, without bytes that are no UTF-8,
// without what turns the direction of writing, and without what a job of
// GitHub Actions would obey. Its spaces stay.
func Printable(said string) string {
	said = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r), r == '\u2028', r == '\u2029':
			return ' '
		case unicode.IsControl(r), turns(r), r == unicode.ReplacementChar, r == '\ufeff':
			return -1
		}
		return r
	}, text.Plain(said))
	if strings.Contains(said, "::") || strings.Contains(said, "##[") {
		return noCommand(said)
	}
	return said
}

// Text is a stranger's text of many lines that can do nothing. Its lines, tabs
// and spaces stay; a line that Printable would not change is as it was.
func Text(text string) string {
	if !strings.ContainsFunc(text, acts) && utf8.ValidString(text) && !strings.Contains(text, "::") && !strings.Contains(text, "##[") {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		body := strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
		for i, part := range strings.Split(body, "\t") {
			if i > 0 {
				b.WriteByte('\t')
			}
			b.WriteString(Printable(part))
		}
		b.WriteString(line[len(body):])
	}
	return b.String()
}

// acts reports whether a character can do something between the lines: a return
// within a line is one that Printable sees.
func acts(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' || turns(r) }

// turns reports whether a character changes the direction of what follows.
func turns(r rune) bool {
	return r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0x200e || r == 0x200f || r == 0x061c
}

// noCommand breaks ::command where a line may begin, which is at every word,
// and the older ##[command] anywhere. Commands begin with a small letter.
// Source: docs.github.com, "Workflow commands for GitHub Actions".
func noCommand(text string) string {
	var b strings.Builder
	before := ' '
	for i, r := range text {
		b.WriteRune(r)
		rest := text[i+utf8.RuneLen(r):]
		if r == ':' && unicode.IsSpace(before) && len(rest) > 1 && rest[0] == ':' && rest[1] >= 'a' && rest[1] <= 'z' ||
			r == '#' && strings.HasPrefix(rest, "#[") {
			b.WriteByte(' ')
		}
		before = r
	}
	return b.String()
}

// PrintableJSON is JSON that says the same and can do nothing to a terminal:
// the characters that Printable leaves out are escaped.
func PrintableJSON(data []byte) []byte {
	data = bytes.ReplaceAll(data, []byte("##["), []byte(`#\u0023[`))
	if !bytes.ContainsFunc(data, escapes) {
		return data
	}
	var b bytes.Buffer
	for _, r := range string(data) {
		if escapes(r) {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.Bytes()
}

func escapes(r rune) bool { return r == 0x7f || r >= 0x80 && r < 0xa0 || turns(r) }
