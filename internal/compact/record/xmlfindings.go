package record

import (
	"cmp"
	"html"
	"path"
	"strings"

	"cairn/internal/compact/lines"
	"cairn/internal/text"
)

// xmlFindings is the parser for reports of linters in XML. Each finding is told as those of a
// JSON report are, file by file; what no finding is stays.
//
// Formats: checkstyle's, which nearly every linter can write, PMD's, JSLint's, cppcheck's and
// Android Lint's.
type xmlFindings struct {
	scan  xmlScan
	file  string // what the next findings are in
	files int
	all   []finding
	open  bool // the last one is
	depth int  // of what it stands in
	text  bool // what it says is its text, not an attribute
	at    int  // the line of the first one
}

// xmlFindingRoots are what such reports begin with.
var xmlFindingRoots = words{"checkstyle", "pmd", "jslint", "results", "issues"}

// xmlFinding are the elements that a finding is.
var xmlFinding = words{"error", "violation", "issue", "bug", "defect"}

func (p *xmlFindings) Line(l Line, emit Emit) {
	if len(p.all) == 0 {
		p.at = l.N
	}
	at := p.scan.cuts(l.Text)
	own, from := false, 0
	for _, i := range append(at, len(l.Text)) {
		part := l.Text[from:i]
		from = i
		switch known := p.part(part); {
		case known:
		case len(at) == 0:
			own = true
		default:
			emit(Record{Class: Keep, Instead: true, Lines: []Line{{N: l.N, Text: lines.Clip(part)}}})
		}
	}
	l.Text = lines.Clip(l.Text)
	emit.line(Folded.unless(own || l.Keep, Keep), l)
}

// part takes a part of a line in which at most one element begins, and reports whether that
// is of a finding or a file.
func (p *xmlFindings) part(s string) bool {
	t := strings.TrimSpace(s)
	known, within := t == "" || strings.HasPrefix(t, "</"), p.open
	p.scan.line(s, nil, func(name, attributes string) {
		value := func(keys ...string) (v string) {
			for _, key := range keys {
				v = cmp.Or(v, html.UnescapeString(xmlAttribute(attributes, key)))
			}
			return v
		}
		switch {
		case p.open:
			if f := &p.all[len(p.all)-1]; name == "location" { // the first is where it is, others are how it came to that
				f.file, f.line, f.col = cmp.Or(f.file, value("file")), cmp.Or(f.line, value("line")), cmp.Or(f.col, value("column"))
			}
		case name == "file":
			p.file, known = value("name", "path"), true
			p.files++
		case oneOf(name, xmlFinding...):
			f := finding{
				file: p.file, line: value("line", "beginline"), col: value("column", "char", "begincolumn"),
				severity: value("severity"), message: value("message", "msg", "reason"), rule: xmlRule(value("id", "rule", "source")),
			}
			if priority := value("priority"); f.severity == "" && priority != "" {
				f.severity = "priority " + priority
			}
			p.all, p.open, p.depth, p.text, within = append(p.all, f), true, len(p.scan.stack)-1, f.message == "", true
		}
	}, func(string) {
		p.open = p.open && len(p.scan.stack) > p.depth
	})
	if within && p.text {
		f := &p.all[len(p.all)-1]
		f.message = strings.TrimSpace(f.message + " " + html.UnescapeString(xmlOutside(s)))
	}
	return known || within
}

// xmlRule is the short name of a rule: com.example.checks.LineLengthCheck is LineLengthCheck.
func xmlRule(s string) string {
	if i := strings.LastIndexByte(s, '.'); strings.Count(s, ".") > 2 && !strings.ContainsAny(s, " /") {
		return s[i+1:]
	}
	return s
}

// xmlOutside is the text of a line outside of tags.
func xmlOutside(s string) string {
	var b strings.Builder
	for s != "" {
		text, rest, ok := strings.Cut(s, "<")
		b.WriteString(text)
		if _, s, _ = strings.Cut(rest, ">"); !ok {
			break
		}
	}
	return strings.TrimSpace(b.String())
}

func (p *xmlFindings) Close(emit Emit) {
	switch {
	case len(p.all) > 0:
		for i := range p.all {
			p.all[i].file = path.Clean(p.all[i].file)
		}
		emitFindings(p.all, p.at, emit)
	case p.files > 0:
		emit(Record{Class: Keep, Instead: true, Lines: []Line{{N: p.at, Text: "[… " + text.Count(p.files, "file") + " without a finding …]"}}})
	}
	*p = xmlFindings{scan: p.scan}
}

func (p *xmlFindings) done() bool { return p.scan.done() }
