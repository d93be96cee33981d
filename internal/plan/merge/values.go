package merge

import (
	"slices"
	"strconv"
	"strings"

	"cairn/internal/plan/doc"
)

func docOf(lines []string) *doc.Text { return doc.New(lines...) }

// with returns a row's line with other cells, as wide as they were.
func (r tableRow) with(line string, cells []string) string {
	t := docOf(slices.Concat(r.head, []string{line}))
	for i, cell := range cells {
		for _, tb := range t.Tables(0, t.Len()) {
			t.SetCell(tb, 0, i, cell)
		}
	}
	return t.Line(2)
}

// newerDate settles two texts that differ in dates alone: the later ones count.
func newerDate(ours, theirs string) (string, bool) {
	o, t := dates(ours), dates(theirs)
	if len(o.found) == 0 || !slices.Equal(o.between, t.between) {
		return "", false
	}
	for i := range o.found {
		if o.found[i] != t.found[i] {
			return pick(o.found[i] > t.found[i], ours, theirs), true
		}
	}
	return "", false
}

func pick(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}

// dated is a text cut at its dates: 2026-01-02, perhaps with a time.
type dated struct{ found, between []string }

func dates(s string) (d dated) {
	from := 0
	for at := 0; at+len("2026-01-02") <= len(s); at++ {
		if !isDate(s[at:at+10]) || at > 0 && isDigit(s[at-1]) {
			continue
		}
		end := at + 10
		for end < len(s) && (isDigit(s[end]) || strings.IndexByte("T:.Z+", s[end]) >= 0) {
			end++
		}
		d.found, d.between = append(d.found, s[at:end]), append(d.between, s[from:at])
		from, at = end, end-1
	}
	d.between = append(d.between, s[from:])
	return d
}

func isDate(s string) bool {
	for i := range len(s) {
		if dash := i == 4 || i == 7; dash != (s[i] == '-') || !dash && !isDigit(s[i]) {
			return false
		}
	}
	return true
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// sum is a counter after two changes of it: what both added, or took away.
func sum(was, ours, theirs int) int { return max(ours+theirs-was, 0) }

// counts reads the numbers a text begins with: 2 and 3 of `2/3 plans executed`, 0
// and 3 of `3 plans`; rest is what follows them.
func counts(s string) (done, all int, fraction bool, rest string, ok bool) {
	n := len(s) - len(strings.TrimLeft(s, "0123456789"))
	if n == 0 || n > 6 {
		return 0, 0, false, s, false
	}
	all, _ = strconv.Atoi(s[:n])
	rest = s[n:]
	if after, found := strings.CutPrefix(rest, "/"); found {
		if n = len(after) - len(strings.TrimLeft(after, "0123456789")); n > 0 && n <= 6 {
			done = all
			all, _ = strconv.Atoi(after[:n])
			return done, all, true, after[n:], true
		}
	}
	return 0, all, false, rest, true
}

// countBoth settles two changes of a count such as `1/2 plans executed`.
func countBoth(was, ours, theirs string) (string, bool) {
	wd, wa, _, _, ok := counts(was)
	od, oa, of, rest, ok1 := counts(ours)
	td, ta, tf, theirRest, ok2 := counts(theirs)
	if !ok1 || !ok2 {
		return "", false
	}
	if !ok { // TBD, or nothing
		wd, wa = 0, 0
	}
	done, all := sum(wd, od, td), max(sum(wa, oa, ta), oa, ta)
	if !of {
		rest = theirRest
	}
	if !of && !tf {
		return strconv.Itoa(all) + rest, true
	}
	done = min(done, all)
	if done < all {
		rest = strings.Replace(rest, "complete", "executed", 1)
	}
	return strconv.Itoa(done) + "/" + strconv.Itoa(all) + rest, true
}

// listBoth settles two changes of a list in one line, such as `Phase 1, Phase 2`
// or `[A-01, A-02]`: what both have, what each has added, without what one took
// out. A text that is no list is not settled.
func listBoth(was, ours, theirs string) (string, bool) {
	w, _, _, ok := listed(was)
	o, open, end, ok1 := listed(ours)
	t, _, _, ok2 := listed(theirs)
	if !ok || !ok1 || !ok2 {
		return "", false
	}
	var out []string
	for _, s := range slices.Concat(o, t) {
		gone := slices.Contains(w, s) && !(slices.Contains(o, s) && slices.Contains(t, s))
		if !gone && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	if len(out) == 0 {
		return ours, true
	}
	return open + strings.Join(out, ", ") + end, true
}

func listed(s string) (items []string, open, end string, ok bool) {
	if inner, found := strings.CutPrefix(s, "["); found && strings.HasSuffix(inner, "]") {
		s, open, end = inner[:len(inner)-1], "[", "]"
	}
	if doc.Unset(s) || strings.HasPrefix(s, "Nothing") {
		return nil, open, end, true
	}
	for _, it := range strings.Split(s, ",") {
		it = strings.TrimSpace(it)
		if len(strings.Fields(it)) > 2 || it == "" {
			return nil, "", "", false
		}
		items = append(items, it)
	}
	return items, open, end, true
}

// rank settles two words of a scale: the later one counts.
func rank(ours, theirs string, scale ...string) (string, bool) {
	at := func(s string) int {
		return slices.IndexFunc(scale, func(w string) bool { return strings.EqualFold(w, s) })
	}
	o, t := at(ours), at(theirs)
	return pick(o >= t, ours, theirs), o >= 0 && t >= 0
}

// three takes the version that changed of a part of a line.
func three(was, ours, theirs string) (string, bool) {
	switch {
	case ours == theirs || theirs == was:
		return ours, true
	case ours == was:
		return theirs, true
	}
	return "", false
}
