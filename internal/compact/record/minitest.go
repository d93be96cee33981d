package record

import (
	"strings"

	"cairn/internal/compact/lines"
)

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
		p.end(emit)
		p.failure, p.skipped, p.rails = []Line{l}, listed && strings.TrimSpace(rest) == "Skipped:", !listed
		return
	case rubyTotals(t):
		p.end(emit)
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
		if !full && p.rails && minitestAgain(t) {
			p.end(emit)
		}
		return
	}
	p.end(emit)
	rec := Record{Class: Good, Lines: []Line{l}}
	switch result, ok := minitestResult(t); {
	case ok && result == ".":
		rec.Count = "passed"
	case ok && result == "S":
		rec.Count = "skipped"
	case ok, t == "", rubyDots(t), minitestRow(t), strings.HasPrefix(t, "Run options: "), t == "# Running:", t == "# Running tests:",
		hasPrefix(t, "Finished in ", "Started", "Loaded suite "), strings.HasPrefix(t, "Running ") && strings.Contains(t, " tests in "),
		strings.HasPrefix(t, "You have skipped tests."):
	default:
		p.text.Line(l, emit)
		return
	}
	emit(rec)
}

func (p *minitest) end(emit Emit) {
	p.text.Close(emit)
	switch {
	case p.failure == nil:
	case p.skipped:
		emit(Record{Class: Good, Lines: p.failure})
	default:
		emitRuby(p.failure, &p.reasons, emit)
	}
	p.failure = nil
}

func (p *minitest) Close(emit Emit) { p.end(emit) }

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

// minitestAgain reports whether t is how Rails says to run a test again.
func minitestAgain(t string) bool {
	return hasPrefix(t, "bin/rails test ", "rails test ", "bin/test ")
}

// minitestRow reports whether t is a rule as test-unit draws them.
func minitestRow(t string) bool {
	return len(t) > 60 && (strings.Trim(t, "=") == "" || strings.Trim(t, "-") == "")
}
