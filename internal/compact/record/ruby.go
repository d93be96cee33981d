package record

import (
	"slices"
	"strings"

	"cairn/internal/compact/lines"
)

// rubyOwn is how many own frames are kept of a Ruby backtrace, innermost
// first.
const rubyOwn = 2

// thinRuby splits lines with Ruby backtraces in them into those to keep and
// the frames to leave out: the first own frames stay, and the last one if it
// is in another file, as a test that calls the program. Of a backtrace
// without any the first frame stays.
func thinRuby(ls []Line) (keep, drop []Line) {
	for i := 0; i < len(ls); {
		if !rubyFrame(ls[i].Text) {
			keep = append(keep, ls[i])
			i++
			continue
		}
		end := i + 1
		for end < len(ls) && rubyFrame(ls[end].Text) {
			end++
		}
		wanted := rubyWanted(ls[i:end])
		k, d := split(ls[i:end], func(n int, _ Line) bool { return wanted[n] })
		keep, drop = append(keep, k...), append(drop, d...)
		i = end
	}
	return keep, drop
}

// rubyWanted chooses the frames of one backtrace that are kept.
func rubyWanted(frames []Line) map[int]bool {
	wanted, places, files := map[int]bool{}, map[string]bool{}, map[string]bool{}
	last := -1
	for i, l := range frames {
		if hasAny(l.Text, rubyForeign...) {
			continue
		}
		last = i
		place := lines.Location(l.Text)
		if files[rubyFile(place)] && rubyLoop(l.Text) {
			places[place] = true
		}
		if len(wanted) < rubyOwn && !places[place] {
			wanted[i], places[place], files[rubyFile(place)] = true, true, true
		}
	}
	switch {
	case last < 0:
		wanted[0] = true
	case !files[rubyFile(lines.Location(frames[last].Text))]:
		wanted[last] = true
	}
	return wanted
}

// rubyLoop reports whether a frame is the call of a method of Ruby's own that
// ran the block above it.
func rubyLoop(t string) bool {
	_, method, _ := strings.Cut(t, ":in ")
	method = method[strings.LastIndexByte(method, '#')+1:] // Ruby 3.4 says 'Array#each'
	return oneOf(strings.Trim(method, "`'"), "each", "each_with_index", "each_pair", "each_with_object", "map", "flat_map", "times", "tap", "then", "loop", "upto", "step")
}

func rubyFile(place string) string {
	file, _, _ := strings.Cut(place, ".rb:")
	return file
}

// rubyFrame reports whether t is a line of a backtrace: "file.rb:3:in `m'",
// perhaps indented, behind "# " or "from ", or without the method.
func rubyFrame(t string) bool {
	t = strings.TrimLeft(t, " \t")
	t, hash := strings.CutPrefix(t, "# ")
	t = strings.TrimPrefix(t, "from ")
	place, _, in := strings.Cut(t, ":in ")
	if !in && !hash || strings.Contains(place, " ") {
		return false
	}
	file := strings.TrimRight(place, "0123456789")
	return len(file) > 1 && file != place && strings.HasSuffix(file, ":")
}

var rubyForeign = words{"/gems/", "/lib/ruby/", "<internal:", "/bundler/", "/bin/rspec", "/bin/bundle"}

// rubyPlace is the first place of a backtrace in the project.
func rubyPlace(ls []Line) string {
	for _, l := range ls {
		if rubyFrame(l.Text) && !hasAny(l.Text, rubyForeign...) {
			return lines.Location(l.Text)
		}
	}
	return ""
}

// emitRuby emits a failure whose first line names it.
func emitRuby(ls []Line, r *reasons, emit Emit) {
	keep, drop := thinRuby(thinRubyText(ls, emit))
	frames := set{}
	keep, again := split(keep, func(_ int, l Line) bool { // several expectations failed in one place
		t := strings.TrimSpace(l.Text)
		known := frames[t] && rubyFrame(l.Text)
		frames.add(t, rspecMax)
		return !known
	})
	emit.each(Folded, again)
	site := strings.TrimSpace(keep[0].Text)
	file, loading := strings.CutPrefix(site, "An error occurred while loading ")
	if file, _, _ = strings.Cut(file, ". - Did you mean?"); loading {
		site = strings.TrimSuffix(file, ".")
	}
	place := rubyPlace(keep[1:])
	key := r.key(said(keep[1:], rubyFrame) + place)
	shown := keep
	if loading && slices.ContainsFunc(keep[1:], func(l Line) bool { return rubyFrame(l.Text) && strings.Contains(l.Text, site) }) {
		emit.line(Folded, keep[0]) // a frame names the file
		shown = keep[1:]
	}
	emit(Record{Class: Failure, Key: key, Site: r.where(key, site, place), Lines: shown})
	named := map[string]bool{}
	for _, l := range keep {
		named[rubyFile(lines.Location(l.Text))] = true
	}
	for _, l := range drop {
		emit.line(Good.unless(!hasAny(l.Text, rubyForeign...) && named[rubyFile(lines.Location(l.Text))], Folded), l) // another line of a file that is there
	}
}

