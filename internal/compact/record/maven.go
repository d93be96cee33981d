package record

import (
	"strings"

	"cairn/internal/compact/lines"
)

// maven is the parser for Maven's log, of which the plugins' progress is
// Good. Compiler errors are records with what is indented under them, failed
// tests of surefire with their exception and own frames; what the summary
// tells again is Good.
type maven struct {
	stack
	site   string
	key    string
	class  Class
	told   set  // errors so far: the summary tells them again
	end    bool // in the summary
	advice bool // in what Maven says after the last error
}

const mavenTold = 500 // errors remembered

func (p *maven) Line(l Line, emit Emit) {
	level, t := mavenLevel(l.Text)
	if level == "" {
		if p.block != nil && p.continues(l, emit) {
			return
		}
		p.flush(emit)
		p.plain(l, emit)
		return
	}
	if p.block != nil && level == "[ERROR]" && strings.HasPrefix(t, "  ") && p.key != "" {
		p.block = append(p.block, l)
		return
	}
	p.flush(emit)
	text := strings.TrimSpace(t)
	switch {
	case strings.Trim(text, "-") == "":
		emit.line(Folded, l)
	case hasPrefix(text, "BUILD ", "Total time:"), mavenTotal(text):
		emit(Record{Class: Keep, Key: text, Lines: []Line{l}})
	case strings.HasPrefix(text, "Tests run: ") && !strings.Contains(text, "<<< "):
		emit.count("passed", l)
	case level == "[WARNING]":
		key := lines.Template(text)
		if strings.Contains(text, " has been relocated to ") {
			key = "relocated"
		}
		emit(Record{Class: Warn, Key: key, Site: lines.Location(text), Lines: []Line{l}})
	case level != "[ERROR]":
		emit.line(Good.unless(strings.HasPrefix(text, "Building jar: ") || hasAny(text, " FAILURE [", " SKIPPED"), Keep), l)
	default:
		p.error(l, text, emit)
	}
}

// error takes a line of level error.
func (p *maven) error(l Line, text string, emit Emit) {
	p.advice = p.advice || hasPrefix(text, "-> [Help ", "To see the full stack trace")
	switch {
	case p.advice, strings.HasPrefix(text, "Please refer to dump files"):
		emit.line(Good, l)
	case strings.Contains(text, "Time elapsed: ") && strings.Contains(text, "<<< ") && !strings.HasPrefix(text, "Tests run: "):
		p.block, p.class = []Line{l}, Failure // a failed test: its exception follows
	default:
		p.end = p.end || strings.HasPrefix(text, "Failed to execute goal ")
		p.block, p.key, p.class = []Line{l}, text, Failure
		if p.told[text] && p.end {
			p.class = Good
		}
		p.told.add(text, mavenTold)
		if place, _, ok := strings.Cut(text, ":["); ok {
			at, _, _ := strings.Cut(text[len(place)+2:], "]")
			p.site = place + ":" + strings.Replace(at, ",", ":", 1)
		}
	}
}

// continues takes a line without a level under an error.
func (p *maven) continues(l Line, emit Emit) bool {
	s := l.Text
	t := strings.TrimLeft(s, " \t")
	switch {
	case lines.Blank(s), len(p.block) >= diagLines:
		return false
	case strings.HasPrefix(t, "at ") && indented(s):
		_, own := lines.Frame(s)
		p.frame(l, own, emit)
		return true
	case elided(t):
		emit.line(Good, l)
		return true
	case strings.HasPrefix(t, "Caused by: "):
		p.cause(emit)
	case p.key != "" && !indented(s):
		return false
	}
	p.block = append(p.block, l)
	return true
}

func (p *maven) flush(emit Emit) {
	if p.block != nil {
		p.endFrames(Failure, emit)
		emit(Record{Class: p.class, Key: p.key, Site: p.site, Brief: 1, Lines: p.block})
		p.stack, p.site, p.key = stack{}, "", ""
	}
}

// plain takes a line that is not Maven's.
func (p *maven) plain(l Line, emit Emit) {
	switch {
	case hasPrefix(l.Text, "Downloading from ", "Downloaded from ", "Progress (", "Downloading: ", "Downloaded: "):
		emit.line(Good, l)
	case lines.Blank(l.Text):
		emit.line(Folded, l)
	default:
		emit(plain(l))
	}
}

func (p *maven) Close(emit Emit) { p.flush(emit) }

// mavenLevel cuts the level off a line of the log.
func mavenLevel(s string) (level, rest string) {
	level, rest, ok := cutAny(s, "[INFO]", "[WARNING]", "[ERROR]", "[DEBUG]")
	if ok {
		rest = strings.TrimPrefix(rest, " ")
	}
	return level, rest
}

// mavenTotal reports whether text is the count of all tests: that of one
// class ends with its time.
func mavenTotal(text string) bool {
	return strings.HasPrefix(text, "Tests run: ") && !strings.Contains(text, "Time elapsed") || summary(text)
}
