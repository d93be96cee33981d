package record

import (
	"cmp"
	"strings"

	"cairn/internal/compact/lines"
)

// lint is the parser for linters that print file:line:col: message with the
// rule in it: flake8, pylint, ruff, golangci-lint, staticcheck, rubocop,
// clang-tidy and many more. Messages are grouped by rule; a source excerpt
// under one goes with it.
type lint struct {
	open Record // the last message
	held *Line  // the line after it: its source if a line with a caret follows
	file string // of the heading above: "== lib/a.rb =="

	issue bool // the open message names its place below
}

func (p *lint) Line(l Line, emit Emit) {
	s := l.Text
	if held := take(&p.held); held != nil {
		if marks(s) {
			p.shows(*held, l)
			return
		}
		emit.open(&p.open)
		p.other(*held, emit)
	}
	if p.issued(l, emit) || p.goesOn(l) {
		return
	}
	if file, ok := headedFile(s); ok {
		emit.open(&p.open)
		p.file = file
		emit.line(Folded, l) // each row names it
		return
	}
	switch d, ok := p.row(s); {
	case ok:
		p.message(l, d, d.said, emit)
	case p.open.Lines == nil:
		p.other(l, emit)
	case (indented(s) || barred(s)) && len(p.open.Lines) < 20, marks(s):
		p.shows(l)
	case len(p.open.Lines) == 1 && !lines.Blank(s) && !lintSummary(s) && !lintBanner(s):
		p.held = &l
	default:
		emit.open(&p.open)
		p.other(l, emit)
	}
}

// message takes a linter's message.
func (p *lint) message(l Line, d diagnostic, says string, emit Emit) {
	class, own := labelClass(d.label)
	if !own && p.open.Lines != nil {
		p.shows(l)
		return
	}
	emit.open(&p.open)
	code := cmp.Or(d.code, lintCode(d.text))
	if d.label == "" && (styleOnly(code) || len(d.text) > 2 && d.text[1] == ':' && strings.IndexByte("CWRI", d.text[0]) >= 0) {
		class = Warn // rubocop puts the severity before the rule
	}
	p.open = Record{Class: class, Kind: code, Site: d.site, Says: says, Brief: 1, Lines: []Line{l}}
}

// shows takes lines that show the source of the open message.
func (p *lint) shows(ls ...Line) {
	for _, l := range ls {
		l.Code = true
		p.open.Lines = append(p.open.Lines, l)
	}
}

func (p *lint) other(l Line, emit Emit) {
	s := l.Text
	switch {
	case lines.Blank(s), lintBanner(s):
		emit.line(Folded, l)
	case lintSummary(s):
		emit.line(Keep, l)
	default:
		emit(plain(l))
	}
}

func (p *lint) Close(emit Emit) {
	emit.open(&p.open)
	emit.pass(&p.held, p.other)
}

// lintCode returns the rule a message names: "E501 line too long", "C0114:
// Missing (missing-docstring)", "C: Style/X: text", "text [check]" or "text
// (check)". It is "" when there is none.
func lintCode(text string) string {
	word, rest, _ := strings.Cut(text, " ")
	if len(word) == 2 && word[1] == ':' { // rubocop's severity
		word, rest, _ = strings.Cut(strings.TrimPrefix(rest, "[Correctable] "), " ")
	}
	if w := strings.TrimSuffix(word, ":"); rest != "" && (isCode(w) || w != word && strings.Contains(w, "/")) {
		return w
	}
	t := strings.TrimRight(text, " .")
	for _, pair := range [...]string{"[]", "()"} {
		if i := strings.LastIndexByte(t, pair[0]); i > 0 && strings.HasSuffix(t, pair[1:]) {
			code := t[i+1 : len(t)-1]
			if code != "" && !strings.ContainsAny(code, " '\"`") && !digitsOnly(code) {
				return code[strings.LastIndexByte(code, ' ')+1:]
			}
		}
	}
	return ""
}

// isCode reports whether w is letters and then digits: E501, SA4006, MD013/x.
func isCode(w string) bool {
	w, _, _ = strings.Cut(w, "/")
	i := 0
	for i < len(w) && w[i] >= 'A' && w[i] <= 'Z' {
		i++
	}
	return i > 0 && i < 6 && digitsOnly(w[i:]) && len(w)-i >= 2
}

// styleOnly reports whether a code of flake8 or pylint is not about a fault:
// those start with E9 and F in the one and with E and F in the other.
func styleOnly(code string) bool {
	if !isCode(code) {
		return false
	}
	return strings.IndexByte("CRWDNI", code[0]) >= 0 || code[0] == 'E' && len(code) == 4 && code[1] != '9'
}

