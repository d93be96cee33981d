package record

import "strings"

// pairs is the parser for the edges of a graph, as `go mod graph` prints them:
// what a node leads to stands beside it, which is told once.
//
// Format: two words a line.
type pairs struct{ padded }

func (p *pairs) Line(l Line, emit Emit) {
	from, to, ok := strings.Cut(l.Text, " ")
	if !ok || from == "" || to == "" || strings.Contains(to, " ") || strings.HasSuffix(from, ":") {
		p.padded.Line(l, emit)
		return
	}
	emit(Record{List: ListName, Group: from + " ", Row: to, Lines: []Line{l}})
}
