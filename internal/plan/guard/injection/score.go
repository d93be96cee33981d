package injection

import (
	"fmt"
	"slices"
	"strings"
)

// A hit is a rule that matched, or a sign of another kind.
type hit struct {
	pattern  string
	points   int
	from, to int
}

// A scanner holds what was seen of a text.
type scanner struct {
	text    string
	words   []word // of the window that is read
	hits    []hit
	reports []int // where the text speaks about attacks
	decoded int   // bytes that were decoded so far
	spelled int   // before it, the letters that stand apart spell nothing
}

// maxHits bounds what is kept of a text; who writes more signs than that is found
// by the first ones.
const maxHits = 2000

func (s *scanner) hit(pattern string, points, from, to int) {
	if len(s.hits) < maxHits && points > 0 {
		s.hits = append(s.hits, hit{pattern, points, from, to})
	}
}

// read tries the rules on the words of a window.
func (s *scanner) read(from, to int) {
	from, to = s.lineStart(from), s.lineEnd(to)
	s.words = s.words[:0]
	s.split(from, to)
	for i := range s.words {
		w := &s.words[i]
		if w.class&cReport != 0 && len(s.reports) < maxHits {
			s.reports = append(s.reports, int(w.from))
		}
		if w.class == 0 {
			continue
		}
		for r := range rules {
			if w.class&rules[r].steps[0].want != 0 {
				s.try(&rules[r], i)
			}
		}
		if w.class&cForeign != 0 {
			s.nearby(i)
		}
		if w.class&cShell != 0 {
			s.shell(w)
		}
		if w.class&cTurned != 0 {
			s.turned(w, from, to)
		}
	}
}

// try matches a rule at word i.
func (s *scanner) try(r *rule, i int) {
	if r.when&asOrder != 0 && !s.orderAt(i) || s.words[i].class&cGlued != 0 {
		return
	}
	at, odd := i, s.words[i].odd
	for n := 1; n < len(r.steps) && r.steps[n].want != 0; n++ {
		st := r.steps[n]
		next := -1
		for k := at + 1; k <= at+1+int(st.gap) && k < len(s.words) && !s.words[k].sentence && (r.when&tight == 0 || !s.words[k].clause); k++ {
			if s.words[k].class&st.want != 0 {
				next = k
				break
			}
		}
		if next < 0 {
			return
		}
		at, odd = next, odd || s.words[next].odd
	}
	if r.when&closed != 0 && at+1 < len(s.words) && !s.words[at+1].clause && s.words[at+1].class&(cGo|cThis|cYou|cText) == 0 {
		return
	}
	s.found(r.pattern, int(r.points), i, at, odd)
}

// nearby tries the sets at word i, whose language may put the verb last.
func (s *scanner) nearby(i int) {
	w := &s.words[i]
	for n := range sets {
		if set := &sets[n]; w.class&set.first != 0 && (w.class&cGlued != 0 || n == 0) {
			s.trySet(set.pattern, set.points, set.also, i)
		}
	}
}

func (s *scanner) trySet(pattern string, points int, also [2]class, i int) {
	const words, reach = 7, 90 // bytes
	var seen [2]bool
	first, last, odd := i, i, s.words[i].odd
	take := func(k int) {
		for n, c := range also {
			if s.words[k].class&c != 0 {
				seen[n], odd = true, odd || s.words[k].odd
				first, last = min(first, k), max(last, k)
			}
		}
	}
	for k := i - 1; k >= 0 && i-k <= words && s.words[i].from-s.words[k].from < reach && !s.words[k+1].sentence; k-- {
		take(k)
	}
	for k := i + 1; k < len(s.words) && k-i <= words && s.words[k].from-s.words[i].from < reach && !s.words[k].sentence; k++ {
		take(k)
	}
	if seen[0] && seen[1] {
		s.found(pattern, points, first, last, odd)
	}
}

// found weighs a match by how it is said.
func (s *scanner) found(pattern string, points, first, last int, odd bool) {
	from, to := int(s.words[first].from), int(s.words[last].to)
	if s.reported(first) {
		points = points * 3 / 10
	} else if s.mentioned(from, to) {
		points = points * 4 / 10
	}
	s.hit(pattern, points, from, to)
	if odd {
		s.hit(hiddenText, 8, from, to)
	}
}

// orderAt says whether word i stands where an order can begin: "and ignore …", not
// "users who ignore …".
func (s *scanner) orderAt(i int) bool {
	w := &s.words[i]
	if i == 0 || w.sentence || w.clause || w.class&cForeign != 0 {
		return true
	}
	before := s.words[i-1].class
	if before&cTo != 0 && i > 1 {
		before = s.words[i-2].class &^ (cSays | cYou)
		return before&(cMust|cLead) != 0
	}
	return before&(cLead|cGo|cMust|cNow|cAI|cYou|cBefore|cForeign|cSilent) != 0
}

