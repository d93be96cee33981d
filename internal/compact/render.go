package compact

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"cairn/internal/compact/lines"
	"cairn/internal/compact/rule"
	"cairn/internal/redact"
	"cairn/internal/text"
	"cairn/internal/tokens"
)

// gather returns what is kept, in the order of the output, with a note on what
// there is besides. It fills in m what is known of a failure.
func (s *Stream) gather(exit *int, m *Meta) (items []*item, note string) {
	st := s.store
	m.FailureSignal = s.failureSignal(exit)
	failed := m.FailureSignal != "none"
	items = append(st.close(failed), st.list.items(s.rowRoom(), s.n-1, st.tellEntry)...)
	// Closing the window dropped more lines: a failure may be among them.
	if late := s.failureSignal(exit); late != m.FailureSignal {
		m.FailureSignal, failed = late, true
	}
	back, note := st.guard.restore(failed, append(items[:len(items):len(items)], st.found.said()...))
	for _, l := range back {
		items = append(items, &item{n: l.N, text: l.Text})
	}
	m.Restored = len(back)
	st.noteRepeats()
	items = append(items, st.groupItems()...)
	items = append(items, st.found.items(st)...)
	if more := s.below.add(s, exit, items, m); len(more) > 0 {
		items = append(items, more...)
		m.Restored += len(more)
	}
	sort.SliceStable(items, func(i, j int) bool { return items[i].n < items[j].n })
	return items, note
}

// rowRoom is the room for the rows of a list at this level.
func (s *Stream) rowRoom() int { return s.opt.Level.of(s.listRoom()) }

// render puts together what was kept.
func (s *Stream) render(exit *int) Result {
	raw, whole := s.raw.all()
	m := Meta{Rule: s.named().rule.ID, Warnings: s.warns}
	if s.filter.exhausted {
		m.RegexTimedOut = []string{s.rule.ID}
	}
	items, note := s.gather(exit, &m)
	open := whole && !strings.HasSuffix(raw, "\n")
	body := s.assemble(items, note, open)
	if s.noShorter(body, &m) {
		return s.asItIs(raw, m)
	}
	if back := s.verify(&m, items, body); len(back) > 0 {
		items = append(items, back...)
		sort.SliceStable(items, func(i, j int) bool { return items[i].n < items[j].n })
		body = s.assemble(items, note, open)
		if s.noShorter(body, &m) {
			return s.asItIs(raw, m)
		}
	}
	return s.deliver(body, m)
}

// noShorter reports whether a body is no shorter with its header than the output:
// a single byte is not worth a header. An id that m notes stands for one to come.
func (s *Stream) noShorter(body string, m *Meta) bool {
	raw, whole := s.raw.all()
	if s.nested == 0 && s.tees() {
		m.TeeID = dryID
	}
	return whole && len(s.header(*m, lineCount(body)))+len(body)+1 >= len(raw)
}

// deliver is the result with this body, its raw output stored; or the output
// itself, if the session asks for it again: it wants what was left out.
func (s *Stream) deliver(body string, m Meta) Result {
	raw, whole := s.raw.all()
	if s.nested > 0 || !s.tees() {
		s.raw.spill.discard()
	} else if s.writeTee(&m) {
		m.Again = true
		return s.unchanged(raw, m)
	}
	header := s.header(m, lineCount(body))
	if whole && len(header)+len(body) >= len(raw) {
		return s.unchanged(raw, m)
	}
	return s.result(header+body, m)
}

// bothEnds is the result when nothing better could be made of a large output.
func (s *Stream) bothEnds(warnings []string) Result {
	return s.deliver(s.teeText(2*rawEnd), Meta{Rule: "generic", FailureSignal: "none", Warnings: warnings})
}

// named is the stream whose rule the result is named after, and who counted.
func (s *Stream) named() *Stream {
	if s.above != nil {
		return s.above
	}
	return s
}

// failureSignal tells how a failure is known: by the exit code, or by what
// the output says, since a pipeline or a script may hide the code.
func (s *Stream) failureSignal(exit *int) string {
	switch {
	case exit != nil && *exit != 0:
		return "exit"
	case !s.rule.Data && s.store.failures+s.store.guard.failures > 0:
		return "pattern"
	}
	return "none"
}

