package record

import (
	"hash/fnv"
	"strconv"
	"strings"

	"cairn/internal/compact/lines"
)

// A jsFault is one failure as the test runners of JavaScript print it: title
// lines, then a message with perhaps a diff, a code frame and a stack.
type jsFault struct {
	head  []Line // file and title
	body  []jsLine
	file  string // the test file, when the runner named it
	in    string // the suites that it stands in, where no line of it says so
	class Class  // Failure when not set
	count string // its counter, of one that is Good

	requires bool // in the list of who required a missing module
	props    bool // in the error's own properties, which node prints behind the stack
	diff     bool // the message shows what differs

	titled bool // the runner's title of it is complete
	bare   bool // it is outside of any test
	apart  bool // in a part of it that is not wanted
}

// faultOf begins a failure with a line of its message.
func faultOf(l Line) *jsFault {
	f := &jsFault{}
	f.add(l)
	return f
}

type jsLine struct {
	Line
	part jsPart
}

// jsPart is what a line of a fault is.
type jsPart uint8

const (
	partMessage jsPart = iota // the words that tell one fault from another
	partDetail                // kept, but says nothing new about the fault
	partCode                  // a code frame's context
	partMarked                // the line of a code frame that is at fault
	partOwn                   // a stack frame of the project
	partForeign               // any other stack frame
	partSkip
)

const (
	jsBody   = 400 // lines of one fault that are looked at
	jsFrames = 1   // own frames kept from the top of a stack, besides the last
	jsWide   = 400 // bytes; a code frame's line over that is generated source
)

// unless returns the part, or another where it does not hold.
func (p jsPart) unless(exempt bool, other jsPart) jsPart {
	if exempt {
		return other
	}
	return p
}

// full reports whether the fault has all the lines it may hold.
func (f *jsFault) full() bool { return len(f.body) >= jsBody }

// add takes a line of the body and finds out what it is.
func (f *jsFault) add(l Line) {
	part := partMessage
	if code, pointer := jsCode(l.Text); code {
		part = partCode
		t := strings.TrimLeft(l.Text, " ")
		switch n := len(f.body); {
		case pointer && n > 0 && f.body[n-1].part == partCode && len(f.body[n-1].Text) < jsWide:
			f.body[n-1].part = partMarked
		case strings.HasPrefix(t, ">") && len(t) < jsWide:
			part = partMarked
		}
	} else if n := len(f.body); n > 0 && jsCaret(l.Text) {
		part = partSkip
		if f.body[n-1].part == partCode && len(f.body[n-1].Text) < jsWide {
			f.body[n-1].part = partMarked
		}
	} else if frame, own := jsFrame(l.Text); own {
		part = partOwn
	} else if frame {
		part = partForeign
	} else if lines.Blank(l.Text) || strings.Trim(l.Text, " -") == "" {
		part = partSkip
	}
	switch t := strings.TrimSpace(l.Text); {
	case hasPrefix(t, jsAdvice...):
		part = partSkip
	case jsLegend(t):
		f.diff = true
	case t == "Require stack:":
		f.requires, part = true, partDetail
	case part == partMessage && f.requires:
		part = partDetail
	case part == partMessage && f.props && (jsProperty(t) || f.repeats(t, true)):
		part = partSkip
	default:
		f.requires = false
	}
	f.props = f.props || part >= partOwn && strings.HasSuffix(l.Text, "{")
	f.addAs(l, part)
}

// jsAdvice begins what a runner says below every test that took too long.
var jsAdvice = words{"Add a timeout value to this test to increase the timeout", "If this is a long-running test, pass a timeout value", "If this is a long-running hook, pass a timeout value"}

// jsProperty reports whether t is a property of an error that the message or
// the stack tells as well.
func jsProperty(t string) bool {
	key, value, _ := strings.Cut(t, ":")
	return oneOf(key, "generatedMessage", "operator", "diff", "requireStack", "reasonCode", "syntaxPlugin", "pos", "}", "},") || key == "loc" && strings.Contains(value, "Position {") || key == "code" && hasAny(value, "ERR_ASSERTION", "ERR_TEST_FAILURE", "MODULE_NOT_FOUND", "PARSE_ERROR")
}

