package doc

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// scalar reads a scalar or a flow collection in block context. What is not
// well formed, such as `"a" b` or `[x](y)`, is plain text.
func (p *frontReader) scalar(at pos, parent int) *Node {
	line := p.lines[at.line]
	known := len(p.problems)
	switch line[at.col] {
	case '|', '>':
		if n := p.blockScalar(at, parent); n != nil {
			return n
		}
	case '"', '\'':
		value, end, ok := p.quoted(at, parent)
		if ok && p.endsAt(end) {
			st := styleDouble
			if line[at.col] == '\'' {
				st = styleSingle
			}
			return &Node{Value: value, Quoted: true, style: st, at: at, end: end}
		}
		p.problems = p.problems[:known]
		p.problem(at.line, "text after a quoted value, or a quote that is not closed")
	case '[', '{':
		if n, ok := p.flow(at, parent); ok && p.endsAt(n.end) {
			return n
		}
		p.problems = p.problems[:known]
		p.problem(at.line, "text after a bracket, or a bracket that is not closed")
	case '@', '`', '%':
		p.problem(at.line, "a value that begins with "+line[at.col:at.col+1]+" must be quoted")
	}
	return p.plain(at, parent)
}

// endsAt reports whether nothing but a comment follows in the line.
func (p *frontReader) endsAt(at pos) bool {
	line := p.lines[at.line]
	c := skipBlank(line, at.col)
	return c == len(line) || line[c] == '#' && c > at.col
}

// plain reads text without quotes. It goes on in the lines that are indented
// further than parent.
func (p *frontReader) plain(at pos, parent int) *Node {
	text, cut := cutComment(p.lines[at.line][at.col:])
	if strings.Contains(text, ": ") {
		p.problem(at.line, "text with a colon must be quoted")
	}
	n := &Node{Value: text, style: stylePlain, at: at, end: pos{at.line, at.col + len(text)}}
	var joined strings.Builder // from the second line on
	blank := 0
	for i := at.line + 1; i < len(p.lines) && !cut; i++ {
		ind := p.indent(i)
		rest := p.lines[i][ind:]
		if rest == "" {
			blank++
			continue
		}
		if ind <= parent || rest[0] == '#' {
			break
		}
		if _, _, isKey := splitKey(rest); isKey {
			break
		}
		if joined.Len() == 0 {
			joined.WriteString(text)
		}
		text, cut = cutComment(rest)
		joined.WriteString(folded(blank) + text)
		n.end, blank = pos{i, ind + len(text)}, 0
	}
	if joined.Len() > 0 {
		n.Value = joined.String()
	}
	return n
}

// folded returns what stands for a line break and the blank lines after it.
func folded(blank int) string {
	if blank == 0 {
		return " "
	}
	return strings.Repeat("\n", blank)
}

// cutComment returns s without the comment and the blanks at its end.
func cutComment(s string) (string, bool) {
	for i := 1; i < len(s); i++ {
		if s[i] == '#' && isBlank(s[i-1]) {
			return strings.TrimRight(s[:i], " \t"), true
		}
	}
	return strings.TrimRight(s, " \t"), false
}

// quoted reads a quoted scalar, which may go on in lines that are indented
// further than parent.
func (p *frontReader) quoted(at pos, parent int) (string, pos, bool) {
	i, c := at.line, at.col+1
	line := p.lines[i]
	quote := line[at.col]
	if n := strings.IndexByte(line[c:], quote); n >= 0 && strings.IndexByte(line[c:c+n], '\\') < 0 &&
		!(quote == '\'' && strings.HasPrefix(line[c+n+1:], "'")) {
		return line[c : c+n], pos{i, c + n + 1}, true
	}
	var b []byte
	solid := 0 // of b, without blanks that a line break swallows
	joined := false
	for {
		if c >= len(line) {
			b = b[:solid]
			blank := 0
			for i++; i < len(p.lines) && strings.Trim(p.lines[i], " \t") == ""; i++ {
				blank++
			}
			if i == len(p.lines) || p.indent(i) <= parent {
				return "", at, false
			}
			if !joined || blank > 0 {
				b = append(b, folded(blank)...)
			}
			line, c, solid, joined = p.lines[i], p.indent(i), len(b), false
			continue
		}
		ch := line[c]
		switch {
		case ch == quote && quote == '\'' && strings.HasPrefix(line[c+1:], "'"):
			b = append(b, '\'')
			c += 2
		case ch == quote:
			return string(b), pos{i, c + 1}, true
		case ch == '\\' && quote == '"' && c+1 == len(line):
			joined = true
			c++
			solid = len(b)
			continue
		case ch == '\\' && quote == '"':
			var n int
			b, n = p.escape(b, line[c:], i)
			c += n
		default:
			b = append(b, ch)
			c++
			if isBlank(ch) {
				continue
			}
		}
		solid = len(b)
	}
}

