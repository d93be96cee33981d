package compact

import (
	"slices"
	"sort"
	"strings"

	"cairn/internal/compact/lines"
	"cairn/internal/compact/record"
	"cairn/internal/compact/rule"
)

// The guard above the rules. What the guard in a store sees, a rule has touched
// already: it may have stripped the words, dropped the line as content, or named
// a parser by which it is fine. So an output that a rule of a user or a project
// is for is compacted a second time, by the rules below that one, and where it
// failed, that result counts too:
//
//   - of a user's rule, every line that speaks of trouble and is shown without
//     the rule is shown with it;
//   - a project's rule, which a stranger may have written, can only add to what
//     is shown without it. Where nobody knows yet how a command ends, it counts
//     as failed.
type below struct {
	stream  *Stream
	trouble lines.Signal // the worst that any line of the output speaks of
}

// newBelow begins the second compaction, nil where a built-in rule is used.
func (s *Stream) newBelow() *below {
	if s.rule.Tier == rule.BuiltIn {
		return nil
	}
	opt := s.opt
	opt.Library = opt.Library.Below(s.rule.Tier)
	if s.rule.Tier == rule.OfUser { // whoever renders asks; that is not this one
		opt.Verify = Verify{}
	}
	if r, err := opt.Library.Rule(opt.Rule); r == nil || err != nil {
		opt.Rule = "" // only the rule above has this name
	}
	b := &below{stream: NewStream(s.env, opt)}
	b.stream.start, b.stream.raw.whole, b.stream.nested = s.start, s.raw.whole, s.nested
	return b
}

// take takes one line as the tool wrote it.
func (b *below) take(l record.Line) {
	if b == nil {
		return
	}
	text := l.Text
	if len(text) > guardMax {
		text = lines.Clip(text)
	}
	b.trouble = max(b.trouble, lines.Classify(text))
	b.stream.take(l)
}

func (b *below) close() {
	if b == nil {
		return
	}
	defer b.stream.survive()
	if b.stream.filter == nil {
		b.stream.choose()
	}
	b.stream.close()
}

// overrules reports whether the result of the rules below is the one to show:
// that of a project's rule, when the command failed or may have.
func (b *below) overrules(s *Stream, exit *int) bool {
	switch {
	case b == nil || s.rule.Tier != rule.OfProject:
		return false
	case exit != nil:
		return *exit != 0 || b.trouble >= lines.Failure
	}
	return b.trouble >= lines.Trouble
}

// finish is the result of the rules below with what s keeps besides.
func (b *below) finish(s *Stream, exit *int) Result {
	in := b.stream
	in.raw, in.nested, in.above = s.raw, s.nested, s
	for _, w := range s.warns {
		if !slices.Contains(in.warns, w) {
			in.warns = append(in.warns, w)
		}
	}
	s.closeRule()
	return in.Finish(exit)
}

// closeRule is close for who does not render.
func (s *Stream) closeRule() {
	defer s.survive()
	s.filter.close()
}

// add returns the lines that the rules below show besides those in items: for a
// failure under a user's rule. It is also how a project's rule adds to items.
func (b *below) add(s *Stream, exit *int, items []*item, m *Meta) (more []*item) {
	shown := map[string]bool{}
	at := map[int]bool{}
	for _, it := range items {
		shown[strings.TrimSpace(it.text)] = true
		at[it.n] = true
	}
	if s.above != nil && len(s.above.filter.prog.Strip) == 0 { // else a line may say the opposite now
		for _, it := range s.above.store.kept {
			if !at[it.n] {
				more = append(more, &item{n: it.n, text: it.text})
			}
		}
	}
	if b == nil {
		return more
	}
	var below Meta
	kept, _ := b.stream.gather(exit, &below)
	switch {
	case below.FailureSignal == "none", s.rule.Data && below.FailureSignal == "pattern":
		return more
	case m.FailureSignal == "none":
		m.FailureSignal = below.FailureSignal
	}
	for _, it := range kept {
		if text := strings.TrimSpace(it.text); !shown[text] && lines.Classify(text) >= lines.Trouble {
			shown[text] = true
			more = append(more, &item{n: it.n, text: it.text})
		}
	}
	sort.SliceStable(more, func(i, j int) bool { return more[i].n < more[j].n })
	return more
}
