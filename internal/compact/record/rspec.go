package record

import (
	"strings"

	"cairn/internal/compact/lines"
)

// rspec is the parser for RSpec's progress and documentation formats.
type rspec struct {
	section rspecSection
	failure []Line
	group   *Line // a line that may open a group of the documentation format
	doc     bool  // in that format, so that indented lines are examples
	failed  int   // failed examples listed
	text    plainText
	reasons reasons
}

type rspecSection uint8

const (
	rspecRun rspecSection = iota
	rspecPending
	rspecFailures
	rspecLoading // an error outside of the examples
	rspecProfile
	rspecFailed // the list of failed examples
	rspecDeprecated
	rspecEnd
)

const (
	rspecMax    = 300 // lines held of one failure
	rspecListed = 50  // failed examples listed on lines of their own
)

func (*rspec) wide() {}

func (p *rspec) Line(l Line, emit Emit) {
	if strings.HasPrefix(l.Text, `{"version":`) { // --format json: all on one line
		emit.line(Keep, l)
		return
	}
	if len(l.Text) > lines.ClipOver {
		l.Text = lines.Clip(l.Text)
	}
	t := strings.TrimRight(l.Text, " ")
	rec := Record{Class: Good, Lines: []Line{l}}
	if section, ok := rspecHeading(t); ok {
		p.end(emit)
		p.section = section
		if section == rspecLoading {
			p.failure = []Line{l}
			return
		}
		if section == rspecFailed {
			rec.Class = Folded // each is a command
		}
		emit(rec)
		return
	}
	switch {
	case rubyTotals(t):
		p.end(emit)
		p.section, rec.Class = rspecEnd, Keep
		emit(rec)
		return
	case strings.HasPrefix(t, "Finished in ") && strings.Contains(t, " second"), strings.HasPrefix(t, "Finished in ") && strings.Contains(t, " minute"),
		strings.HasPrefix(t, "Randomized with seed "), t == "No examples found.", strings.HasPrefix(t, "Coverage report generated"):
		if p.section != rspecRun && !strings.HasPrefix(t, "Randomized") {
			p.end(emit)
			p.section = rspecEnd
		}
		if t == "No examples found." || strings.HasPrefix(t, "Finished in ") {
			rec.Class = Folded // the totals follow
		}
		emit(rec)
		return
	}
	switch p.section {
	case rspecPending:
		if _, ok := rubyNumber(t); ok && leading(t) <= 3 {
			rec.Count = "pending"
		}
	case rspecProfile:
	case rspecFailures, rspecLoading:
		p.failing(l, t, emit)
		return
	case rspecFailed:
		p.list(&rec, t)
	case rspecDeprecated:
		p.deprecated(&rec, t)
	default:
		p.progress(l, t, emit)
		return
	}
	emit(rec)
}

// progress takes a line printed while the examples run.
func (p *rspec) progress(l Line, t string, emit Emit) {
	rec := Record{Class: Good, Lines: []Line{l}}
	if g := p.group; g != nil {
		p.group = nil
		if strings.HasPrefix(t, "  ") {
			p.doc = true
			emit.line(Good, *g)
		} else {
			p.text.Line(*g, emit)
		}
	}
	switch {
	case t == "", strings.HasPrefix(t, "Run options: "):
	case rubyDots(t):
		p.doc = false
	case p.doc && strings.HasPrefix(t, "  ") && lines.Classify(t) < lines.Failure,
		strings.HasPrefix(t, " ") && strings.Contains(t, "(FAILED - "), strings.HasPrefix(t, " ") && strings.Contains(t, "(PENDING: "):
	case strings.Contains(t, " Coverage: "):
		rec.Class = Keep
	case !indented(t) && lines.Classify(t) < lines.Warning:
		p.group = &l
		return
	default:
		p.doc = p.doc && t[0] == ' '
		p.text.Line(l, emit)
		return
	}
	p.text.Close(emit)
	emit(rec)
}

// failing takes a line of a failure.
func (p *rspec) failing(l Line, t string, emit Emit) {
	switch _, number := rubyNumber(t); {
	case number && leading(t) <= 3 && p.section == rspecFailures:
		p.endFailure(emit)
		p.failure = []Line{l}
	case p.failure == nil && t != "":
		p.text.Line(l, emit)
	case t == "", strings.HasPrefix(strings.TrimSpace(t), "(compared using "):
		emit.line(Folded, l) // the line of code says so
	case p.section == rspecLoading && len(p.failure) == 1 && indented(t) && strings.HasPrefix(strings.TrimSpace(t), "rspec "):
		emit.line(Folded, l) // "Did you mean?" of a file by its name
	case len(p.failure) >= rspecMax:
		emit.line(Noise, l)
	default:
		p.failure = append(p.failure, l)
	}
}

func (p *rspec) endFailure(emit Emit) {
	if p.failure != nil {
		emitRuby(p.failure, &p.reasons, emit)
		p.failure = nil
	}
}

// list takes a line of the failed examples: the command that runs each again.
func (p *rspec) list(rec *Record, t string) {
	rest, ok := strings.CutPrefix(t, "rspec ")
	if !ok {
		return
	}
	rec.Class = Keep
	if p.failed++; p.failed > rspecListed {
		rec.Key = "failed example"
		rec.Site, _, _ = strings.Cut(rest, " #")
	}
}

// deprecated takes a line of the deprecation warnings.
func (p *rspec) deprecated(rec *Record, t string) {
	switch {
	case strings.HasSuffix(t, " total"):
		rec.Class = Keep
	case t == "", hasPrefix(t, "If you need more of the backtrace", "identify where to make", "`config.raise_errors_for_deprecations!`", "deprecation warnings into errors"):
	default:
		rec.Class, rec.Key = Warn, lines.Template(t)
	}
}

func (p *rspec) end(emit Emit) {
	if p.group != nil {
		p.text.Line(*p.group, emit)
		p.group = nil
	}
	p.text.Close(emit)
	p.endFailure(emit)
}

func (p *rspec) Close(emit Emit) { p.end(emit) }

// rspecHeading reads the line that opens a section.
func rspecHeading(t string) (rspecSection, bool) {
	switch {
	case strings.HasPrefix(t, "Pending: (Failures listed here are expected"):
		return rspecPending, true
	case t == "Failures:":
		return rspecFailures, true
	case t == "Failed examples:":
		return rspecFailed, true
	case t == "Deprecation Warnings:":
		return rspecDeprecated, true
	case strings.HasPrefix(t, "Top ") && strings.Contains(t, " slowest example"):
		return rspecProfile, true
	case strings.HasPrefix(t, "An error occurred "):
		return rspecLoading, true
	}
	return 0, false
}
