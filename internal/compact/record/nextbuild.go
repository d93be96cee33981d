package record

import (
	"strings"

	"cairn/internal/compact/lines"
)

// nextBuild reads next build, with webpack or Turbopack: errors with their
// places, what eslint says by rule, the table of routes, of which the biggest
// stay, and the totals.
type nextBuild struct {
	jsRun
	routes assets
	table  bool     // in the table of routes
	failed bool     // "Failed to compile.": messages follow, each under its place
	under  fileRows // a place, of which a message or what eslint says follows
	paths  bool     // in the list of pages that could not be written
}

func (p *nextBuild) Line(l Line, emit Emit) {
	t := strings.TrimSpace(l.Text)
	switch class, told := nextForms.class(t); {
	case told:
		p.end(emit)
		p.table = strings.HasPrefix(t, "Route (")
		p.failed = p.failed || class == Failure
		p.paths = hasPrefix(t, "> Export encountered ", "Export encountered ")
		emit.line(class, l)
		return
	case p.around(l, emit):
		p.end(emit)
		return
	case p.table:
		p.route(l, t, emit)
		return
	case p.lint(l, t, emit):
		return
	case nextPlace(l.Text):
		p.endFault(emit)
		p.under.begin(l, emit)
		return
	}
	if held := p.under.heads(t); held != nil {
		p.fault = &jsFault{head: []Line{*held}, file: held.Text}
	}
	switch {
	case p.fault != nil && !p.fault.full():
		p.inFault(l, t, emit)
	case t == "":
		emit.line(Folded, l)
	case p.paths && indented(l.Text):
		emit.line(Keep, l)
	case thrown(t):
		p.begin(faultOf(l), emit)
	default:
		p.endFault(emit)
		p.other(l, emit)
	}
}

// nextForms tell how far the build is.
var nextForms = forms{
	{class: Good, start: words{"▲ Next.js", "- Environments: ", "- Experiments ", "Creating an optimized ", "Linting and checking ", "Linting  ", "Collecting ", "Generating static pages", "Finalizing page ", "Running TypeScript", "Finished TypeScript", "✓ Running next.config",
		"○  (", "●  (", "ƒ  (", "λ  (", "ℇ  (", "◐  (", "info  - ", "Attention: Next.js now collects", "This information is used to shape", "You can learn more, including how", "https://nextjs.org/telemetry",
		"Next.js build worker exited", "> Build failed because of webpack errors", "> Build error occurred", "✓ Linting", "✓ Collecting", "✓ Finalizing", "✓ Finished TypeScript"}},
	{class: Keep, start: words{"✓ ", "Route (", "> Export encountered ", "Export encountered "}},
	{class: Failure, is: words{"Failed to compile."}},
	{class: Failure, start: words{"Error: Turbopack build failed with ", "Turbopack build failed with ", "Error occurred prerendering page "}},
}

// nextPlace reports whether s is a file's name above a message, with or
// without the place in it.
func nextPlace(s string) bool {
	return strings.HasPrefix(s, "./") && len(s) > 3 && !strings.ContainsAny(s, " \t")
}

// route takes a row of the table.
func (p *nextBuild) route(l Line, t string, emit Emit) {
	fields := strings.Fields(t)
	size, sized := 0.0, false
	for i := 1; i < len(fields); i++ {
		if n, used := fileSize(fields[i:]); used > 0 {
			size, sized = n, true // the last is what the browser loads first
		}
	}
	switch {
	case strings.HasPrefix(t, "+ First Load JS"):
		p.routes.end(emit)
		emit.line(Keep, l)
	case t == "":
		emit.line(Folded, l)
	case hasPrefix(t, "┌ ", "├ ○", "├ ●", "├ ƒ", "├ λ", "├ ℇ", "├ ◐", "└ ○", "└ ●", "└ ƒ", "└ λ", "└ ◐", "─ ") && (sized || len(fields) > 2):
		p.routes.row(l, size, emit)
	case hasPrefix(t, "├", "│", "└", "┌"), indented(l.Text):
		emit.line(Good, l)
	default:
		p.table = false
		p.routes.end(emit)
		p.Line(l, emit)
	}
}

// lint takes a row of eslint's below a file's name: "1:68  Error: text  rule".
func (p *nextBuild) lint(l Line, t string, emit Emit) bool {
	place, rest, _ := strings.Cut(t, "  ")
	class := Failure.unless(strings.HasPrefix(rest, "Warning: "), Warn)
	return p.under.row(l, place, rest, class, emit)
}

func (p *nextBuild) inFault(l Line, t string, emit Emit) {
	switch {
	case t == "":
		emit.line(Folded, l)
	case hasPrefix(t, "https://nextjs.org/docs/", "at <unknown> (https://"), t == "}", strings.HasPrefix(t, "digest: '"):
		p.fault.addAs(l, partSkip)
	case len(p.fault.head) == 0 && thrown(t) && len(p.fault.body) > 0:
		p.begin(faultOf(l), emit)
	default:
		p.fault.add(l)
	}
}

// thrown reports whether t is the first line of an exception.
func thrown(t string) bool {
	name, _, ok := strings.Cut(t, ": ")
	return ok && strings.HasSuffix(name, "Error") && !strings.ContainsAny(name, " /.") && lines.Classify(t) == lines.Failure
}

func (p *nextBuild) end(emit Emit) {
	p.endFault(emit)
	p.under.release(emit)
	p.routes.end(emit)
	p.table, p.paths = false, false
}

func (p *nextBuild) Close(emit Emit) {
	p.end(emit)
	p.close(emit)
}
