package record

import (
	"strings"

	"cairn/internal/compact/lines"
)

// jest reads the default and the verbose reporter of jest, and of what prints
// like it (react-scripts test, jest's projects). By its source: a file opens
// with PASS or FAIL, a failure with "●" two columns in and its text four, a
// console block with the name of the method; all of it comes after the file
// has run, and with more than twenty files the failures are told again under
// "Summary of all failing tests".
type jest struct {
	jsRun
	path   string
	told   int // faults of this file
	tree   bool
	log    []Line // the open console block
	column int    // where its title stands
	again  bool   // the summary of failures told before
	gentle bool   // what follows are open handles, no failures
	titles set
}

func (p *jest) Line(l Line, emit Emit) {
	t := strings.TrimSpace(l.Text)
	if p.log != nil {
		if code, _ := jsCode(l.Text); t == "" || code || leading(l.Text) > p.column {
			if len(p.log) < jsBody {
				p.log = append(p.log, l)
				return
			}
		}
		p.endLog(emit)
	}
	switch {
	case p.header(l, t, emit), p.bullet(l, t, emit), p.summary(l, t, emit):
		return
	case p.fault != nil && (t == "" || indented(l.Text)) && !p.fault.full() && !jestConsole(t):
		p.inFault(l, t, emit)
		return
	}
	p.endFault(emit)
	switch {
	case p.around(l, emit):
	case jestConsole(t) && indented(l.Text):
		p.log, p.column = []Line{l}, leading(l.Text)
	case p.row(l, t, emit):
	default:
		p.tree = p.tree && t != ""
		p.other(l, emit)
	}
}

// header takes the line that opens a file's results.
func (p *jest) header(l Line, t string, emit Emit) bool {
	status, path, ok := strings.Cut(t, " ")
	if !ok || leading(l.Text) > 1 || status != "PASS" && status != "FAIL" && status != "RUNS" || !strings.ContainsAny(path, "./\\") {
		return false
	}
	p.endFile(emit)
	switch status {
	case "RUNS":
		emit.line(Noise, l)
		return true
	case "PASS":
		emit.count("passed", l)
	default:
		p.lead = []Line{l} // until a fault takes it
	}
	path, _, _ = strings.Cut(strings.TrimSpace(path), " (")
	p.path, p.tree = path, true
	return true
}

// bullet takes the title of a failure, or of a section.
func (p *jest) bullet(l Line, t string, emit Emit) bool {
	title, ok := strings.CutPrefix(t, "●")
	if !ok {
		return false
	}
	p.endFault(emit)
	p.tree = false
	if title = strings.TrimSpace(title); title == "Console" {
		emit.line(Good, l)
		return true
	}
	p.fault = &jsFault{head: []Line{l}, file: p.path}
	if p.gentle || strings.Contains(title, "Warning") {
		p.fault.class = Warn
	}
	return true
}

func (p *jest) inFault(l Line, t string, emit Emit) {
	switch f := p.fault; {
	case f.apart: // in the advice
		f.apart = t != "Details:"
		f.addAs(l, partSkip)
	case strings.HasPrefix(t, "Jest encountered an unexpected token"):
		f.apart = true
		f.addAs(l, partDetail)
	default:
		f.add(l)
	}
}

// summary takes the lines at the end of a run, and jest's remarks.
func (p *jest) summary(l Line, t string, emit Emit) bool {
	if t == "" || l.Text[0] == ' ' && !strings.HasPrefix(t, "› ") {
		return false
	}
	class := Keep
	name, value, _ := strings.Cut(t, ":")
	switch {
	case name == "Test Suites", name == "Tests", name == "Snapshots" && strings.TrimSpace(value) != "0 total":
	case name == "Snapshots", name == "Time", strings.HasPrefix(t, "Ran all test suites"):
		class = Folded
	case name == "Seed", strings.HasPrefix(t, "Determining test suites to run"):
		class = Good
	case t == "Snapshot Summary", strings.HasPrefix(t, "› ") && strings.Contains(t, "snapshot"):
	case t == "Summary of all failing tests":
		p.endFile(emit)
		p.again, class = p.faults.n > 0, Good
	case strings.HasPrefix(t, "Jest has detected the following "):
		p.endFile(emit)
		p.gentle, class = true, Warn
	case hasPrefix(t, "Jest did not exit ", "A worker process has failed to exit", "Force exiting Jest"):
		class = Warn
	case strings.HasPrefix(t, "No tests found"):
		p.endFile(emit)
		p.fault = &jsFault{head: []Line{l}}
		return true
	default:
		return false
	}
	p.endFile(emit)
	emit.line(class, l)
	return true
}

