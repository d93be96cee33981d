package compact

import (
	"cmp"
	"slices"
	"strings"

	"cairn/internal/compact/lines"
	"cairn/internal/compact/rule"
	"cairn/internal/redact"
)

// finishPieces puts the results of all pieces together.
func (s *Stream) finishPieces(exit *int) Result {
	raw, whole := s.raw.all()
	m := Meta{FailureSignal: "none", Warnings: s.warns}
	if t := s.pieces.turns; t != nil {
		t.settle(s.pieces)
	}
	body := s.pieces.body(exit, &m)
	if s.rule = cmp.Or(s.pieces.main().stream.rule, rule.Generic()); s.broken {
		if whole {
			return s.again(raw, exit)
		}
		return s.bothEnds(m.Warnings)
	}
	m.Rule = s.rule.ID
	if whole && !strings.HasSuffix(raw, "\n") {
		body = strings.TrimSuffix(body, "\n")
	}
	if s.noShorter(body, &m) {
		return s.asItIs(raw, m)
	}
	return s.deliver(body, m)
}

// body is the result of each piece below its heading. Of those of which nothing is
// left the lines are counted together, and those that say the same have one heading.
func (p *pieces) body(exit *int, m *Meta) string {
	type part struct {
		headings []string
		text     string
	}
	var parts []*part
	same := map[string]*part{}
	gone := 0
	flush := func() {
		if gone > 0 {
			parts = append(parts, &part{text: Omission(gone)})
			gone = 0
		}
	}
	for _, at := range p.sorted() {
		c := at.stream
		res := c.Finish(exit)
		p.of.broken = p.of.broken || c.broken
		m.add(res.Meta)
		if n := p.gone(at, res); n > 0 {
			gone += n
			continue
		}
		text := strings.TrimRight(res.Reduced, "\n") + "\n"
		if lines.Blank(res.Reduced) {
			if text = ""; at.title == "" {
				continue
			}
		}
		if one := same[text]; one != nil && at.first == "" && at.whose != "" && at.title == "" {
			one.headings = append(one.headings, at.heading())
			continue
		}
		flush()
		one := &part{[]string{at.heading()}, text}
		if at.title != "" {
			one.text = redact.Line(at.title) + "\n" + text
		} else {
			same[text] = one
		}
		parts = append(parts, one)
	}
	flush()
	var b strings.Builder
	heading := ""
	for _, one := range parts {
		if h := strings.Join(one.headings, ", "); h != "" && h != heading {
			heading = h
			b.WriteString(redact.Line(strings.ReplaceAll(h, ":, ", ", ")) + "\n")
		}
		b.WriteString(one.text)
	}
	return b.String()
}

// sorted puts the pieces of one name together, and those without one first: what
// stands below a heading would be taken for a part of that.
func (p *pieces) sorted() []*piece {
	at := map[string]int{"": 0}
	for _, piece := range p.order {
		if _, ok := at[piece.whose]; !ok {
			at[piece.whose] = len(at)
		}
	}
	return slices.SortedStableFunc(slices.Values(p.order), func(a, b *piece) int { return at[a.whose] - at[b.whose] })
}

// gone is how many lines a piece has, if nothing of it is left or it is the CI
// runner's own and went well.
func (p *pieces) gone(at *piece, res Result) (n int) {
	c := at.stream
	if at.title != "" {
		n = 1
	}
	switch {
	case lines.Blank(res.Reduced) && at.title != "" && p.hooks != nil && at != p.hooks.own:
		return 0 // a hook that changed files need not say more
	case lines.Blank(res.Reduced):
		return n
	case c.store == nil || c.broken:
	case c.ci != nil && c.ci.runner && res.Meta.Unchanged && res.Meta.FailureSignal != "pattern" && c.store.failures == 0:
		return n + c.n
	default:
		if k := c.store.silent.clear(0, c.n); res.Reduced == Omission(k) {
			return n + k
		}
	}
	return 0
}

// add takes over what is known of a piece.
func (m *Meta) add(piece Meta) {
	if piece.FailureSignal != "none" && m.FailureSignal != "exit" {
		m.FailureSignal = piece.FailureSignal
	}
	m.Restored += piece.Restored
	m.RegexTimedOut = append(m.RegexTimedOut, piece.RegexTimedOut...)
	for _, w := range piece.Warnings {
		if !slices.Contains(m.Warnings, w) {
			m.Warnings = append(m.Warnings, w)
		}
	}
}

// main is the piece that tells most; the whole is named by its rule.
func (p *pieces) main() *piece {
	if p.hooks != nil {
		return p.hooks.own
	}
	return slices.MaxFunc(p.order, func(a, b *piece) int { return a.tells() - b.tells() })
}

// tells says how much the rule of a piece tells of the output as a whole: that
// of a failure most, then that of a tool, then the longest.
func (at *piece) tells() int {
	n := min(at.stream.n, 1<<27)
	if r := at.stream.rule; r != nil && r.ID != "generic" {
		n += 1 << 28
	}
	if st := at.stream.store; st != nil && st.failures > 0 {
		n += 1 << 29
	}
	return n
}

// heading is the prefix of a piece, once: whose it is, and from when to when.
func (at *piece) heading() string {
	head := strings.ReplaceAll(at.whose, "\t", " › ")
	if at.first != "" {
		when := trimStamp(at.first)
		if last := trimStamp(at.last); last != when {
			when += "–" + shorter(when, last)
		}
		if head == "" {
			return when + ":"
		}
		return head + " (" + when + "):"
	}
	if head == "" {
		return ""
	}
	return head + ":"
}

// trimStamp takes the brackets off a time.
func trimStamp(s string) string { return strings.Trim(s, "[](){}<>:, ") }

// shorter is the end of a time span without what its start says already: the
// date.
func shorter(first, last string) string {
	at := strings.LastIndexAny(last[:min(len(last), 12)], "T ")
	if at > 0 && at < len(first) && first[:at+1] == last[:at+1] {
		return last[at+1:]
	}
	return last
}