// repeats reports whether t is a side of a comparison that the message shows:
// "actual: 3,". Of a drawn diff it is one if the diff shows it whole.
func (f *jsFault) repeats(t string, drawn bool) bool {
	key, value, _ := strings.Cut(t, ": ")
	if !oneOf(key, tapShown...) {
		return false
	}
	value = strings.Trim(value, `,'"`)
	for _, l := range f.body {
		if side, ok := strings.CutPrefix(strings.TrimLeft(l.Text, " +-"), "'"); drawn && ok && strings.Trim(side, `,'`) == value {
			return true
		}
	}
	return drawn && f.diff && hasAny(value, "[Array]", "[Object]") || f.says(0, 0, value)
}

// addOnce takes a line that is kept only the first time that said tells of.
func (f *jsFault) addOnce(l Line, said *bool) {
	part := partDetail
	if *said {
		part = partSkip
	}
	*said = true
	f.addAs(l, part)
}

func (f *jsFault) addAs(l Line, part jsPart) { f.body = append(f.body, jsLine{l, part}) }

// jsCode reports whether s is a line of a code frame, "> 12 | x" or "12| x",
// and whether it is the one that points at a column.
func jsCode(s string) (code, pointer bool) {
	t := strings.TrimPrefix(strings.TrimLeft(s, " "), ">")
	t = strings.TrimLeft(t, " ")
	n := digits(t)
	rest := strings.TrimLeft(t[n:], " ")
	if !strings.HasPrefix(rest, "|") {
		return false, false
	}
	if n == 0 {
		return strings.Trim(rest, "|^~ ") == "", strings.Contains(rest, "^")
	}
	return true, false
}

// jsCaret reports whether s is nothing but a pointer at the line above it.
func jsCaret(s string) bool {
	return strings.Trim(s, " \t~^") == "" && strings.Contains(s, "^")
}

// jsFrame reports whether s is a frame of a stack, and one of the project.
func jsFrame(s string) (frame, own bool) {
	t := strings.TrimLeft(s, " \t")
	switch {
	case strings.HasPrefix(t, "❯ "):
		frame = true
	case strings.HasPrefix(t, "at "):
		frame = hasSuffix(t, ")", ") {", "<anonymous>") || hasPrefix(t, "at node:", "at async node:") || lines.HasLocation(t)
	case strings.HasPrefix(t, "... ") && strings.Contains(t, " stack trace"):
		return true, false
	}
	if !frame {
		return false, false
	}
	_, own = lines.Frame(s)
	return true, own
}

// jsLayout reports whether s is drawn around what a fault says, or is one of
// the properties that say it once more.
func jsLayout(s string) bool {
	t := strings.TrimSpace(s)
	switch key, value, _ := strings.Cut(t, ": "); key {
	case "duration_ms", "stack", "type":
		return true
	case "name":
		return strings.Contains(value, "AssertionError")
	}
	return strings.Trim(t, "-.") == "" || jsProperty(t)
}

// jsRunner is in a frame of node itself or of a test runner.
var jsRunner = words{"node:", "(internal/", "node_modules/mocha/", "node_modules/jest-", "node_modules/@jest/", "node_modules/@vitest/", "node_modules/vitest/", "node_modules/tinypool/"}

// choose tells for each line of the body whether it is kept.
func (f *jsFault) choose() []bool {
	keep := make([]bool, len(f.body))
	located, stack, syntax, own, last, foreign := false, false, false, 0, -1, 0
	for _, l := range f.body {
		stack = stack || l.part == partOwn
		syntax = syntax || l.part == partMessage && strings.Contains(l.Text, "SyntaxError")
		located = located || l.part == partOwn || l.part == partMarked || l.part <= partDetail && lines.HasLocation(l.Text)
	}
	for i, l := range f.body {
		switch l.part {
		case partMessage:
			keep[i] = true
			if last >= 0 { // a new stack begins: that of the cause
				keep[last], own, last = true, 0, -1
			}
		case partDetail:
			keep[i] = true
		case partMarked:
			keep[i] = !stack || syntax // else the stack names the line, and the message says what of it
		case partOwn:
			own++
			keep[i], last = own <= jsFrames, i
		case partForeign:
			foreign++
			keep[i] = !located && foreign == 1 && !hasAny(l.Text, jsRunner...)
		}
	}
	if last >= 0 {
		keep[last] = true // most often the line of the test itself
	}
	f.again(keep)
	f.thinDiffs(keep)
	return keep
}

