package record

import (
	"strconv"
	"strings"

	"cairn/internal/text"
)

// blame is the parser for git blame. A commit's author and day stay at its
// first line, and its hash at the first of each run of lines. Of a longer blame
// the commits are listed with the lines they wrote, in the order in which they
// come first: the code can be read where it is.
//
// Format: "dfa2052c path (Author 2021-11-24 11:29:15 +0100  1) code",
// git-blame(1); the path is there only after renames.
type blame struct {
	last    *blamed
	commits map[string]*blamed
	order   []*blamed
	held    []Line // while they are few
	long    bool
}

// A blamed commit wrote lines.
type blamed struct {
	n        int    // where it stands first
	about    string // its hash, author and day
	spans    string // "1,3-7,", without the last
	from, to string // which is this
	left     int    // lines that are not in spans
}

const (
	blameFew     = 80   // lines of a blame whose code is shown
	blameCommits = 5000 // commits told apart
	blameSpans   = 300  // bytes of the lines of one
	blameRoom    = 8000 // bytes of all
)

func (p *blame) Line(l Line, emit Emit) {
	sha, paren, code, ok := blameLine(l.Text)
	if !ok {
		emit.line(Body, l)
		return
	}
	number := l.Text[strings.LastIndexByte(l.Text[:code], ' ')+1 : code]
	c, again := p.commits[sha], false
	switch {
	case c == nil && len(p.order) == blameCommits:
		emit.line(Good, l)
		return
	case c == nil:
		about := blameShort(l.Text[:code])
		c = &blamed{n: l.N, about: strings.TrimSuffix(strings.Replace(about, "(", "", 1), " "+number)}
		if p.commits == nil {
			p.commits = map[string]*blamed{}
		}
		p.commits[sha], p.order = c, append(p.order, c)
		if l.Text = about + l.Text[code:]; paren <= 0 {
			c.about = sha
		}
	case c == p.last:
		again = true
		l.Text = number + l.Text[code:]
	default:
		l.Text = sha + " " + number + l.Text[code:]
	}
	if !again {
		c.close()
		c.from = number
	}
	c.to, p.last = number, c
	if !p.long && len(p.held) < blameFew {
		p.held = append(p.held, l)
		return
	}
	p.long = true
	for _, h := range append(take(&p.held), l) {
		if !h.Keep {
			h.Text = ""
		}
		emit.line(Folded, h)
	}
}

// close adds the last run of lines to those before.
func (c *blamed) close() {
	switch {
	case c.from == "":
	case len(c.spans) > blameSpans:
		from, _ := strconv.Atoi(c.from)
		to, _ := strconv.Atoi(c.to)
		c.left += to - from + 1
	case c.from == c.to:
		c.spans += c.from + ","
	default:
		c.spans += c.from + "-" + c.to + ","
	}
}

func (p *blame) Close(emit Emit) {
	emit.each(Body, p.held)
	if !p.long {
		return
	}
	room := blameRoom
	for i, c := range p.order {
		c.close()
		s := c.about + ": " + strings.TrimSuffix(c.spans, ",")
		if c.left > 0 {
			s += " [… " + text.Thousands(c.left) + " more lines …]"
		}
		if room -= len(s) + 1; room < 0 {
			s = "[… " + text.Thousands(len(p.order)-i) + " more commits …]"
		}
		if i == 0 {
			emit(Record{Class: Keep, Instead: true, Lines: []Line{{N: c.n, Text: "[… lines by commit, code not shown …]"}}})
		}
		emit(Record{Class: Keep, Instead: true, Lines: []Line{{N: c.n, Text: s}}})
		if room < 0 {
			return
		}
	}
}

// blameShort takes the padding and the time of day out of what stands before
// a line.
func blameShort(s string) string {
	f := strings.Fields(s)
	if n := len(f); n > 3 && strings.Count(f[n-3], ":") == 2 && (f[n-2][0] == '+' || f[n-2][0] == '-') {
		f = append(f[:n-3], f[n-1])
	}
	return strings.Join(f, " ")
}

// blameLine finds the hash, the "(" of the author, -1 with -s, and the ")"
// after the line number.
func blameLine(s string) (sha string, paren, end int, ok bool) {
	rest := strings.TrimPrefix(s, "^")
	n := hexLen(rest)
	if n < 7 || n == len(rest) || rest[n] != ' ' {
		return "", 0, 0, false
	}
	sha = s[:len(s)-len(rest)+n]
	for end = len(sha) + 2; end < len(s); end++ {
		if s[end] != ')' {
			continue
		}
		// the ")" after the number, not one in a name
		digits := len(s[:end]) - len(strings.TrimRight(s[:end], "0123456789"))
		if digits > 0 && s[end-digits-1] == ' ' {
			return sha, strings.IndexByte(s[:end], '('), end, true
		}
	}
	return "", 0, 0, false
}
