package record

import (
	"cmp"
	"strings"

	"cairn/internal/compact/lines"
)

// diag is the parser for compilers and for what drives them: make, ninja,
// cmake. A diagnostic is one record with its source excerpt, its caret and its
// notes; progress and echoed commands are Good; Java's stack traces come out
// by trace.
type diag struct {
	lead   []Line // headings of the next diagnostic: "a.c: In function 'f':", "# package"
	block  []Line // the open diagnostic
	at     int    // where in block its first line is, after the lead
	head   diagnostic
	class  Class
	symbol string // javac's, with what was required and found: part of what makes a diagnostic distinct

	wrapped int  // lines after its first that the message goes on in
	drawn   set  // those of block that only show the source
	placed  bool // its first line begins with a place

	spaced bool // it has blank lines within, as those of tsc --pretty and of cmake

	held  *Line // after the head: its source if a line with a caret follows
	blank *Line // within a spaced diagnostic, if more of it follows
	table bool  // in the list of files that ends tsc --pretty

	log   buildLog
	trace trace
	junit junit
}

// overDiag is what the parsers share that leave compilers' messages to diag.
type overDiag struct{ diag diag }

// one gives a line that is not a compiler's.
func (p *overDiag) one(l Line, class Class, count string, emit Emit) {
	p.diag.Close(emit)
	emit(Record{Class: class, Count: count, Lines: []Line{l}})
}

const diagLines = 60 // lines of one diagnostic

func (p *diag) Line(l Line, emit Emit) {
	if p.held == nil && p.block == nil && p.junit.takes(l, emit) || p.trace.takes(l, emit) || p.held != nil && p.source(l, emit) {
		return
	}
	s := l.Text
	if lines.Blank(s) {
		if p.block != nil && p.spaced && p.blank == nil {
			p.blank = &l
			return
		}
		p.flush(emit)
		p.table = false
		emit.line(Good, l)
		return
	}
	if p.blank != nil && (indented(s) || sourceLine(s) || strings.HasPrefix(s, "Call Stack ")) {
		emit.held(Good, &p.blank)
	} else if p.blank != nil {
		p.flush(emit)
	}
	d, place := parseDiagnostic(s)
	if place && d.label == "" && strings.HasPrefix(strings.TrimSpace(d.text), "required from ") && len(p.lead) < diagLines { // by which template
		p.flush(emit)
		p.lead = append(p.lead, l)
		return
	}
	if place && (p.block == nil || d.indent == 0 || d.label != "") {
		c, own := labelClass(d.label)
		if asked := strings.HasPrefix(d.text, "Revealed type is "); own || asked {
			p.flush(emit)
			p.open(l, d, c.unless(asked, Keep))
			p.placed = true
			return
		}
	}
	if p.block != nil && len(p.block) < diagLines && p.continues(l, place, emit) {
		return
	}
	p.flush(emit)
	p.other(l, emit)
}

// source decides about the line after a head: it is the source the head is
// about if l points at it. It reports whether l is used up.
func (p *diag) source(l Line, emit Emit) bool {
	held := *p.held
	p.held = nil
	switch {
	case marks(l.Text):
		p.draw(held)
		p.pointer(l, emit)
		return true
	case indented(held.Text) && progress(held.Text) == "":
		p.block = append(p.block, held)
	default:
		p.flush(emit)
		p.other(held, emit)
	}
	return false
}

// suggested reports whether s shows under the source what the head suggests:
// "did you mean ‘offset’?".
func (p *diag) suggested(s string) bool {
	_, word, _ := strings.Cut(p.head.text, "did you mean ‘")
	word, _, _ = strings.Cut(word, "’")
	word = strings.TrimRight(word, "()")
	return word != "" && strings.TrimLeft(s, " |") == word
}

// pointer takes a line that points at the source above it: it is left out if
// it says no more than the column that the head names.
func (p *diag) pointer(l Line, emit Emit) {
	if (p.head.columns || p.spaced || p.head.text == "cannot find symbol") && draws(l.Text) { // javac names the symbol below
		emit.line(Folded, l)
		return
	}
	p.draw(l)
}

