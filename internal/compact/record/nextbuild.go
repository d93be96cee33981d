package record

import (
	"slices"
	"strings"

	"cairn/internal/compact/lines"
)

// pageBuild reads next build, with webpack or Turbopack, and react-scripts
// build: errors with their places, what eslint says by rule, the sizes of the
// biggest routes or files, the totals.
type pageBuild struct {
	jsRun
	react  bool     // react-scripts, whose advice is always the same
	list   assets   // routes, or files
	under  fileRows // a place, of which a message or what eslint says follows
	failed bool     // "Failed to compile.": messages follow, each under its place
	table  bool     // in the table of routes
	paths  bool     // in the list of pages that could not be written
	patch  []Line   // why a lock file could not be completed, told for each process of the build
}

func (p *pageBuild) Line(l Line, emit Emit) { p.line(l, emit.quiet()) }

func (p *pageBuild) line(l Line, emit Emit) {
	t := strings.TrimSpace(l.Text)
	known := nextForms
	if p.react {
		known = reactForms
	}
	switch class, told := known.class(t); {
	case p.lockFile(l, t, told, emit):
	case told:
		p.end(emit)
		p.failed = p.failed || class == Failure
		p.table = strings.HasPrefix(t, "Route (")
		p.paths = hasPrefix(t, "> Export encountered ", "Export encountered ")
		emit.line(class, l)
	case p.react && p.file(l, t, emit):
	case p.around(l, emit):
		p.end(emit)
	case p.table:
		p.route(l, t, emit)
	case p.lint(l, t, emit):
	case p.place(l.Text, t):
		p.endFault(emit)
		p.under.begin(l, emit)
	default:
		p.message(l, t, emit)
	}
}

// mostPatch is how many lines of why a lock file could not be completed are one
// message.
const mostPatch = 40

// lockFile takes the lines that Next.js prints where the lock file lacks its
// compiler: a warning, and the exception that ended the repair with all its
// members. Each process of a build prints them again.
func (p *pageBuild) lockFile(l Line, t string, told bool, emit Emit) bool {
	begins := strings.HasPrefix(t, "⚠ Found lockfile missing swc dependencies")
	if begins || told {
		p.endPatch(emit)
	}
	if !begins && p.patch == nil {
		return false
	}
	p.end(emit)
	if strings.HasPrefix(t, "at ") {
		emit.line(Folded, l) // a frame within Next.js or Node
		return true
	}
	if p.patch = append(p.patch, l); l.Text == "}" || len(p.patch) == mostPatch {
		p.endPatch(emit)
	}
	return true
}

func (p *pageBuild) endPatch(emit Emit) {
	if patch := take(&p.patch); patch != nil {
		var text strings.Builder
		for _, l := range patch {
			text.WriteString(l.Text + "\n")
		}
		emit(Record{Class: Failure, Key: text.String(), Lines: patch})
	}
}

// message takes a line that may be of a message.
func (p *pageBuild) message(l Line, t string, emit Emit) {
	if held := p.under.heads(t); held != nil {
		p.fault = &jsFault{head: []Line{*held}, file: held.Text}
	}
	switch {
	case t == "":
		emit.line(Folded, l)
	case p.fault != nil && !p.fault.full():
		p.inFault(l, t, emit)
	case p.paths && indented(l.Text):
		emit.line(Keep, l)
	case p.react && p.failed, !p.react && thrown(t):
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
		"Next.js build worker exited", "⨯ Next.js build worker exited", "✓ Generating static pages", "> Build failed because of webpack errors", "> Build error occurred", "✓ Linting", "✓ Collecting", "✓ Finalizing", "✓ Finished TypeScript"}},
	{class: Keep, start: words{"✓ ", "Route (", "> Export encountered ", "Export encountered "}},
	{class: Failure, is: words{"Failed to compile."}},
	{class: Failure, start: words{"Error: Turbopack build failed with ", "Turbopack build failed with ", "Error occurred prerendering page "}},
}

// place reports whether a line is a file's name above a message, with or
// without the place in it.
func (p *pageBuild) place(s, t string) bool {
	if p.react {
		return !strings.ContainsAny(t, " \t") && strings.Contains(t, ".") && !strings.HasPrefix(t, "http")
	}
	return strings.HasPrefix(s, "./") && len(s) > 3 && !strings.ContainsAny(s, " \t")
}

// file takes a file of react-scripts with its size.
func (p *pageBuild) file(l Line, t string, emit Emit) bool {
	fields := strings.Fields(t)
	if len(fields) < 2 {
		return false
	}
	size, used := fileSize(fields)
	if used > 0 {
		p.list.row(l, size, emit)
	}
	return used > 0
}

// route takes a row of the table.
func (p *pageBuild) route(l Line, t string, emit Emit) {
	fields := strings.Fields(t)
	size, sized := 0.0, false
	for i := 1; i < len(fields); i++ {
		if n, used := fileSize(fields[i:]); used > 0 {
			size, sized = n, true // the last is what the browser loads first
		}
	}
	switch {
	case strings.HasPrefix(t, "+ First Load JS"):
		p.list.end(emit)
		emit.line(Keep, l)
	case t == "":
		emit.line(Folded, l)
	case hasPrefix(t, "┌ ", "├ ○", "├ ●", "├ ƒ", "├ λ", "├ ℇ", "├ ◐", "└ ○", "└ ●", "└ ƒ", "└ λ", "└ ◐", "─ ") && (sized || len(fields) > 2):
		p.list.row(l, size, emit)
	case hasPrefix(t, "├", "│", "└", "┌"), indented(l.Text):
		emit.line(Good, l)
	default:
		p.table = false
		p.list.end(emit)
		p.Line(l, emit)
	}
}

