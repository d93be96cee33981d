package record

import (
	"slices"
	"strconv"
	"strings"

	"cairn/internal/compact/lines"
)

// bundle reads vite, rollup, rolldown, esbuild and tsup: what was written, of
// it the biggest files, and messages, each with its place. Their forms, by
// their sources:
//
//	esbuild   ✘ [ERROR] text, then the place and the source, drawn
//	rolldown  [CODE] text, then a frame with the place in its upper edge
//	rollup    [!] text, (!) text for warnings, then place, source and stack
//	vite      error during build:, then one of the above
type bundle struct {
	jsRun
	list  assets
	built *Line // "src/a.js → dist/a.js...": what follows says more if it goes well
	gap   bool  // a blank line came in an exception nobody caught
}

func (p *bundle) Line(l Line, emit Emit) { p.line(l, emit.quiet()) }

func (p *bundle) line(l Line, emit Emit) {
	t := strings.TrimSpace(l.Text)
	level, head := bundleHead(t)
	class, told := bundleForms.class(t)
	if p.fault != nil && p.fault.bare && p.gap {
		frame, _ := jsFrame(l.Text)
		if code, _ := jsCode(l.Text); !code && !frame && !indented(l.Text) && t != "" && t != "}" {
			p.endFault(emit) // the blank line was its end
		}
	}
	switch size, row := assetRow(t); {
	case strings.HasSuffix(t, "...") && strings.Contains(t, " → "):
		p.endFault(emit)
		emit.held(Folded, &p.built)
		p.built = &l
	case head && leading(l.Text) < 2:
		emit.held(Keep, &p.built)
		p.begin(&jsFault{head: []Line{l}, class: level, file: lines.Location(t)}, emit)
	case t == "error during build:" || strings.HasPrefix(t, "Build failed with "):
		p.endFault(emit)
		p.lead = append(p.lead, l)
	case p.fault == nil && len(p.lead) > 0 && t != "":
		p.fault = &jsFault{head: []Line{l}, file: lines.Location(t)}
	case row && !told:
		p.endFault(emit)
		p.list.row(l, size, emit)
	case told:
		p.endFault(emit)
		if strings.HasPrefix(t, "⚡ Done in ") && len(p.list.top) > 0 && len(p.list.spare) == 0 {
			class = Folded // the files above, all of them, say that it is
		}
		if hasPrefix(t, "✓ built in", "⚡ Done in ") {
			p.list.end(emit)
		}
		emit.held(Keep.unless(strings.HasPrefix(t, "created "), Folded), &p.built)
		emit.line(class, l)
	case p.around(l, emit):
		p.endFault(emit)
	case p.fault != nil && !p.fault.full():
		p.inFault(l, t, emit)
	case t == "":
		emit.line(Folded, l)
	case thrown(t):
		p.begin(&jsFault{head: []Line{l}}, emit)
		p.fault.bare, p.gap = true, false // an exception nobody caught
	default:
		p.endFault(emit)
		p.compiler(l, emit)
	}
}

// bundleHead reports whether t is the first line of a message, and of which
// class.
func bundleHead(t string) (Class, bool) {
	switch {
	case hasPrefix(t, "✘ [ERROR] ", "X [ERROR] ", "[!] "):
		return Failure, true
	case hasPrefix(t, "▲ [WARNING] ", "(!) "):
		return Warn, true
	case strings.HasPrefix(t, "["):
		end := strings.IndexByte(t, ']')
		if end < 5 || !strings.HasPrefix(t[end:], "] ") || strings.Trim(t[1:end], "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") != "" {
			return Body, false
		}
		return Warn.unless(strings.HasSuffix(t[:end], "_ERROR") || hasPrefix(t[1:], "MISSING_EXPORT", "UNRESOLVED_ENTRY", "ILLEGAL_REASSIGNMENT", "AMBIGUOUS_EXTERNAL"), Failure), true
	}
	return Body, false
}

// bundleForms tell how far the build is.
var bundleForms = forms{
	{class: Good, start: words{"vite v"}, has: words{" building "}},
	{class: Good, start: words{"transforming", "rendering chunks", "computing gzip size", "[plugin vite:reporter]", "[plugin builtin:vite-reporter]", "CLI ", "ESM Build start", "CJS Build start", "IIFE Build start", "DTS Build start"}},
	{class: Keep, start: words{"✓ ", "x Build failed", "✗ Build failed", "created ", "⚡ Done in ", "...and "}},
	{class: Keep, has: words{"⚡️ Build success"}},
	{class: Keep, end: words{" Build failed", " Build error"}},
	{class: Keep, counts: words{"error", "warning", "of "}, test: summary},
	{class: Keep, counts: words{"error", "warning", "of "}, has: words{" shown"}},
}

