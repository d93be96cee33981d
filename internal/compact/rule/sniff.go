package rule

import (
	"regexp"
	"strings"
)

// sniff returns the rule with the most patterns found in the sample, the first
// by id when several have as many.
func sniff(entries []entry, sample string) string {
	id, _ := sniffed(entries, sample)
	return id
}

// sniffed is sniff, and how many patterns were found.
func sniffed(entries []entry, sample string) (id string, best int) {
	for i := range entries {
		n := 0
		for j, p := range entries[i].Match.Patterns {
			if found(p, entries[i].needs[j], sample) {
				n++
			}
		}
		if n > best {
			best, id = n, entries[i].ID
		}
	}
	return id, best
}

// fits reports whether a pattern of the rule is found. The first one decides: most
// outputs of a command have several, and each costs a compilation.
func (e *entry) fits(sample string) bool {
	for j, p := range e.Match.Patterns {
		if found(p, e.needs[j], sample) {
			return true
		}
	}
	return false
}

const (
	linesBefore = 3  // that a pattern may begin above the text it needs
	linesAfter  = 10 // and that it may end below
	startBytes  = 8 << 10
)

// found reports whether a pattern matches the sample. A regular expression is
// slow on a long text, so it is only tried around the text that every match
// has, or at the start when there is none.
func found(pattern string, needs [][]string, sample string) bool {
	if !hasAll(sample, needs) {
		return false
	}
	re, err := regexp.Compile("(?m)" + pattern)
	return err == nil && foundBy(re, pattern, needs, sample)
}

func foundBy(re *regexp.Regexp, pattern string, needs [][]string, sample string) bool {
	texts := rarest(needs)
	if texts == nil || strings.HasPrefix(pattern, `\A`) {
		return re.MatchString(sample[:min(len(sample), startBytes)])
	}
	for _, text := range texts {
		for at := 0; ; {
			i := strings.Index(sample[at:], text)
			if i < 0 {
				break
			}
			from, to := around(sample, at+i)
			if re.MatchString(sample[from:to]) {
				return true
			}
			at = max(to, at+i+len(text))
		}
	}
	return false
}

// hasAll reports whether text has one text of each set.
func hasAll(text string, sets [][]string) bool {
next:
	for _, set := range sets {
		for _, s := range set {
			if strings.Contains(text, s) {
				continue next
			}
		}
		return false
	}
	return true
}

// around returns whole lines from a few above s[i] to some below.
func around(s string, i int) (from, to int) {
	from = i
	for n := 0; n <= linesBefore && from > 0; n++ {
		from = strings.LastIndexByte(s[:from-1], '\n') + 1
	}
	to = i
	for n := 0; n <= linesAfter && to < len(s); n++ {
		end := strings.IndexByte(s[to:], '\n')
		if end < 0 {
			return from, len(s)
		}
		to += end + 1
	}
	return from, to
}
