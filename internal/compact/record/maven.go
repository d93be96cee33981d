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
	block  []Line
	site   string
	key    string
	frames int   // own frames kept in block
	other  int   // foreign ones
	last   *Line // the last own frame of more than those
	class  Class
	told   map[string]bool // errors so far: the summary tells them again
	end    bool            // in the summary
	advice bool            // in what Maven says after the last error
}

const (
	mavenFrames = 3   // own frames of a failed test
	mavenTold   = 500 // errors remembered
)

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
	case strings.HasPrefix(text, "BUILD "), strings.HasPrefix(text, "Total time:"), mavenTotal(text):
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
		class := Good
		if strings.HasPrefix(text, "Building jar: ") || strings.Contains(text, " FAILURE [") || strings.Contains(text, " SKIPPED") {
			class = Keep
		}
		emit.line(class, l)
	default:
		p.error(l, text, emit)
	}
}

// error takes a line of level error.
func (p *maven) error(l Line, text string, emit Emit) {
	p.advice = p.advice || strings.HasPrefix(text, "-> [Help ") || strings.HasPrefix(text, "To see the full stack trace")
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
		if p.told == nil {
			p.told = map[string]bool{}
		}
		if len(p.told) < mavenTold {
			p.told[text] = true
		}
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
		if own && p.frames >= mavenFrames {
			p.endFrames(Good, emit)
			p.last = &l
			return true
		}
		if !own && p.frames+p.other > 0 {
			emit.line(Good, l)
			return true
		}
		if own {
			p.frames++
		} else {
			p.other++
		}
	case strings.HasPrefix(t, "... ") && strings.HasSuffix(t, " more"):
		emit.line(Good, l)
		return true
	case strings.HasPrefix(t, "Caused by: "):
		p.endFrames(Failure, emit)
		p.frames, p.other = 0, 0
	case p.key != "" && !indented(s):
		return false
	}
	p.block = append(p.block, l)
	return true
}

// endFrames lets go of the last own frame so far. Where the stack ends it is
// kept: most often it is the test itself.
func (p *maven) endFrames(c Class, emit Emit) {
	switch {
	case p.last == nil:
	case c == Failure && p.last.Text != p.block[len(p.block)-1].Text: // else a recursion
		p.block = append(p.block, *p.last)
	default:
		emit.line(Good, *p.last)
	}
	p.last = nil
}

func (p *maven) flush(emit Emit) {
	if p.block != nil {
		p.endFrames(Failure, emit)
		emit(Record{Class: p.class, Key: p.key, Site: p.site, Brief: 1, Lines: p.block})
		p.block, p.site, p.key, p.frames, p.other = nil, "", "", 0, 0
	}
}

// plain takes a line that is not Maven's.
func (p *maven) plain(l Line, emit Emit) {
	for _, progress := range [...]string{"Downloading from ", "Downloaded from ", "Progress (", "Downloading: ", "Downloaded: "} {
		if strings.HasPrefix(l.Text, progress) {
			emit.line(Good, l)
			return
		}
	}
	if lines.Blank(l.Text) {
		emit.line(Folded, l)
		return
	}
	emit(plain(l))
}

func (p *maven) Close(emit Emit) { p.flush(emit) }

// mavenLevel cuts the level off a line of the log.
func mavenLevel(s string) (level, rest string) {
	for _, level := range [...]string{"[INFO]", "[WARNING]", "[ERROR]", "[DEBUG]"} {
		if rest, ok := strings.CutPrefix(s, level); ok {
			return level, strings.TrimPrefix(rest, " ")
		}
	}
	return "", s
}

// mavenTotal reports whether text is the count of all tests: that of one
// class ends with its time.
func mavenTotal(text string) bool {
	return strings.HasPrefix(text, "Tests run: ") && !strings.Contains(text, "Time elapsed") || summary(text)
}