// again drops of a message what stands below it once more: behind the kind of its
// error, "Error: no such part" below "no such part", and its other lines below that.
func (f *jsFault) again(keep []bool) {
	var said []int // lines of the message
	for i, l := range f.body {
		if keep[i] && l.part == partMessage {
			said = append(said, i)
		}
	}
	text := func(i int) string { return strings.TrimSpace(f.body[said[i]].Text) }
	for n := 1; n <= len(said)/2; n++ {
		if _, first := errorOf(text(n)); first != text(0) {
			continue
		}
		same := 1
		for same < n && text(same) == text(n+same) {
			same++
		}
		if same == n {
			for _, i := range said[:n] {
				keep[i] = false
			}
		}
		return
	}
}

// errorOf reads the first line of a stack, "TypeError [CODE]: no such part"; kind is "" of
// any other.
func errorOf(t string) (kind, said string) {
	kind, said, ok := strings.Cut(strings.TrimSpace(t), ": ")
	if kind, _, _ = strings.Cut(kind, " ["); !ok || !strings.HasSuffix(kind, "Error") || strings.Contains(kind, " ") {
		return "", ""
	}
	return kind, said
}

// jsFaults remembers which faults were seen, so that equal ones are folded.
type jsFaults struct {
	n      int // faults so far
	keys   set
	like   tally                // distinct messages of one template, and of one place
	sites  set                  // places named with a key
	said   map[string][2]string // by template, the first message and its key
	named  int                  // repetitions that were named
	before string               // the title of the last of them
}

// jsNamed is how many repetitions of faults have their test's name: which tests
// fail tells more than where they say so. Of more, the places must do.
const jsNamed = 100

// jsLike is how many messages that differ only in numbers or paths are told
// apart; those beyond are the same fault again.
const jsLike = 8

// jsHere is the same for messages of one kind from one line of a test: those
// of a table of cases.
const jsHere = 3

// jsWhole is how many distinct faults are given out whole; of later ones the
// title, jsBrief lines of the message and the last own frame.
const (
	jsWhole = 30
	jsBrief = 5
)

// emit gives out a fault. lead is a line above it, of the file: it goes out
// with the first fault that is not a repetition.
func (fs *jsFaults) emit(f *jsFault, lead *[]Line, emit Emit) {
	fs.n++
	rec := Record{Class: f.class.unless(f.class == Body, Failure), Site: f.site()}
	key, other := fs.key(f, rec.Site)
	rec.Key = key
	// Where the place says nothing new, the title does.
	switch named := rec.Key + rec.Site; {
	case other != "":
		rec.Site = other
	case fs.sites[named]:
		rec.Site = f.number() + f.title()
	default:
		fs.sites.add(named, jsKeys)
	}
	if fs.keys[rec.Key] {
		if title := f.title(); fs.named < jsNamed && rec.Site != f.number()+title && title != "Test suite failed to run" && (other == "" || !strings.Contains(title, other)) {
			fs.named++
			if !strings.HasSuffix(title, " "+rec.Site) { // or it names the place
				rec.Site = strings.TrimSpace(rec.Site + " " + f.number() + fs.after(title))
			}
		}
		rec.Lines = f.lines()
		emit(rec)
		return
	}
	fs.keys.add(rec.Key, unlimited)
	rec.Lines = append(take(lead), f.head...)
	var rest []Line
	choice := f.choose()
	if len(fs.keys) > jsWhole {
		f.shorten(choice)
	}
	for i, keep := range choice {
		switch l := f.body[i]; {
		case keep:
			rec.Lines = append(rec.Lines, l.Line)
		case l.part == partCode, l.part == partSkip && jsLayout(l.Text), l.part == partForeign && hasAny(l.Text, jsRunner...):
			emit.line(Folded, l.Line) // the place of the line it shows is there, or it is in every stack
		default:
			rest = append(rest, l.Line)
		}
	}
	if len(fs.keys) > jsWhole {
		rec.Brief = len(rec.Lines)
	}
	if file, _, _ := strings.Cut(f.in, " > "); file != "" && !strings.Contains(joined(rec.Lines), file) {
		rec.Note = "[in " + f.in + "]"
	}
	emit(rec)
	emit.block(Good, &rest)
}

// after is a title in a list of titles: what it begins with like the one before
// it is left out.
func (fs *jsFaults) after(title string) string {
	same, words := 0, 0
	for i := 0; i < len(title) && i < len(fs.before) && title[i] == fs.before[i]; i++ {
		if title[i] == ' ' {
			same, words = i+1, words+1
		}
	}
	if fs.before = title; words < 2 {
		return title
	}
	return "… " + title[same:]
}

