package propose

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"cairn/internal/compact/lines"
)

// A kind of line, as a rule drops and counts it: a step that is reported again and
// again, each time of something else.
type kind struct {
	shape shape
	lead  int // where its words begin
	lines []string
}

// A shape is the fields of a line: a word or a mark stands for itself, and any for
// what varies: numbers, paths, names, versions.
type shape []string

const any = `\S+`

// repeating returns the kinds of line that come often and speak of no trouble, the most
// frequent first. Lines are of a kind when all their fields are alike: a line that says
// something else with the same words at its start is of no kind, and stays.
func repeating(all []string) []kind {
	var rest []kind // by shape, in order
	at := map[string]int{}
	for i, l := range calm(all) {
		s := shapeOf(l)
		if !s.step(lead(l)) {
			continue
		}
		key := strings.Join(s, " ")
		if _, ok := at[key]; !ok {
			at[key] = len(rest)
			rest = append(rest, kind{shape: s, lead: lead(l)})
		}
		k := &rest[at[key]]
		k.lines = append(k.lines, all[i])
	}
	found := merged(rest)
	found = slices.DeleteFunc(found, func(k kind) bool { return !k.varies() })
	slices.SortStableFunc(found, func(a, b kind) int { return cmp.Compare(len(b.lines), len(a.lines)) })
	return found[:min(len(found), maxDrops)]
}

// calm is the lines with those blanked that speak of trouble or name a place in a file,
// and those that stand under such a line, further in.
func calm(all []string) []string {
	quiet := slices.Clone(all)
	under := -1 // how far in the last such line is
	for i, l := range all {
		in := len(l) - len(strings.TrimLeft(l, " \t"))
		if frame, _ := lines.Frame(l); frame || lines.Classify(l) != lines.Nothing || lines.HasLocation(l) {
			under = in
		} else if under < 0 || in <= under {
			under = -1
			continue
		}
		quiet[i] = ""
	}
	return quiet
}

func shapeOf(l string) shape {
	s := shape(strings.Fields(l))
	for i, f := range s {
		if !isWord(f) && !isMark(f) {
			s[i] = any
		}
	}
	return s
}

// isWord reports whether a field is one of a sentence: letters, and around them what
// sentences have. "--flag", "a.go", "leftPad" and "v1" are names.
func isWord(f string) bool {
	f = strings.TrimRight(strings.TrimLeft(f, `("'`), `.:,;!?)"'…`)
	for i, r := range f {
		if !unicode.IsLetter(r) && r != '\'' || i > 0 && unicode.IsUpper(r) && f != strings.ToUpper(f) {
			return false
		}
	}
	return f != ""
}

// isMark reports whether a field is one like "---", "✔" or "|".
func isMark(f string) bool {
	return len(f) <= 4 && !strings.ContainsFunc(f, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == utf8.RuneError })
}

// step reports whether lines of this shape may tell that something was done: words stand
// at the start, none of them is one of trouble, and it is no field of a record ("Author:
// Ada") and no heading.
func (s shape) step(lead int) bool {
	if lead >= len(s) || s[lead] == any || strings.HasSuffix(s[len(s)-1], ":") {
		return false
	}
	ws := s.words()
	if slices.ContainsFunc(ws, func(w string) bool { return lines.Classify(letters(w)+" at a.go:1") != lines.Nothing }) {
		return false
	}
	f := s[lead]
	if strings.HasSuffix(f, ":") && f != strings.ToUpper(f) {
		return done(f)
	}
	return done(f) || unicode.IsUpper([]rune(f)[0]) || len(ws) > 1
}

// lead is how many fields stand before what a line says: marks, numbers and times, a name
// in brackets, and one before a colon.
func lead(l string) int {
	for i, f := range strings.Fields(l) {
		switch {
		case strings.ContainsAny(f[:1], "+<>@~{}"): // a diff, or code
			return len(l)
		case isWord(f), i > 2:
			return i
		case f[0] != '[' && f[0] != '(' && (!strings.HasSuffix(f, ":") || strings.ContainsAny(f, "./\\")) && strings.ContainsFunc(strings.Trim(f, "TZ"), unicode.IsLetter):
			return i
		}
	}
	return len(l)
}

