package record

import (
	"cmp"
	"strings"

	"cairn/internal/compact/lines"
)

// xmlTests is the parser for reports of tests in XML. Each test that failed stays as it is,
// with what it printed; of a stack that goes on and on the frames of others go. Those that
// passed or were skipped are counted, and so are suites in which nothing failed.
//
// Formats: JUnit's, as written by almost every runner (surefire, Gradle, pytest, phpunit,
// vitest, mocha), TestNG's results, NUnit 3, xUnit.net 2, and Visual Studio's .trx.
type xmlTests struct {
	scan    xmlScan
	open    *xmlCase
	suites  []xmlSuite
	reasons reasons
	around  int // lines shown that are of no test
}

// An xmlCase is a test.
type xmlCase struct {
	depth   int // of what it stands in
	name    string
	tag     string // its attributes
	failed  bool
	passed  bool   // or was skipped, as its tag says
	skip    bool   // it was skipped
	prints  bool   // it printed something
	printed int    // lines that it printed and are held
	says    string // why it failed
	lines   []Line
	cut     bool // its lines are parts of one
	ended   bool
}

// An xmlSuite is what tests stand in.
type xmlSuite struct {
	depth int
	name  string
	first Line // its tag
	cut   bool
	told  bool
	fails bool // by its tag
}

const (
	xmlCaseLines = 200 // lines of what a test printed that are held; of all, twice as many
	xmlOwn       = 6   // frames of the project shown of a stack
	xmlForeign   = 2   // and others
	xmlAround    = 60  // lines of no test
)

// xmlTestRoots are what reports of tests begin with.
var xmlTestRoots = words{"testsuites", "testsuite", "testng-results", "TestRun", "assemblies", "assembly", "test-run"}

// xmlReports are what other reports begin with: checkstyle and its like, cobertura and
// jacoco, pmd, spotbugs, lint, cppcheck.
var xmlReports = append(words{"coverage", "pmd-cpd", "BugCollection"}, xmlFindingRoots...)

var (
	xmlCases   = words{"testcase", "test-method", "test-case", "UnitTestResult"}
	xmlSuites  = words{"testsuite", "testsuites", "suite", "class", "assembly", "assemblies", "collection", "test-suite", "test-run", "Results", "TestRun", "testng-results"}
	xmlFailure = words{"failure", "error", "flakyFailure", "flakyError", "rerunFailure", "rerunError", "exception", "ErrorInfo", "fault"}
	xmlPrints  = words{"system-out", "system-err", "output", "StdOut", "StdErr", "DebugTrace", "reporter-output"}
	// xmlAside are elements that say nothing of how the tests went.
	xmlAside = words{"properties", "TestDefinitions", "TestEntries", "TestLists", "Times", "TestSettings", "groups", "environment", "settings", "filter", "traits"}
)

func (p *xmlTests) Line(l Line, emit Emit) {
	if strings.Contains(l.Text, "><") || p.open == nil {
		if at := p.scan.cuts(l.Text); len(at) > 0 && (len(at) > 1 || p.open == nil) && !l.Keep {
			emit.line(Folded, Line{N: l.N})
			from := 0
			for _, i := range append(at, len(l.Text)) {
				p.take(Line{N: l.N, Text: l.Text[from:i]}, true, emit)
				from = i
			}
			return
		}
	}
	p.take(l, false, emit)
}

// take takes a line, or a part of one, in which at most one element begins.
func (p *xmlTests) take(l Line, cut bool, emit Emit) {
	var suite, ended bool
	aside := p.scan.within(xmlAside...)
	p.scan.line(l.Text, func(name string, _ int) {
		switch {
		case p.open != nil:
		case oneOf(name, xmlCases...), name == "test" && p.scan.within("collection"):
			p.open = &xmlCase{depth: len(p.scan.stack), name: name, cut: cut}
		case oneOf(name, xmlSuites...), name == "test" && p.scan.within("suite"):
			suite = true
			p.suites = append(p.suites, xmlSuite{depth: len(p.scan.stack), name: name, first: l, cut: cut})
		}
	}, p.tagged, func(name string) {
		if c := p.open; c != nil {
			c.ended = len(p.scan.stack) <= c.depth
			return
		}
		ended = true
		p.leave(emit)
	})
	switch c := p.open; {
	case c != nil:
		p.inCase(c, l, cut, emit)
	case suite:
		p.enter(l, emit)
	case lines.Blank(l.Text), ended && strings.HasPrefix(strings.TrimSpace(l.Text), "</"), aside, p.scan.within(xmlAside...), oneOf(xmlRoot(l.Text), xmlAside...):
		give(Folded, l, cut, emit)
	default:
		p.beside(l, cut, emit)
	}
}

// give gives a line as it is, or a part of one in its stead.
func give(c Class, l Line, cut bool, emit Emit) {
	if cut && c == Folded {
		return
	}
	emit(Record{Class: c, Instead: cut, Lines: []Line{{N: l.N, Text: lines.Clip(l.Text), Keep: l.Keep}}})
}

