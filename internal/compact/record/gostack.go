package record

import (
	"strings"

	"cairn/internal/compact/lines"
)

// goStack takes what the Go runtime prints when a program dies: a panic or a
// fatal error with the stack of each goroutine, and the reports of the race
// detector. Of each stack it keeps the frames of the project's own code.
type goStack struct {
	state   goState
	message []Line // what the runtime says before the first stack
	header  Line   // "goroutine 7 [running]:", or a race report's section
	frames  []traceEntry
	race    raceReport
}

type goState uint8

const (
	goIdle    goState = iota
	goMessage         // after "panic: …", before the first goroutine
	goFrames          // in a goroutine's stack
	goBetween         // after the blank line that ends one
	goRace            // in a race report
)

const (
	goMessageMax = 60  // lines of a panic's value
	goFramesMax  = 200 // frames of one stack; the runtime itself prints 100
	goOwnFrames  = 5   // frames kept of a stack
)

// line takes l if it belongs to a stack.
func (s *goStack) line(l Line, emit Emit) bool {
	t := l.Text
	switch s.state {
	case goRace:
		return s.raceLine(l, emit)
	case goIdle, goBetween:
		if s.state == goIdle && t != "" && strings.IndexByte("=-? ", t[0]) >= 0 {
			return false // as nearly all lines of go test -v
		}
		if s.state == goBetween && (lines.Blank(t) || goRegister(t)) {
			emit.line(Good, l)
			return true
		}
		switch {
		case goHeader(t):
			s.header, s.state = l, goFrames
		case hasPrefix(t, goDies...):
			s.close(emit)
			s.message, s.state = []Line{l}, goMessage
		case t == "WARNING: DATA RACE":
			s.close(emit)
			s.race.open(l)
			s.state = goRace
		default:
			s.close(emit)
			return false
		}
		return true
	case goMessage:
		switch {
		case goHeader(t):
			s.header, s.state = l, goFrames
		case goTestEnds(t), len(s.message) >= goMessageMax:
			s.close(emit)
			return false
		case t == "":
			emit.line(Folded, l)
		default:
			s.message = append(s.message, l)
		}
		return true
	}
	switch { // goFrames
	case lines.Blank(t):
		emit.line(Good, l)
		s.goroutine(emit)
	case goTestEnds(t):
		s.close(emit)
		return false
	default:
		s.frames = addGoFrame(s.frames, l, emit)
	}
	return true
}

// addGoFrame appends a line of a stack: a file's line completes the frame
// that its function's line began.
func addGoFrame(frames []traceEntry, l Line, emit Emit) []traceEntry {
	if n := len(frames); n > 0 && len(frames[n-1].lines) == 1 && lines.HasLocation(l.Text) {
		f := &frames[n-1]
		f.lines = append(f.lines, l)
		f.own = ownGoFrame(f.lines[0].Text, l.Text)
		return frames
	}
	if len(frames) >= goFramesMax {
		emit.line(Good, l)
		return frames
	}
	return append(frames, traceEntry{lines: []Line{l}})
}

// goroutine emits the goroutine that has just ended. The first one after a
// message is kept with it; another is kept if it is in the project's code.
func (s *goStack) goroutine(emit Emit) {
	own, rest := ownFrames(s.frames, goOwnFrames, false)
	if len(s.frames) > 0 && strings.HasPrefix(s.frames[0].lines[0].Text, "testing.(*T).Run(") {
		own, rest = ownFrames(s.frames, 0, false) // a test that waits for its subtest
	}
	first := s.message != nil
	timeout := first && strings.HasPrefix(s.message[0].Text, "panic: test timed out")
	if len(own) == 0 && first && !timeout {
		own, rest = ownFrames(s.frames, 3, true) // nobody's code but the dead one's
	}
	rec := Record{Class: Failure, Lines: s.message}
	if len(own) > 0 {
		if first && strings.HasSuffix(s.header.Text, " [running]:") {
			emit.line(Folded, s.header) // as is every one that panics
		} else {
			rec.Lines = append(rec.Lines, s.header)
		}
		named, tests := 1, true
		if first && !timeout && strings.HasSuffix(s.header.Text, " [running]:") {
			named, tests = 0, !strings.Contains(s.message[0].Text, "[recovered") // else the result names the test
		}
		rec.Lines = append(rec.Lines, goPlaces(own, named, tests, emit)...)
		rec.Site = lines.Location(own[min(1, len(own)-1)].Text)
		rec.Key = goKey(rec.Lines)
	} else {
		rest = append(rest, s.header)
	}
	if len(rec.Lines) > 0 {
		emit(rec)
	}
	leaveGoFrames(rest, emit)
	s.message, s.frames, s.state = nil, nil, goBetween
}