// done reports whether a word tells what is or was done.
func done(w string) bool {
	w = letters(w)
	return len(w) > 4 && (strings.HasSuffix(w, "ing") || strings.HasSuffix(w, "ed"))
}

func (s shape) words() []string {
	return slices.DeleteFunc(slices.Clone(s), func(f string) bool { return f == any || isMark(f) })
}

// letters is a word in lower case without what is around it.
func letters(w string) string {
	return strings.ToLower(strings.TrimFunc(w, func(r rune) bool { return !unicode.IsLetter(r) }))
}

// merged puts kinds together whose lines differ in one word only, where nearly each has
// another: that is a name too. A word that many lines have, as "ok" and "skipped", tells
// kinds apart.
func merged(all []kind) []kind {
	for at := 1; at < maxFields; at++ {
		groups := map[string][]int{}
		for i, k := range all {
			if at < len(k.shape) && at > k.lead && !isMark(k.shape[at]) {
				s := slices.Clone(k.shape)
				s[at] = any
				groups[strings.Join(s, " ")] = append(groups[strings.Join(s, " ")], i)
			}
		}
		for _, of := range groups {
			names, ls := 0, 0
			for _, i := range of {
				if all[i].shape[at] != any {
					names, ls = names+1, ls+len(all[i].lines)
				}
			}
			s := slices.Clone(all[of[0]].shape)
			if s[at] = any; names < 1 || 2*names < ls || len(of) < 2 || !s.step(all[of[0]].lead) || names == len(of) && names < repeats {
				continue
			}
			for _, i := range of[1:] {
				all[of[0]].lines = append(all[of[0]].lines, all[i].lines...)
				all[i].lines = nil
			}
			all[of[0]].shape = s
		}
		all = slices.DeleteFunc(all, func(k kind) bool { return len(k.lines) == 0 })
	}
	return all
}

// varies reports whether a kind has lines enough, and something in them that is seldom
// the same.
func (k kind) varies() bool {
	if len(k.lines) < repeats {
		return false
	}
	for at, f := range k.shape {
		if f != any {
			continue
		}
		seen := map[string]bool{}
		for _, l := range k.lines {
			seen[strings.Fields(l)[at]] = true
		}
		if len(seen) >= repeats {
			return true
		}
	}
	return false
}

// pattern is a regular expression for the lines of a kind, from their start to their end.
func (k kind) pattern() string {
	start := "^"
	if slices.ContainsFunc(k.lines, func(l string) bool { return l[0] == ' ' || l[0] == '\t' }) {
		start = `^\s*`
	}
	return start + k.shape.pattern() + "$"
}

func (s shape) pattern() string {
	parts := slices.Clone(s)
	for i, f := range parts {
		if f != any {
			parts[i] = regexp.QuoteMeta(f)
		}
	}
	return strings.Join(parts, `\s+`)
}

// name is what a counter of the kind is called, where others are: the word that says what
// is done, or else the first.
func (k kind) name(taken map[string]int) string {
	ws := k.shape.words()
	slices.SortStableFunc(ws, func(a, b string) int { return cmp.Compare(btoi(done(b)), btoi(done(a))) })
	name := "lines"
	for _, w := range ws {
		if w = letters(w); strings.Trim(w, "abcdefghijklmnopqrstuvwxyz") == "" && len(w) > 1 && taken[w] == 0 {
			name = w
			break
		}
	}
	if taken[name]++; taken[name] > 1 {
		name += strconv.Itoa(taken[name])
	}
	return name
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// ending is a pattern for the last line when it sums up: words and a number.
func ending(all []string) string {
	if len(all) == 0 {
		return ""
	}
	l := all[len(all)-1]
	s, words, names, counts := shapeOf(l), 0, 0, false
	for i, f := range strings.Fields(l) {
		words, names = words+btoi(isWord(f)), names+btoi(s[i] == any)
		counts = counts || strings.IndexFunc(strings.TrimLeft(f, "(["), unicode.IsDigit) == 0
	}
	if at := lead(l); strings.TrimLeft(l, " \t") != l || !counts || at >= len(s) || s[at] == any || words < 2 || names > words {
		return "" // it would be known by what is of this one output
	}
	return "^" + s.pattern() + "$"
}