// inFault takes a line of a message. Lines that only draw leave no marker.
func (p *bundle) inFault(l Line, t string, emit Emit) {
	if at, ok := drawnPlace(t); ok {
		if p.fault.file == "" {
			p.fault.file = at
		}
		p.fault.addAs(l, partDetail)
		return
	}
	if file, ok := strings.CutPrefix(t, "file: "); ok && p.fault.file == "" {
		p.fault.file = file
	}
	frame, own := jsFrame(l.Text)
	head := p.fault.head[0].Text
	source, _ := jsCode(l.Text)
	switch code, bar, drawn := strings.Cut(t, "│"); {
	case t == "":
		p.gap = true
		emit.line(Folded, l)
	case (source || jsCaret(t)) && placed(head), strings.HasPrefix(head, "[!] ") && len(t) > 4 && saidAbove(head, t): // the head says where, and that
		p.fault.addAs(l, partSkip)
	case frame && !own && (p.fault.file != "" || placed(head)): // the bundler's own
		p.fault.props = p.fault.props || strings.HasSuffix(t, "{")
		p.fault.addAs(l, partSkip)
	case numberBefore(t, ": "): // a line of source as rollup prints it
		p.fault.addAs(l, partCode)
	case strings.Trim(t, "│╵┬─╯╰^~+ ") == "" && !jsCaret(t):
		emit.line(Folded, l)
	case hasPrefix(t, "https://rollupjs.org/", "- Using dynamic import() to", "- Use build.r", "- Adjust chunk size limit", "You can mark the path ", "Use \"--external:", "errors: "), t == "{", t == "}", strings.HasPrefix(t, "errors: ["):
		p.fault.addAs(l, partSkip)
	case drawn && digitsOnly(strings.TrimSpace(code)):
		p.fault.addAs(l, partCode.unless(p.fault.file == "" && len(bar) < jsWide, partMarked)) // the place has its column
	case drawn && strings.TrimLeft(bar, " ┬─╰│╯") == "", strings.HasPrefix(t, "╵"):
		emit.line(Folded, l)
	case drawn,
		p.fault.class == Failure && t[0] != '[' && strings.HasPrefix(p.fault.head[0].Text, "✘") && len(p.fault.body) > 0:
		p.fault.addAs(l, partDetail) // a note below: the head says what is wrong
	default:
		p.fault.add(l)
	}
}

// placed reports whether a message has its place as the parsers of JavaScript
// write it: "(1:17)".
func placed(s string) bool {
	_, rest, _ := strings.Cut(s, "(")
	for rest != "" {
		n := digits(rest)
		if n > 0 && strings.HasPrefix(rest[n:], ":") && strings.Contains(rest[n:], ")") && digits(rest[n+1:]) > 0 {
			return true
		}
		_, rest, _ = strings.Cut(rest, "(")
	}
	return false
}

// saidAbove reports whether a line of rollup's below its head says no more than that:
// the place once more, or the cause.
func saidAbove(head, t string) bool {
	if _, cause, ok := strings.Cut(t, "[cause] "); ok {
		_, t, _ = strings.Cut(cause, ": ")
	}
	return t != "" && strings.Contains(head, t)
}

// drawnPlace reads the place of a message: alone on its line with a colon
// behind it (esbuild), or in a frame's upper edge (rolldown).
func drawnPlace(t string) (string, bool) {
	if rest, ok := strings.CutPrefix(t, "╭─["); ok {
		return strings.Trim(rest, " ]"), true
	}
	at, ok := strings.CutSuffix(t, ":")
	return at, ok && !strings.Contains(at, " ") && lines.Location(at) == at
}

// compiler takes a line that is not the bundler's: a type checker's message,
// or what a plugin printed.
func (p *bundle) compiler(l Line, emit Emit) {
	if d, ok := parseDiagnostic(l.Text); ok && d.code != "" {
		p.rest.Close(emit)
		emit(Record{Class: Failure, Key: d.code + " " + d.text, Site: d.site, Lines: []Line{l}})
		return
	}
	p.other(l, emit)
}

func (p *bundle) Close(emit Emit) {
	emit = emit.quiet()
	p.endFault(emit)
	emit.held(Keep, &p.built)
	emit.block(Failure, &p.lead)
	p.list.end(emit)
	p.close(emit)
}

// assets thins the list of files that a bundler wrote: the biggest stay, the
// others are counted.
type assets struct {
	top   []asset // biggest first
	spare []Line  // the first of the others: kept if that is all
}

type asset struct {
	line Line
	size float64
}

const (
	biggest   = 3 // rows kept of a list of assets or routes
	assetsFew = 5 // rows of a list that is kept whole
)