// lintBanner reports whether s is layout between messages.
func lintBanner(s string) bool {
	return strings.HasPrefix(s, "*************") || strings.Trim(s, "-= ") == "" || strings.HasPrefix(s, "FOUND ") && strings.Contains(s, " AFFECTING ") || strings.HasPrefix(s, "PHPCBF CAN FIX ") || hasPrefix(s, scriptBanner...) || hasPrefix(s, "Suppressed ", "Use -header-filter=", "Offenses:", "Inspecting ") || strings.Trim(s, ".CWEFRI") == ""
}

// lintSummary reports whether s is the count or the mark a linter ends with.
func lintSummary(s string) bool {
	return hasPrefix(s, "Your code has been rated", "All checks passed", "All good", "[*] ", "No fixes available", "* ") || summary(s) || s != "" && isDigit(s[0]) && (strings.Contains(s, " issue") || strings.Contains(s, " inspected, ") || strings.Contains(s, " fixable"))
}

// shellcheck is the parser for its terminal format: "In FILE line N:", the
// source, and under it a mark with the code and the message for each fault.
// Messages are grouped by code.
type shellcheck struct {
	place  string // "file:line" of the heading above
	source []Line // the lines under it, which go with the next message
	about  bool   // in the links at the end
}

func (p *shellcheck) Line(l Line, emit Emit) {
	s := l.Text
	if place, ok := shellcheckPlace(s); ok {
		emit.all(Good, &p.source)
		p.place, p.about = place, false
		emit.line(Folded, l)
		return
	}
	code, message, class := shellcheckCode(s)
	switch {
	case lines.Blank(s):
		emit.line(Good, l)
	case strings.HasPrefix(s, "For more information:"), p.about && indented(s):
		emit.all(Good, &p.source)
		p.about = true
		emit.line(Good, l)
	case p.place == "" || p.about:
		emit(shellcheckLine(l))
	case code != "":
		emit(Record{Class: class, Kind: code, Site: p.place, Says: code + ": " + message, Brief: len(p.source) + 1, Lines: append(take(&p.source), l)})
	default:
		l.Code = true
		if p.source = append(p.source, l); len(p.source) > shellcheckSource { // how to write it better
			emit.all(Good, &p.source)
		}
	}
}

const shellcheckSource = 50 // lines held for a message

func (p *shellcheck) Close(emit Emit) { emit.all(Good, &p.source) }

// shellcheckLine reads a message as -f gcc prints it, "bin/x:5:1: note: text
// [SC2086]", and any other line.
func shellcheckLine(l Line) Record {
	d, ok := parseDiagnostic(l.Text)
	code := lintCode(d.text)
	if !ok || !strings.HasPrefix(code, "SC") {
		return plain(l)
	}
	return Record{Class: Warn.unless(d.label == "error", Failure), Kind: code, Site: d.site, Says: d.said, Lines: []Line{l}}
}

// shellcheckPlace reads "In bin/x line 46:".
func shellcheckPlace(s string) (place string, ok bool) {
	rest, ok := strings.CutPrefix(s, "In ")
	i := strings.LastIndex(rest, " line ")
	if !ok || i < 1 || !strings.HasSuffix(rest, ":") {
		return "", false
	}
	n := rest[i+len(" line ") : len(rest)-1]
	return rest[:i] + ":" + n, digitsOnly(n)
}

// shellcheckCode reads "  ^-- SC2261 (error): text".
func shellcheckCode(s string) (code, message string, class Class) {
	t := strings.TrimLeft(s, " ")
	if !strings.HasPrefix(t, "^") {
		return "", "", Body
	}
	_, t, _ = strings.Cut(t, " ")
	code, message, ok := strings.Cut(t, "): ")
	if !ok || !strings.HasPrefix(code, "SC") {
		return "", "", Body
	}
	class = Warn.unless(strings.HasSuffix(code, "(error"), Failure)
	return code + ")", message, class
}

// framed is the parser for linters that draw: a head with rule and message, a
// place, the source in a frame, and help (oxlint, ruff, biome). Messages are
// grouped by rule, each with its place in front; a rule's help is kept once.
type framed struct {
	block []Line
	rule  string
	head  string // what it says
	place string
	front string // what stands before the head: of biome the rule
	help  string
	class Class
	prev  *Line // a line that is a head if an arrow follows
	told  set   // helps that were kept

	heading string // of a list of files, in biome's summary
	concise lint
}

const (
	framedLines = 200 // lines of one message
	framedHelp  = 120 // bytes of help that is worth reading without being asked
)

