package record

import (
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
	list assets
}

func (p *bundle) Line(l Line, emit Emit) {
	t := strings.TrimSpace(l.Text)
	if class, ok := bundleHead(t); ok && leading(l.Text) < 2 {
		p.begin(&jsFault{head: []Line{l}, class: class, file: lines.Location(t)}, emit)
		return
	}
	if t == "error during build:" || strings.HasPrefix(t, "Build failed with ") {
		p.endFault(emit)
		p.lead = append(p.lead, l)
		return
	}
	if p.fault == nil && len(p.lead) > 0 && t != "" {
		p.fault = &jsFault{head: []Line{l}, file: lines.Location(t)}
		return
	}
	class, told := bundleForms.class(t)
	if size, ok := assetRow(t); ok && !told {
		p.endFault(emit)
		p.list.row(l, size, emit)
		return
	}
	switch {
	case told:
		p.endFault(emit)
		if strings.HasPrefix(t, "✓ built in") {
			p.list.end(emit)
		}
		emit.line(class, l)
	case p.around(l, emit):
		p.endFault(emit)
	case p.fault != nil && !p.fault.full():
		p.inFault(l, t, emit)
	case t == "":
		emit.line(Folded, l)
	case thrown(t):
		p.begin(faultOf(l), emit)
		p.fault.bare = true // an exception nobody caught
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
	switch code, bar, drawn := strings.Cut(t, "│"); {
	case p.fault.bare && t == "":
		p.tell(Folded, l, emit)
	case frame && !own && p.fault.file != "": // the bundler's own
		p.fault.addAs(l, partSkip)
	case rollupCode(t):
		p.fault.addAs(l, partCode)
	case t == "", strings.Trim(t, "│╵┬─╯^~+ ") == "" && !jsCaret(t):
		emit.line(Folded, l)
	case hasPrefix(t, "https://rollupjs.org/", "- Using dynamic import() to", "- Use build.r", "- Adjust chunk size limit"), t == "{", t == "}", strings.HasPrefix(t, "errors: ["):
		p.fault.addAs(l, partSkip)
	case drawn && digitsOnly(strings.TrimSpace(code)) && len(bar) < jsWide:
		p.fault.addAs(l, partMarked)
	case drawn, strings.HasPrefix(t, "╵"),
		p.fault.class == Failure && t[0] != '[' && strings.HasPrefix(p.fault.head[0].Text, "✘") && len(p.fault.body) > 0:
		p.fault.addAs(l, partDetail) // a note below: the head says what is wrong
	default:
		p.fault.add(l)
	}
}

// rollupCode reports whether t is a line of source as rollup prints it: "12: x".
func rollupCode(t string) bool {
	n, _, ok := strings.Cut(t, ": ")
	return ok && digitsOnly(n)
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
		p.rest.flush(emit)
		emit(Record{Class: Failure, Key: d.code + " " + d.text, Site: d.site, Lines: []Line{l}})
		return
	}
	p.other(l, emit)
}

func (p *bundle) Close(emit Emit) {
	p.endFault(emit)
	emit.block(Failure, &p.lead)
	p.list.end(emit)
	p.close(emit)
}
