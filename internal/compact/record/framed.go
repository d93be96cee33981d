package record

import (
	"strings"

	"cairn/internal/compact/lines"
)

// framed is the parser for linters that draw: a head with rule and message, a
// place, the source in a frame, and help (oxlint, ruff, biome). Messages are
// grouped by rule, each with its place in front; a rule's help is kept once.
type framed struct {
	block []Line
	rule  string
	head  string // what is printed of it, without the place
	place string
	front string // what stands before the head: the place, of biome also the rule
	help  string
	class Class
	prev  *Line // a line that is a head if an arrow follows
	told  set   // helps that were kept

	heading string // of a list of files, in biome's summary
}

const framedLines = 200 // lines of one message

func (p *framed) Line(l Line, emit Emit) {
	s := l.Text
	t := strings.TrimSpace(s)
	arrow, place := cutFrame(t)
	if p.prev != nil {
		prev := *p.prev
		p.prev = nil
		if p.flush(emit); arrow {
			p.start(prev, prev.Text)
		} else {
			p.other(prev, emit)
		}
	}
	switch {
	case arrow && p.block != nil:
		if p.place == "" {
			p.place, p.front = place, place
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
		p.place, p.front = place, t
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
	rec := Record{Class: p.class, Group: p.rule, Site: p.place, Row: p.head, Lines: p.block}
	if p.front != "" {
		rec.Row = p.front + "  " + p.head
	}
	if p.help != "" && !p.told[p.rule+p.help] && len(p.told) < 100 {
		p.told.add(p.rule+p.help, 100)
		rec.Row += "  help: " + p.help
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
		if d, ok := parseDiagnostic(l.Text); ok { // ruff's concise format
			var concise lint
			concise.message(l, d, emit)
			concise.Close(emit)
			return
		}
		emit(plain(l))
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
	if p.prev != nil {
		p.other(*p.prev, emit)
		p.prev = nil
	}
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
