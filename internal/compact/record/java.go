package record

import (
	"cmp"
	"strings"

	"cairn/internal/compact/lines"
)

// A stack is a Java exception with the first frames of the project under it,
// and the last.
type stack struct {
	block []Line
	own   int   // frames of the project kept since the last exception
	other int   // and others
	last  *Line // the last of the project's, of more than are kept
}

const (
	stackFrames = 3  // frames kept under each exception
	traceLines  = 80 // lines kept of a trace
)

// frame takes a frame.
func (t *stack) frame(l Line, own bool, emit Emit) {
	switch {
	case own && t.own >= stackFrames && len(t.block) < traceLines:
		t.endFrames(Good, emit)
		t.last = &l
		return
	case len(t.block) >= traceLines, !own && t.own+t.other > 0:
		emit.line(Good, l)
		return
	case own:
		t.own++
	default:
		t.other++
	}
	t.block = append(t.block, l)
}

// endFrames lets go of the last own frame so far. Where the stack ends it is
// kept: it is the program's entry, or the test itself.
func (t *stack) endFrames(c Class, emit Emit) {
	if t.last != nil && c == Failure && t.last.Text != t.block[len(t.block)-1].Text { // else a recursion
		t.block, t.last = append(t.block, *t.last), nil
	}
	emit.held(Good, &t.last)
}

// cause begins another exception, by which the one above came about.
func (t *stack) cause(emit Emit) {
	t.endFrames(Failure, emit)
	t.own, t.other = 0, 0
}

// elided reports whether s stands for frames that are above.
func elided(s string) bool { return strings.HasPrefix(s, "... ") && strings.HasSuffix(s, " more") }

// trace collects a Java stack trace: the exception, the first frames of the
// project under it, and the same for each cause.
type trace struct{ stack }

// takes reports whether l belongs to a stack trace, which it keeps then.
func (t *trace) takes(l Line, emit Emit) bool {
	s := strings.TrimLeft(l.Text, " \t")
	switch {
	case strings.HasPrefix(s, "at ") && strings.HasSuffix(s, ")") && indented(l.Text):
		if t.block == nil {
			return false
		}
		_, own := lines.Frame(l.Text)
		if !own && t.own+t.other > 0 && javaRunner(s) || javaAsserts(s) {
			emit.line(Folded, l)
		} else {
			t.frame(l, own, emit)
		}
		return true
	case t.block != nil && elided(s):
		emit.line(Folded, l) // they are above
		return true
	case strings.HasPrefix(s, "Exception in thread "), throws(l.Text):
		t.flush(emit)
		t.block = append(t.block, l)
		return true
	case t.block != nil && hasPrefix(s, "Caused by: ", "Suppressed: "):
		t.cause(emit)
		t.block = append(t.block, l)
		return true
	}
	t.flush(emit)
	return false
}

// javaAsserts reports whether a frame is in an assertion of a library's: what
// it says is above.
func javaAsserts(s string) bool {
	return strings.Contains(s, "junit.") && strings.Contains(s, ".Assert") || hasPrefix(s, "at org.assertj.", "at org.hamcrest.", "at org.opentest4j.")
}

// javaRunner reports whether a frame is of the runtime or of what runs tests.
func javaRunner(s string) bool {
	return hasPrefix(s[len("at "):], "java.base/", "jdk.", "java.", "sun.", "org.junit.", "junit.", "org.gradle.", "org.apache.maven.")
}

func (t *trace) flush(emit Emit) {
	if t.block != nil {
		t.endFrames(Failure, emit)
		key := ""
		for _, l := range t.block {
			if !strings.HasPrefix(strings.TrimLeft(l.Text, " \t"), "at ") {
				key += lines.Template(l.Text)
			}
		}
		emit(Record{Class: Failure, Key: key, Site: site(t.block), Brief: 1, Lines: t.block})
	}
	*t = trace{}
}

// throws reports whether s is an exception's name and message, as they stand
// above its frames: "java.lang.IllegalStateException: text".
func throws(s string) bool {
	name, _, _ := strings.Cut(s, ": ")
	dot := strings.LastIndexByte(name, '.')
	if dot < 1 || strings.ContainsAny(name, " \t:/(") {
		return false
	}
	return hasSuffix(name, "Exception", "Error", "Throwable")
}

// junit reads what JUnit's ConsoleLauncher prints: a tree of the tests, the
// failures with their stacks, and counts. A test of the tree that failed is
// told again among the failures.
type junit struct {
	inTree  bool
	failing bool   // in the list of failures
	tree    []Line // failed tests of the tree
	block   []Line // the open failure
	title   string
	said    string
	place   string
	own     int
	last    *Line // the last own frame of more than are kept
	reasons reasons
}

const (
	junitFrames = 2
	junitTree   = 200 // failed tests of the tree that are held
)

// takes reports whether l is of such a report.
func (p *junit) takes(l Line, emit Emit) bool {
	s := l.Text
	if p.failing {
		return p.failure(l, emit)
	}
	switch {
	case junitRoot(s):
		p.inTree = true
		emit.line(Good, l)
	case p.inTree && hasPrefix(strings.TrimLeft(s, " "), "│", "├─ ", "└─ ", "| ", "+-- ", "'-- "): // drawn as a part of the tree
		rec := Record{Class: Good, Lines: []Line{l}}
		leaf := strings.Contains(s, ")")
		switch {
		case leaf && hasSuffix(s, " ✔", " [OK]"):
			rec.Count = "passed"
		case leaf && hasAny(s, " ✘ ", " [X] ") && len(p.tree) < junitTree:
			p.tree = append(p.tree, l)
			return true
		}
		emit(rec)
	case strings.HasPrefix(s, "Failures (") && strings.HasSuffix(s, "):"):
		emit.all(Good, &p.tree)
		p.failing = true
		emit.line(Failure, l)
	default:
		return p.total(l, emit)
	}
	return true
}

