package record

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"cairn/internal/compact/lines"
)

// A testReport is what a test runner wrote as JSON about tests of which some
// failed: the failures as the runner prints them for people, for the parser of
// those, and the totals.
type testReport struct {
	Parser
	text   []Line
	line   int    // of the output, where the next text stands
	failed int    // tests, and files that could not be run
	file   string // of the last of them
	totals *jsonNode
	counts func(key string) bool // whether a key of totals is one
}

// reports are the formats, by the keys of their documents.
var reports = []struct {
	keys words
	read func(*testReport, *jsonNode)
}{
	{words{"testResults", "numTotalTests"}, (*testReport).jest}, // and vitest
	{words{"stats", "failures", "passes"}, (*testReport).mocha},
	{words{"examples", "summary_line"}, (*testReport).rspec},
	{words{"tests", "summary", "exitcode"}, (*testReport).pytest},
	{words{"suites", "config", "stats"}, (*testReport).playwright},
}

// report reads a document that is a report of tests of which some failed, else nil.
func (n *jsonNode) report() *testReport {
	for _, format := range reports {
		all := !n.open
		for _, key := range format.keys {
			all = all && n.get(key) != nil
		}
		if !all {
			continue
		}
		r := &testReport{line: n.line, totals: n, counts: func(string) bool { return true }}
		if format.read(r, n); r.failed > 0 {
			return r
		}
	}
	return nil
}

// fails reports whether n is a test that failed.
func (n *jsonNode) fails() bool {
	if n.kind != '{' {
		return false
	}
	for _, key := range []string{"failureMessages", "err", "exception"} {
		if k := n.get(key); k != nil && len(k.kids) > 0 {
			return true
		}
	}
	return oneOf(n.str("status"), "failed", "unexpected") || n.str("outcome") == "failed"
}

// reported takes the reports out of the documents, and tells what failed, unless
// the runner told people, too.
func (p *documents) reported(emit Emit) {
	p.read.root.kids, _ = split(p.read.root.kids, func(_ int, n *jsonNode) bool {
		r := n.report()
		if r != nil {
			if p.failures >= r.failed {
				r.text = nil
			}
			r.emit(emit)
			p.read.root.n--
		}
		return r == nil
	})
}

func (r *testReport) emit(emit Emit) {
	told := func(rec Record) {
		if rec.Class >= Warn || rec.Class == Body {
			rec.Instead = true
			emit(rec)
		}
	}
	p := runnerOf(r.Parser)
	for _, l := range r.text {
		p.Line(l, told)
	}
	p.Close(told)
	var counts []string
	for _, k := range r.totals.kids {
		if k.kind == '0' && k.text != "0" && r.counts(k.key) {
			counts = append(counts, k.key+" "+k.text)
		}
	}
	if len(counts) > 0 {
		told(Record{Class: Keep, Lines: []Line{{N: r.line, Text: strings.Join(counts, ", ")}}})
	}
}

// say adds text; each of its lines stands behind lead.
func (r *testReport) say(lead, s string) {
	for _, t := range strings.Split(strings.TrimRight(s, "\n"), "\n") {
		r.text = append(r.text, Line{N: r.line, Text: strings.TrimRight(lead+lines.Clean(t), " ")})
	}
}

// begin adds the title of a failure that begins at n.
func (r *testReport) begin(n *jsonNode, title string) {
	r.line = max(r.line, n.line)
	r.failed++
	r.say("", "")
	r.say("", title)
	r.say("", "")
}

// in names the file of the next failures.
func (r *testReport) in(file string) {
	if file != r.file && file != "" {
		r.say("", "FAIL "+file)
		r.file = file
	}
}

// str returns the string under a key, unescaped; "" for none.
func (n *jsonNode) str(key string) (s string) {
	if k := n.get(key); k != nil {
		s = k.string()
	}
	return s
}

func (n *jsonNode) string() (s string) {
	if json.Unmarshal([]byte(n.text), &s) != nil {
		return n.text
	}
	return s
}

// list are the entries of a key's list, or of its object.
func (n *jsonNode) list(key string) []*jsonNode {
	if k := n.get(key); k != nil {
		return k.kids
	}
	return nil
}

func (r *testReport) jest(n *jsonNode) {
	r.Parser = &jest{}
	for _, file := range n.list("testResults") {
		before := r.failed
		for _, test := range file.list("assertionResults") {
			said := test.list("failureMessages")
			if test.str("status") != "failed" && len(said) == 0 {
				continue
			}
			r.in(file.str("name"))
			r.begin(test, "  ● "+cmp.Or(test.str("fullName"), test.str("title")))
			for _, s := range said {
				r.say("    ", s.string())
			}
		}
		if message := file.str("message"); file.str("status") == "failed" && message != "" && r.failed == before {
			r.in(file.str("name"))
			r.failed++
			if !strings.Contains(message, "●") { // vitest
				message = "  ● Test suite failed to run\n\n    " + strings.ReplaceAll(message, "\n", "\n    ")
			}
			r.say("", message)
		}
	}
	r.counts = func(key string) bool { return strings.HasPrefix(key, "num") }
}

