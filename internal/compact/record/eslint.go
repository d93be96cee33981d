package record

import (
	"strings"

	"cairn/internal/compact/lines"
)

// eslint is the parser for eslint's stylish format and those that copy it
// (stylelint, yamllint): a file's name, then rows of place, severity, message
// and rule; and for their compact and unix formats, in which each row names
// its file. Rows are grouped by rule.
type eslint struct {
	file *Line // a line that is a file's name if a row follows
	name string
	sum  bool // the last line was the count of problems
}

func (*eslint) wide() {}

func (p *eslint) Line(l Line, emit Emit) {
	if eslintJSON(l, emit) {
		return
	}
	l.Text = lines.Clip(l.Text)
	s := l.Text
	if rec, ok := p.row(l); ok {
		emit.held(Folded, &p.file) // the rows repeat it
		emit(rec)
		return
	}
	p.release(emit)
	if rec, ok := p.fullRow(l); ok {
		emit(rec)
		return
	}
	switch {
	case lines.Blank(s):
		emit.line(Good, l)
	case hasPrefix(s, "✖ ", "✘ "), summary(s), p.sum && indented(s):
		p.sum = true
		emit.line(Keep, l)
	case scriptBanner(s), progress(s) == "progress":
		emit.line(Good, l)
	case indented(s):
		emit(plain(l))
	default:
		p.file, p.name = &l, s
	}
}

// release lets go of a line that was no file's name.
func (p *eslint) release(emit Emit) {
	if p.file != nil {
		emit(plain(*p.file))
		p.file, p.name = nil, ""
	}
}

// row reads "  16:1   error    Unexpected var   no-var".
func (p *eslint) row(l Line) (Record, bool) {
	place, rest, _ := strings.Cut(strings.TrimLeft(l.Text, " \t"), " ")
	line, col, ok := strings.Cut(place, ":")
	if !ok || p.name == "" || !indented(l.Text) || !digitsOnly(line) || !digitsOnly(col) {
		return Record{}, false
	}
	columns := columnsOf(rest)
	if len(columns) < 2 {
		return Record{}, false
	}
	rec := Record{Site: p.name + ":" + place, Under: p.name, Lines: []Line{l}}
	warns := oneOf(columns[0], "warning", "warn", "⚠", "‼")
	if !warns && !oneOf(columns[0], "error", "✖", "×") {
		return Record{}, false
	}
	rec.Class = Failure.unless(warns, Warn)
	rec.Group = "Parsing error"
	if len(columns) > 2 {
		rec.Group = strings.Trim(columns[len(columns)-1], "()")
	}
	rec.Row = place + "  " + strings.Join(columns, "  ")
	return rec, true
}

// fullRow reads "/a.js: line 1, col 5, Error - Unexpected var. (no-var)" and
// "/a.js:1:5: Unexpected var. [Error/no-var]", of stylelint "… (rule) [error]".
func (p *eslint) fullRow(l Line) (Record, bool) {
	s := l.Text
	rec := Record{Class: Failure, Row: s, Lines: []Line{l}}
	if file, rest, ok := strings.Cut(s, ": line "); ok {
		line, rest, _ := strings.Cut(rest, ", col ")
		col, rest, _ := strings.Cut(rest, ", ")
		severity, text, dash := strings.Cut(rest, " - ")
		if !dash || !digitsOnly(line) || !digitsOnly(col) {
			return rec, false
		}
		rec.Site, rec.Group = file+":"+line+":"+col, lintCode(text)
		if strings.EqualFold(severity, "warning") {
			rec.Class = Warn
		}
	} else {
		d, ok := parseDiagnostic(s)
		at := strings.LastIndex(s, " [")
		if !ok || at < 0 || !strings.HasSuffix(s, "]") {
			return rec, false
		}
		severity, code, _ := strings.Cut(s[at+2:len(s)-1], "/")
		if code == "" {
			code = lintCode(strings.TrimSuffix(d.text, s[at:]))
		}
		severity = strings.ToLower(severity)
		if rec.Class = Failure.unless(severity == "warning", Warn); rec.Class == Failure && severity != "error" {
			return rec, false
		}
		rec.Site, rec.Group = d.site, code
	}
	if rec.Group == "" {
		rec.Group = "Parsing error"
	}
	return rec, true
}

func (p *eslint) Close(emit Emit) { p.release(emit) }

// columnsOf cuts s at every run of two or more spaces.
func columnsOf(s string) (columns []string) {
	for _, c := range strings.Split(s, "  ") {
		if c = strings.TrimSpace(c); c != "" {
			columns = append(columns, c)
		}
	}
	return columns
}

func digitsOnly(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// drawing is the record of a line that only draws, or that another record
// repeats: as good as blank.
func drawing(l Line) Record { return Record{Class: Folded, Lines: []Line{l}} }

// plain is the record of a line on its own, by its words.
func plain(l Line) Record {
	c := worth(l.Text)
	if c == Body {
		return Record{Lines: []Line{l}}
	}
	return Record{Class: c, Key: lines.Template(l.Text), Site: site([]Line{l}), Lines: []Line{l}}
}

// worth is the class of a line by its words.
func worth(s string) Class {
	switch lines.Classify(s) {
	case lines.Failure:
		return Failure
	case lines.Warning:
		return Warn
	}
	return Body
}
