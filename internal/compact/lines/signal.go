package lines

import "strings"

// A Signal tells what a line may mean to someone who looks for a fault. It is
// a guess from words alone, cheap enough for every line that is removed.
type Signal uint8

const (
	Nothing Signal = iota
	Warning        // speaks of a warning
	Trouble        // speaks of an error, or of what commonly is one
	Failure        // is an error: labelled so where tools put the label
)

// troubles are the words that make a line worth a second look, in lower case,
// by first letter; alone says that the word needs neither a location nor a
// label beside it.
var troubles = ['z' + 1][]struct {
	word  string
	alone bool
}{
	'a': {{"assert", false}, {"assertion", false}, {"assertionerror", false}, {"abort", false}, {"aborted", false}, {"aborting", true}},
	'c': {{"caused by", true}, {"cannot", true}, {"can't", true}, {"conflict", true}, {"core dumped", true}, {"could not", true}, {"couldn't", true}, {"crash", false}, {"crashed", true}},
	'd': {{"denied", true}, {"deadlock", true}, {"data race", true}},
	'e': {{"error", false}, {"errors", false}, {"err!", true}, {"errno", true}, {"exception", false}, {"exit status", true}, {"exit code", true}, {"exited with", true}, {"expected", false}, {"eacces", true}, {"econnrefused", true}, {"enoent", true}},
	'f': {{"fail", false}, {"failed", false}, {"failure", false}, {"failures", false}, {"failing", false}, {"fatal", false}},
	'i': {{"invalid", false}, {"illegal", false}},
	'k': {{"killed", true}},
	'm': {{"mismatch", false}, {"missing", false}},
	'n': {{"not found", true}, {"no such", true}, {"not defined", true}},
	'o': {{"oom", true}, {"out of memory", true}},
	'p': {{"panic", false}, {"panicked", true}, {"permission", false}},
	'r': {{"refused", true}, {"rejected", true}},
	's': {{"segfault", true}, {"segmentation fault", true}, {"sigsegv", true}, {"syntaxerror", true}},
	't': {{"traceback", true}, {"timeout", false}, {"timed out", true}},
	'u': {{"undefined", true}, {"undeclared", true}, {"unresolved", true}, {"unable to", true}, {"unexpected", false}, {"unhandled", true}, {"uncaught", true}, {"unknown", false}, {"unreachable", false}},
}

// seconds has, for each first letter of a word that is looked for, a bit for
// each second letter: most words of a line are ruled out by these two.
var seconds = func() (t ['z' + 1]uint32) {
	t['w'] = 1 << ('a' & 0x1f) // warning, warn
	for first := range troubles {
		for _, word := range troubles[first] {
			t[first] |= 1 << (word.word[1] & 0x1f)
		}
	}
	return t
}()

// Classify guesses what s speaks of.
func Classify(s string) Signal {
	found := Nothing
	for i := 0; i+1 < len(s); i++ {
		c := s[i] | 0x20
		if c < 'a' || c > 'z' || seconds[c]>>(s[i+1]&0x1f)&1 == 0 || !wordStarts(s, i) {
			continue
		}
		if c == 'w' && hasWord(s, i, "warning") || c == 'w' && hasWord(s, i, "warn") {
			found = max(found, Warning)
			continue
		}
		for _, t := range troubles[c] {
			if !hasWord(s, i, t.word) || negated(s, i, len(t.word)) {
				continue
			}
			if labels(s, i, len(t.word)) {
				return Failure
			}
			if t.alone || HasLocation(s) {
				found = Trouble
			} else if t.word == "expected" && contrasts(s[i:]) {
				found = Trouble
			}
		}
	}
	return found
}

// wordStarts reports whether a word begins at s[i]: after something that is
// not part of an identifier or a path, or at a capital within one, as in
// TypeError.
func wordStarts(s string, i int) bool {
	if i == 0 {
		return true
	}
	p := s[i-1]
	if p == '_' || p == '/' || p == '-' || p == '.' && i > 1 && s[i-2] != ' ' && s[i-2] != '.' {
		return false
	}
	if !isWord(p) {
		return true
	}
	return s[i] <= 'Z' && p >= 'a' && p <= 'z'
}

// hasWord reports whether the lower-case word stands at s[i] in any case and
// ends there.
func hasWord(s string, i int, word string) bool {
	end := i + len(word)
	if end > len(s) {
		return false
	}
	for j := 1; j < len(word); j++ {
		if c := s[i+j]; c != word[j] && (c < 'A' || c > 'Z' || c|0x20 != word[j]) {
			return false
		}
	}
	if end == len(s) {
		return true
	}
	switch c := s[end]; {
	case isWord(c):
		return false
	case c == '-', c == '/', c == '.', c == '(':
		return end+1 == len(s) || !isWord(s[end+1]) && s[end+1] != ')'
	}
	return true
}

// negated reports whether the word at s[i:i+n] is counted as none: "0
// errors", "no error", "errors: 0".
func negated(s string, i, n int) bool {
	before := strings.TrimRight(s[:i], " ")
	if strings.HasSuffix(before, "0") && (len(before) == 1 || before[len(before)-2] < '0' || before[len(before)-2] > '9') {
		return true
	}
	if l := strings.ToLower(before); strings.HasSuffix(l, " no") || l == "no" || strings.HasSuffix(l, "without") {
		return true
	}
	after := strings.TrimLeft(s[i+n:], " :=")
	return after == "0" || strings.HasPrefix(after, "0 ") || strings.HasPrefix(after, "0,")
}

// labels reports whether the word at s[i:i+n] is where tools put the label of
// an error: it opens the line, perhaps after a location or the program's name,
// and is followed by a colon or a code in brackets, or it stands in capitals.
func labels(s string, i, n int) bool {
	switch w := s[i : i+n]; w {
	case "FAIL", "FAILED", "FATAL", "PANIC", "ERROR", "Traceback":
		return opens(s[:i])
	}
	if s[i]|0x20 == 'e' && strings.EqualFold(s[i:i+n], "expected") || strings.EqualFold(s[i:i+n], "missing") {
		return false
	}
	rest := s[i+n:]
	if s[i+n-1] == '!' || strings.HasPrefix(rest, ":") || strings.HasPrefix(rest, "[") || strings.HasPrefix(rest, "!") {
		return opens(s[:i])
	}
	return false
}

// opens reports whether before may stand in front of a label: nothing, marks,
// one word such as a class name or "npm", a location, a time in brackets.
func opens(before string) bool {
	if len(before) > 80 {
		return false
	}
	words := 0
	for _, f := range strings.Fields(before) {
		if !strings.ContainsAny(f, ":[]()|>*=/\\.0123456789-") {
			words++
		}
	}
	return words <= 1
}

func contrasts(s string) bool {
	for _, w := range [...]string{"got", "received", "but ", "actual", "found"} {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}