// draw takes a line that shows the source of the open diagnostic.
func (p *diag) draw(l Line) {
	p.block = append(p.block, l)
	p.drawn.add(l.Text, diagLines)
}

// open begins a diagnostic.
func (p *diag) open(l Line, d diagnostic, c Class) {
	p.at = len(p.lead)
	p.block, p.lead = append(p.lead, l), nil
	p.head, p.class, p.symbol, p.wrapped, p.drawn, p.placed = d, c, "", 0, nil, false
	p.spaced = strings.Contains(l.Text, d.site+" - ") || d.code == "CMake" || strings.HasPrefix(d.code, "TS") && d.site == ""
}

// continues takes a line that belongs to the open diagnostic. place tells that
// it names one: then it is a note.
func (p *diag) continues(l Line, place bool, emit Emit) bool {
	s := l.Text
	frame, own := lines.Frame(s)
	switch {
	case frame && !own:
		emit.line(Good, l)
		return true
	case marks(s) && p.block[len(p.block)-1].N != p.block[p.at].N:
		if n := len(p.block) - 1; n > p.at+p.wrapped && p.block[n].N == l.N-1 {
			p.drawn.add(p.block[n].Text, diagLines)
		}
		p.pointer(l, emit)
		return true
	case p.spaced && !summary(s) && (sourceLine(strings.TrimLeft(s, " ")) || draws(s)), // tsc names its place above it
		place && strings.HasSuffix(s, "note: each undeclared identifier is reported only once for each function it appears in"),
		barred(s) && p.suggested(s):
		emit.line(Folded, l) // it is always so, or the head says so
		return true
	case p.wraps(s):
		p.wrapped++
		p.head.text += " " + s
	case place, barred(s), p.spaced && !summary(s) && (indented(s) || sourceLine(s) || strings.HasPrefix(s, "Call Stack ")):
	case leads(s), summary(s), hasPrefix(s, scriptBanner...):
		return false
	case len(p.block) == p.at+1 && p.head.label != "":
		p.held = &l
		return true
	case progress(s) == "" && (indented(s) || marks(s)):
		if t := strings.TrimLeft(s, " "); hasPrefix(t, "symbol:", "required:", "found:") {
			p.symbol += strings.Join(strings.Fields(t), " ") + "\n"
		}
	default:
		return false
	}
	if p.head.code == "CMake" && p.head.text == "" {
		p.head.text = strings.TrimSpace(s)
	}
	if p.block = append(p.block, l); barred(s) {
		p.drawn.add(s, diagLines)
	}
	return true
}

// argument is which argument of a call a message is about: the types that are
// wanted and given are in the notes, and differ.
func argument(text string) string {
	_, rest, _ := strings.Cut(text, " argument ")
	n, rest, _ := strings.Cut(rest, " ")
	if !digitsOnly(n) || !strings.HasPrefix(rest, "of ") {
		return ""
	}
	return n
}

// wraps reports whether s goes on with the message above it, as in mypy
// --pretty, which breaks lines at the terminal's width and ends an error with
// its code in brackets.
func (p *diag) wraps(s string) bool {
	file := fileOf(p.head.site)
	above := p.block[len(p.block)-1].Text
	return strings.HasSuffix(file, ".py") && len(p.block) == p.at+1+p.wrapped && p.head.label == "error" &&
		(!indented(s) || strings.HasPrefix(strings.TrimLeft(s, " "), "[") && strings.HasSuffix(s, "]")) && !strings.HasSuffix(above, "]") && !summary(s)
}