// assemble is the result without its header; open says that the output does
// not end in a line feed.
func (s *Stream) assemble(items []*item, note string, open bool) string {
	said := s.body(slices.Clone(items))
	if s.folds() {
		said = unruled(squeezed(said))
	}
	if note != "" {
		said += note + "\n"
	}
	if n := s.store.warnings; n > 0 {
		said += "[… " + text.Thousands(n) + " more warnings …]\n"
	}
	if open {
		said = strings.TrimSuffix(said, "\n")
	}
	return said
}

// body prints the items with a marker wherever lines are missing.
func (s *Stream) body(items []*item) string {
	var b strings.Builder
	items = s.dropLooseBlanks(items)
	gap := s.largestGap(items)
	next := 0
	var secrets redact.Redactor
	for _, it := range items {
		if it.n < next-1 {
			continue // brought back twice
		}
		if s.omission(&b, next, it.n, gap) {
			secrets = redact.Redactor{} // the end of a key may be among what is missing
		}
		it.text = secrets.Line(it.text)
		b.WriteString(it.lines())
		if it.note != "" {
			b.WriteString(it.note + "\n")
		}
		next = max(next, it.n+1)
	}
	s.omission(&b, next, s.n, gap)
	return b.String()
}

// folds reports whether what several lines repeat may be said once.
func (s *Stream) folds() bool {
	return s.opt.Level >= Normal && !s.rule.Data && len(s.rule.Primitives.Filter.Keep) == 0
}

// dropLooseBlanks leaves out blank lines beside an omission: they separate
// nothing from nothing, and would split one marker into two. Of several in a row
// one separates as well.
func (s *Stream) dropLooseBlanks(items []*item) []*item {
	out := items[:0]
	next, blanks := 0, 0 // blanks at the end of out, directly after an omission or none
	for _, it := range items {
		gap := s.store.silent.clear(next, it.n) > 0
		if gap {
			for ; blanks > 0; blanks-- {
				s.store.silent.set(out[len(out)-1].n)
				out = out[:len(out)-1]
			}
		}
		next = max(next, it.n+1)
		if !lines.Blank(it.text) || it.note != "" {
			blanks = 0
		} else if gap || len(out) == 0 && it.n > 0 || blanks > 0 && s.folds() {
			s.store.silent.set(it.n)
			continue
		} else {
			blanks++
		}
		out = append(out, it)
	}
	return out
}

// omission marks the lines in [from, to) that are not shown, with the rule's
// summary at the largest gap. Below the header, which says that lines are
// missing, those above the first shown need no more, nor do those that are known
// to be fine. It reports whether there are any.
func (s *Stream) omission(b *strings.Builder, from, to int, gap largest) bool {
	n := s.store.silent.clear(from, to)
	if n == 0 {
		return to > from
	}
	if text, ok := s.store.short[from]; ok && n == 1 && to == from+1 {
		b.WriteString(redact.Line(text) + "\n")
		return true
	}
	sum := ""
	if from == gap.at {
		sum = s.summary()
	}
	mark := Omission(n)
	switch {
	case sum != "":
		mark = strings.TrimSuffix(Omission(n+gap.others), " …]\n") + ": " + sum + " …]\n"
	case from == 0 && to < s.n && s.nested == 0:
		return true // the header, right above, is the marker
	case b.Len() > 0 && s.allFine(from, to, n):
		return true
	}
	b.WriteString(mark)
	return true
}

// Omission is the line that marks n missing lines.
func Omission(n int) string {
	if n == 1 {
		return "[… 1 line …]\n"
	}
	return "[… " + text.Thousands(n) + " lines …]\n"
}

// ClipLine shortens one overlong line of a file and says in it how much is missing.
func ClipLine(s string) string { return lines.Ends(s) }

// allFine reports whether the n lines that [from, to) does not show are all known to be fine.
func (s *Stream) allFine(from, to, n int) bool {
	return !s.rule.Data && s.store.quiet.except(s.store.silent, from, to) == n
}

// largest is the longest run of missing lines: where it begins, and how many lines
// are missing in others that have no marker.
type largest struct{ at, others int }