// lint takes a row of eslint's below a file's name: "1:68  Error: text  rule",
// of react-scripts "Line 4:9:  text  rule".
func (p *pageBuild) lint(l Line, t string, emit Emit) bool {
	place, rest, _ := strings.Cut(t, "  ")
	class := Failure.unless(strings.HasPrefix(rest, "Warning: "), Warn)
	if p.react {
		row, ok := strings.CutPrefix(t, "Line ")
		if !ok {
			return false
		}
		place, rest, _ = strings.Cut(row, ": ")
		class = Warn.unless(p.failed, Failure)
	}
	return p.under.row(l, place, rest, class, emit)
}

func (p *pageBuild) inFault(l Line, t string, emit Emit) {
	switch {
	case p.react:
		p.fault.add(l)
	case hasPrefix(t, "https://nextjs.org/docs/", "at <unknown> (https://", "digest: '"), oneOf(t, "}", "at ignore-listed frames", "Parsing ecmascript source code failed"), p.codeAt(l):
		p.fault.addAs(l, partSkip)
	case len(p.fault.head) == 0 && thrown(t) && len(p.fault.body) > 0:
		p.begin(faultOf(l), emit)
	default:
		p.fault.add(l)
	}
}

// codeAt reports whether a line is of a code frame, and what is above it says
// where that is.
func (p *pageBuild) codeAt(l Line) bool {
	if code, _ := jsCode(l.Text); !code {
		return false
	}
	return lines.HasLocation(p.fault.file) || slices.ContainsFunc(p.fault.body, func(b jsLine) bool { return b.part == partOwn })
}

// thrown reports whether t is the first line of an exception.
func thrown(t string) bool {
	name, _, ok := strings.Cut(t, ": ")
	return ok && strings.HasSuffix(name, "Error") && !strings.ContainsAny(name, " /.") && lines.Classify(t) == lines.Failure
}

func (p *pageBuild) end(emit Emit) {
	p.endFault(emit)
	p.under.release(emit)
	if !p.react {
		p.list.end(emit)
	}
	p.table, p.paths = false, false
}

func (p *pageBuild) Close(emit Emit) {
	emit = emit.quiet()
	p.endPatch(emit)
	p.end(emit)
	p.list.end(emit)
	p.close(emit)
}

// reactForms tell how far the build is.
var reactForms = forms{
	{class: Failure, is: words{"Failed to compile."}},
	{class: Keep, start: words{"Compiled successfully", "Compiled with warnings", "File sizes after gzip", "The bundle size is significantly larger"}},
	{class: Good, is: words{"[eslint]"}},
	{class: Good, start: words{"Creating an optimized production build", "Treating warnings as errors because", "Most CI servers set it", "Search for the keywords to learn", "To ignore, add // eslint",
		"The project was built assuming it is hosted", "You can control this with the homepage", "The build folder is ready", "You may serve it with", "You may also want to", "npm install -g serve", "yarn global add serve", "serve -s ",
		"Find out more about deployment", "https://cra.link/", "https://bit.ly/", "Consider reducing it with code splitting", "You can also analyze the project dependencies"}},
}

// fileRows reads problems that a build tool prints as eslint does: a file's
// name on a line of its own, then a row for each problem. They are grouped by
// rule; the same message is told once, with its places.
type fileRows struct {
	held *Line  // a file's name, of which rows or a message follow
	name string // of the file whose rows these are
}

// begin takes a line that is a file's name.
func (f *fileRows) begin(l Line, emit Emit) {
	f.release(emit)
	f.held = &l
}

// row takes a problem at a place, "4:9". ok is false when it is none.
func (f *fileRows) row(l Line, place, rest string, class Class, emit Emit) (ok bool) {
	line, col, _ := strings.Cut(place, ":")
	columns := columnsOf(rest)
	if !digitsOnly(line) || !digitsOnly(col) || len(columns) == 0 || f.held == nil && f.name == "" {
		return false
	}
	if f.held != nil {
		f.name = strings.TrimSpace(f.held.Text)
		emit.held(Folded, &f.held) // the rows repeat it
	}
	rec := Record{
		Class: class, Kind: "Parsing error", Site: f.name + ":" + place, Says: strings.Join(columns, " "), Brief: 1, Lines: []Line{l},
	}
	if len(columns) > 1 {
		rec.Kind = columns[len(columns)-1]
	}
	emit(rec)
	return true
}

// heads returns the file's name if a message follows it: t is its first line.
func (f *fileRows) heads(t string) *Line {
	f.name = ""
	if t == "" {
		return nil
	}
	return take(&f.held)
}

// release lets go of a file's name that nothing followed.
func (f *fileRows) release(emit Emit) {
	if held := take(&f.held); held != nil {
		emit(plain(*held))
	}
}