func (p *framed) Line(l Line, emit Emit) {
	s := l.Text
	t := strings.TrimSpace(s)
	arrow, place := cutFrame(t)
	if prev := take(&p.prev); prev != nil {
		if p.flush(emit); arrow {
			p.start(*prev, prev.Text)
		} else {
			p.other(*prev, emit)
		}
	}
	switch {
	case arrow && p.block != nil:
		if p.place == "" {
			p.place = place
		}
		p.block = append(p.block, l)
	case p.block != nil && p.head == "" && (framedHead(s) || hasPrefix(t, "i ", "ℹ ")):
		// biome: the message comes after the place
		p.head = t
		if !strings.HasPrefix(t, "×") && !strings.HasPrefix(t, "✖") {
			p.class = Warn
		}
		p.block = append(p.block, l)
	case framedHead(s):
		p.flush(emit)
		p.start(l, t)
	case strings.HasSuffix(t, "━━━"):
		p.flush(emit)
		t = strings.TrimRight(t, " ━")
		place, rule, _ := strings.Cut(t, " ")
		if rule == "" { // a heading of biome's own
			p.heading = ""
			emit.line(Good, l)
			return
		}
		p.start(l, "")
		p.place, p.front = place, rule
		p.rule, _, _ = strings.Cut(rule, " ")
	case p.block != nil && (indented(s) || lines.Blank(s) || strings.HasPrefix(t, "help: ") || barred(s) || strings.HasPrefix(t, "...")):
		if h, ok := strings.CutPrefix(t, "help: "); ok && p.help == "" {
			p.help = h
		}
		emit.hold(&p.block, framedLines, Good, l)
	case lines.Blank(s):
		emit.line(Good, l)
	case !indented(s) && !lintSummary(s):
		p.prev = &l
	default:
		p.flush(emit)
		p.other(l, emit)
	}
}

func (p *framed) start(l Line, head string) {
	p.block, p.head, p.place, p.front, p.help = []Line{l}, head, "", "", ""
	p.rule, _, _ = strings.Cut(strings.TrimLeft(head, "!x×✖⚠i "), ": ")
	if code, _, _ := strings.Cut(head, " "); isCode(code) {
		p.rule = code
	}
	p.class = Failure.unless(hasPrefix(head, "!", "⚠"), Warn)
}

func (p *framed) flush(emit Emit) {
	if p.block == nil {
		return
	}
	rec := Record{Class: p.class, Lines: p.block}
	if p.place == "" {
		rec.Group, rec.Row = p.rule, p.head
	} else {
		rec.Kind, rec.Site, rec.Brief = p.rule, p.place, 1
		rec.Says = strings.Join(strings.Fields(p.front+" "+strings.TrimLeft(p.head, "!×✖⚠iℹ ")), " ")
		helped := p.help == "" || len(p.help) > framedHelp || p.told[p.rule+p.help]
		for i, l := range p.block {
			help := !helped && strings.HasSuffix(l.Text, p.help)
			helped = helped || help
			p.block[i].Code = i > 0 && !help
		}
		p.told.add(p.rule+p.help, 100)
	}
	emit(rec)
	p.block = nil
}

func (p *framed) other(l Line, emit Emit) {
	switch {
	case p.listed(l, emit):
	case lintSummary(l.Text) || hasPrefix(l.Text, "Finished in ", "Checked "):
		emit.line(Keep, l)
	default:
		p.concise.Line(l, emit) // ruff's formats of one line each
		p.concise.Close(emit)
	}
}

// listed takes a row of one of biome's lists of files, and what stands above.
func (p *framed) listed(l Line, emit Emit) bool {
	t := strings.TrimSpace(l.Text)
	if _, rest, ok := cutAny(t, "i ", "ℹ "); ok && strings.HasSuffix(t, ":") {
		p.heading = rest
		emit.line(Keep, l)
		return true
	}
	file, ok := strings.CutPrefix(t, "- ")
	if !ok || p.heading == "" {
		return false
	}
	file, _, _ = strings.Cut(file, " (")
	emit(Record{Class: Keep.unless(p.heading == "Files processed:", Good), Key: "listed: " + p.heading, Site: file, Lines: []Line{l}})
	return true
}

func (p *framed) Close(emit Emit) {
	p.flush(emit)
	emit.pass(&p.prev, p.other)
}

// framedHead reports whether s is a head as oxlint and biome mark it: indented
// by two, a sign for how bad it is, a message.
func framedHead(s string) bool {
	t, ok := strings.CutPrefix(s, "  ")
	return ok && hasPrefix(t, "! ", "x ", "× ", "✖ ", "⚠ ")
}

// cutFrame reads the place in a frame's upper edge, ",-[src/a.ts:3:5]", or
// behind an arrow.
func cutFrame(t string) (bool, string) {
	corner, place, ok := cutAny(t, "--> ", ",-[", "╭─[")
	if corner != "--> " {
		place = strings.TrimSuffix(place, "]")
	}
	return ok, place
}
