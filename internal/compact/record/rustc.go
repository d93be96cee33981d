package record

import (
	"slices"
	"strconv"
	"strings"

	"cairn/internal/compact/lines"
)

// rustc is the parser for rustc's diagnostics, as cargo, clippy and others
// that draw like it (ruff) print them: a head, an arrow to the place, the
// source behind bars, notes, a blank line. Cargo's progress is Good.
type rustc struct {
	block []Line
	place string // of the arrow
	class Class
	prev  *Line // the last line, if it may be such a head

	count  *Line // the last line, if it counts a crate's warnings
	broken set   // crates that did not compile
	warned int   // warnings since the last count of them
	crates bool  // there was such a count before
}

const (
	rustcLines = 80 // lines of one diagnostic, crates remembered
	rustcFew   = 3  // so few warnings need no count
)

func (p *rustc) Line(l Line, emit Emit) {
	s := l.Text
	p.counted(s, emit)
	arrow, place := cutArrow(s)
	if prev := take(&p.prev); prev != nil {
		if arrow {
			p.flush(emit)
			p.block, p.class, p.place = []Line{*prev, l}, Failure, place
			return
		}
		p.other(*prev, emit)
	}
	if d, c, ok := toolClass(s); ok && !indented(s) {
		p.flush(emit)
		p.head(l, d, c, emit)
		return
	}
	switch {
	case p.block == nil:
	case lines.Blank(s):
		p.flush(emit)
	case arrow, indented(s), barred(s), gutter(s), s == "...", hasPrefix(s, "note: ", "help: "):
		if len(p.block) >= rustcLines {
			emit.line(Noise, l)
			return
		}
		if strings.Trim(s, " |+") == "" || draws(s) && barred(s) || p.shown(s) || rustcFootnote(s) || rustcLabel(s) {
			emit.line(Folded, l) // a bar with nothing beside it, or with marks that say no more than the arrow
			return
		}
		if arrow && p.place == "" {
			p.place = place
		}
		p.block = append(p.block, l)
		return
	default:
		p.flush(emit)
	}
	if !indented(s) && !lines.Blank(s) && !cargoProgress(s) {
		p.prev = &l
		return
	}
	p.other(l, emit)
}

// counted lets go of a count of warnings. It tells nothing new where the line
// that next says that the crate did not compile counts them again, or where
// all of them came before, of another target, or where one crate has so few that a
// reader sees how many.
func (p *rustc) counted(next string, emit Emit) {
	if p.count == nil {
		return
	}
	_, count, _ := strings.Cut(p.count.Text, " generated ")
	n, _, _ := strings.Cut(count, " ")
	again := strings.Contains(count, "("+n+" duplicate") || strings.HasPrefix(next, "error: could not compile ") && strings.HasSuffix(next, " emitted") ||
		!p.crates && n == strconv.Itoa(p.warned) && p.warned <= rustcFew && strings.HasPrefix(next, "    Finished ")
	p.warned, p.crates = 0, true
	emit.held(Keep.unless(again, Folded), &p.count)
}

// rustcLabel reports whether s is a label that says of its kind of error what
// is always true.
func rustcLabel(s string) bool {
	return oneOf(strings.TrimLeft(s, " |"), "arguments to this function are incorrect", "arguments to this method are incorrect", "arguments to this struct are incorrect",
		"required by a bound introduced by this call", "in this macro invocation") && barred(s)
}

// rustcFootnote reports whether a diagnostic's line speaks of lints and of
// documents in general.
func rustcFootnote(s string) bool {
	t, ok := strings.CutPrefix(strings.TrimLeft(s, " "), "= ")
	return ok && strings.HasSuffix(t, "on by default") || ok && hasPrefix(t, "note: see ", "help: for further information visit ", "note: for more information, see ", "note: requested on the command line with ", "help: to override `-D ")
}

// shown reports whether s is the first half of a suggestion, "12 - code",
// where that code was shown as "12 | code".
func (p *rustc) shown(s string) bool {
	n, old, ok := strings.Cut(strings.TrimLeft(s, " "), " - ")
	return ok && digitsOnly(n) && slices.ContainsFunc(p.block, func(l Line) bool {
		m, code, ok := strings.Cut(strings.TrimLeft(l.Text, " "), " | ")
		return ok && m == n && code == old
	})
}

// head begins a diagnostic, or takes a sentence about all of them.
func (p *rustc) head(l Line, d diagnostic, c Class, emit Emit) {
	switch {
	case c == Warn && (strings.Contains(d.text, " generated ") && strings.Contains(d.text, " warning")):
		p.count = &l
	case c == Warn && strings.HasPrefix(d.text, "build failed, waiting for"):
		emit.line(Folded, l) // what failed is said by itself
	default:
		p.block, p.class, p.place = []Line{l}, c, ""
	}
}

