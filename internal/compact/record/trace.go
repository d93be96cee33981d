package record

import (
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
		if !own && t.own+t.other > 0 && javaRunner(s) || strings.Contains(s, "junit.") && strings.Contains(s, ".Assert") {
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