// lines are all of a fault's.
func (f *jsFault) lines() []Line {
	ls := f.head
	for _, l := range f.body {
		ls = append(ls, l.Line)
	}
	return ls
}

// shorten leaves of a choice what a late fault is worth.
func (f *jsFault) shorten(keep []bool) {
	said, last := 0, -1
	for i, l := range f.body {
		if keep[i] && l.part == partMessage {
			said++
			keep[i] = said <= jsBrief
			continue
		}
		if keep[i] && l.part == partOwn {
			last = i
		}
		keep[i] = keep[i] && l.part == partForeign
	}
	if last >= 0 {
		keep[last] = true
	}
}

// number is that of the fault in the runner's list, "12) ", or "".
func (f *jsFault) number() string {
	for _, l := range f.head {
		t := strings.TrimSpace(l.Text)
		if enumerated(t) {
			return t[:strings.Index(t, ") ")+2]
		}
		if n, _ := tapNumber(t); n != "" {
			return n + " "
		}
	}
	return ""
}

// title is the name of the test without the runner's marks.
func (f *jsFault) title() string {
	var words []string
	if f.in != "" {
		words = append(words, strings.ReplaceAll(f.in, " > ", " › "))
	}
	for _, l := range f.head {
		t := strings.TrimSpace(l.Text)
		if strings.HasPrefix(t, "test at ") {
			continue
		}
		if strings.HasPrefix(t, "⎯") { // the title of a section, not of a test
			for _, b := range f.body {
				if b.part == partMessage {
					t = strings.TrimSpace(b.Text)
					break
				}
			}
		}
		if enumerated(t) {
			_, t, _ = strings.Cut(t, ") ")
		}
		_, t = tapNumber(t)
		t = strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(t, "●"), "✖"), "FAIL")
		words = append(words, strings.TrimSuffix(strings.TrimSpace(t), ":"))
	}
	return strings.Join(words, " › ")
}

// key is equal for faults with the same message; and for those without a place
// whose message names another file in one place, which is other then.
func (fs *jsFaults) key(f *jsFault, site string) (key, other string) {
	first := ""
	var b strings.Builder
	for _, l := range f.body {
		if l.part == partMessage {
			if first == "" {
				first = lines.Template(l.Text)
			}
			b.WriteString(strings.TrimSpace(l.Text))
			b.WriteByte('\n')
		}
	}
	if b.Len() == 0 {
		for _, l := range f.head {
			b.WriteString(strings.TrimSpace(l.Text))
		}
	}
	exact, alike := jsHash(b.String()), "~"+jsHash(lines.Template(b.String()))
	if fs.keys[exact] || len(fs.keys) >= jsKeys {
		return exact, ""
	}
	if before, ok := fs.said[alike]; ok && site == "" {
		if other := otherFile(before[0], b.String()); other != "" {
			return before[1], other
		}
	} else if site == "" {
		if fs.said == nil {
			fs.said = map[string][2]string{}
		}
		fs.said[alike] = [2]string{b.String(), exact}
	}
	if site != "" && first != "" {
		here := "@" + jsHash(site+first)
		if fs.like.next(here) > jsHere {
			return here, ""
		}
	}
	if fs.like.next(alike) > jsLike {
		return alike, ""
	}
	return exact, ""
}

// otherFile is the path in text b by which alone it differs from a, or "".
func otherFile(a, b string) string {
	was, is := strings.Fields(a), strings.Fields(b)
	if len(was) != len(is) {
		return ""
	}
	from, other := "", ""
	for i := range is {
		switch {
		case was[i] == is[i]:
		case other == "", other == is[i] && from == was[i]:
			from, other = was[i], is[i]
		default:
			return ""
		}
	}
	other = strings.Trim(other, `'"().,:;`)
	if dir := strings.LastIndexByte(other, '/'); dir < 0 || !strings.Contains(other[dir:], ".") || strings.Contains(other, "://") {
		return ""
	}
	return other
}

const jsKeys = 4096 // faults remembered

func jsHash(s string) string {
	h := fnv.New64a()
	h.Write([]byte(s))
	return strconv.FormatUint(h.Sum64(), 36)
}

// site is where the test stands: the last own frame, or the file.
func (f *jsFault) site() string {
	for i := len(f.body) - 1; i >= 0; i-- {
		if f.body[i].part == partOwn {
			if loc := lines.Location(f.body[i].Text); loc != "" {
				return loc
			}
		}
	}
	return f.file
}