func (s *goStack) close(emit Emit) {
	switch s.state {
	case goMessage:
		emit(Record{Class: Failure, Lines: s.message})
	case goFrames:
		s.goroutine(emit)
	case goRace:
		s.race.close(emit)
	}
	*s = goStack{}
}

// goKey tells a stack by its message and the places in it, whatever its
// goroutine's number and its arguments.
func goKey(ls []Line) string {
	var b strings.Builder
	for _, l := range ls {
		if !strings.HasSuffix(l.Text, ")") && !goHeader(l.Text) {
			text, _, _ := strings.Cut(l.Text, " +0x")
			b.WriteString(text + "\n")
		}
	}
	return b.String()
}

// ownFrames splits frames into the lines of the first own ones, or of the first
// of any, at most max, and all others.
func ownFrames(frames []traceEntry, max int, any bool) (own, rest []Line) {
	for _, f := range frames {
		if (f.own || any) && max > 0 {
			own = append(own, f.lines...)
			max--
		} else {
			rest = append(rest, f.lines...)
		}
	}
	return own, rest
}

// goPlaces leaves the functions' names out of frames below the first named
// ones: each has its place, which is given once where none has a name. With tests, a test's name stays: it is one to run.
func goPlaces(own []Line, named int, tests bool, emit Emit) (keep []Line) {
	bare, places := named == 0, set{}
	for i, l := range own {
		switch at := lines.Location(l.Text); {
		case bare && places[at]: // a function that calls itself
			emit.line(Folded, l)
			continue
		case at != "":
			places.add(at, goFramesMax)
		}
		switch {
		case lines.HasLocation(l.Text), i+1 == len(own) || !lines.HasLocation(own[i+1].Text):
		case named > 0:
			named--
		case tests && strings.Contains(l.Text, ".Test"):
		default:
			emit.line(Folded, l)
			continue
		}
		keep = append(keep, l)
	}
	return keep
}

// leaveGoFrames lets go of frames. Those that every stack of a test or of a
// panic has need no marker.
func leaveGoFrames(ls []Line, emit Emit) {
	class := Good
	for _, l := range ls {
		if t := strings.TrimSpace(l.Text); !lines.HasLocation(t) {
			t = strings.TrimPrefix(t, "created by ")
			class = Good.unless(hasPrefix(t, "testing.", "runtime.", "internal/runtime/", "panic(") || strings.Contains(t, ".gowrap") || goHeader(t), Folded)
		}
		emit.line(class, l)
	}
}

// ownGoFrame reports whether a frame is in the project: neither in the
// standard library nor in a module from the cache, nor in the generated main
// of a test.
func ownGoFrame(fn, file string) bool {
	fn, file = strings.TrimPrefix(strings.TrimSpace(fn), "created by "), strings.TrimSpace(file)
	if hasAny(file, "/pkg/mod/", "/vendor/") || strings.HasPrefix(file, "_testmain.go") || strings.HasPrefix(fn, "panic(") {
		return false
	}
	if i := strings.LastIndex(file, "/src/"); i >= 0 {
		file = file[i+len("/src/"):] // as with -trimpath: from the import path on
	}
	return !goStandard[root(fn)] || !goStandard[root(file)]
}

// root returns the first part of an import path, or of a function's name:
// "net" of "net/http.(*conn).serve". A module's begins with a host, which
// keeps its dot.
func root(path string) string {
	if i := strings.IndexByte(path, '/'); i >= 0 {
		return path[:i]
	}
	first, _, _ := strings.Cut(path, ".")
	return first
}