// row takes a line of the verbose tree.
func (p *jest) row(l Line, t string, emit Emit) bool {
	if !indented(l.Text) || t == "" {
		return false
	}
	mark, _, _ := strings.Cut(t, " ")
	switch mark {
	case "✓", "√", "○", "✎":
		emit.count("passed", l)
	case "✕", "×":
		p.holdRow(l, emit)
	default:
		if frame, _ := lines.Frame(l.Text); frame || !p.tree {
			return false
		}
		emit.line(Good, l) // a describe block
	}
	return true
}

func (p *jest) endLog(emit Emit) {
	if log := take(&p.log); log != nil {
		method := strings.TrimSpace(log[0].Text)
		p.logs.emit(log, method == "console.error" || method == "console.warn", emit)
	}
}

func (p *jest) endFault(emit Emit) {
	f := take(&p.fault)
	if f == nil {
		return
	}
	p.told++
	id := jsHash(p.path + f.head[0].Text)
	if p.again && p.titles[id] {
		emit.each(Good, f.lines())
		return
	}
	p.titles.add(id, jsKeys)
	p.faults.emit(f, &p.lead, emit)
}

// endFile ends what belongs to the present file.
func (p *jest) endFile(emit Emit) {
	p.endLog(emit)
	p.endFault(emit)
	emit.block(Good.unless(p.told == 0, Failure), &p.lead) // else its faults repeat others
	p.path, p.told, p.tree, p.gentle = "", 0, false, false
}

func (p *jest) Close(emit Emit) {
	p.endFile(emit)
	p.close(emit)
}

// jestConsole reports whether t is the title of a console block.
func jestConsole(t string) bool {
	method, ok := strings.CutPrefix(t, "console.")
	return ok && method != "" && strings.Trim(method, "abcdefghijklmnopqrstuvwxyzE") == "" && !lines.Blank(method)
}

// vitest reads the default, verbose, tree and dot reporters of vitest. By its
// source: a tree of files with marks while it runs, then sections between
// rules of "⎯": failed suites, failed tests, each fault under one or more
// FAIL lines, and unhandled errors; then the totals.
type vitest struct {
	jsRun
	log   []Line
	warn  bool
	arrow bool // in the reason of a failed row, which may have many lines
}

func (p *vitest) Line(l Line, emit Emit) {
	t := strings.TrimSpace(l.Text)
	if p.log != nil {
		if t != "" && len(p.log) < jsBody && !vitestRow(t) {
			p.log = append(p.log, l)
			return
		}
		p.endLog(emit)
	}
	switch {
	case p.rule(l, t, emit), p.failed(l, t, emit), p.totals(l, t, emit), p.mark(l, emit):
		return
	case p.fault != nil && !p.fault.full():
		p.inFault(l, t)
		return
	}
	p.endFault(emit)
	switch {
	case p.around(l, emit), p.row(l, t, emit):
	case hasPrefix(l.Text, "stdout | ", "stderr | "):
		p.log, p.warn = []Line{l}, l.Text[3] == 'e'
	case p.arrow:
		p.holdRow(l, emit)
		return
	default:
		p.other(l, emit)
	}
	p.arrow = strings.HasPrefix(t, "→ ")
}

