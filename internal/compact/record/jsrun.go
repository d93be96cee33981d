package record

import (
	"cmp"
	"strings"

	"cairn/internal/compact/lines"
)

// jsRun is what the parsers of JavaScript test runners share: the lines around
// the tests that are not the runner's own, and the failure that is being read.
type jsRun struct {
	faults  jsFaults
	fault   *jsFault // the open one
	lead    []Line   // above the next failure: of its file, of a build that failed
	rows    []Line   // rows of failed tests in a tree, which are told in full elsewhere
	marks   []Line   // "::error file=" for GitHub, which mostly are told elsewhere, too
	logs    jsLogs
	cover   coverTable
	scripts scriptLines
	rest    plainText
	traced  bool // a frame of the project was shown of the stack that goes on
}

// tell ends the open failure with a line of the runner's own.
func (r *jsRun) tell(c Class, l Line, emit Emit) {
	r.endFault(emit)
	emit.line(c, l)
}

// begin opens a failure in place of the one before.
func (r *jsRun) begin(f *jsFault, emit Emit) {
	r.endFault(emit)
	r.fault = f
}

// holdRow holds a row of a failed test.
func (r *jsRun) holdRow(l Line, emit Emit) { emit.hold(&r.rows, jsBody, Good, l) }

// around takes a line of a script runner or of a coverage table.
func (r *jsRun) around(l Line, emit Emit) bool {
	class, ok := r.scripts.class(l.Text)
	if !ok {
		class, ok = r.cover.class(l.Text)
	}
	if ok && class == Keep {
		l.Text = strings.Join(strings.Fields(l.Text), " ") // a row of a table, of which little is left
	}
	if ok {
		emit.line(class, l)
	}
	return ok
}

// other takes a line that is not the runner's: what the tested code printed. Of
// a stack in it the first frame of the project's own tells where it was.
func (r *jsRun) other(l Line, emit Emit) {
	frame, own := jsFrame(l.Text)
	if frame && r.rest.block == nil && (!own || r.traced) {
		emit.line(Good.unless(!own, Folded), l)
		return
	}
	ruled := strings.Trim(l.Text, " \t-") == ""
	r.traced = frame && own || r.traced && ruled
	if ruled {
		r.rest.Close(emit)
		emit.line(Good, l)
		return
	}
	r.rest.Line(l, emit)
}

// endFault ends the open failure.
func (r *jsRun) endFault(emit Emit) {
	f := r.fault
	if r.fault = nil; f != nil && len(f.head)+len(f.body) > 0 {
		r.faults.emit(f, &r.lead, emit)
	}
}

// close lets go of what is held: rows of tests are dropped, unless the part
// that tells them in full is missing.
func (r *jsRun) close(emit Emit) {
	marks := take(&r.marks)
	if told := r.faults.n > 0; !told {
		for _, l := range marks {
			r.marked(l, emit)
		}
	} else {
		emit.each(Folded, marks)
	}
	emit.all(Failure.unless(r.faults.n > 0, Folded), &r.rows)
	r.rest.Close(emit)
}

func (r *jsRun) Close(emit Emit) {
	r.endFault(emit)
	r.close(emit)
}

// mark takes a line that makes GitHub show a failure beside the code.
func (r *jsRun) mark(l Line, emit Emit) bool {
	if !strings.HasPrefix(l.Text, "::error ") {
		return false
	}
	r.endFault(emit)
	emit.hold(&r.marks, jsMarks, Body, l)
	return true
}

const jsMarks = 1000

