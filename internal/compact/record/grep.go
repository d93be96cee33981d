package record

import (
	"cmp"
	"path"
	"strings"
)

// grep is the parser for search results: grep -rn, git grep, rg and ag, with
// or without line numbers, context lines and headings. Matches are grouped by
// file, whose full path is kept.
//
// Formats: "path:12:text", "path-12-text" and "--" of grep(1); with a heading,
// the path on a line of its own and "12:text" below it, as rg(1) prints on a
// terminal; "path:" with "  Line 12: text" below it, as OpenCode's tool prints;
// "File: path" with "L12: text" below it and "---" after, as Gemini CLI's does;
// "path" alone of -l and "path:3" of -c.
type grep struct {
	matches int
	heading Line // a line that may be a path with matches below
	held    bool
	file    string // of the open heading
	under   string // of the open heading with a colon
	plain   paths  // for lists of paths
	log     log    // for lines of one log
	blank   bool   // the line before was blank: a heading may follow
	said    complaints
	words   []string // one of which each match has, as far as the command tells
}

// For tells the parser what the command looked for.
func (p *grep) For(words []string) { p.words = words }

const (
	lineWidth   = 200 // bytes of a line
	grepWidth   = 160 // and of a match
	grepBefore  = 50  // and of them, before what was looked for
	grepLeast   = 30  // bytes that are worth a mark
	lineNumber  = "  Line "
	fileHeading = "File: "
)

func (p *grep) Line(l Line, emit Emit) {
	s := l.Text
	if p.held {
		p.held = false
		name, colon := strings.CutSuffix(p.heading.Text, ":")
		switch {
		case colon && strings.HasPrefix(s, lineNumber):
			p.under = name
			emit.line(Folded, p.heading)
		case !colon && hasNumber(s) && p.heading.Text != "":
			p.file = p.heading.Text
			emit.line(Folded, p.heading)
		default:
			p.loose(p.heading, emit)
		}
	}
	blank := p.blank
	p.blank = s == ""
	switch file, rest := splitMatch(s); {
	case s == "--" || s == "":
		p.file = ""
		emit.line(Folded, l)
	case strings.HasPrefix(s, "Binary file "), toolSays(s):
		emit(p.said.record(l))
	case p.file != "" && hasNumber(s):
		p.match(l, p.file, s, emit)
	case p.file != "":
		p.file = ""
		p.Line(l, emit)
	case p.under != "" && strings.HasPrefix(s, lineNumber):
		p.match(l, p.under, s[len(lineNumber):], emit)
	case strings.HasPrefix(s, fileHeading) && pathLike(s[len(fileHeading):]):
		p.under = s[len(fileHeading):]
		emit.line(Folded, l)
	case p.under != "" && s[0] == 'L' && hasNumber(s[1:]):
		p.match(l, p.under, s[1:], emit)
	case p.under != "" && s == "---":
		emit.line(Folded, l)
	case file != "" && rest == "":
		p.heading, p.held = l, true
	case file != "" && strings.Trim(rest, "0123456789") == "": // -c
		r := named(l, "", file, rest)
		if rest == "0" {
			r.Class = Noise
		}
		emit(r)
	case file != "":
		p.match(l, file, rest, emit)
	case hasNumber(s):
		p.unnamed(l, emit)
	case (p.matches == 0 || blank) && !stamped(s) && len(s) < 300 && !strings.Contains(s, ": "):
		p.heading, p.held = l, true
	case stamped(s):
		p.log.Line(l, emit)
	default:
		p.unnamed(l, emit)
	}
}

// loose takes a line that could have been a heading and is not.
func (p *grep) loose(l Line, emit Emit) {
	switch file, rest := splitMatch(l.Text); {
	case file != "" && rest == "": // a blank line that matched
		p.match(l, file, "", emit)
	case p.matches == 0 && !strings.Contains(l.Text, " "):
		p.plain.Line(l, emit)
	default:
		p.unnamed(l, emit)
	}
}

