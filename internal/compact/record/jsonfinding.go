package record

import (
	"cmp"
	"slices"
	"strings"

	"cairn/internal/text"
)

// A finding is what a reporter says of one place: a linter's, a compiler's, a
// scanner's. It is known by its shape, a message and a line, whatever tool
// wrote it.
type finding struct {
	file, line, col         string
	severity, rule, message string
}

// keys by what reporters call the parts of a finding
var (
	findingMessage  = words{"message", "Message", "msg", "text", "Text", "description"}
	findingLine     = words{"line", "lineno", "line_number", "lineNumber", "row", "startLine", "line_start", "Line", "beginLine", "start_line"}
	findingColumn   = words{"column", "col", "startColumn", "column_start", "columnNumber", "Column", "character", "start_column"}
	findingFile     = words{"path", "file", "filename", "filePath", "file_path", "fileName", "file_name", "Filename", "uri", "relPath", "abspath"}
	findingSeverity = words{"severity", "level", "type", "Severity", "kind"}
	findingRule     = words{"ruleId", "rule", "symbol", "code", "rule_id", "check_name", "check_id", "FromLinter", "message-id", "category"}
	findingPlace    = words{"location", "locations", "loc", "pos", "Pos", "position", "range", "start", "begin", "region", "physicalLocation", "artifactLocation", "span", "spans", "lines"}
)

const (
	findingsFew  = 4     // findings that are shown as any rows are
	findingsRoom = 24000 // bytes of findings that are all written
	findingDepth = 5     // objects within one another that hold a place
)

// scalar is the value of the first of some keys that has one.
func (n *jsonNode) scalar(keys words) string {
	for _, key := range keys {
		if k := n.get(key); k != nil && !k.container() && k.kind != 'n' {
			return plainString(k.text)
		}
	}
	return ""
}