// flush emits the open diagnostic.
func (p *diag) flush(emit Emit) {
	if p.block != nil {
		p.log.failed = p.log.failed || p.class == Failure
		kind := cmp.Or(p.head.code, lintCode(p.head.text))
		key := p.head.label + " " + p.head.code + " " + lines.Template(p.head.text) + " " + argument(p.head.text) + " " + p.symbol
		if strings.HasPrefix(kind, "TS") && p.class == Failure {
			key += said(p.block[p.at+1:], lines.HasLocation) // of calls that match no overload, that alone tells one from another
		}
		rec := Record{Class: p.class, Key: key, Site: p.head.site, Kind: strings.TrimSpace(p.head.label + " " + kind), Brief: p.at + 1 + p.wrapped, Lines: p.block}
		if p.block = nil; p.placed {
			p.says(&rec, emit)
		}
		emit(rec)
	}
	emit.held(Good, &p.blank)
}

// says fills in what the diagnostic says without its place, and marks the lines
// that only show what it is about.
func (p *diag) says(rec *Record, emit Emit) {
	var source []Line
	comment, asked, end := "", "", rec.Brief
	for i, l := range take(&rec.Lines) {
		said := i >= p.at && i < end
		l.Code = p.drawn[l.Text] && !said
		switch {
		case said:
			s := l.Text
			if i == p.at {
				s = p.head.said
			}
			rec.Says = strings.Join(strings.Fields(rec.Says+" "+s), " ")
		case i < p.at && strings.HasPrefix(l.Text, "# "):
			emit(Record{Class: Keep, Key: l.Text, Lines: []Line{l}})
			rec.Brief--
			continue
		case i < p.at && (strings.Contains(l.Text, ": In ") && !strings.Contains(l.Text, " instantiation ") || strings.Contains(l.Text, ": At ")),
			l.Code && (marks(l.Text) || barred(l.Text) && !p.numbered(l.Text)): // the place says where that is
			emit.line(Folded, l)
			rec.Brief -= min(1, max(0, p.at-i))
			continue
		case i < p.at:
			l.Code = true
			if place, ok := strings.CutSuffix(l.Text, ":   required from here"); ok { // which code asked for a template stands nowhere else
				asked = " (required from " + place + ")"
			}
		case l.Code && source == nil:
			if comment = ofComment(rec.Says, l.Text); comment != "" {
				l.Code = false
			}
			source = append(source, l)
		case !l.Code: // the place is said once
			l.Text = strings.Replace(l.Text, p.head.site+": ", "", 1)
			if strings.HasPrefix(p.head.code, "TS") && !lines.HasLocation(l.Text) {
				rec.Apart += strings.TrimSpace(l.Text) + "\n"
			}
		}
		rec.Lines = append(rec.Lines, l)
	}
	rec.Says += asked
	rec.Apart += p.symbol + argument(p.head.text) + comment
}

// numbered reports whether s is the line of the source that the place names.
func (p *diag) numbered(s string) bool {
	s = strings.TrimLeft(s, " ")
	n := s[:digits(s)]
	return n != "" && strings.Contains(strings.Replace(p.head.site, "(", ":", 1)+":", ":"+n+":")
}

// ofComment is the comment in a line of the source if what a diagnostic says is
// that it is not needed: what it would ignore stands only there.
func ofComment(says, source string) string {
	if strings.HasSuffix(source, "...") || !strings.Contains(says, "nused ") || !hasAny(says, "ignore", "comment", "directive", "suppress") {
		return ""
	}
	return source[max(strings.LastIndex(source, "#"), strings.LastIndex(source, "//"), 0):]
}

// other takes a line outside of a diagnostic.
func (p *diag) other(l Line, emit Emit) {
	s := l.Text
	if leads(s) && len(p.lead) < diagLines {
		p.lead = append(p.lead, l)
		return
	}
	emit.all(Body, &p.lead) // no diagnostic followed
	if p.log.link(l, emit) {
		return
	}
	p.table = p.table || strings.HasPrefix(s, "Errors  Files")
	if p.table {
		emit.line(Folded, l) // the errors themselves and their number are there
		return
	}
	if d, c, ok := toolClass(s); ok {
		p.open(l, d, c)
		return
	}
	p.log.line(l, emit)
}

func (p *diag) Close(emit Emit) {
	p.junit.close(emit)
	p.trace.flush(emit)
	if p.held != nil {
		p.source(Line{}, emit)
	}
	p.flush(emit)
	emit.all(Body, &p.lead)
	p.log.close(emit)
}