// reported says whether words before i in its sentence turn the order into a story
// or forbid it.
func (s *scanner) reported(i int) bool {
	for k := i; k > 0 && i-k < 8 && !s.words[k].sentence; k-- {
		before := s.words[k-1].class
		if before&cSays != 0 || i-k < 2 && before&cNot != 0 && before&cForeign == 0 {
			return true
		}
	}
	return false
}

// mentioned says whether text[from:to] is about all that stands between two quotes
// inside a sentence of prose, as in: a page that says "ignore …" is not obeyed.
func (s *scanner) mentioned(from, to int) bool {
	const near = 24
	before := s.text[max(0, from-near):from]
	before = before[strings.LastIndexByte(before, '\n')+1:]
	after := s.text[to:min(len(s.text), to+near)]
	if i := strings.IndexByte(after, '\n'); i >= 0 {
		after = after[:i]
	}
	const quotes = "\"'`“‘«「”’»」"
	open := strings.LastIndexAny(before, quotes)
	if open < 0 || !strings.ContainsAny(after, quotes) {
		return false
	}
	before = strings.TrimRight(before[:open], "*_")
	if n := len(before); n > 1 && before[n-1] == ' ' {
		return before[n-2] != ':' && before[n-2] != '='
	}
	return strings.HasSuffix(before, "(") || strings.HasSuffix(before, "[")
}

// report adds up the points of neighbors and returns the findings.
func (s *scanner) report() []Finding {
	const near = 500 // bytes between two signs of one passage
	slices.SortStableFunc(s.hits, func(a, b hit) int { return a.from - b.from })
	var found []Finding
	line, counted := 1, 0
	for len(s.hits) > 0 && len(found) < maxFindings {
		n, end := 1, s.hits[0].to
		for n < len(s.hits) && s.hits[n].from-end < near {
			end = max(end, s.hits[n].to)
			n++
		}
		passage := s.hits[:n]
		s.hits = s.hits[n:]
		best, more := strongest(passage)
		sum, top := more-s.talk(passage[0].from, end), 0
		for _, h := range best {
			sum, top = sum+h.points, max(top, h.points)
		}
		if hidden := s.hiddenAt(passage[0].from); hidden > 0 {
			sum, top = sum+hidden, max(top, core)
		}
		if sum < threshold || top < core {
			continue
		}
		for _, h := range best {
			if len(found) == maxFindings {
				break
			}
			line += strings.Count(s.text[counted:h.from], "\n")
			counted = h.from
			said := excerpt(s.text[h.from:h.to])
			if h.pattern == Characters {
				said = codes(s.text[h.from:h.to])
			}
			found = append(found, Finding{h.pattern, line, said})
		}
	}
	return found
}

// strongest returns the best hit of each pattern, in order of the text, and some
// points for patterns that are there twice.
func strongest(passage []hit) (best []hit, more int) {
	for _, h := range passage {
		i := slices.IndexFunc(best, func(b hit) bool { return b.pattern == h.pattern })
		switch {
		case i < 0:
			best = append(best, h)
			continue
		case h.from >= best[i].to || h.to <= best[i].from:
			more += min(h.points, best[i].points, 3)
		}
		if h.points > best[i].points {
			best[i] = h
		}
	}
	slices.SortStableFunc(best, func(a, b hit) int { return a.from - b.from })
	return best, min(more, 4)
}

// talk returns the points that a passage loses because it is about attacks.
func (s *scanner) talk(from, to int) int {
	n := 0
	for _, at := range s.reports {
		if from-400 < at && at < to+200 {
			n++
		}
	}
	return min(n, 2)
}

// codes names the characters of s, as U+202E.
func codes(s string) string {
	var names []string
	for _, r := range s {
		names = append(names, fmt.Sprintf("%U", r))
	}
	return strings.Join(names, " ")
}

// excerpt makes one printable line of s.
func excerpt(s string) string {
	const limit = 120
	var b strings.Builder
	space := false
	for _, r := range s {
		if b.Len() >= limit {
			break
		}
		switch {
		case r <= ' ' || r == 0xA0:
			space = b.Len() > 0
			continue
		case r == 0xFFFD || r == 0x7F || 0x80 <= r && r < 0xA0 || invisible(r):
			continue
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		b.WriteRune(r)
	}
	out := b.String()
	if len(out) > limit {
		out = strings.ToValidUTF8(out[:limit], "")
	}
	return out
}

// lineStart and lineEnd widen a window to whole lines, within reason.
func (s *scanner) lineStart(i int) int {
	low := max(0, i-200)
	if n := strings.LastIndexByte(s.text[low:i], '\n'); n >= 0 {
		return low + n + 1
	}
	return low
}

func (s *scanner) lineEnd(i int) int {
	high := min(len(s.text), i+200)
	if n := strings.IndexByte(s.text[i:high], '\n'); n >= 0 {
		return i + n
	}
	return high
}
