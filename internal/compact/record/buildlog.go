package record

import (
	"strings"

	"cairn/internal/compact/lines"
)

// buildLog tells the progress, the echoed commands and the results of build
// tools apart. It keeps the last step, which says what was built, and the
// command line of a link that failed, which says what was left out of it.
type buildLog struct {
	step    *Line // the last "[ 40%] Built target x"
	command *Line // the last echoed command
	failed  bool  // something did not compile: what ran last says nothing
	scripts scriptLines
	symbols int // that a linker missed
	broken  set // directories of targets that could not be made
}

const (
	shortCommand = 200 // bytes: the last command up to this long is kept
	linkSymbols  = 60  // symbols named: of a library that was forgotten any few tell it
)

func (b *buildLog) line(l Line, emit Emit) {
	s := l.Text
	if class, ok := b.scripts.class(s); ok {
		emit.line(class, l)
		return
	}
	switch what := progress(s); what {
	case "step":
		b.drop(&b.step, emit)
		b.step = &l
		return
	case "command":
		b.drop(&b.command, emit)
		b.command = &l
		return
	case "progress":
		emit.line(Good, l)
		return
	}
	switch {
	case strings.HasPrefix(s, "FAILED: "):
		b.failed = true
		rec := Record{Class: Failure, Lines: []Line{l}}
		if words := strings.Fields(s); len(words) > 1 {
			rec.Alone, rec.Says, rec.Brief, rec.Site = true, strings.Join(words[:len(words)-1], " "), 1, words[len(words)-1]
		}
		emit(rec)
	case makes(s):
		b.make(l, emit)
	case summary(s):
		emit(Record{Class: Keep, Key: s, Lines: []Line{l}})
	case strings.HasPrefix(s, "-- Could NOT find"):
		emit(Record{Class: Warn, Key: s, Lines: []Line{l}})
	default:
		c := worth(s)
		emit(Record{Class: c, Key: keyOf(c, s), Site: lines.Location(s), Lines: []Line{l}})
	}
}

func keyOf(c Class, s string) string {
	if c == Body {
		return ""
	}
	return lines.Template(s)
}

// make takes make's own messages.
func (b *buildLog) make(l Line, emit Emit) {
	s := l.Text
	c := Keep
	switch {
	case strings.Contains(s, ": *** Waiting for unfinished jobs"), strings.HasSuffix(s, " not remade because of errors."):
		c = Folded
	case strings.Contains(s, "ing directory "):
		c = Good
	case strings.Contains(s, " Error ") && strings.HasSuffix(s, "(ignored)"), strings.Contains(s, ": warning: "):
		c = Warn
	case hasAny(s, ": *** ", " Error ", "build stopped", ": error: "):
		c = Failure
	}
	rec := Record{Class: c, Key: s, Lines: []Line{l}}
	if c == Failure {
		b.target(&rec, s)
	}
	emit(rec)
}

// target reads "gmake[1]: *** [CMakeFiles/Makefile2:161: CMakeFiles/t1.dir/all]
// Error 2": what could not be made, and by which line of which file. Of a make
// that ran another one only that counts, if the other named the directory.
func (b *buildLog) target(rec *Record, s string) {
	make, rest, ok := strings.Cut(s, ": *** [")
	in, code, end := strings.Cut(rest, "] ")
	place, target, placed := strings.Cut(in, ": ")
	file, line, _ := strings.Cut(place, ":")
	if !ok || !end || !placed || !digitsOnly(line) || strings.Contains(target, " ") {
		return
	}
	rec.Alone, rec.Brief = true, 1
	fileDir, fileBase := cutDir(file)
	dir, base := cutDir(target)
	if b.broken[dir] && base == "all" {
		rec.Site, rec.Says = place, make+": *** "+code
		return
	}
	b.broken.add(dir, linkSymbols*10)
	if fileDir != dir {
		fileBase = file
	}
	rec.Site, rec.Says = target, make+": *** ["+fileBase+" "+line+"] "+code
}