// row takes a row of the list with its size in bytes.
func (a *assets) row(l Line, size float64, emit Emit) {
	at := len(a.top)
	for at > 0 && a.top[at-1].size < size {
		at--
	}
	if a.top = slices.Insert(a.top, at, asset{l, size}); len(a.top) > biggest {
		a.drop(a.top[biggest].line, emit)
		a.top = a.top[:biggest]
	}
}

func (a *assets) drop(l Line, emit Emit) {
	if len(a.spare) <= assetsFew-biggest {
		a.spare = append(a.spare, l)
	} else {
		emit.count("assets", l)
	}
}

// end closes a list; another one may follow.
func (a *assets) end(emit Emit) {
	for _, r := range take(&a.top) {
		emit.line(Keep, r.line)
	}
	if len(a.spare) <= assetsFew-biggest {
		emit.all(Keep, &a.spare)
	}
	for _, l := range take(&a.spare) {
		emit.count("assets", l)
	}
}

// assetRow reads a row of a path, its size and perhaps that of the compressed
// file, as vite, esbuild and tsup (after the format's name) list them:
// "dist/a.js   1.20 kB │ gzip: 0.66 kB".
func assetRow(s string) (size float64, ok bool) {
	fields := strings.Fields(s)
	if len(fields) > 2 && oneOf(fields[0], "ESM", "CJS", "IIFE", "DTS") {
		fields = fields[1:]
	}
	if len(fields) < 2 || len(fields) > 14 || !strings.ContainsAny(fields[0], "./") || strings.ContainsAny(fields[0], ":()") {
		return 0, false
	}
	for i := 1; i < len(fields); i++ {
		switch fields[i] {
		case "│", "|", "/", "gzip:", "brotli:", "map:", "⚠️":
			continue
		}
		n, used := fileSize(fields[i:])
		if used == 0 {
			return 0, false
		}
		i += used - 1
		if !ok {
			size, ok = n, true
		}
	}
	return size, ok
}

// fileSize reads the size at the start of fields, "1.2 kB", "1.2kb" or
// "33 bytes", and tells how many of them it took: 0 when there is none.
func fileSize(fields []string) (bytes float64, used int) {
	number := strings.TrimRight(fields[0], "BbKkMmGgi")
	unit := fields[0][len(number):]
	if used = 1; unit == "" {
		if len(fields) < 2 {
			return 0, 0
		}
		unit, used = fields[1], 2
	}
	n, err := strconv.ParseFloat(strings.ReplaceAll(number, ",", ""), 64)
	if err != nil {
		return 0, 0
	}
	switch strings.ToLower(unit) {
	case "b", "byte", "bytes":
	case "kb", "kib":
		n *= 1 << 10
	case "mb", "mib":
		n *= 1 << 20
	case "gb", "gib":
		n *= 1 << 30
	default:
		return 0, 0
	}
	return n, used
}

// webpack reads what webpack and rspack print, stats of every preset: totals
// and the biggest assets, every error and warning with its place, the result.
// By its source (stats/DefaultStatsPrinterPlugin): messages begin with "ERROR
// in" or "WARNING in"; everything else is a tree of assets, modules and chunks.
type webpack struct {
	jsRun
	list    assets
	paths   assets // totals by path
	traced  bool   // the message's first importer was seen
	imports set    // importers that were named
	advice  bool   // the message is only advice
	advised bool   // loaders were spoken of
	log     bool   // in a logger's block
	table   bool   // in the columns of webpack 4's assets
}

func (p *webpack) Line(l Line, emit Emit) { p.line(l, emit.quiet()) }

func (p *webpack) line(l Line, emit Emit) {
	t := strings.TrimSpace(l.Text)
	level, head := webpackHeads.class(t)
	switch class, told := webpackForms.class(t); {
	case head:
		p.begin(&jsFault{head: []Line{l}, class: level}, emit)
		p.traced = false
		p.advice = strings.Contains(t, " performance recommendations")
		_, p.fault.file, _ = strings.Cut(t, " in ")
	case told:
		p.endFault(emit)
		p.log = strings.HasPrefix(t, "LOG from ")
		if class == Keep {
			p.end(emit)
		}
		emit.line(class, l)
	case p.around(l, emit):
		p.endFault(emit)
	case p.fault != nil && !p.fault.full():
		p.inFault(l, t, emit)
	case t == "":
		p.log, p.table = false, false
		emit.line(Folded, l)
	case p.log && indented(l.Text):
		emit.line(Good, l)
	case p.stats(l, t, emit):
	default:
		p.other(l, emit)
	}
}

// webpackHeads are the first lines of messages.
var webpackHeads = forms{
	{class: Failure, start: words{"ERROR in "}},
	{class: Failure, is: words{"ERROR in"}},
	{class: Failure, start: words{"× "}, has: words{"Error"}},
	{class: Failure, start: words{"[webpack-cli] "}, test: func(t string) bool { return !hasPrefix(t, webpackCLI...) }},
	{class: Warn, start: words{"WARNING in "}},
}

