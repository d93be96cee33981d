package record

import (
	"strings"

	"cairn/internal/compact/lines"
)

// rspec is the parser for RSpec's progress and documentation formats.
type rspec struct {
	section string
	failure []Line
	pending *Line  // the title of a pending example
	unmet   bool   // whose failure is told
	group   *Line  // a line that may open a group of the documentation format
	doc     bool   // in that format, so that indented lines are examples
	failed  int    // failed examples listed
	titles  set    // of failures
	again   []Line // those whose failures are shown: the first has the command that runs all
	text    plainText
	reasons reasons
}

// the sections of the output, by the line that opens each
const (
	rspecRun        = ""
	rspecPending    = "pending"
	rspecFailures   = "failures"
	rspecLoading    = "loading" // an error outside of the examples
	rspecProfile    = "profile"
	rspecFailed     = "failed" // the list of failed examples
	rspecDeprecated = "deprecated"
	rspecEnd        = "end"
)

var rspecHeadings = forms{
	{class: Good, key: rspecPending, start: words{"Pending: (Failures listed here are expected"}},
	{class: Good, key: rspecFailures, is: words{"Failures:"}},
	{class: Folded, key: rspecFailed, is: words{"Failed examples:"}}, // each is a command
	{class: Good, key: rspecDeprecated, is: words{"Deprecation Warnings:"}},
	{class: Good, key: rspecProfile, start: words{"Top "}, has: words{" slowest example"}},
	{key: rspecLoading, start: words{"An error occurred "}},
}

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
	l.Text = lines.Clip(l.Text)
	t := strings.TrimRight(l.Text, " ")
	rec := Record{Class: Good, Lines: []Line{l}}
	heading, heads := rspecHeadings.mark(t)
	switch {
	case heads:
		p.Close(emit)
		if p.section, rec.Class = heading.key, heading.class; p.section == rspecLoading {
			p.failure = []Line{l}
			return
		}
	case rubyTotals(t):
		p.Close(emit)
		p.section, rec.Class = rspecEnd, Keep
	case rspecEnds(t):
		random := strings.HasPrefix(t, "Randomized")
		if p.section != rspecRun && !random {
			p.Close(emit)
			p.section = rspecEnd
		}
		rec.Class = Folded.unless(random || strings.HasPrefix(t, "Coverage"), Good) // the totals follow
	case p.section == rspecPending:
		switch _, number := rubyNumber(t); {
		case number && leading(t) <= 3:
			emit.held(Good, &p.pending)
			p.pending, p.unmet = &l, false
			emit(Record{Count: "pending", Class: Good})
			return
		case strings.HasPrefix(strings.TrimSpace(t), "Failure/Error:"): // what it waits for failed as expected: where is worth a line
			emit.held(Keep, &p.pending)
			p.unmet = true
		case p.unmet && rubyFrame(t) && !hasAny(t, rubyForeign...):
			rec.Class, p.unmet = Keep, false
		}
	case p.section == rspecProfile:
	case p.section == rspecFailures, p.section == rspecLoading:
		p.failing(l, t, emit)
		return
	case p.section == rspecFailed:
		if p.runs(l, t) {
			return
		}
		p.list(&rec, t)
	case p.section == rspecDeprecated:
		p.deprecated(&rec, t)
	default:
		p.progress(l, t, emit)
		return
	}
	emit(rec)
}

// rspecEnds reports whether t stands around the totals.
func rspecEnds(t string) bool {
	return strings.HasPrefix(t, "Finished in ") && hasAny(t, " second", " minute") || hasPrefix(t, "Randomized with seed ", "Coverage report generated") || t == "No examples found."
}

// progress takes a line printed while the examples run.
func (p *rspec) progress(l Line, t string, emit Emit) {
	rec := Record{Class: Good, Lines: []Line{l}}
	if p.group != nil && strings.HasPrefix(t, "  ") {
		p.doc = true
		emit.held(Good, &p.group)
	}
	emit.pass(&p.group, p.text.Line)
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
		title, _ := rubyNumber(t)
		p.titles.add(title, rspecMax)
	case p.failure == nil && t != "":
		p.text.Line(l, emit)
	case t == "", strings.HasPrefix(strings.TrimSpace(t), "(compared using "), // the line of code says so
		p.section == rspecLoading && len(p.failure) == 1 && indented(t) && strings.HasPrefix(strings.TrimSpace(t), "rspec "):
		emit.line(Folded, l) // or it is "Did you mean?" of a file by its name
	default:
		emit.hold(&p.failure, rspecMax, Noise, l)
	}
}

func (p *rspec) endFailure(emit Emit) {
	if failure := take(&p.failure); failure != nil {
		emitRuby(failure, &p.reasons, emit)
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

// runs takes a failed example that is shown: one command runs all of them again.
// Of several in a file their lines or numbers follow its name, as rspec takes
// them.
func (p *rspec) runs(l Line, t string) bool {
	command, title, ok := strings.Cut(t, " # ")
	if !ok || !p.titles[title] || !strings.HasPrefix(command, "rspec ") || len(p.again) >= rspecListed {
		return false
	}
	p.again = append(p.again, l)
	if len(p.again) == 1 {
		p.again[0].Text = command
		return true
	}
	all := &p.again[0].Text
	example := command[len("rspec "):]
	last := (*all)[strings.LastIndexByte(*all, ' ')+1:]
	file, line, _ := strings.Cut(example, ":")
	ids, id, _ := strings.Cut(strings.TrimSuffix(example, "]"), "[")
	before, _, _ := strings.Cut(last, ":")
	switch {
	case before == file && digitsOnly(line):
		*all += ":" + line
	case id != "" && strings.HasPrefix(last, ids+"[") && strings.HasSuffix(last, "]"):
		*all = strings.TrimSuffix(*all, "]") + "," + id + "]"
	default:
		*all += " " + example
	}
	return true
}

// endRuns gives the command that runs failed examples again.
func (p *rspec) endRuns(emit Emit) {
	if ls := take(&p.again); ls != nil {
		emit.line(Keep, ls[0])
		emit.each(Folded, ls[1:])
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

func (p *rspec) Close(emit Emit) {
	emit.held(Good, &p.pending)
	emit.pass(&p.group, p.text.Line)
	p.text.Close(emit)
	p.endFailure(emit)
	p.endRuns(emit)
}
