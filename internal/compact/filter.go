package compact

import (
	"regexp"
	"slices"
	"time"

	"cairn/internal/compact/lines"
	"cairn/internal/compact/record"
	"cairn/internal/compact/rule"
)

// filter runs a rule's patterns on each line before the parser sees it.
type filter struct {
	prog   *rule.Program
	store  *store
	parser record.Parser
	wide   bool // it wants overlong lines whole
	take   func(record.Record)

	block     *rule.BlockProgram // the open one
	blockOf   []record.Line
	budget    time.Duration // left for the patterns
	took      time.Duration // by the last line that was measured
	seen      int
	exhausted bool
}

// The time patterns take is measured on every sampleEvery-th line: reading
// the clock costs as much as a simple pattern. Of two measured in a row the
// faster counts: patterns that are slow are so on every line, while a process
// that had to wait is not.
const sampleEvery = 32

func newFilter(prog *rule.Program, budget time.Duration, st *store, parser record.Parser) *filter {
	return &filter{prog: prog, store: st, parser: parser, wide: record.TakesLong(parser), take: st.take, budget: budget}
}

func (f *filter) line(l record.Line) {
	if l.Keep { // it is no line of the tool's
		f.take(record.Record{Class: record.Keep, Lines: []record.Line{l}})
		return
	}
	if !f.prog.HasPatterns() || f.exhausted {
		f.parse(l)
		return
	}
	if f.seen++; f.seen%sampleEvery == 0 {
		start := time.Now()
		f.match(l)
		took := time.Since(start)
		f.budget -= sampleEvery * min(took, f.took)
		f.took, f.exhausted = took, f.budget < 0
		return
	}
	f.match(l)
}

func (f *filter) match(l record.Line) {
	for _, re := range f.prog.Strip {
		l.Text = re.ReplaceAllString(l.Text, "")
	}
	for _, c := range f.prog.Counts {
		if c.Pattern.MatchString(l.Text) {
			f.store.counts[c.Name]++
		}
	}
	if f.inBlock(l) {
		return
	}
	l.Keep = matchAny(f.prog.Keep, l.Text)
	switch {
	case l.Keep:
	case matchAny(f.prog.Drop, l.Text):
		if f.prog.Source == "built-in" { // a rule of a user may take too much for noise
			f.store.quiet.set(l.N)
		}
		f.store.drop(l, true)
		return
	case len(f.prog.Only) > 0 && !matchAny(f.prog.Only, l.Text):
		f.store.drop(l, true)
		return
	}
	if f.grouped(l) {
		return
	}
	f.parse(l)
}

// inBlock collects the lines of a block and takes it whole when it ends.
func (f *filter) inBlock(l record.Line) bool {
	if f.block == nil {
		for i := range f.prog.Blocks {
			if f.prog.Blocks[i].Start.MatchString(l.Text) {
				f.block = &f.prog.Blocks[i]
				f.blockOf = append(f.blockOf, l)
				return true
			}
		}
		return false
	}
	end := f.block.End
	switch {
	case end == nil && lines.Blank(l.Text), len(f.blockOf) >= f.block.Max:
		f.endBlock()
		return false
	}
	f.blockOf = append(f.blockOf, l)
	if end != nil && end.MatchString(l.Text) {
		f.endBlock()
	}
	return true
}

func (f *filter) endBlock() {
	if f.block != nil {
		f.take(record.Record{Class: record.Keep, Lines: f.blockOf})
		f.block, f.blockOf = nil, nil
	}
}

// grouped puts a line under its group, if the rule has one for it.
func (f *filter) grouped(l record.Line) bool {
	g := f.prog.GroupBy
	if g == nil || !f.store.groups {
		return false
	}
	m := g.FindStringSubmatch(l.Text)
	if m == nil {
		return false
	}
	rec := record.Record{Group: m[f.prog.GroupKey], Lines: []record.Line{l}}
	if f.prog.GroupRow > 0 {
		rec.Row = m[f.prog.GroupRow]
	}
	f.take(rec)
	return true
}

func (f *filter) parse(l record.Line) {
	if len(l.Text) > lines.ClipOver && !f.wide {
		l.Text = lines.Clip(l.Text)
	}
	f.parser.Line(l, f.take)
}

func (f *filter) close() {
	f.endBlock()
	f.parser.Close(f.take)
}

func matchAny(res []*regexp.Regexp, s string) bool {
	return slices.ContainsFunc(res, func(re *regexp.Regexp) bool { return re.MatchString(s) })
}