// rule takes a line of "⎯", which may hold the title of a section.
func (p *vitest) rule(l Line, t string, emit Emit) bool {
	if !strings.HasPrefix(t, "⎯") {
		return false
	}
	p.endFault(emit)
	p.arrow = false
	title := strings.Trim(t, "⎯ ")
	switch {
	case title == "", title[0] == '[', strings.HasPrefix(title, "Failed "), strings.HasPrefix(title, "Unhandled ") && strings.HasSuffix(title, "Errors"):
		emit.line(Folded, l)
	default: // Unhandled Rejection, Uncaught Exception, Startup Error
		p.fault = &jsFault{head: []Line{l}, titled: true}
	}
	return true
}

// failed takes a FAIL line. Tests that failed alike stand one under the other.
func (p *vitest) failed(l Line, t string, emit Emit) bool {
	title, ok := strings.CutPrefix(t, "FAIL ")
	if !ok || leading(l.Text) > 1 {
		return false
	}
	if p.fault == nil || p.fault.titled || len(p.fault.head) >= jsBody {
		file, _, _ := strings.Cut(strings.TrimSpace(title), " > ")
		p.begin(&jsFault{file: file}, emit)
	}
	p.fault.head = append(p.fault.head, l)
	return true
}

func (p *vitest) inFault(l Line, t string) {
	p.fault.titled = true // no other FAIL line is of it
	switch {
	case hasPrefix(t, "- The error was thrown, while Vitest", "- If the error occurred after", "This error was caught after test environment"):
		p.fault.addAs(l, partSkip)
	case hasPrefix(t, "This error originated in ", "The latest test that might've caused"):
		l.Text, _, _ = strings.Cut(l.Text, ". It ") // what it may mean, or does not
		p.fault.addAs(l, partDetail)
	default:
		p.fault.add(l)
	}
}

// totals takes the lines that open and close a run.
func (p *vitest) totals(l Line, t string, emit Emit) bool {
	class, ok := vitestForms.class(t)
	if name, value, cut := strings.Cut(t, "  "); !ok && cut && l.Text[0] == ' ' {
		class, ok = vitestTotals.class(name)
		if name == "Type Errors" && strings.TrimSpace(value) == "no errors" {
			class = Good
		}
	}
	if ok {
		p.tell(class, l, emit)
	}
	return ok
}

var vitestForms = forms{
	{class: Failure, start: words{"No test files found", "No test suite found", "Vitest caught "}},
	{class: Folded, is: words{"exclude:  **/node_modules/**, **/.git/**"}}, // as it is without a setting
	{class: Good, start: words{"This might cause false positive tests", "press h to show help"}},
}

var vitestTotals = forms{
	{class: Keep, is: words{"Test Files", "Tests", "Errors", "Snapshots", "Type Errors"}},
	{class: Folded, is: words{"Start at", "Duration"}},
	{class: Good, is: words{"RUN", "DEV"}},
}

// row takes a line of the tree.
func (p *vitest) row(l Line, t string, emit Emit) bool {
	if !vitestRow(t) {
		return false
	}
	switch mark, _, _ := strings.Cut(t, " "); mark {
	case "×", "✗", "✕", "❯", "→":
		p.holdRow(l, emit)
	case "✓", "✔", "↓":
		emit.count("passed", l)
	default:
		emit.line(Noise, l)
	}
	return true
}

// vitestRow reports whether t is a line of the tree or of the dot reporter.
func vitestRow(t string) bool {
	mark, rest, ok := strings.Cut(t, " ")
	if !ok || rest == "" {
		return mark != "" && strings.Trim(mark, "·x-*") == "" && strings.Contains(mark, "·")
	}
	return oneOf(mark, "✓", "✔", "×", "✗", "✕", "↓", "❯", "→", "·", "⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏")
}

func (p *vitest) endLog(emit Emit) {
	p.logs.emit(take(&p.log), p.warn, emit)
}

func (p *vitest) Close(emit Emit) {
	p.endLog(emit)
	p.jsRun.Close(emit)
}