// total takes a line of the counts: "[         2 tests failed          ]".
func (p *junit) total(l Line, emit Emit) bool {
	f := strings.Fields(strings.Trim(l.Text, "[]"))
	switch {
	case strings.HasPrefix(l.Text, "Test run finished after "):
		emit.line(Folded, l)
	case !strings.HasPrefix(l.Text, "[ ") || len(f) != 3 || !digitsOnly(f[0]) || f[1] != "tests" && f[1] != "containers":
		return false
	case f[1] == "tests" && oneOf(f[2], "found", "successful", "failed"), f[0] != "0" && oneOf(f[2], "failed", "aborted"):
		emit.line(Keep, l)
	default:
		emit.line(Folded, l)
	}
	return true
}

// failure takes a line of the list of failures.
func (p *junit) failure(l Line, emit Emit) bool {
	s := l.Text
	t := strings.TrimSpace(s)
	switch depth := leading(s); {
	case t == "":
		p.flush(emit)
		emit.line(Folded, l)
	case depth == 2:
		p.flush(emit)
		p.block, p.title = []Line{l}, t
	case depth == 0 || p.block == nil:
		p.flush(emit)
		p.failing = false
		return p.takes(l, emit)
	case hasPrefix(t, "MethodSource [", "ClassSource ["), t == "[...]":
		emit.line(Folded, l) // the title says it
	case hasPrefix(t, "Caused by: ", "Suppressed: "):
		p.endFrames(emit)
		p.block, p.own = append(p.block, l), 0
	case depth > 4 && strings.HasSuffix(t, ")") && !strings.Contains(strings.SplitN(t, "(", 2)[0], " "):
		p.frame(l, t, emit)
	case len(p.block) < diagLines:
		p.block = append(p.block, l)
		p.said += t + "\n"
	default:
		emit.line(Noise, l)
	}
	return true
}

// frame takes a line of a stack, which has no "at" here.
func (p *junit) frame(l Line, t string, emit Emit) {
	if _, own := lines.Frame("at " + t); !own || javaRunner("at "+t) {
		emit.line(Folded, l)
		return
	}
	p.place = cmp.Or(p.place, lines.Location(t))
	if p.own++; p.own <= junitFrames {
		p.block = append(p.block, l)
		return
	}
	emit.held(Good, &p.last)
	p.last = &l
}

func (p *junit) endFrames(emit Emit) {
	if last := take(&p.last); last != nil {
		p.block = append(p.block, *last)
	}
}

// Close emits the open failure.
func (p *junit) flush(emit Emit) {
	if p.block != nil {
		p.endFrames(emit)
		key := p.reasons.key(p.said)
		_, name, _ := strings.Cut(p.title, ":")
		emit(Record{Class: Failure, Key: key, Site: p.reasons.where(key, name, p.place), Lines: p.block})
	}
	p.block, p.said, p.place, p.own = nil, "", "", 0
}

func (p *junit) close(emit Emit) {
	p.flush(emit)
	emit.all(Failure, &p.tree)
}

// junitRoot reports whether s is an engine, below the root of the tree.
func junitRoot(s string) bool {
	_, rest, ok := cutAny(s, "├─ ", "└─ ", "+-- ", "'-- ")
	return s == "╷" || ok && (strings.HasPrefix(rest, "JUnit ") || hasSuffix(rest, " ✔", " ✘", " [OK]"))
}

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
		p.Close(emit)
		p.plain(l, emit)
		return
	}
	if p.block != nil && level == "[ERROR]" && strings.HasPrefix(t, "  ") && p.key != "" {
		p.block = append(p.block, l)
		return
	}
	p.Close(emit)
	text := strings.TrimSpace(t)
	switch {
	case strings.Trim(text, "-") == "":
		emit.line(Folded, l)
	case hasPrefix(text, "BUILD ", "Total time:"), summary(text),
		strings.HasPrefix(text, "Tests run: ") && !strings.Contains(text, "Time elapsed"): // the count of one class ends with its time
		emit(Record{Class: Keep, Key: text, Lines: []Line{l}})
	case strings.HasPrefix(text, "Tests run: ") && !strings.Contains(text, "<<< "):
		emit.count("passed", l)
	case level == "[WARNING]":
		if strings.Contains(text, " has been relocated") {
			emit.line(Good, l) // Maven has it all the same
			return
		}
		emit(Record{Class: Warn, Key: lines.Template(text), Site: lines.Location(text), Lines: []Line{l}})
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
	case p.advice, strings.HasPrefix(text, "Please refer to "):
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
		if _, own := lines.Frame(s); javaAsserts(t) {
			emit.line(Folded, l)
		} else {
			p.frame(l, own, emit)
		}
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

func (p *maven) Close(emit Emit) {
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

// mavenLevel cuts the level off a line of the log.
func mavenLevel(s string) (level, rest string) {
	level, rest, ok := cutAny(s, "[INFO]", "[WARNING]", "[ERROR]", "[DEBUG]")
	if ok {
		rest = strings.TrimPrefix(rest, " ")
	}
	return level, rest
}