// tagged takes what a complete tag says.
func (p *xmlTests) tagged(name, attributes string) {
	c := p.open
	if c == nil {
		if n := len(p.suites); n > 0 && p.suites[n-1].name == name && p.suites[n-1].depth == len(p.scan.stack)-1 {
			for _, key := range []string{"failures", "errors", "failed", "error"} {
				p.suites[n-1].fails = p.suites[n-1].fails || strings.Trim(xmlAttribute(attributes, key), "0") != ""
			}
		}
		return
	}
	switch {
	case len(p.scan.stack) == c.depth+1:
		c.tag = attributes
		how := cmp.Or(xmlAttribute(attributes, "status"), xmlAttribute(attributes, "result"), xmlAttribute(attributes, "outcome"))
		switch strings.ToLower(how) {
		case "fail", "failed", "failure", "error", "timeout", "aborted", "broken":
			c.failed = true
		case "skip", "skipped", "ignored", "disabled", "notrun", "notexecuted", "pending":
			c.skip = true
		}
	case oneOf(name, xmlFailure...):
		c.failed = true
		c.says += xmlAttribute(attributes, "message")
	case oneOf(name, "skipped", "ignored", "reason"):
		c.skip = true
	case oneOf(name, xmlPrints...):
		c.prints = true
	}
}

// inCase takes a line of a test.
func (p *xmlTests) inCase(c *xmlCase, l Line, cut bool, emit Emit) {
	c.cut = c.cut || cut
	if prints := p.scan.within(xmlPrints...); len(c.lines) >= 2*xmlCaseLines || prints && c.printed >= xmlCaseLines {
		give(Body.unless(c.failed, Noise), l, cut, emit)
	} else {
		c.lines = append(c.lines, l)
		if prints {
			c.printed++
		}
	}
	if c.ended {
		p.endCase(emit)
		p.leave(emit) // suites may end in the same line
	}
}

func (p *xmlTests) endCase(emit Emit) {
	c := take(&p.open)
	switch {
	case c == nil:
	case c.failed, !c.ended: // one that is cut off may have failed
		p.tell(emit)
		p.failed(c, emit)
	default:
		group := "<" + c.name + "> passed"
		if c.skip {
			group = "<" + c.name + "> skipped"
		}
		for i := range c.lines { // what it printed is of a test that passed
			c.lines[i].Text = lines.Clip(c.lines[i].Text)
		}
		emit(Record{Group: group, Tally: true, Instead: c.cut, Lines: c.lines})
	}
}

// tell shows the suites that a failure stands in.
func (p *xmlTests) tell(emit Emit) {
	for i := range p.suites {
		if s := &p.suites[i]; !s.told {
			s.told = true
			give(Keep, s.first, s.cut, emit)
		}
	}
}

// failed shows a test. One that says the same as another before it is named there, unless it
// printed something.
func (p *xmlTests) failed(c *xmlCase, emit Emit) {
	r := Record{Class: Keep, Instead: c.cut}
	own, other := 0, 0
	place := ""
	for _, l := range c.lines {
		frame, mine := lines.Frame(l.Text)
		switch {
		case frame && mine:
			own++
		case frame:
			other++
		case strings.Contains(l.Text, "Caused by"), strings.Contains(l.Text, "<"): // the stack of another
			own, other = 0, 0
		}
		if frame && !l.Keep && (own > xmlOwn || !mine && other > xmlForeign) {
			give(Folded, Line{N: l.N}, c.cut, emit)
			continue
		}
		if at := lines.Location(l.Text); at != "" && (place == "" || mine) {
			place = at
		}
		if c.says == "" && c.failed && !strings.HasPrefix(strings.TrimSpace(l.Text), "<"+c.name) && xmlRoot(strings.TrimSpace(l.Text)) == "" {
			c.says = strings.TrimSpace(l.Text)
		}
		l.Text = lines.Clip(l.Text)
		r.Lines = append(r.Lines, l)
	}
	if file, line := xmlAttribute(c.tag, "file"), xmlAttribute(c.tag, "line"); file != "" && line != "" && place == "" {
		place = file + ":" + line
	}
	if c.says != "" && !c.prints && c.ended {
		r.Key = c.says
		r.Site = p.reasons.where(r.Key, strings.TrimPrefix(cmp.Or(xmlAttribute(c.tag, "classname"), xmlAttribute(c.tag, "class"))+" > "+cmp.Or(xmlAttribute(c.tag, "name"), xmlAttribute(c.tag, "testName")), " > "), place)
	}
	emit(r)
}

// enter takes the tag of a suite. That of the whole report says how it went.
func (p *xmlTests) enter(l Line, emit Emit) {
	if len(p.suites) == 1 {
		p.tell(emit)
	}
}

// leave ends the suites that are not open any more.
func (p *xmlTests) leave(emit Emit) {
	for n := len(p.suites); n > 0 && p.suites[n-1].depth >= len(p.scan.stack); n-- {
		s := p.suites[n-1]
		if s.fails && !s.told {
			p.tell(emit)
		} else if !s.told {
			l := s.first
			l.Text = lines.Clip(l.Text)
			emit(Record{Group: "<" + s.name + "> without a failure", Tally: true, Instead: s.cut, Lines: []Line{l}})
		}
		p.suites = p.suites[:n-1]
	}
}

// beside takes a line of no test: what a suite printed, totals, a failure outside of tests.
func (p *xmlTests) beside(l Line, cut bool, emit Emit) {
	fails := len(p.suites) == 0
	for _, s := range p.suites {
		fails = fails || s.fails || s.told && s.depth > 0
	}
	class := Keep
	switch t := strings.TrimSpace(l.Text); {
	case p.scan.within(xmlPrints...), hasPrefix(t, "<system-"):
		class = Body.unless(!fails, Noise)
	case t[0] != '<', hasPrefix(t, "</"):
		class = Body
	case p.around >= xmlAround:
		class = Body
	default:
		p.around++
	}
	give(class, l, cut, emit)
}

func (p *xmlTests) Close(emit Emit) {
	p.endCase(emit)
	for _, s := range p.suites {
		if !s.told {
			give(Keep, s.first, s.cut, emit)
		}
	}
	p.suites = nil
}

func (p *xmlTests) done() bool { return p.scan.done() }