// goStandard are the directories of the standard library.
var goStandard = map[string]bool{
	"archive": true, "bufio": true, "bytes": true, "compress": true, "container": true, "context": true,
	"crypto": true, "database": true, "debug": true, "encoding": true, "errors": true, "expvar": true,
	"flag": true, "fmt": true, "go": true, "hash": true, "html": true, "image": true, "internal": true,
	"io": true, "iter": true, "log": true, "maps": true, "math": true, "mime": true, "net": true, "os": true,
	"path": true, "plugin": true, "reflect": true, "regexp": true, "runtime": true, "slices": true,
	"sort": true, "strconv": true, "strings": true, "sync": true, "syscall": true, "testing": true,
	"text": true, "time": true, "unicode": true, "unique": true, "weak": true,
}

// goHeader reports whether t begins a goroutine's stack.
func goHeader(t string) bool {
	return strings.HasPrefix(t, "goroutine ") && strings.HasSuffix(t, "]:") && strings.Contains(t, " [")
}

// goDies begins what the runtime says first when a program dies.
var goDies = words{"panic: ", "fatal error: ", "SIGSEGV: ", "SIGABRT: ", "SIGQUIT: ", "runtime: goroutine stack exceeds", "unexpected fault address "}

// goRegister reports whether t is a processor register, printed after the
// stacks of a program that a signal killed.
func goRegister(t string) bool {
	f := strings.Fields(t)
	return len(f) == 2 && len(f[0]) <= 6 && strings.HasPrefix(f[1], "0x")
}

// goTestEnds reports whether t is what go test says when a binary has ended.
func goTestEnds(t string) bool {
	return hasPrefix(t, "FAIL\t", "ok  \t") || t == "FAIL" || strings.HasPrefix(t, "exit status ")
}

// A raceReport is what the race detector says: two accesses and where their
// goroutines were started, each a section with a stack.
type raceReport struct {
	head     []Line
	sections []raceSection
}

type raceSection struct {
	header Line
	frames []traceEntry
}

const (
	raceBorder   = "=================="
	raceAccess   = 2 // own frames kept of an access
	raceCreated  = 1 // and of the place that started the goroutine
	raceSections = 8
)

func (r *raceReport) open(l Line) { *r = raceReport{head: []Line{l}} }

func (s *goStack) raceLine(l Line, emit Emit) bool {
	r, t := &s.race, l.Text
	switch {
	case t == raceBorder:
		emit.line(Folded, l)
		s.close(emit)
	case lines.Blank(t):
		emit.line(Good, l)
	case goTestEnds(t) || strings.HasPrefix(t, "--- "):
		s.close(emit)
		return false
	case !indented(t) && len(r.sections) < raceSections:
		r.sections = append(r.sections, raceSection{header: l})
	case len(r.sections) == 0:
		r.head = append(r.head, l)
	default:
		last := &r.sections[len(r.sections)-1]
		last.frames = addGoFrame(last.frames, l, emit)
	}
	return true
}

// lastPlace is the place of the last of these frames.
func lastPlace(own []Line) string {
	if len(own) == 0 {
		return ""
	}
	return lines.Location(own[len(own)-1].Text)
}

func (r *raceReport) close(emit Emit) {
	rec := Record{Class: Failure, Lines: r.head}
	for i, s := range r.sections {
		most, created := raceAccess, strings.HasSuffix(s.header.Text, "created at:")
		if created {
			most = raceCreated
		}
		own, rest := ownFrames(s.frames, most, false)
		if len(own) == 0 {
			own, rest = ownFrames(s.frames, most, true)
		}
		leaveGoFrames(rest, emit)
		if at := lastPlace(own); created && at != "" && strings.Contains(joined(rec.Lines), at+" ") {
			emit.each(Folded, append([]Line{s.header}, own...)) // in a function that is there
			continue
		}
		rec.Lines = append(append(rec.Lines, s.header), goPlaces(own, 0, false, emit)...)
		if i < 2 && len(own) > 1 { // the same two places are the same race
			rec.Key += "race " + lines.Location(own[1].Text) + "\n"
			if i == 0 {
				rec.Site = lines.Location(own[1].Text)
			}
		}
	}
	emit(rec)
}
