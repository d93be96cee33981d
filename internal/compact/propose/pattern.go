package propose

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"cairn/internal/compact/lines"
)

// A kind of line, as a rule drops and counts it.
type kind struct {
	pattern string
	name    string
	lines   []string
}

// repeating returns the kinds of line that come often and speak of no
// trouble, the most frequent first. Lines are of a kind when they differ in
// numbers, times and paths only, or else when they begin with the same word.
func repeating(all []string) []kind {
	var found []kind
	alike := func(of []string, key func(string) string) (rest []string) {
		groups := map[string][]string{}
		for _, l := range of {
			groups[key(l)] = append(groups[key(l)], l)
		}
		for _, l := range of {
			g := groups[key(l)]
			if key(l) == "" || len(g) < repeats {
				rest = append(rest, l)
				continue
			}
			if g[0] == l && !slices.ContainsFunc(found, func(k kind) bool { return k.lines[0] == l }) {
				if p := pattern(g); p != "" {
					found = append(found, kind{pattern: p, lines: g})
				}
			}
		}
		return rest
	}
	var calm []string
	for _, l := range all {
		if lines.Classify(l) == lines.Nothing {
			calm = append(calm, l)
		}
	}
	alike(alike(calm, lines.Template), firstWord)
	slices.SortStableFunc(found, func(a, b kind) int { return cmp.Compare(len(b.lines), len(a.lines)) })
	found = slices.CompactFunc(found, func(a, b kind) bool { return a.pattern == b.pattern })
	if len(found) > maxDrops {
		found = found[:maxDrops]
	}
	taken := map[string]int{}
	for i, k := range found {
		name := nameOf(k.lines)
		if taken[name]++; taken[name] > 1 {
			name += strconv.Itoa(taken[name])
		}
		found[i].name = name
	}
	return found
}

func firstWord(l string) string {
	if f := strings.Fields(l); len(f) > 1 && isWord(f[0]) {
		return f[0]
	}
	return ""
}

// isWord reports whether s has three letters and nothing that varies.
func isWord(s string) bool {
	letters := 0
	for _, r := range s {
		if unicode.IsLetter(r) {
			letters++
		} else if unicode.IsDigit(r) {
			return false
		}
	}
	return letters >= 3
}

// pattern is a regular expression for all of the lines: the fields that are
// equal, up to the last of them, with \S for what differs. It is "" when no
// word is equal, since it would then match anything.
func pattern(ls []string) string {
	common := strings.Fields(ls[0])
	same := make([]bool, len(common)) // the whole field, not only its start
	for i := range same {
		same[i] = true
	}
	indented := false
	for _, l := range ls {
		indented = indented || l[0] == ' ' || l[0] == '\t'
		f := strings.Fields(l)
		common = common[:min(len(common), len(f))]
		for i, c := range common {
			p := commonPrefix(c, f[i])
			same[i] = same[i] && len(p) == len(c) && len(p) == len(f[i])
			common[i] = p
		}
	}
	last, word := -1, false
	for i, c := range common {
		if same[i] {
			last, word = i, word || isWord(c)
		}
	}
	if !word {
		return ""
	}
	var b strings.Builder
	b.WriteByte('^')
	if indented {
		b.WriteString(`\s*`)
	}
	for i, c := range common[:last+1] {
		if i > 0 {
			b.WriteString(`\s+`)
		}
		b.WriteString(regexp.QuoteMeta(c))
		if !same[i] {
			b.WriteString(`\S*`)
		}
	}
	return b.String() + `(\s|$)`
}

func commonPrefix(a, b string) string {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] && !unicode.IsDigit(rune(a[n])) {
		n++
	}
	return strings.ToValidUTF8(a[:n], "")
}

// nameOf is the longest word that all of the lines have, for a counter.
func nameOf(ls []string) string {
	name := ""
	for _, w := range strings.Fields(ls[0]) {
		in := func(l string) bool { return slices.Contains(strings.Fields(l), w) }
		letters := strings.ToLower(strings.TrimFunc(w, func(r rune) bool { return !unicode.IsLetter(r) }))
		if isWord(w) && len(letters) > len(name) && strings.Trim(letters, "abcdefghijklmnopqrstuvwxyz_") == "" &&
			!slices.ContainsFunc(ls, func(l string) bool { return !in(l) }) {
			name = letters
		}
	}
	return cmp.Or(name, "lines")
}

// ending is a pattern for the last line when it sums up: words, then a number.
func ending(all []string) string {
	if len(all) == 0 {
		return ""
	}
	l := all[len(all)-1]
	i := strings.IndexFunc(l, unicode.IsDigit)
	if i <= 0 || !strings.ContainsFunc(l[:i], unicode.IsSpace) {
		return ""
	}
	start := strings.TrimRight(l[:i], " \t")
	if !slices.ContainsFunc(strings.Fields(start), isWord) {
		return ""
	}
	return "^" + regexp.QuoteMeta(start)
}