// escape appends what the escape at the start of s stands for, and returns
// how long the escape is. An unknown one is text: people write patterns.
func (p *frontReader) escape(b []byte, s string, line int) ([]byte, int) {
	const from, to = `0abtnvfre "/\N_LP`, "\x00\a\b\t\n\v\f\r\x1b \"/\\\u0085\u00a0\u2028\u2029"
	if s[1] == '\t' {
		return append(b, '\t'), 2
	}
	if k := strings.IndexByte(from, s[1]); k >= 0 {
		return utf8.AppendRune(b, []rune(to)[k]), 2
	}
	if k := strings.IndexByte("xuU", s[1]); k >= 0 {
		digits := 2 << k
		if len(s) >= 2+digits {
			if r, err := strconv.ParseUint(s[2:2+digits], 16, 32); err == nil {
				return utf8.AppendRune(b, rune(r)), 2 + digits
			}
		}
	}
	p.problem(line, `\`+s[1:2]+" means nothing in double quotes")
	return append(b, '\\', s[1]), 2
}

// blockScalar reads `|` or `>` and the lines under it, or returns nil when
// the header is none.
func (p *frontReader) blockScalar(at pos, parent int) *Node {
	header, _ := cutComment(p.lines[at.line][at.col:])
	chomp, ind := byte(0), -1
	for _, ch := range []byte(header[1:]) {
		switch {
		case (ch == '+' || ch == '-') && chomp == 0:
			chomp = ch
		case ch >= '1' && ch <= '9' && ind < 0:
			ind = parent + int(ch-'0')
		default:
			return nil
		}
	}
	var lines []string
	last := at.line
	full := 0 // lines up to the last that is not blank
	for i := at.line + 1; i < len(p.lines); i++ {
		line := p.lines[i]
		spaces := len(line) - len(strings.TrimLeft(line, " "))
		if spaces == len(line) && (ind < 0 || spaces <= ind) {
			lines = append(lines, "")
			continue
		}
		if ind < 0 && spaces > parent {
			ind = spaces
		}
		if ind < 0 || spaces < ind {
			break
		}
		lines = append(lines, line[ind:])
		full, last = len(lines), i
	}
	text := strings.Join(lines[:full], "\n")
	if header[0] == '>' {
		text = foldLines(lines[:full])
	}
	switch {
	case chomp == '+':
		text += strings.Repeat("\n", len(lines)-full)
		if full > 0 {
			text += "\n"
		}
		last = at.line + len(lines)
	case chomp == 0 && full > 0:
		text += "\n"
	}
	return &Node{Value: text, Quoted: true, style: styleBlockScalar, at: at, end: pos{last, len(p.lines[last])}}
}

// foldLines joins lines as `>` does: a break between two lines of text is a
// space, one next to a line that is indented further stays.
func foldLines(lines []string) string {
	var b strings.Builder
	blank, before := 0, ""
	for i, line := range lines {
		if line == "" {
			blank++
			continue
		}
		switch {
		case before == "": // the first line of text
			b.WriteString(strings.Repeat("\n", blank))
		case isBlank(line[0]) || isBlank(before[0]):
			b.WriteString(strings.Repeat("\n", blank+1))
		default:
			b.WriteString(folded(blank))
		}
		b.WriteString(line)
		blank, before = 0, lines[i]
	}
	return b.String()
}
