package record

import "strings"

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
	case p.rule(l, t, emit), p.failed(l, t, emit), p.totals(l, t, emit):
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
		p.fault.addAs(l, partDetail)
	default:
		p.fault.add(l)
	}
}

// totals takes the lines that open and close a run.
func (p *vitest) totals(l Line, t string, emit Emit) bool {
	name, value, ok := strings.Cut(t, "  ")
	class := Keep
	switch {
	case hasPrefix(t, "No test files found", "No test suite found", "Vitest caught "):
		class = Failure
	case t == "exclude:  **/node_modules/**, **/.git/**": // as it is without a setting
		class = Folded
	case hasPrefix(t, "This might cause false positive tests", "::error file=", "press h to show help"):
		class = Good
	case !ok || l.Text[0] != ' ':
		return false
	case oneOf(name, "Test Files", "Tests", "Errors", "Snapshots"):
	case name == "Type Errors":
		if strings.TrimSpace(value) == "no errors" {
			class = Good
		}
	case name == "Start at", name == "Duration":
		class = Folded
	case name == "RUN", name == "DEV":
		class = Good
	default:
		return false
	}
	p.tell(class, l, emit)
	return true
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
	p.logs.emit(p.log, p.warn, emit)
	p.log = nil
}

func (p *vitest) Close(emit Emit) {
	p.endLog(emit)
	p.jsRun.Close(emit)
}
