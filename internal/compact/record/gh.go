package record

import (
	"strings"

	"cairn/internal/compact/lines"
)

// gh is the parser for what gh prints where no terminal is: rows with tabs
// between the columns, or an object as "key:\tvalue" with its text below.
// Empty values, comments of a template and the links of checks that passed go.
type gh struct {
	comment bool // in a comment of the text
}

func (p *gh) Line(l Line, emit Emit) {
	s := l.Text
	class := Body
	switch cols := strings.Split(s, "\t"); {
	case p.comment, strings.HasPrefix(s, "<!--"):
		p.comment = !strings.Contains(s, "-->")
		class = Good
	case hasPrefix(s, "GraphQL: ", "HTTP 4", "HTTP 5", "failed to ", "could not ", "no git remotes", "error "), strings.HasPrefix(s, "X ") && strings.Contains(s, ": "):
		class = Failure
	case len(cols) == 2 && strings.HasSuffix(cols[0], ":"):
		class = Keep.unless(cols[1] == "", Good)
	case len(cols) >= 4 && (cols[1] == "pass" || cols[1] == "skipping"):
		class, l.Text = Keep, cols[0]+"\t"+cols[1]
	case len(cols) >= 4 && hasAny(cols[1], "fail", "pending", "cancel"), strings.HasPrefix(s, "X "):
		class = Keep
	case len(cols) >= 4 && digitsOnly(cols[0]): // an issue or a pull request
		emit.row(l)
		return
	case strings.HasPrefix(strings.TrimLeft(s, " "), "✓ "):
		class = Body
	case lines.Blank(s):
		emit.line(Body, l)
		return
	}
	emit.line(class, l)
}

func (p *gh) Close(Emit) {}

// blame is the parser for git blame. Of the lines that one commit wrote in a
// row the first stays, and a commit's author and day stay at its first line;
// of a short blame the code is shown whole.
//
// Format: "dfa2052c path (Author 2021-11-24 11:29:15 +0100  1) code",
// git-blame(1); the path is there only after renames.
type blame struct {
	last string
	seen set
	same []Line // the further lines of runs, while there are few of all
	rows int
}

const blameFew = 80 // lines of a blame whose code is shown whole

func (p *blame) Line(l Line, emit Emit) {
	sha, paren, code, ok := blameLine(l.Text)
	if !ok {
		emit.line(Body, l)
		return
	}
	again := sha == p.last
	p.last = sha
	if p.seen[sha] && paren > 0 {
		number := l.Text[strings.LastIndexByte(l.Text[:code], ' ')+1:]
		l.Text = l.Text[:len(sha)] + l.Text[paren-1:paren] + number
	} else {
		l.Text = blameShort(l.Text[:code]) + l.Text[code:]
	}
	p.seen.add(sha, 4096)
	if p.rows++; !again {
		emit.line(Body, l)
	} else if p.same = append(p.same, l); p.rows > blameFew {
		emit.all(Good, &p.same) // they say nothing new of who wrote them
	}
}

func (p *blame) Close(emit Emit) { emit.all(Body, &p.same) }

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