// marked tells the failure of such a line, as its runner does.
func (r *jsRun) marked(l Line, emit Emit) {
	head, text, _ := strings.Cut(strings.TrimPrefix(l.Text, "::error "), "::")
	at := map[string]string{}
	for _, p := range strings.Split(head, ",") {
		key, value, _ := strings.Cut(p, "=")
		at[key] = annotated.Replace(value)
	}
	f := &jsFault{file: at["file"], head: []Line{{N: l.N, Text: "FAIL  " + cmp.Or(at["title"], at["file"]+":"+at["line"])}}}
	for t := range strings.Lines(annotated.Replace(text)) {
		f.add(Line{N: l.N, Text: strings.TrimRight(t, "\r\n")})
	}
	if at["line"] != "" && !strings.Contains(text, at["file"][strings.LastIndexByte(at["file"], '/')+1:]+":"+at["line"]) {
		f.addAs(Line{N: l.N, Text: " at " + at["file"] + ":" + at["line"]}, partDetail)
	}
	emit.line(Folded, Line{N: l.N})
	r.faults.emit(f, &r.lead, func(rec Record) {
		rec.Instead = true
		emit(rec)
	})
}

// annotated undoes how GitHub's commands write what would end them.
var annotated = strings.NewReplacer("%0A", "\n", "%0D", "\r", "%3A", ":", "%2C", ",", "%25", "%")

// jsLogs are blocks that the tested code printed and the runner framed. The
// first distinct ones are kept, since someone who debugs looks for them.
type jsLogs struct {
	kept int
	seen set
}

const (
	jsLogBlocks = 8 // distinct blocks kept, besides warnings
	jsLogLines  = 8 // lines of one
)

// emit gives out a block: its title line and what follows. Warnings and
// errors are known by warn.
func (g *jsLogs) emit(block []Line, warn bool, emit Emit) {
	if len(block) == 0 {
		return
	}
	kept, rest := block[:1:1], []Line(nil)
	var key strings.Builder
	framed := false
	for _, l := range block[1:] {
		code, _ := jsCode(l.Text)
		frame, own := jsFrame(l.Text)
		switch {
		case frame && own && warn && !framed:
			framed = true
			kept = append(kept, l)
		case frame, code, lines.Blank(l.Text), len(kept) > jsLogLines:
			rest = append(rest, l)
		default:
			key.WriteString(l.Text)
			kept = append(kept, l)
		}
	}
	// What differs in a number is another value to someone who prints values,
	// and the same warning to everyone.
	rec := Record{Class: Keep, Key: "log " + jsHash(key.String()), Lines: kept}
	if warn {
		rec.Class, rec.Key = Warn, "warning "+jsHash(lines.Template(key.String()))
	} else if !g.seen[rec.Key] {
		if g.kept++; g.kept > jsLogBlocks {
			emit(Record{Class: Good, Lines: block})
			return
		}
	}
	if g.seen[rec.Key] {
		rec.Lines, rest = block, nil
	}
	g.seen.add(rec.Key, jsKeys)
	emit(rec)
	emit.block(Good, &rest)
}

// orTAP is a runner that can also print TAP, which its first line tells.
type orTAP struct {
	Parser
	tap bool // it does
}

func (p *orTAP) Line(l Line, emit Emit) {
	if !p.tap && (strings.HasPrefix(l.Text, "TAP version 1") || tapPlan(l.Text) || tapFirst(l.Text)) {
		p.Close(emit)
		p.Parser, p.tap = &tap{}, true
	}
	p.Parser.Line(l, emit)
}

// scriptLines knows what npm, yarn, pnpm and bun print around a script: the
// script's own output says whether it failed and why.
type scriptLines struct{ banner bool }