// leads reports whether s is a heading of the diagnostic that follows.
func leads(s string) bool {
	return hasPrefix(s, "In file included from ", "                 from ") ||
		strings.HasPrefix(s, "# ") && strings.Contains(s, "/") ||
		strings.HasSuffix(s, ":") && !indented(s) && (strings.Contains(s, ": In ") || strings.Contains(s, ": At "))
}

// barred reports whether s is a source line as gcc and rustc draw it, with its
// number and a bar before it.
func barred(s string) bool {
	t := strings.TrimLeft(strings.TrimLeft(s, " "), "0123456789")
	return strings.HasPrefix(strings.TrimLeft(t, " "), "|") || strings.HasPrefix(t, " +++ |")
}

// sourceLine reports whether s starts with a line number, as source lines of
// tsc --pretty do.
func sourceLine(s string) bool {
	i := digits(s)
	return i > 0 && (i == len(s) || s[i] == ' ')
}

// toolClass reads such a message and what it is worth, unless it is a remark.
func toolClass(s string) (d diagnostic, c Class, ok bool) {
	if d, ok = tool(s); ok {
		c, ok = labelClass(d.label)
	}
	return d, c, ok
}

// tool reads a message that a tool labels without naming a place: "error:
// text", "cc1: fatal error: text", "error TS18003: text", "CMake Error at
// CMakeLists.txt:5 (find_package):".
func tool(s string) (d diagnostic, ok bool) {
	if rest, cmake := strings.CutPrefix(s, "CMake "); cmake {
		what, place, _ := strings.Cut(rest, " at ")
		d.code, d.label = "CMake", "warning"
		if d.site, _, _ = strings.Cut(place, " "); strings.HasPrefix(what, "Error") {
			d.label = "error"
		}
		return d, strings.HasSuffix(s, ":") && (d.label == "error" || strings.Contains(what, "Warning"))
	}
	if i := strings.Index(s, ": "); i > 0 && i < 60 && !strings.ContainsAny(s[:i], " \t") {
		if d.label, d.code, d.text = cutLabel(s[i+2:]); d.label != "" {
			d.site = s[:i]
			return d, true
		}
	}
	d.label, d.code, d.text = cutLabel(s)
	return d, d.label != "" && d.text != ""
}

// A diagnostic is the first line of a compiler's or a linter's message, taken
// apart. The forms are those of gcc and clang (file:line:col: error: text), of
// tsc and msc (file(line,col): error TS1: text), of tsc --pretty and pyright
// (file:line:col - error TS1: text) and, without a label, of go and linters
// (file:line:col: text).
type diagnostic struct {
	site    string // "file:line:col" or "file(line,col)", as written
	label   string // "error", "fatal error", "warning", "note", …; "" when there is none
	code    string // "TS2345" of "error TS2345:"
	text    string
	said    string // all of it behind the place
	indent  int
	columns bool // the site names a column
}

// parseDiagnostic reads a line. ok is false for one that names no place at
// its start.
func parseDiagnostic(s string) (d diagnostic, ok bool) {
	t := strings.TrimLeft(s, " \t")
	d.indent = len(s) - len(t)
	end := placeEnd(t)
	if end < 0 {
		return d, false
	}
	d.site = t[:end]
	d.columns = strings.ContainsAny(d.site[strings.LastIndexAny(d.site, "./\\")+1:], ",(") || strings.Count(d.site, ":") >= 2
	rest := t[end:]
	switch {
	case hasPrefix(rest, ": ", ":\t"):
		rest = rest[2:]
	case strings.HasPrefix(rest, " - "):
		rest = rest[3:]
	case strings.HasPrefix(rest, " ") && isCode(firstWord(rest[1:])): // of markdownlint and hadolint
		rest = rest[1:]
	case len(rest) > 2 && rest[0] == ':' && rest[1] >= 'A' && rest[1] <= 'Z' && strings.Contains(rest, " ") && strings.HasSuffix(fileOf(d.site), ".php"): // of phpstan
		rest = rest[1:]
	default:
		return d, false
	}
	d.label, d.code, d.text = cutLabel(rest)
	d.said = strings.Join(strings.Fields(rest), " ")
	return d, strings.TrimSpace(d.text) != ""
}