func (s *Stream) largestGap(items []*item) largest {
	best, out, next := 0, largest{at: -1}, 0
	bestFine := false
	consider := func(to int) {
		n := s.store.silent.clear(next, to)
		fine := n > 0 && s.allFine(next, to, n)
		if n > best {
			if bestFine {
				out.others += best
			}
			best, bestFine, out.at = n, fine, next
		} else if fine {
			out.others += n
		}
	}
	for _, it := range items {
		consider(it.n)
		next = max(next, it.n+1)
	}
	consider(s.n)
	return out
}

// summary fills the counters into the rule's summary. A part between commas
// whose counters are all zero is left out.
func (s *Stream) summary() string {
	s = s.named()
	sum := s.rule.Primitives.Count.Summary
	if sum == "" || s.opt.Level < Normal {
		return ""
	}
	var parts []string
	for _, part := range strings.Split(sum, ", ") {
		counted, total := false, 0
		for i := strings.IndexByte(part, '{'); i >= 0; i = strings.IndexByte(part, '{') {
			j := strings.IndexByte(part[i:], '}')
			if j < 0 {
				break
			}
			n := s.store.counts[part[i+1:i+j]]
			counted, total = true, total+n
			part = part[:i] + strconv.Itoa(n) + part[i+j+1:]
		}
		if !counted || total > 0 {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, ", ")
}

// noteRepeats marks records that came again, with where.
func (s *store) noteRepeats() {
	for _, r := range s.order {
		if r.times > 0 {
			if r.single && !r.alike && len(r.sites.files) == 0 {
				r.last.times = r.times + 1
				continue
			}
			if r.last.note != "" {
				r.last.note += "\n"
			}
			what := "the same ×"
			if r.alike {
				what = "alike ×"
			}
			r.last.note += r.sites.again(what, r.times)
		}
	}
}

// header is the one line that says what happened and how to see the rest. A
// piece of another output has none.
func (s *Stream) header(m Meta, after int) string {
	if s.nested > 0 {
		return ""
	}
	by := " · " + m.Rule
	if m.TeeID != "" && s.rule.Tier == rule.BuiltIn && (m.Rule == s.rule.ID || m.Rule == "") {
		by = "" // the original is at hand; only who wrote a rule wants to see it at work
	}
	return fmt.Sprintf("%s%s → %s lines%s%s]\n", HeaderPrefix, text.Thousands(s.n), text.Thousands(after), by, m.verifiedHint()+m.RawHint())
}

// RawHint names the command that prints the stored output, if there is one, as
// the last part of a line.
func (m Meta) RawHint() string {
	if m.TeeID == "" {
		return ""
	}
	return " · cairn compact show " + m.TeeID
}

// asItIs is the result for an output of which nothing is left out: itself, unless
// the host would cut it.
func (s *Stream) asItIs(raw string, m Meta) Result {
	if res, ok := s.narrowed(raw, m); ok {
		return res
	}
	return s.unchanged(raw, m)
}

// unchanged is the result that is the output itself.
func (s *Stream) unchanged(raw string, m Meta) Result {
	m.Unchanged, m.Restored, m.VerifierRestored, m.TeeID, m.TeeFile = true, 0, 0, "", nil
	return s.result(raw, m)
}

func (s *Stream) result(out string, m Meta) Result {
	m.LinesBefore, m.LinesAfter = s.n, lineCount(out)
	m.BytesBefore, m.BytesAfter = s.raw.total, len(out)
	m.TokensAfter = tokens.Estimate(out)
	if m.TokensBefore = m.TokensAfter; !m.Unchanged {
		m.TokensBefore = tokens.EstimateBytes(s.raw.total)
		if raw, whole := s.raw.all(); whole {
			m.TokensBefore = tokens.Estimate(raw)
		}
	} else {
		m.LinesBefore = m.LinesAfter
	}
	m.DurationMs = time.Since(s.start).Milliseconds()
	return Result{Reduced: out, Meta: m}
}

func lineCount(s string) int {
	n := strings.Count(s, "\n")
	if s != "" && !strings.HasSuffix(s, "\n") {
		n++
	}
	return n
}