func (r *testReport) mocha(n *jsonNode) {
	r.Parser = &jest{} // a file, a title and a message below, as jest has them
	for _, test := range n.list("failures") {
		err := test.get("err")
		if err == nil {
			continue
		}
		r.in(test.str("file"))
		r.begin(test, "  ● "+cmp.Or(test.str("fullTitle"), test.str("title")))
		said := cmp.Or(err.str("stack"), err.str("message"))
		if message := err.str("message"); !strings.Contains(said, message) {
			r.say("    ", message)
		}
		if expected, actual := err.str("expected"), err.str("actual"); expected != "" && !strings.Contains(said, "+ actual - expected") && !(strings.Contains(said, expected) && strings.Contains(said, actual)) {
			message, frames, _ := strings.Cut(said, "\n    at ")
			said = message + "\n\n" + sides(expected, actual) + "\n    at " + frames
		}
		r.say("    ", said)
	}
	r.totals = n.get("stats")
	r.counts = func(key string) bool { return key != "duration" }
}

// sides are two values, each on lines of its own, without those at both ends that
// they share.
func sides(expected, actual string) string {
	want, got := strings.Split(expected, "\n"), strings.Split(actual, "\n")
	for len(want) > 1 && len(got) > 1 && want[0] == got[0] {
		want, got = want[1:], got[1:]
	}
	for len(want) > 1 && len(got) > 1 && want[len(want)-1] == got[len(got)-1] {
		want, got = want[:len(want)-1], got[:len(got)-1]
	}
	return "+ expected - actual\n-" + strings.Join(got, "\n-") + "\n+" + strings.Join(want, "\n+") + "\n"
}

func (r *testReport) rspec(n *jsonNode) {
	r.Parser = &rspec{}
	var again []string
	r.say("", "Failures:")
	for _, test := range n.list("examples") {
		err := test.get("exception")
		if test.str("status") != "failed" || err == nil {
			continue
		}
		r.begin(test, fmt.Sprintf("  %d) %s", r.failed+1, test.str("full_description")))
		if class := err.str("class"); !strings.HasPrefix(class, "RSpec::Expectations::") {
			r.say("     ", class+":")
		}
		r.say("     ", strings.Trim(err.str("message"), "\n"))
		for _, frame := range err.list("backtrace") {
			r.say("     # ", frame.string())
		}
		again = append(again, "rspec "+test.str("file_path")+":"+test.str("line_number")+" # "+test.str("full_description"))
	}
	r.say("", "\n"+n.str("summary_line")+"\n\nFailed examples:\n\n"+strings.Join(again, "\n"))
	r.totals = &jsonNode{}
}

func (r *testReport) pytest(n *jsonNode) {
	r.Parser = &pytest{}
	r.say("", "=========== FAILURES ===========")
	for _, key := range []string{"collectors", "tests"} {
		for _, test := range n.list(key) {
			for _, part := range append([]*jsonNode{test}, test.kids...) {
				if said := part.str("longrepr"); said != "" && part.str("outcome") == "failed" {
					r.begin(test, "___________ "+test.str("nodeid")+" ___________")
					r.say("", said)
					if crash := part.get("crash"); crash != nil && !strings.Contains(said, ":"+crash.str("lineno")+": ") {
						r.say("", crash.str("path")+":"+crash.str("lineno")+": "+crash.str("message"))
					}
				}
			}
		}
	}
	r.totals = n.get("summary")
}

func (r *testReport) playwright(n *jsonNode) {
	r.Parser = &playwright{}
	for _, err := range n.list("errors") {
		r.failed++
		r.say("", cmp.Or(err.str("stack"), err.str("message")))
	}
	for _, suite := range n.list("suites") {
		r.suite(suite, "")
	}
	r.totals = n.get("stats")
	r.counts = func(key string) bool { return key != "duration" }
}

// suite reads a suite of Playwright's, and those in it.
func (r *testReport) suite(n *jsonNode, above string) {
	for _, spec := range n.list("specs") {
		for _, test := range spec.list("tests") {
			said := set{}
			for _, result := range test.list("results") {
				err := result.get("error")
				if err == nil || test.str("status") != "unexpected" {
					continue
				}
				message := cmp.Or(err.str("stack"), err.str("message"))
				if said[message] { // a retry
					continue
				}
				said.add(message, jsKeys)
				place := spec.str("file") + ":" + spec.str("line") + ":" + spec.str("column")
				r.begin(test, fmt.Sprintf("  %d) [%s] › %s › %s%s ────────", r.failed+1, test.str("projectName"), place, above, spec.str("title")))
				r.say("    ", message)
			}
		}
	}
	for _, in := range n.list("suites") {
		r.suite(in, above+in.str("title")+" › ")
	}
}