// plainString is a string without its quotes and what JSON adds to it.
func plainString(s string) string {
	s = strings.TrimSuffix(strings.TrimPrefix(s, `"`), `"`)
	return strings.NewReplacer(`\"`, `"`, `\\`, `\`, `\/`, `/`, `\n`, " ", `\t`, " ").Replace(s)
}

// finding reads one; file is the file of what it stands in.
func (n *jsonNode) finding(file string) (f finding, ok bool) {
	if n.kind != '{' {
		return f, false
	}
	if f.message = n.scalar(findingMessage); f.message == "" {
		f.message = n.scalar(words{"reason"})
	}
	if m := n.get("message"); m != nil && m.kind == '{' {
		if in, ok := m.finding(file); ok { // cargo puts rustc's into its own
			return in, true
		}
		f.message = cmp.Or(m.scalar(findingMessage), f.message)
	}
	if n.scalar(words{"status", "outcome", "result"}) != "" {
		return f, false // a test, which may have passed
	}
	if posn := n.scalar(words{"posn"}); posn != "" {
		f.file, f.line, _ = strings.Cut(posn, ":")
		f.line, f.col, _ = strings.Cut(f.line, ":")
	}
	n.place(&f, 0)
	f.file = cmp.Or(f.file, file)
	f.severity, f.rule = n.scalar(findingSeverity), n.scalar(findingRule)
	if f.rule == "" {
		if code := n.get("code"); code != nil && code.kind == '{' { // of rustc
			f.rule = code.scalar(words{"code"})
		}
	}
	switch strings.ToLower(f.severity) {
	case "info", "debug", "trace", "log": // an entry of a log says where it was written
		ok = n.scalar(words{"time", "ts", "timestamp", "@timestamp", "datetime"}) == ""
	default:
		ok = true
	}
	return f, ok && f.message != "" && digitsOnly(f.line) && f.file != ""
}

// place fills in where a finding is.
func (n *jsonNode) place(f *finding, depth int) {
	if n.kind == '{' {
		f.file = cmp.Or(f.file, n.scalar(findingFile))
		f.line = cmp.Or(f.line, n.scalar(findingLine))
		f.col = cmp.Or(f.col, n.scalar(findingColumn))
	}
	for _, kid := range n.kids {
		if depth < findingDepth && kid.container() && (n.kind == '[' || slices.Contains(findingPlace, kid.key)) && (f.line == "" || f.file == "" || f.col == "") {
			kid.place(f, depth+1)
		}
	}
}

// findings takes the findings out of a document, all those of the lists that
// hold little else.
func (n *jsonNode) findings(file string) (all []finding) {
	if n.kind == '{' {
		file = cmp.Or(n.scalar(findingFile), file)
	}
	if n.kind == '[' && len(n.kids) > 0 {
		var own []finding
		for _, kid := range n.kids {
			if f, ok := kid.finding(file); ok {
				own = append(own, f)
			}
		}
		if len(own)*5 >= len(n.kids)*4 && len(n.kids) == n.n {
			n.listed = len(own)
			return own
		}
	}
	for _, kid := range n.kids {
		if kid.container() {
			in := file
			if strings.ContainsAny(kid.key, "/.") {
				in = kid.key // a map of files
			}
			all = append(all, kid.findings(in)...)
		}
	}
	return all
}

// unlist undoes what findings marked.
func (n *jsonNode) unlist() {
	n.listed = 0
	for _, kid := range n.kids {
		kid.unlist()
	}
}

// shrink makes what is listed elsewhere small, leaves out files without a
// finding, and computes sizes anew.
func (n *jsonNode) shrink() {
	if !n.container() {
		return
	}
	n.size, n.odd = 2, n.self
	n.kids = slices.DeleteFunc(n.kids, func(kid *jsonNode) bool {
		return n.kind == '[' && kid.kind == '{' && slices.ContainsFunc(n.kids, func(o *jsonNode) bool { return o.clean(kid) })
	})
	for _, kid := range n.kids {
		if n.listed > 0 {
			continue
		}
		kid.shrink()
		n.size += kid.size + len(kid.key) + 4
		n.odd += kid.odd
	}
	if n.listed > 0 {
		n.size = len("[… 100 listed below …]")
	}
}

// clean reports whether another entry has nothing where n has its findings.
func (n *jsonNode) clean(other *jsonNode) bool {
	return slices.ContainsFunc(n.kids, func(kid *jsonNode) bool {
		empty := other.get(kid.key)
		return kid.listed > 0 && empty != nil && empty.kind == '[' && empty.n == 0
	})
}

// reports reports whether the document lists findings.
func (p *documents) reports() bool {
	n := len(p.read.root.findings(""))
	p.read.root.unlist()
	return n >= findingsFew
}

// class is how bad a finding is.
func (f finding) class() Class {
	switch strings.ToLower(f.severity) {
	case "warning", "warn", "1", "convention", "refactor", "info", "information", "note", "style", "notice", "minor", "low":
		return Warn
	}
	return Failure
}

func (f finding) site() string {
	s := f.file + ":" + f.line
	if digitsOnly(f.col) {
		s += ":" + f.col
	}
	return s
}

// emitFindings gives findings at line n: all of them while there is room, else
// as those of a linter.
func emitFindings(all []finding, n int, emit Emit) {
	slices.SortStableFunc(all, func(a, b finding) int { return cmp.Compare(a.file, b.file) })
	size := 0
	for _, f := range all {
		size += len(f.said()) + len("  123:45 \n")
	}
	emit(Record{Class: Keep, Instead: true, Lines: []Line{{N: n, Text: "[… " + text.Thousands(len(all)) + " listed by file …]"}}})
	for _, f := range all {
		emit(Record{Class: f.class().unless(size <= findingsRoom, Keep), Instead: true, Kind: cmp.Or(f.rule, f.severity), Site: f.site(), Says: f.said(),
			Brief: 1, Lines: []Line{{N: n, Text: f.site() + " " + f.said()}}})
	}
}

// said is what a finding says, without its place.
func (f finding) said() string {
	s := width(f.message)
	switch {
	case digitsOnly(f.severity):
		s = "severity " + f.severity + " " + s
	case f.severity != "" && len(f.severity) < 20:
		s = f.severity + " " + s
	}
	if f.rule != "" && !strings.Contains(s, f.rule) {
		s += " " + f.rule
	}
	return s
}