// thinRubyText leaves out of a failure what it says twice: the code of a line
// whose place it names, drawn with carets below it, and the diff of two values
// that stand above it, each on a line.
func thinRubyText(ls []Line, emit Emit) []Line {
	drop := make([]bool, len(ls))
	placed, values := false, 0
	for _, l := range ls {
		placed = placed || rubyFrame(l.Text) && !hasAny(l.Text, rubyForeign...)
	}
	for i := 0; i < len(ls); i++ {
		t := strings.TrimSpace(ls[i].Text)
		switch {
		case hasPrefix(t, "expected: ", "got: ") && len(t) <= rubyValue:
			values++
		case strings.HasPrefix(t, "@@ ") && strings.HasSuffix(t, " @@"):
			drop[i] = true
		case pyCaret(t) && strings.Contains(t, "^") && i > 0 && placed:
			drop[i], drop[i-1] = true, true
		case t == "Diff:":
			for j := i; j < len(ls) && !rubyFrame(ls[j].Text) && !rubyNumbered(ls[j].Text); j++ {
				if s := strings.TrimSpace(ls[j].Text); values >= 2 || hasPrefix(s, "@@ ") {
					drop[j] = true
				}
				i = j
			}
			values = 0
		}
	}
	keep, rest := split(ls, func(i int, _ Line) bool { return !drop[i] })
	emit.each(Folded, rest)
	return keep
}

// rubyValue is how long a value may be that its diff need not show once more.
const rubyValue = 160

func rubyNumbered(t string) bool {
	_, ok := rubyNumber(t)
	return ok
}

// rubyNumber reads the number of an entry in a list, "  12) …" or "  2.1) …",
// and gives what follows.
func rubyNumber(t string) (rest string, ok bool) {
	s := strings.TrimLeft(t, " ")
	n := 0
	for n < len(s) && (isDigit(s[n]) || n > 0 && s[n] == '.') {
		n++
	}
	if n == 0 || s == t {
		return "", false
	}
	return strings.CutPrefix(s[n:], ") ")
}

// rubyDots reports whether t is progress, a character for a test.
func rubyDots(t string) bool {
	return t != "" && strings.Trim(t, ".FE*SPON") == ""
}

// rubyTotals reports whether t is a runner's totals: "14 examples, 4
// failures, 1 pending", "9 runs, 9 assertions, 2 failures, 0 errors".
func rubyTotals(t string) bool {
	if t == "" || !isDigit(t[0]) {
		return false
	}
	_, rest, _ := strings.Cut(t, " ")
	return hasPrefix(rest, "example, ", "examples, ", "runs, ", "run, ", "tests, ", "test, ") && hasAny(rest, " failure", " assertion")
}

// rubyRun is the parser for a Ruby program: an exception that nobody caught
// with the first own frames of its backtrace. All else is text.
type rubyRun struct {
	trace []Line
	text  plainText
}

const rubyTrace = 200 // lines held of one backtrace

func (p *rubyRun) Line(l Line, emit Emit) {
	s := l.Text
	switch {
	case rubyRaised(s):
		p.flush(emit)
		p.text.Close(emit)
		p.trace = []Line{l}
	case p.trace != nil && len(p.trace) < rubyTrace && (rubyFrame(s) && indented(s) || strings.HasPrefix(strings.TrimLeft(s, "\t "), "... ")),
		p.trace != nil && len(p.trace) < 10 && !lines.Blank(s) && !strings.Contains(p.trace[len(p.trace)-1].Text, "\tfrom ") && !strings.HasSuffix(p.trace[len(p.trace)-1].Text, ")"):
		p.trace = append(p.trace, l) // a message of several lines
	default:
		p.flush(emit)
		p.text.Line(l, emit)
	}
}

func (p *rubyRun) flush(emit Emit) {
	if trace := take(&p.trace); trace != nil {
		keep, drop := thinRuby(trace[1:])
		if len(keep) == 1 && hasAny(keep[0].Text, rubyForeign...) { // the first line names such a place already
			drop, keep = append(drop, keep...), nil
		}
		keep = append([]Line{trace[0]}, keep...)
		emit(Record{Class: Failure, Key: lines.Template(keep[0].Text), Site: lines.Location(keep[0].Text), Brief: 1, Lines: keep})
		emitDropped(drop, emit)
	}
}

func (p *rubyRun) Close(emit Emit) {
	p.flush(emit)
	p.text.Close(emit)
}

