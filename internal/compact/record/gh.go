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