// class tells that a line is such a line.
func (p *scriptLines) class(s string) (Class, bool) {
	was := p.banner
	p.banner = false
	if len(s) < 3 {
		return Body, false
	}
	switch s[0] {
	case '>': // npm and pnpm: "> name@1.0.0 test" and "> jest"
		if was {
			return Good, true
		}
		at := strings.IndexByte(s, '@')
		p.banner = strings.HasPrefix(s, "> ") && at > 0 && strings.Contains(s[at:], " ")
		return Good, p.banner
	case '$': // yarn and bun
		return Good, strings.HasPrefix(s, "$ ")
	case 'n':
		_, rest, labelled := cutAny(s, "npm ERR! ", "npm error ")
		switch {
		case labelled && hasPrefix(rest, "workspace ", "location "):
			return Keep, true // which of several failed
		case labelled:
			return Good, scriptEnd(strings.TrimLeft(rest, " "))
		}
		return Good, s == "npm ERR!" || s == "npm error" || strings.HasPrefix(s, "npm notice")
	case ' ':
		return Good, hasPrefix(strings.TrimLeft(s, " \u2009"), "ELIFECYCLE", "ERR_PNPM_RECURSIVE_RUN_FIRST_FAIL")
	default:
		return Good, hasPrefix(s, "yarn run v", "info Visit https://yarnpkg.com", "error Command failed with exit code ", "ELIFECYCLE ") ||
			strings.HasPrefix(s, `error: script "`) && strings.Contains(s, "exited with code") || strings.HasPrefix(s, "Done in ") && strings.HasSuffix(s, "s.")
	}
}

// script is the parser for a script of package.json whose tool is not known:
// what it printed is text, and the commands that npm and its like echo go.
// Their names stay from the second on: it tells which part of the script speaks.
type script struct {
	around scriptLines
	text   plainText
	names  int
}

func (p *script) Line(l Line, emit Emit) {
	class, ok := p.around.class(l.Text)
	switch {
	case strings.HasPrefix(l.Text, "⚡ Done in "): // esbuild
		p.text.Close(emit)
		emit.line(Folded, l)
	case !ok || l.Text[0] != '>' && l.Text[0] != '$':
		p.text.Line(l, emit)
	default:
		p.text.Close(emit)
		if p.around.banner {
			if p.names++; p.names > 1 {
				class = Keep
			}
		} else if p.names > 0 {
			class = Folded // the command of the script that is named above
		}
		emit.line(class, l)
	}
}

func (p *script) Close(emit Emit) { p.text.Close(emit) }

// scriptEnd reports whether npm's error says no more than that a script ended
// with an exit code.
func scriptEnd(s string) bool {
	return hasPrefix(s,
		"code ELIFECYCLE", "errno ", "Exit status ", "Failed at the ", "This is probably not a problem with npm",
		"A complete log of this run", "Test failed.  See above", "Lifecycle script ", "Error: command failed",
		"in workspace: ", "at location: ", "path ", "command failed", "command sh ", "command cmd ", "/", "code 1", "code 2",
	) || s == "" || strings.HasSuffix(s, "`") && strings.Contains(s, ": `")
}

// coverTable reads the tables of istanbul (jest, vitest, nyc, c8) and of
// node --test: the totals and thresholds that were missed are kept, the rows
// of files are not.
type coverTable struct {
	open bool
	bars int // rules seen; the third ends the table
}

// class tells what a line of such a table is worth.
func (c *coverTable) class(s string) (Class, bool) {
	t := strings.TrimSpace(s)
	if hasAny(t, "coverage", "Coverage") {
		switch {
		case strings.HasPrefix(t, "Jest: ") && strings.Contains(t, " threshold for "),
			hasPrefix(t, "ERROR: Coverage for ", "Error: Coverage for "):
			return Failure, true
		case hasPrefix(t, "% Coverage report from", "Coverage enabled with"),
			hasSuffix(t, "start of coverage report", "end of coverage report"):
			return Folded, true
		}
	}
	t = strings.TrimPrefix(strings.TrimPrefix(t, "# "), "ℹ ")
	if len(t) > 8 && strings.Trim(t, "-|") == "" {
		c.bars++
		if c.open = c.bars%3 != 0; !c.open {
			c.bars = 0
		}
		return Folded, c.open || strings.Contains(t, "|") || c.bars == 0
	}
	if !c.open {
		return Body, false
	}
	cell, _, row := strings.Cut(t, "|")
	if !row {
		c.open, c.bars = false, 0
		return Body, false
	}
	return Good.unless(oneOf(strings.ToLower(strings.TrimSpace(cell)), "file", "all files"), Keep), true
}