// rubyRaised reports whether s begins what Ruby prints of an exception:
// "app.rb:3:in `run': no such part (KeyError)", of which a long message goes
// on below.
func rubyRaised(s string) bool {
	place, rest, ok := strings.Cut(s, ": ")
	if !ok || indented(s) || strings.HasPrefix(s, "from ") {
		return false
	}
	file, _, _ := strings.Cut(place, ":in ")
	number := strings.LastIndexByte(file, ':')
	return number > 0 && digitsOnly(file[number+1:]) && number+1 < len(file) && (strings.Contains(place, ":in ") || strings.HasSuffix(rest, "Error)")) && !strings.ContainsAny(file, " \t(")
}

// minitest is the parser for minitest, the runner of Rails, and test-unit.
type minitest struct {
	failure []Line
	skipped bool // it is not a failure but a test that was skipped
	rails   bool // it ends with the command that runs the test again
	text    plainText
	reasons reasons
}

const minitestMax = 300 // lines held of one failure

func (p *minitest) Line(l Line, emit Emit) {
	t := strings.TrimRight(l.Text, " ")
	rest, number := rubyNumber(t + " ")
	listed := number && oneOf(strings.TrimSpace(rest), "Failure:", "Error:", "Skipped:")
	what, deprecated := minitestDeprecated(t)
	switch {
	case listed, t == "Failure:", t == "Error:", hasPrefix(t, "Failure: test", "Error: test"):
		p.Close(emit)
		p.failure, p.skipped, p.rails = []Line{l}, listed && strings.TrimSpace(rest) == "Skipped:", !listed
		return
	case rubyTotals(t):
		p.Close(emit)
		emit.line(Keep, l)
		return
	case deprecated:
		emit(Record{Class: Warn, Key: what, Site: lines.Location(t), Lines: []Line{l}})
		return
	case p.failure != nil && (t == "---Backtrace---" || t == "---------------"):
		emit.line(Folded, l)
		return
	case p.failure != nil && !minitestRow(t):
		full := len(p.failure) >= minitestMax
		emit.hold(&p.failure, minitestMax, Noise, l)
		if !full && p.rails && hasPrefix(t, minitestAgain...) {
			p.Close(emit)
		}
		return
	}
	p.Close(emit)
	if result, ok := minitestResult(t); ok {
		p.text.Close(emit)
		if oneOf(result, "E", "F") {
			emit.line(Keep, l)
		} else {
			emit.count(map[string]string{".": "passed", "S": "skipped"}[result], l)
		}
		return
	}
	m, ok := minitestForms.mark(t)
	if !ok {
		p.text.Line(l, emit)
		return
	}
	emit(m.record(l))
}

var minitestForms = forms{
	{class: Good, test: rubyDots},
	{class: Good, test: minitestRow},
	{class: Good, is: words{"", "# Running:", "# Running tests:"}},
	{class: Good, start: words{"Run options: ", "Finished in ", "Started", "Loaded suite ", "You have skipped tests."}},
	{class: Good, start: words{"Running "}, has: words{" tests in "}},
}

func (p *minitest) Close(emit Emit) {
	p.text.Close(emit)
	if p.skipped {
		emit.block(Good, &p.failure)
	} else if failure := take(&p.failure); failure != nil {
		emitRuby(failure, &p.reasons, emit)
	}
}

// minitestResult reads a verbose line: "TestCart#test_total = 0.00 s = .".
func minitestResult(t string) (result string, ok bool) {
	before, result, ok := strings.Cut(t[max(0, len(t)-len(" s = .")):], " s = ")
	name := t[:max(0, len(t)-len(" s = ."))]
	if !ok || before != "" || !strings.Contains(name, "#test_") && !strings.Contains(name, " = ") && strings.Trim(name, "0123456789.") != "" {
		return "", false
	}
	return result, len(result) == 1
}

// minitestDeprecated reads what Minitest 5 says of each expectation that 6 will
// not have, wherever the dots of the tests were: ".DEPRECATED: global use of
// must_equal from test/a.rb:3. Use …".
func minitestDeprecated(t string) (what string, ok bool) {
	i := strings.Index(t, "DEPRECATED: ")
	if i < 0 {
		return "", false
	}
	what, rest, ok := strings.Cut(t[i:], " from ")
	return what, ok && strings.Contains(rest, ". Use ")
}

// minitestAgain begins how Rails says to run a test again.
var minitestAgain = words{"bin/rails test ", "rails test ", "bin/test "}

// minitestRow reports whether t is a rule as test-unit draws them.
func minitestRow(t string) bool {
	return len(t) > 60 && (strings.Trim(t, "=") == "" || strings.Trim(t, "-") == "")
}
