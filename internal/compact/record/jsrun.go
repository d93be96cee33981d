package record

import (
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
	logs    jsLogs
	cover   coverTable
	scripts scriptLines
	rest    plainText
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
	if ok {
		emit.line(class, l)
	}
	return ok
}

// other takes a line that is not the runner's: what the tested code printed.
func (r *jsRun) other(l Line, emit Emit) {
	if frame, own := jsFrame(l.Text); frame && !own && r.rest.block == nil {
		emit.line(Good, l)
		return
	}
	if strings.Trim(l.Text, " \t-") == "" {
		r.rest.flush(emit)
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
	class := Failure.unless(r.faults.n > 0, Folded)
	emit.all(class, &r.rows)
	r.rest.Close(emit)
}

func (r *jsRun) Close(emit Emit) {
	r.endFault(emit)
	r.close(emit)
}

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
	if len(rest) > 0 {
		emit(Record{Class: Good, Lines: rest})
	}
}

// orTAP is a runner that can also print TAP, which its first line tells.
type orTAP struct {
	runner Parser
	tap    *tap
}

func (p *orTAP) Line(l Line, emit Emit) {
	if p.tap == nil && (strings.HasPrefix(l.Text, "TAP version 1") || tapPlan(l.Text) || tapFirst(l.Text)) {
		p.runner.Close(emit)
		p.tap = &tap{}
	}
	if p.tap != nil {
		p.tap.Line(l, emit)
		return
	}
	p.runner.Line(l, emit)
}

func (p *orTAP) Close(emit Emit) {
	if p.tap != nil {
		p.tap.Close(emit)
		return
	}
	p.runner.Close(emit)
}