// cutDir cuts the path of a file behind its directory.
func cutDir(path string) (dir, base string) {
	i := strings.LastIndexByte(path, '/') + 1
	return path[:i], path[i:]
}

// link takes a linker's message: undefined symbols are listed together, each
// with its first place.
func (b *buildLog) link(l Line, emit Emit) bool {
	s := l.Text
	if hasSuffix(s, "':", "’:") && (strings.Contains(s, ": in function ") || strings.Contains(s, ": In function ") && strings.Contains(s, ".o")) {
		emit.line(Good, l)
		return true
	}
	for _, what := range [...]string{"undefined reference to ", "multiple definition of ", "undefined symbol: ", "unresolved external symbol "} {
		i := strings.Index(s, what)
		if i < 0 || strings.HasPrefix(strings.TrimSpace(s[i+len(what):]), "(") {
			continue
		}
		emit.held(Keep, &b.command) // the one that linked
		symbol := strings.TrimLeft(s[i+len(what):], "`'\"‘")
		if j := strings.IndexAny(symbol, "'\";’"); j > 0 {
			symbol = symbol[:j]
		}
		rec := Record{Class: Failure, Group: strings.TrimRight(what, " :"), Key: symbol, Site: symbol, Row: strings.TrimSpace(s), Lines: []Line{l}}
		if b.symbols++; b.symbols > linkSymbols {
			rec.Site = "…" // and so on
		}
		emit(rec)
		return true
	}
	if i := strings.Index(s, "ld: "); i >= 0 && !strings.Contains(s[:i], " ") && !strings.Contains(s, "warning: ") {
		emit.held(Keep, &b.command) // the one that linked
		emit(Record{Class: Failure, Key: s, Lines: []Line{l}})
		return true
	}
	return false
}

func (b *buildLog) drop(held **Line, emit Emit) {
	if l := take(held); l != nil {
		emit.count("steps", *l)
	}
}

func (b *buildLog) close(emit Emit) {
	if b.command != nil && b.step == nil && !b.failed && len(b.command.Text) <= shortCommand {
		emit.held(Keep, &b.command)
	}
	b.drop(&b.command, emit)
	if b.failed {
		b.drop(&b.step, emit)
	}
	emit.held(Keep, &b.step)
}

// makes reports whether make, ninja or one of their kind speaks.
func makes(s string) bool {
	i := strings.Index(s, ": ")
	if i < 0 {
		return false
	}
	name, _, _ := strings.Cut(s[:i], "[")
	return oneOf(name[strings.LastIndexByte(name, '/')+1:], "make", "gmake", "ninja", "samu", "mingw32-make", "nmake") || strings.HasPrefix(s[i:], ": *** ")
}

// summary reports whether s is the count a compiler ends with, or another
// last word of a build.
func summary(s string) bool {
	t := strings.TrimLeft(s, "✖ ")
	if t != "" && isDigit(t[0]) {
		return hasPrefix(strings.TrimLeft(t, "0123456789"), " error", " warning", " problem")
	}
	rest, found := strings.CutPrefix(t, "Found ")
	return found && rest != "" && isDigit(rest[0]) ||
		hasPrefix(t, "compilation terminated", "-- Build files have been written", "-- Configuring incomplete", "only showing the first ", "BUILD ", "Success: no issues found")
}

