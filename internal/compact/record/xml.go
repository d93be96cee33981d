package record

import (
	"cmp"
	"strings"

	"cairn/internal/compact/lines"
)

// xmlText is the parser for XML over many lines: answers of services, reports. Those
// of tests and of linters have parsers of their own. Of the elements of one name within another the first stay whole;
// of each further one a row of its start is kept under a header with the
// count. One that holds a failure always stays.
type xmlText struct {
	scan   xmlScan
	report xmlReport // it is one
	stack  []*xmlNode
	held   []Line // an element beyond the first ones
	depth  int    // of the stack when it began
	name   string // of it
	of     int    // which element holds it
	nodes  int
	rows   records // elements that are told in a row
	flat   bool    // several elements stand on one line
}

// An xmlReport reads a report whose parser is its own.
type xmlReport interface {
	Parser
	done() bool
}

// An xmlNode is an open element.
type xmlNode struct {
	number int   // to tell it from others of its name
	seen   tally // how many children of each name it had
}

const (
	xmlWhole = 2   // elements of a name that stay whole
	xmlHeld  = 200 // lines of an element held
	xmlRow   = 100 // bytes of a row
	xmlLine  = 500 // bytes of a line that holds several elements
)

func (p *xmlText) Line(l Line, emit Emit) {
	t := strings.TrimSpace(l.Text)
	if t == "" {
		emit.line(Folded, l)
		return
	}
	if p.stack == nil {
		p.stack = []*xmlNode{{}}
	}
	if p.report == nil && !p.scan.begun {
		switch root := xmlRoot(t); {
		case oneOf(root, xmlTestRoots...):
			p.report = &xmlTests{}
		case oneOf(root, xmlFindingRoots...):
			p.report = &xmlFindings{}
		}
	}
	if p.report != nil {
		p.report.Line(l, emit)
		return
	}
	if len(t) > xmlLine && strings.Count(t, "><") > 4 {
		p.pieces(l, t, emit)
		return
	}
	name := p.read(t)
	if p.held == nil && name != "" && strings.HasPrefix(t, "<") {
		parent := p.stack[len(p.stack)-1]
		if parent.seen.next(name) > xmlWhole {
			p.depth, p.name, p.of = len(p.stack), name, parent.number
			p.held = []Line{}
		}
	}
	p.move()
	l.Text = lines.Clip(l.Text)
	if p.held == nil {
		emit.line(Keep, l)
		return
	}
	if p.held = append(p.held, l); len(p.stack) <= p.depth || len(p.held) >= xmlHeld {
		p.flush(emit)
	}
}

// done reports whether the document has ended.
func (p *xmlText) done() bool {
	if p.report != nil {
		return p.report.done()
	}
	return p.scan.done()
}

// read reads the tags of a line, and returns the name of the first element that begins in
// it.
func (p *xmlText) read(t string) (name string) {
	p.scan.line(t, func(n string, _ int) { name = cmp.Or(name, n) }, nil, nil)
	return name
}

// move follows the tags that were read in and out. A tag that goes on is open.
func (p *xmlText) move() {
	depth := 1 + len(p.scan.stack)
	if p.scan.in {
		depth++
	}
	for len(p.stack) < depth {
		p.nodes++
		p.stack = append(p.stack, &xmlNode{number: p.nodes})
	}
	p.stack = p.stack[:max(depth, 1)]
}

func (p *xmlText) Close(emit Emit) {
	if p.report != nil {
		p.report.Close(emit)
		return
	}
	p.flush(emit)
	for _, l := range p.rows.odd() {
		whole := !p.flat && len(l.Text) <= xmlRow // in a row that may be shown
		emit(Record{Class: Keep, Instead: !whole, Spare: whole, Lines: []Line{l}})
	}
}

// pieces takes XML that stands on one line, element by element.
func (p *xmlText) pieces(l Line, t string, emit Emit) {
	emit.line(Folded, Line{N: l.N})
	p.flat = true
	from := 0
	for i := 0; i+1 < len(t); i++ {
		if i+2 == len(t) || t[i] == '>' && t[i+1] == '<' && (t[min(i+2, len(t)-1)] != '/' || t[from] == '<' && t[from+1] == '/') {
			end := i + 1
			if i+2 == len(t) {
				end = len(t)
			}
			p.Line(Line{N: l.N, Text: t[from:end]}, func(r Record) {
				r.Instead = true
				emit(r)
			})
			from = end
		}
	}
}

// row is an element with its attributes and the texts in it, by their names.
func (p *xmlText) row(held []Line) *jsonNode {
	row := &jsonNode{kind: '{'}
	add := func(key, value string) {
		if len(row.kids) < columnKeys {
			row.kids = append(row.kids, cellNode(key, strings.TrimSpace(value)))
		}
	}
	tag := ""
	for _, l := range held {
		for s := l.Text; s != ""; {
			text, rest, ok := strings.Cut(s, "<")
			if strings.TrimSpace(text) != "" {
				add(tag+" text", text)
			}
			if !ok {
				break
			}
			in, after, _ := strings.Cut(rest, ">")
			if name, attributes, _ := strings.Cut(strings.TrimSuffix(in, "/"), " "); name != "" && name[0] != '/' {
				tag = name
				for attributes != "" {
					key, value, ok := strings.Cut(attributes, `="`)
					value, attributes, _ = strings.Cut(value, `"`)
					if !ok {
						break
					}
					add(tag+" "+strings.TrimSpace(key), value)
				}
			}
			s = after
		}
	}
	row.n = len(row.kids)
	return row
}

func (p *xmlText) flush(emit Emit) {
	if len(p.held) == 0 {
		return
	}
	for _, l := range p.held {
		if hasAny(l.Text, "<failure", "<error", "<Error>", "<fault", "<exception", `level="error"`, `severity="error"`) {
			emit(Record{Class: Keep, Lines: p.held})
			p.held = nil
			return
		}
	}
	whole := strings.TrimSpace(strings.ReplaceAll(joined(p.held), "\n", " "))
	p.rows.add(p.row(p.held), Line{N: p.held[0].N, Text: width(strings.Join(strings.Fields(whole), " "))})
	row := strings.TrimSpace(p.held[0].Text)
	if len(row) > xmlRow {
		row = strings.ToValidUTF8(row[:xmlRow], "")
	}
	emit(Record{Group: "<" + p.name + "\x00" + string(rune(p.of)), Row: row, Tally: p.name == "testcase", Lines: p.held}) // which tests passed is not asked of a report
	p.held = nil
}

func (*xmlText) wide() {}
