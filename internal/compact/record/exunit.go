package record

import (
	"strings"

	"cairn/internal/compact/lines"
)

// exunit is the parser for mix test, Elixir's ExUnit, and for the compiler
// that runs before it. Formats: ExUnit.CLIFormatter and ExUnit.Formatter of
// Elixir 1.14; a failure opens with "  1) test name (Module)" and is indented
// by five, what was logged meanwhile stands between the dots.
type exunit struct {
	failure []Line
	block   []Line // an exception outside of the tests, with its stack
	text    plainText
}

const (
	exunitMax     = 200 // lines held of one failure
	exunitForeign = 2   // frames of other applications kept of each
)

func (p *exunit) Line(l Line, emit Emit) {
	t := strings.TrimRight(l.Text, " ")
	if p.failure != nil && !exunitTitle(t) && (t == "" || strings.HasPrefix(t, "     ")) {
		emit.hold(&p.failure, exunitMax, Noise, l)
		return
	}
	if p.block != nil && t != "" && (indented(t) || strings.HasPrefix(t, "** (")) && len(p.block) < textBlock {
		p.block = append(p.block, l)
		return
	}
	p.end(emit)
	rec := Record{Class: Good, Lines: []Line{l}}
	switch {
	case exunitTitle(t):
		p.failure = []Line{l}
	case hasPrefix(t, "** (", "== Compilation error in file "):
		p.block = []Line{l}
	case exunitLog(t, &rec):
		p.text.Close(emit)
		emit(rec)
	default:
		exunitForms.or(&p.text, l, t, emit)
	}
}

var exunitForms = forms{
	{class: Keep, test: exunitTotals},
	{class: Folded, start: words{"Finished in ", "Randomized with seed "}}, // beside the totals
	{class: Good, start: words{"  * "}},                                    // --trace: of a test that fails, the failure follows
	{class: Good, end: words{exunitTraced}},
	{class: Good, only: ".*?"},
	{class: Good, is: words{""}},
	{class: Good, start: words{"Compiling ", "Generated ", "==> ", "Running ExUnit with seed", "Excluding tags: ", "Including tags: "}},
}

const exunitTraced = "_test.exs]" // ends a line of --trace

func (p *exunit) end(emit Emit) {
	if block := take(&p.block); block != nil {
		emit(Record{Class: Failure, Lines: block, Brief: min(2, len(block))})
	}
	f := take(&p.failure)
	if f == nil {
		return
	}
	n := len(f)
	for n > 1 && lines.Blank(f[n-1].Text) {
		n--
	}
	if n < len(f) {
		emit(Record{Class: Folded, Lines: f[n:]})
	}
	f, foreign := exunitFrames(f[:n])
	emit.block(Noise, &foreign)
	rec := Record{Class: Failure, Lines: f, Brief: min(len(f), 8)}
	var says strings.Builder // everything but the test's name and place
	for i, l := range f {
		switch t := strings.TrimSpace(l.Text); {
		case i == 1:
			rec.Site = t
		case t == "stacktrace:":
			rec.Brief = min(rec.Brief, i)
		case i > 1:
			says.WriteString(lines.Template(t))
		}
	}
	rec.Key = says.String()
	emit(rec)
}

// exunitFrames takes out of a failure what its stack has of other
// applications, "(phoenix 1.8.3) lib/…", beyond the first two: where the fault
// came up. The project's own is called as its modules are.
func exunitFrames(f []Line) (kept, foreign []Line) {
	_, module, _ := strings.Cut(f[0].Text, ") ")
	if i := strings.LastIndexByte(module, '('); i >= 0 {
		module = strings.ToLower(module[i+1:])
	}
	stack, others := false, 0
	return split(f, func(_ int, l Line) bool {
		t := strings.TrimSpace(l.Text)
		app, _, _ := strings.Cut(strings.TrimPrefix(t, "("), " ")
		if stack && strings.HasPrefix(t, "(") && !strings.HasPrefix(module, strings.ReplaceAll(app, "_", "")) {
			others++
			return others <= exunitForeign
		}
		stack = stack || t == "stacktrace:"
		return true
	})
}

func (p *exunit) Close(emit Emit) {
	p.end(emit)
	p.text.Close(emit)
}

// exunitTitle reports whether t opens a failure: " 12) doctest Calc (CalcTest)".
func exunitTitle(t string) bool {
	number, rest, ok := strings.Cut(strings.TrimLeft(t, " "), ") ")
	return ok && digitsOnly(number) && indented(t) && strings.HasSuffix(rest, ")") && hasPrefix(rest, "test ", "doctest ", "property ", "feature ")
}

// exunitTotals reports whether t is "1 doctest, 118 tests, 14 failures, 1
// skipped".
func exunitTotals(t string) bool {
	if !hasAny(t, " failures", " failure") || !hasAny(t, " test", " propert", " feature") {
		return false
	}
	for part := range strings.SplitSeq(t, ", ") {
		if f := strings.Fields(part); len(f) < 2 || len(f) > 4 || !digitsOnly(f[0]) {
			return false
		}
	}
	return true
}

// exunitLog reports whether t is a line of Logger's, "23:46:02.929 [info] …",
// and what it is worth.
func exunitLog(t string, rec *Record) bool {
	if len(t) < 14 || t[2] != ':' || t[5] != ':' || t[8] != '.' || strings.HasSuffix(t, exunitTraced) {
		return false
	}
	open := strings.IndexByte(t, '[')
	end := strings.IndexByte(t, ']')
	if open < 0 || end < open || open > 60 {
		return false
	}
	if oneOf(t[open+1:end], "warning", "warn", "error", "critical", "alert", "emergency") {
		rec.Class, rec.Key = Warn, lines.Template(t[open:])
		rec.Lines[0].Text = lines.Clip(rec.Lines[0].Text)
		return true
	}
	return oneOf(t[open+1:end], "debug", "info", "notice")
}