func (p *rustc) flush(emit Emit) {
	if p.block == nil {
		return
	}
	if from, to := namesake(p.block); from < to {
		emit(Record{Class: Folded, Lines: append([]Line(nil), p.block[from:to]...)})
		p.block = append(p.block[:from], p.block[to:]...)
	}
	brief := 1
	if len(p.block) > 1 && p.place != "" {
		brief = 2
	}
	kind, _, _ := strings.Cut(p.block[0].Text, ": ")
	key := lines.Template(p.block[0].Text)
	if p.class == Failure {
		key += "\n" + lines.Template(p.label())
	}
	if _, crate, ok := strings.Cut(p.block[0].Text, "could not compile "); ok && p.place == "" {
		crate, _, _ = strings.Cut(crate, " ")
		if key = ""; p.broken[crate] { // for another of its targets, with the same errors
			p.class = Folded
		} else {
			p.broken.add(crate, rustcLines)
		}
	}
	ls := frameless(p.block, emit)
	for p.class == Failure && brief > 1 && brief < len(ls) && indented(ls[brief].Text) && !gutter(ls[brief].Text) {
		brief++ // what stands beside the marks is part of the message
	}
	if p.class == Warn {
		p.warned++
	}
	emit(Record{Class: p.class, Key: key, Site: p.place, Kind: kind, Brief: brief, Lines: ls})
	p.block = nil
}

// label is what an error says beside the mark under its place: of mismatched
// types, which ones.
func (p *rustc) label() string {
	for _, l := range p.block {
		if i := strings.LastIndexByte(l.Text, '^'); i > 0 && barred(l.Text) {
			return strings.TrimSpace(l.Text[i+1:])
		}
	}
	return ""
}

// namesake finds the excerpt of another file that shows a similar name: the
// suggestion to use that name follows.
func namesake(block []Line) (from, to int) {
	for i, l := range block {
		t := strings.TrimLeft(l.Text, " |")
		switch {
		case strings.HasPrefix(t, "::: "):
			from = i
		case from > 0 && strings.Contains(t, "- similarly named "):
			to = i + 1
		case strings.HasPrefix(t, "help: ") && to > 0 && strings.Contains(t, " with a similar name exists"):
			return from, to
		}
	}
	return 0, 0
}

// other takes a line outside of a diagnostic.
func (p *rustc) other(l Line, emit Emit) {
	s := l.Text
	c := Body
	switch {
	case hasPrefix(s, "For more information about ", "Some errors have detailed "):
		c = Folded
	case lines.Blank(s), cargoProgress(s):
		c = Good
	case cargoResult(s), summary(s):
		c = Keep
	case lines.Classify(s) == lines.Failure:
		c = Failure
	}
	emit.line(c, l)
}

func (p *rustc) Close(emit Emit) {
	p.counted("", emit)
	p.flush(emit)
	emit.pass(&p.prev, p.other)
}

// cutArrow reports whether s is the line that says where, and that place:
// "  --> src/a.rs:3:5".
func cutArrow(s string) (ok bool, place string) {
	t := strings.TrimLeft(s, " ")
	place, ok = strings.CutPrefix(t, "--> ")
	return ok && s != t, place
}

// gutter reports whether s is drawn in the margin of the source: "   = note",
// "   ::: src/b.rs", "12 + code".
func gutter(s string) bool {
	t := strings.TrimLeft(s, " 0123456789")
	return t != s && t != "" && strings.IndexByte("|=:+-~.", t[0]) >= 0
}

// cargoProgress reports whether s is one of the steps that cargo prints with
// a verb at its right edge in the twelfth column.
func cargoProgress(s string) bool {
	verb, rest, _ := strings.Cut(strings.TrimLeft(s, " "), " ")
	if rest == "" || !strings.HasPrefix(s, " ") && len(verb) < 11 {
		return false
	}
	return oneOf(verb, "Compiling", "Checking", "Downloading", "Downloaded", "Updating", "Fetching", "Fresh", "Dirty", "Locking", "Adding",
		"Documenting", "Building", "Blocking", "Unpacking", "Packaging", "Verifying", "Installing", "Scraping", "Removing", "Archiving")
}

// cargoResult reports whether s says what cargo made.
func cargoResult(s string) bool {
	verb, rest, _ := strings.Cut(strings.TrimLeft(s, " "), " ")
	return oneOf(verb, "Finished", "Generated", "Installed", "Replaced", "Removed", "Fixed", "Running", "Packaged", "Uploaded", "Published", "Replacing") && rest != "" && strings.HasPrefix(s, " ")
}