// webpackCLI begins what webpack-cli says when nothing is wrong.
var webpackCLI = words{"[webpack-cli] Compil", "[webpack-cli] Starting", "[webpack-cli] Watching", "[webpack-cli] watching", "[webpack-cli] Using "}

// webpackForms open and close a compilation.
var webpackForms = forms{
	{class: Good, start: words{"<s> [webpack.Progress]", "<i> ", "<t> ", "LOG from ", "PublicPath: ", "Hash: ", "Version: webpack ", "Built at: ", "Child ", "cached modules ", "Use 'stats.", "Use --stats-"}},
	{class: Good, start: webpackCLI},
	{class: Good, has: words{" have detailed information that is not shown", " has detailed information that is not shown"}},
	{class: Keep, has: words{" compiled "}, test: func(t string) bool { return hasAny(t, "webpack ", "rspack ", "Rspack ") }},
}

// inFault takes a line of a message.
func (p *webpack) inFault(l Line, t string, emit Emit) {
	n := len(p.fault.body)
	switch {
	case t == "":
		p.fault.apart = false
		emit.line(Folded, l)
	case strings.HasPrefix(t, "·") && n > 0 && p.fault.body[n-1].part == partCode: // rspack points at the line above
		p.fault.body[n-1].part = partMarked
		emit.line(Folded, l)
	case strings.Trim(t, "·│╭╰─╮╯ ") == "", t == "help:":
		emit.line(Folded, l)
	case numberBefore(t, " │ "):
		p.fault.addAs(l, partCode)
	case strings.HasPrefix(t, "@ ") && p.imports[t]:
		p.traced = true
		emit.line(Folded, l) // an earlier message has the same
	case strings.HasPrefix(t, "@ "): // who imports it, and who imports that
		p.imports.add(t, jsKeys)
		p.fault.addOnce(l, &p.traced)
	case p.advice, strings.HasPrefix(t, "You can limit the size of your bundles"):
		p.fault.addAs(l, partSkip)
	case p.fault.apart, strings.HasPrefix(t, "resolve '"):
		p.fault.apart = true // in the steps by which a module was looked for
		p.fault.addAs(l, partSkip)
	case hasPrefix(t, "File was parsed as module type", "File was processed with these loaders", "For more info visit "):
		p.fault.addAs(l, partSkip)
	case strings.HasPrefix(t, "You may need an "):
		p.fault.addOnce(l, &p.advised)
	case p.codeAt(l):
		p.fault.addAs(l, partSkip)
	default:
		p.fault.add(l)
	}
}

// codeAt reports whether a line is of a code frame, and the head says where that is.
func (p *webpack) codeAt(l Line) bool {
	code, _ := jsCode(l.Text)
	_, at, _ := strings.Cut(p.fault.file, " ")
	return code && digits(at) > 0
}

// stats takes a line of the tree.
func (p *webpack) stats(l Line, t string, emit Emit) bool {
	fields := strings.Fields(t)
	switch {
	case hasPrefix(t, "asset ", "assets by ") && !strings.HasPrefix(t, "asset modules "):
		for i := 2; i < len(fields); i++ {
			if size, used := fileSize(fields[i:]); used > 0 {
				if fields[0] == "assets" {
					p.paths.row(l, size, emit)
				} else {
					p.list.row(l, size, emit)
				}
				return true
			}
		}
	case hasPrefix(t, "Entrypoint ", "entrypoint "):
		emit.line(Keep, l)
		return true
	case strings.HasPrefix(t, "Asset ") && strings.Contains(t, " Size "):
		p.table = true
	case p.table && len(fields) > 2:
		if size, used := fileSize(fields[1:]); used > 0 {
			p.list.row(l, size, emit)
			return true
		}
	case webpackTree(t), indented(l.Text):
	default:
		return false
	}
	emit.line(Good, l)
	return true
}

// webpackTree reports whether t is a row of the tree that is no asset.
func webpackTree(t string) bool {
	return hasPrefix(t, "+ ", "modules by ", "runtime modules ", "orphan modules ", "cacheable modules ", "javascript modules ", "hidden modules ", "asset modules ", "chunk ", "provided modules ", "Time: ", "[") ||
		hasAny(t, "[built]", "[code generated]", "[orphan]", "[cached]", "[emitted]", "[optional]", " bytes [", " KiB [", " MiB [")
}

func (p *webpack) end(emit Emit) {
	p.list.end(emit)
	p.paths.end(emit)
}

func (p *webpack) Close(emit Emit) {
	emit = emit.quiet()
	p.endFault(emit)
	p.end(emit)
	p.close(emit)
}
