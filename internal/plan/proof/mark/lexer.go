package mark

import "strings"

// mask returns the text twice, both of its length and with its lines: once with
// strings and comments blanked, once with all but the comments. The quotes of a
// string stay, so that it can be seen that there is one.
func mask(lang Lang, text string) (code, comments string) {
	l := &lexer{lang: lang, text: text, code: []byte(text), comments: blank(text)}
	l.run(0, 0)
	return string(l.code), string(l.comments)
}

func blank(text string) []byte {
	out := []byte(text)
	for i, c := range out {
		if c != '\n' && c != '\r' {
			out[i] = ' '
		}
	}
	return out
}

type lexer struct {
	lang           Lang
	text           string
	code, comments []byte
}

// run reads code from an offset on: to the end, or to the bracket that closes a
// template's ${.
func (l *lexer) run(at, depth int) int {
	inside := depth > 0
	for at < len(l.text) {
		rest := l.text[at:]
		switch c := rest[0]; {
		case inside && c == '{':
			depth++
			at++
		case inside && c == '}':
			if depth--; depth == 0 {
				return at
			}
			at++
		case l.lang != Python && strings.HasPrefix(rest, "//"), l.lang == Python && c == '#', l.lang == Script && at == 0 && strings.HasPrefix(rest, "#!"):
			at = l.comment(at, lineEnd(l.text, at))
		case l.lang != Python && strings.HasPrefix(rest, "/*"):
			at = l.comment(at, l.blockEnd(at))
		case c == '`' && l.lang == Go:
			at = l.quoted(at, at+1, "`", false)
		case c == '`' && l.lang == Script:
			at = l.template(at)
		case c == '"' || c == '\'' && l.lang != Rust:
			at = l.str(at, string(c))
		case c == '\'':
			at = l.char(at)
		case l.lang == Rust && (c == 'r' || c == 'b') && !inName(l.text, at) && l.rawRust(at) > 0:
			at = l.rawRust(at)
		case l.lang == Script && c == '/' && l.regexMayStart(at):
			at = l.regex(at)
		default:
			at++
		}
	}
	return at
}

func lineEnd(text string, at int) int {
	if n := strings.IndexByte(text[at:], '\n'); n >= 0 {
		return at + n
	}
	return len(text)
}

func (l *lexer) comment(from, to int) int {
	copy(l.comments[from:to], l.text[from:to])
	l.blank(from, to)
	return to
}

func (l *lexer) blank(from, to int) {
	for i := from; i < to; i++ {
		if l.text[i] != '\n' && l.text[i] != '\r' {
			l.code[i] = ' '
		}
	}
}

// blockEnd is where a block comment ends; in Rust they nest.
func (l *lexer) blockEnd(at int) int {
	depth := 0
	for i := at; i < len(l.text); i++ {
		switch {
		case strings.HasPrefix(l.text[i:], "/*") && (depth == 0 || l.lang == Rust):
			depth++
			i++
		case strings.HasPrefix(l.text[i:], "*/"):
			if depth--; depth == 0 {
				return i + 2
			}
			i++
		}
	}
	return len(l.text)
}

func (l *lexer) str(at int, quote string) int {
	if triple := strings.Repeat(quote, 3); l.lang == Python && strings.HasPrefix(l.text[at:], triple) {
		return l.quoted(at, at+3, triple, !rawBefore(l.text, at))
	}
	end := l.quotedEnd(at+1, quote, true)
	if l.lang != Rust { // a string ends in its line; an apostrophe in a text of JSX is none
		if eol := lineEnd(l.text, at); end > eol && !strings.HasSuffix(strings.TrimRight(l.text[at:eol], "\r"), "\\") {
			return at + 1
		}
	}
	l.blank(at+1, end-1)
	return end
}

// rawBefore reports whether a prefix of Python's makes the string a raw one.
func rawBefore(text string, at int) bool {
	return at > 0 && strings.ContainsRune("rR", rune(text[at-1]))
}

func (l *lexer) quoted(at, from int, close string, escapes bool) int {
	end := l.quotedEnd(from, close, escapes)
	l.blank(from, max(from, end-len(close)))
	return end
}

func (l *lexer) quotedEnd(from int, close string, escapes bool) int {
	for i := from; i < len(l.text); i++ {
		if escapes && l.text[i] == '\\' {
			i++
			continue
		}
		if strings.HasPrefix(l.text[i:], close) {
			return i + len(close)
		}
	}
	return len(l.text)
}

func (l *lexer) template(at int) int {
	from := at + 1
	for i := from; i < len(l.text); i++ {
		switch {
		case l.text[i] == '\\':
			i++
		case l.text[i] == '`':
			l.blank(from, i)
			return i + 1
		case strings.HasPrefix(l.text[i:], "${"):
			l.blank(from, i)
			i = l.run(i+2, 1)
			from = min(i+1, len(l.text))
		}
	}
	l.blank(from, len(l.text))
	return len(l.text)
}

// char reads a character of Rust; the quote of a lifetime is passed over.
func (l *lexer) char(at int) int {
	rest := l.text[at+1:]
	if rest == "" {
		return at + 1
	}
	if rest[0] == '\\' {
		end := l.quotedEnd(at+1, "'", true)
		l.blank(at+1, end-1)
		return end
	}
	for i := range min(len(rest), 5) { // a character has up to four bytes
		if i > 0 && rest[i] == '\'' {
			l.blank(at+1, at+1+i)
			return at + 2 + i
		}
		if i > 0 && rest[i] < 0x80 {
			break
		}
	}
	return at + 1
}

// rawRust is where a string such as r#"…"# ends, 0 when there is none.
func (l *lexer) rawRust(at int) int {
	i := at
	if l.text[i] == 'b' {
		i++
	}
	if i >= len(l.text) || l.text[i] != 'r' {
		return 0
	}
	i++
	hashes := 0
	for i < len(l.text) && l.text[i] == '#' {
		hashes++
		i++
	}
	if i >= len(l.text) || l.text[i] != '"' {
		return 0
	}
	return l.quoted(at, i+1, `"`+strings.Repeat("#", hashes), false)
}

func inName(text string, at int) bool { return at > 0 && isWord(text[at-1]) }

func isWord(c byte) bool {
	return c == '_' || c == '$' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c >= 0x80
}

// regexMayStart decides by what stands before a slash: behind a value it divides.
func (l *lexer) regexMayStart(at int) bool {
	i := at - 1
	for i >= 0 && (l.code[i] == ' ' || l.code[i] == '\t' || l.code[i] == '\n' || l.code[i] == '\r') {
		i--
	}
	if i < 0 {
		return true
	}
	if c := l.code[i]; !isWord(c) {
		return strings.IndexByte(")]}\"'`", c) < 0 && (c != '<')
	}
	from := i
	for from > 0 && isWord(l.code[from-1]) {
		from--
	}
	switch string(l.code[from : i+1]) {
	case "return", "typeof", "case", "in", "of", "delete", "void", "throw", "new", "await", "yield", "else", "do":
		return true
	}
	return false
}

func (l *lexer) regex(at int) int {
	class := false
	for i := at + 1; i < len(l.text); i++ {
		switch c := l.text[i]; {
		case c == '\n':
			return at + 1
		case c == '\\':
			i++
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			l.blank(at+1, i)
			return i + 1
		}
	}
	return at + 1
}

// closing is the offset of the bracket that closes the one at an offset of masked
// code, -1 when none does.
func closing(code string, at int) int {
	depth := 0
	for i := at; i < len(code); i++ {
		switch code[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}