// progress tells what kind of progress s is: "step" of a numbered build,
// "command" echoed by make, other "progress", or "".
func progress(s string) string {
	t := strings.TrimLeft(s, " ")
	switch {
	case t == "":
		return ""
	case t[0] == '[':
		if i := strings.IndexByte(t, ']'); i > 0 && i < 16 && strings.Trim(t[1:i], "0123456789 %/") == "" {
			return "step"
		}
	case strings.HasPrefix(t, "-- "):
		if !summary(t) && !strings.HasPrefix(t, "-- Could NOT") {
			return "progress"
		}
	case strings.HasPrefix(t, "checking ") && strings.Contains(t, "..."), hasPrefix(t, "config.status: ", "Scanning dependencies of ", "Consolidate compiler generated ", "npm warn Unknown ", "npm WARN config "), hasPrefix(t, scriptBanner...):
		return "progress"
	}
	if what := tscBuild(t); what != "" {
		return what
	}
	word, rest, _ := strings.Cut(t, " ")
	if len(word) >= 2 && len(word) <= 9 && word == strings.ToUpper(word) && word[0] >= 'A' && s != t && rest != "" && !strings.HasSuffix(word, ":") {
		return "progress" // "  CC      src/a.o"
	}
	if echoed(word[strings.LastIndexByte(word, '/')+1:]) && rest != "" && s == t && (word == "libtool:" || !strings.HasSuffix(word, ":")) {
		return "command"
	}
	return ""
}

// tscBuild reads the progress of tsc --build --verbose: "11:41:32 PM - Building
// project 'x'..." and why it does.
func tscBuild(t string) string {
	if strings.HasPrefix(t, "* ") && strings.HasSuffix(t, ".json") {
		return "progress"
	}
	at := strings.Index(t, "roject")
	if at < 10 || at > 40 || !isDigit(t[0]) && t[0] != '[' {
		return ""
	}
	m, _ := tscForms.mark(t)
	return m.key
}

var tscForms = forms{
	{key: "step", has: words{" Building project '"}},
	{key: "progress", has: words{" Projects in this build:", " Updating output of project ", " Updating unchanged output timestamps of project "}},
	{key: "progress", has: words{" Project '"}, test: func(t string) bool { return hasAny(t, " to date ", " out of date ") }},
}

// scriptBanner begins what npm, pnpm or yarn print before they run a script.
var scriptBanner = words{"> ", "$ ", "yarn run v"}

// echoed reports whether make commonly runs the command, whose echo is not
// wanted.
func echoed(name string) bool {
	return oneOf(name, "gcc", "g++", "cc", "c++", "clang", "clang++", "ar", "ranlib", "ld", "as", "strip", "libtool:", "rm", "mv", "cp", "ln",
		"mkdir", "install", "touch", "sh", "bash", "libtool", "ccache", "javac", "rustc", "gfortran", "nvcc", "moc", "source='") || hasSuffix(name, "-gcc", "-g++", "-ar") ||
		hasPrefix(name, "gcc-", "g++-", "clang-")
}

// ctest is the parser for CMake's test runner. A test that passed is Good
// with all it printed; of one that failed the line that says so and its
// output are kept, without the single checks in it that passed.
type ctest struct {
	run    pending // what tests printed so far under -V, by number: the result comes last
	failed bool    // a failed test's output follows: --output-on-failure
	list   bool    // in the list of failed tests at the end
}

const ctestLines = 400 // lines held

func (p *ctest) Line(l Line, emit Emit) {
	s := strings.TrimLeft(l.Text, " ")
	switch {
	case ctestStarts(s):
		p.failed = false
		emit.line(Good, l)
	case ctestResult(s) != "":
		p.result(l, ctestResult(s), emit)
	case strings.HasPrefix(s, "Total Test time "), p.list && strings.HasPrefix(s, "Errors while running CTest"):
		p.failed = false
		emit.line(Folded, l) // the results are there
	case strings.Contains(s, "% tests passed"), hasPrefix(s, "The following tests ", "Errors while running CTest", "No tests were found", "Label Time Summary"):
		p.failed = false
		p.list = strings.HasPrefix(s, "The following tests ")
		emit.line(Keep, l)
	case p.list && indented(l.Text):
		l.Text = strings.TrimSpace(l.Text)
		emit.line(Keep, l)
	case p.failed:
		p.output(l, emit)
	case hasPrefix(s, ctestSetup...), lines.Blank(s), progress(s) != "":
		emit.line(Good, l)
	default:
		p.hold(l, emit)
	}
}

