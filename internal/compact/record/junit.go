package record

import (
	"strings"

	"cairn/internal/compact/lines"
)

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
	case p.inTree && junitBranch(s):
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
	if p.place == "" {
		p.place = lines.Location(t)
	}
	if p.own++; p.own <= junitFrames {
		p.block = append(p.block, l)
		return
	}
	emit.held(Good, &p.last)
	p.last = &l
}

func (p *junit) endFrames(emit Emit) {
	if p.last != nil {
		p.block = append(p.block, *p.last)
		p.last = nil
	}
}

// flush emits the open failure.
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

// junitBranch reports whether s is drawn as a part of the tree.
func junitBranch(s string) bool {
	return hasPrefix(strings.TrimLeft(s, " "), "│", "├─ ", "└─ ", "| ", "+-- ", "'-- ")
}
