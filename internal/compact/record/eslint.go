package record

import (
	"cmp"
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

func (p *eslint) Line(l Line, emit Emit) {
	l.Text = lines.Clip(l.Text)
	s := l.Text
	if rec, ok := p.row(l); ok {
		emit.held(Folded, &p.file) // the rows repeat it
		emit(rec)
		return
	}
	p.Close(emit)
	switch rec, ok := p.fullRow(l); {
	case ok:
		emit(rec)
	case lines.Blank(s):
		emit.line(Good, l)
	case hasPrefix(s, "✖ ", "✘ "), summary(s), p.sum && indented(s):
		p.sum = true
		emit.line(Keep, l)
	case hasPrefix(s, scriptBanner...), progress(s) == "progress":
		emit.line(Good, l)
	case indented(s):
		emit(plain(l))
	default:
		p.file, p.name = &l, s
	}
}

// Close lets go of a line that was no file's name.
func (p *eslint) Close(emit Emit) {
	if file := take(&p.file); file != nil {
		emit(plain(*file))
		p.name = ""
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
	rec := Record{Site: p.name + ":" + place, Says: strings.Join(columns, " "), Brief: 1, Lines: []Line{l}}
	warns := oneOf(columns[0], "warning", "warn", "⚠", "‼")
	if !warns && !oneOf(columns[0], "error", "✖", "×") {
		return Record{}, false
	}
	rec.Class = Failure.unless(warns, Warn)
	rec.Kind = "Parsing error"
	if oneOf(columns[0], "✖", "×") { // what is not said to be a warning is none
		rec.Says = strings.Join(columns[1:], " ")
	}
	if len(columns) > 2 {
		rec.Kind = strings.Trim(columns[len(columns)-1], "()")
	}
	return rec, true
}

// fullRow reads "/a.js: line 1, col 5, Error - Unexpected var. (no-var)" and
// "/a.js:1:5: Unexpected var. [Error/no-var]", of stylelint "… (rule) [error]".
func (p *eslint) fullRow(l Line) (Record, bool) {
	s := l.Text
	rec := Record{Class: Failure, Brief: 1, Lines: []Line{l}}
	if file, rest, ok := strings.Cut(s, ": line "); ok {
		line, rest, _ := strings.Cut(rest, ", col ")
		col, rest, _ := strings.Cut(rest, ", ")
		severity, text, dash := strings.Cut(rest, " - ")
		if !dash || !digitsOnly(line) || !digitsOnly(col) {
			return rec, false
		}
		rec.Site, rec.Kind, rec.Says = file+":"+line+":"+col, lintCode(text), severity+" - "+text
		if strings.EqualFold(severity, "warning") {
			rec.Class = Warn
		}
	} else if d, ok := annotation(s); ok {
		rec.Class, rec.Site, rec.Says = Failure.unless(d.label == "warning", Warn), d.site, d.said
	} else {
		d, ok := parseDiagnostic(s)
		at := strings.LastIndex(s, " [")
		if !ok || at < 0 || !strings.HasSuffix(s, "]") {
			return rec, false
		}
		severity, code, _ := strings.Cut(s[at+2:len(s)-1], "/")
		severity = strings.ToLower(severity)
		if rec.Class = Failure.unless(severity == "warning", Warn); rec.Class == Failure && severity != "error" {
			return rec, false
		}
		rec.Site, rec.Kind, rec.Says = d.site, cmp.Or(code, lintCode(strings.TrimSuffix(d.text, s[at:]))), d.said
	}
	rec.Kind = cmp.Or(rec.Kind, "Parsing error")
	return rec, true
}

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

// prettier reads prettier --check, --list-different and --write: the files
// that differ, or that were written, as one list; syntax errors with the line
// they are in; the result.
type prettier struct {
	jsRun
}

func (p *prettier) Line(l Line, emit Emit) {
	label, rest, labelled := prettierLabel(l.Text)
	if labelled && label == "error" {
		p.fails(l, rest)
		return
	}
	p.endFault(emit)
	if class, ok := p.scripts.class(l.Text); ok {
		emit.line(class, l)
		return
	}
	file, took, _ := strings.Cut(l.Text, " ")
	switch {
	case lines.Blank(l.Text):
		emit.line(Folded, l)
	case l.Text == "Checking formatting...":
		emit.line(Good, l)
	case strings.Contains(l.Text, "Code style issues "), hasPrefix(l.Text, "All matched files use ", "Error occurred when checking "):
		emit.line(Keep, l)
	case labelled && !strings.Contains(rest, " ") && strings.Contains(rest, "."):
		emit(Record{Class: Keep, Key: "differs", Site: rest, Says: "[warn]", Alone: true, Brief: 1, Lines: []Line{l}})
	case hasSuffix(took, "ms (unchanged)", "ms (unchanged) (cached)"):
		emit.count("unchanged", l)
	case digitsOnly(strings.TrimSuffix(took, "ms")) && strings.Contains(file, "."):
		emit(Record{Class: Keep, Key: "written", Site: file, Lines: []Line{l}})
	case took == "" && strings.ContainsAny(file, "/.") && !strings.HasSuffix(file, ":"):
		emit(Record{Class: Keep, Key: "differs", Site: file, Lines: []Line{l}})
	default:
		emit(plain(l))
	}
}

// prettierLabel splits off "[warn] " or "[error] ".
func prettierLabel(s string) (label, rest string, ok bool) {
	if rest, ok = strings.CutPrefix(s, "[warn] "); ok {
		return "warn", rest, true
	}
	rest, ok = strings.CutPrefix(s, "[error] ")
	return "error", rest, ok
}

// fails takes a line of an error: its text, then the source around it.
func (p *prettier) fails(l Line, rest string) {
	if p.fault == nil || p.fault.full() {
		p.fault = &jsFault{}
	}
	n := len(p.fault.body)
	switch code, pointer := jsCode(rest); {
	case pointer && n > 0 && p.fault.body[n-1].part == partCode:
		p.fault.body[n-1].part = partMarked
		p.fault.addAs(l, partSkip)
	case code && !pointer && strings.HasPrefix(rest, ">"):
		p.fault.addAs(l, partMarked)
	case code:
		p.fault.addAs(l, partCode)
	default:
		p.fault.add(l)
	}
}