// hold keeps a line until the result of its test is known.
func (p *ctest) hold(l Line, emit Emit) {
	if !numberBefore(l.Text, ":") { // that of the test, under -V
		emit.line(Body, l)
		return
	}
	if p.run.n >= ctestLines {
		p.letGo(Noise, emit)
	}
	p.run.add(l.Text[:digits(l.Text)], l)
}

// result takes the line that says how a test ended.
func (p *ctest) result(l Line, result string, emit Emit) {
	_, number, _ := strings.Cut(l.Text, "#")
	number, _, _ = strings.Cut(number, ":")
	run := p.run.take(number)
	skipped := hasPrefix(result, "***Not Run (Disabled)", "***Skipped")
	p.failed = !skipped && !strings.HasPrefix(result, "Passed")
	switch {
	case p.failed:
		for _, r := range run {
			p.output(r, emit)
		}
		if name, rest, ok := strings.Cut(l.Text, " ..."); ok {
			l.Text = name + " " + strings.TrimLeft(rest, ". ")
		}
		emit.line(Failure, l)
	case skipped:
		emit.each(Good, run)
		emit.line(Keep, l)
	default:
		emit.each(Good, run)
		emit.count("passed", l)
	}
}

// output takes a line that a failed test printed.
func (p *ctest) output(l Line, emit Emit) {
	s := l.Text
	if numberBefore(s, ":") {
		s = strings.TrimPrefix(s[digits(s)+1:], " ")
	}
	switch {
	case strings.HasSuffix(s, ":PASS"), hasPrefix(s, "Working Directory: ", "Test timeout computed", "[       OK ]", "[ RUN      ]", "[----------]", "ok "), s == "OK", s == "FAIL", strings.Trim(s, "-= ") == "":
		emit.line(Folded, l) // what failed stays
	case lines.Classify(s) == lines.Failure, strings.Contains(s, ":FAIL"), hasPrefix(s, "[  FAILED  ]", "not ok "):
		emit(Record{Class: Keep, Key: lines.Template(s), Site: lines.Location(s), Lines: []Line{l}})
	default:
		emit.line(Body, l)
	}
}

func (p *ctest) Close(emit Emit) {
	p.letGo(Body, emit)
}

// letGo gives what tests printed that did not end.
func (p *ctest) letGo(c Class, emit Emit) {
	for _, name := range p.run.names() {
		emit.each(c, p.run.take(name))
	}
}

// ctestStarts reports whether s announces a test: "Start  3: parse".
func ctestStarts(s string) bool {
	rest, ok := strings.CutPrefix(s, "Start ")
	if !ok {
		return false
	}
	rest = strings.TrimLeft(rest, " ")
	return rest != "" && isDigit(rest[0]) && strings.Contains(rest, ": ")
}

// ctestResult returns how a test ended, or "": of
// " 3/19 Test  #3: parse ....***Failed    0.00 sec" that is "***Failed".
func ctestResult(s string) string {
	i := strings.Index(s, " Test ")
	if i < 0 || !strings.Contains(s[:i], "/") || strings.Trim(s[:i], "0123456789/ ") != "" || !strings.Contains(s, " sec") {
		return ""
	}
	j := strings.Index(s, " ...")
	if j < 0 {
		j = strings.Index(s, "***")
	}
	if j < 0 {
		return ""
	}
	return strings.TrimSpace(strings.TrimLeft(strings.TrimSuffix(s[j:], " sec"), " ."))
}

// ctestSetup begins what is printed before and between tests.
var ctestSetup = words{"UpdateCTestConfiguration ", "Test project ", "Constructing a list of tests", "Done constructing ", "Updating test list ", "Added ", "Checking test dependency graph", "Internal ctest changing ", "test "}