func firstWord(s string) string {
	w, _, _ := strings.Cut(s, " ")
	return w
}

// fileOf is the file of a place.
func fileOf(site string) string {
	file, _, _ := strings.Cut(site, ":")
	return file
}

// placeEnd returns the length of the place that s starts with, or -1.
func placeEnd(s string) int {
	i := 1
	for ; i < len(s)-1; i++ {
		c := s[i]
		if c == ' ' || c == '\t' || c == '"' {
			return -1
		}
		if (c == ':' || c == '(') && isDigit(s[i+1]) {
			break
		}
	}
	if i >= len(s)-1 || !fileLike(s[:i]) {
		return -1
	}
	open := s[i]
	for i++; i < len(s) && isDigit(s[i]); i++ {
	}
	for i+1 < len(s) && (s[i] == ':' || s[i] == ',' || s[i] == '-') && isDigit(s[i+1]) {
		for i++; i < len(s) && isDigit(s[i]); i++ {
		}
	}
	if open == '(' {
		if i >= len(s) || s[i] != ')' {
			return -1
		}
		i++
	}
	return i
}

// fileLike reports whether a word may be a file's name: not a number and not
// a clock time, and no URL's scheme and host.
func fileLike(w string) bool {
	letters := strings.ContainsFunc(w, func(r rune) bool { return r|0x20 >= 'a' && r|0x20 <= 'z' })
	return letters && !strings.Contains(w, "://") && !strings.HasPrefix(w, "[")
}

var labels = [...]string{"fatal error", "internal compiler error", "error", "warning", "note", "remark", "information", "info", "hint", "help", "style", "refactor", "convention", "fatal", "Error", "Warning", "sorry, unimplemented"}

// cutLabel takes "error TS2345: text" and "error[E1]: text" apart.
func cutLabel(s string) (label, code, text string) {
	for _, l := range labels {
		rest, ok := strings.CutPrefix(s, l)
		if !ok {
			continue
		}
		if strings.HasPrefix(rest, "[") {
			if j := strings.Index(rest, "]: "); j > 0 {
				return l, rest[1:j], rest[j+3:]
			}
		}
		if strings.HasPrefix(rest, ":") {
			return l, "", strings.TrimLeft(rest[1:], " ")
		}
		if strings.HasPrefix(rest, " ") {
			if j := strings.Index(rest, ": "); j > 1 && !strings.Contains(rest[1:j], " ") {
				return l, rest[1:j], rest[j+2:]
			}
		}
	}
	return "", "", s
}

// class is what a diagnostic with this label is worth; ok is false for a
// remark that belongs to the one before it.
func labelClass(label string) (c Class, ok bool) {
	switch strings.ToLower(label) {
	case "warning", "style", "refactor", "convention", "info", "information":
		return Warn, true
	case "note", "remark", "hint", "help":
		return Body, false
	}
	return Failure, true
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// digits is how many digits s begins with.
func digits(s string) int { return len(s) - len(strings.TrimLeft(s, "0123456789")) }

// leading is how many spaces s begins with.
func leading(s string) int { return len(s) - len(strings.TrimLeft(s, " ")) }

// marks reports whether s points at the line above it, with carets, tildes and
// what else compilers draw with, perhaps with a word beside them.
func marks(s string) bool {
	found := false
	s = strings.TrimSuffix(s, "...") // of mypy, where it is too long
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '^', '~':
			found = true
		case ' ', '\t', '-', '|', '+':
		default:
			return found && strings.ContainsAny(s[:i], "^~") && s[i-1] == ' '
		}
	}
	return found
}

// draws reports whether s is nothing but such marks, without a word.
func draws(s string) bool {
	s = strings.TrimSuffix(s, "...")
	return strings.ContainsAny(s, "^~") && strings.Trim(s, " \t^~-|+") == ""
}