// unnamed takes a match that names no file: of a search in one, or in what
// another command wrote.
func (p *grep) unnamed(l Line, emit Emit) {
	if i := strings.Index(l.Text, "   "); i > 0 && strings.Contains(strings.TrimLeft(l.Text[i:], " "), "  ") && !hasNumber(l.Text) {
		l.Text = squeezed(l.Text, false) // a table of that command's
	}
	l.Text = p.around(l.Text)
	emit.row(l)
}

func (p *grep) match(l Line, file, rest string, emit Emit) {
	p.matches++
	l.Text = p.around(l.Text)
	r := Record{List: ListUnder, Group: file, Row: cmp.Or(p.around(rest), " "), Lines: []Line{l}}
	if _, end := leadingNumber(rest); end > 0 && end < len(rest) && rest[end] == '-' {
		r.Class = Noise
	}
	emit(r)
}

func (p *grep) Close(emit Emit) {
	if p.held {
		p.loose(p.heading, emit)
	}
	p.plain.Close(emit)
	p.log.Close(emit)
}

// splitMatch cuts "path:12:text", "path-12-text" or "path:text" after the
// path; file is "" when s is none of them. The name of a file without an
// extension may have gone on after "-12-", so there a later colon decides.
func splitMatch(s string) (file, rest string) {
	for i := 1; i < len(s) && i < 400; i++ {
		if c := s[i]; c != ':' && c != '-' {
			continue
		}
		n, end := leadingNumber(s[i+1:])
		if n > 0 && end < len(s)-i-1 && (s[i+1+end] == s[i]) && pathLike(s[:i]) {
			if s[i] == ':' || path.Ext(s[:i]) != "" {
				return s[:i], s[i+1:]
			}
			if file == "" {
				file, rest = s[:i], s[i+1:]
			}
		}
		if s[i] == ':' {
			if pathLike(s[:i]) && !strings.HasPrefix(s[i:], "://") {
				return s[:i], s[i+1:]
			}
			return file, rest
		}
	}
	return file, rest
}

// pathLike reports whether s can be the path in front of a match.
func pathLike(s string) bool {
	return s != "" && s[0] != ' ' && s[0] != '\t' && strings.ContainsAny(s, "./\\") && !strings.ContainsAny(s, "\"'`(){}<>;,=") && !strings.Contains(s, " ")
}

// leadingNumber reads the number that s begins with; end is where it ends.
func leadingNumber(s string) (n, end int) {
	for end < len(s) && end < 9 && s[end] >= '0' && s[end] <= '9' {
		n = n*10 + int(s[end]-'0')
		end++
	}
	return n, end
}

// hasNumber reports whether s is "12:text" or "12-text" below a heading.
func hasNumber(s string) bool {
	n, end := leadingNumber(s)
	return n > 0 && end < len(s) && (s[end] == ':' || s[end] == '-') && !stamped(s)
}

// toolSays reports whether s is the tool's own message: "grep: x: No such
// file or directory".
func toolSays(s string) bool {
	return hasPrefix(s, "grep: ", "rg: ", "find: ", "fatal: ", "error: ", "ls: ", "du: ", "tree: ", "cat: ", "egrep: ", "ugrep: ", "bfs: ", "wc: ", "head: ", "tail: ", "df: ", "sed: ", "fd: ", "jq: ", "parse error: ") || strings.Contains(s, ": Permission denied") && !strings.Contains(s, "\"")
}

// around cuts a match in a line that is too long to read: what was looked for
// stays, and the number of the line.
func (p *grep) around(s string) string {
	if len(s) <= grepWidth+40 {
		return s
	}
	at := -1
	low := strings.ToLower(s)
	for _, w := range p.words {
		if i := strings.Index(low, strings.ToLower(w)); i >= 0 && (at < 0 || i < at) {
			at = i
		}
	}
	n, number := leadingNumber(s)
	if n > 0 && number < len(s) {
		number++ // and what is behind it
	}
	from := at - grepBefore
	if at < 0 || len(low) != len(s) || from <= number+grepLeast {
		return Narrow(s, grepWidth)
	}
	for s[from]&0xc0 == 0x80 {
		from++ // not in the middle of a character
	}
	return s[:number] + cutMark(from-number) + " " + Narrow(s[from:], grepWidth)
}

// width cuts a line that is too long to read.
func width(s string) string { return Narrow(s, lineWidth) }
