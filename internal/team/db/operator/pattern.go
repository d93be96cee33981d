package operator

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// like is LIKE: % is any text, _ any character, \ makes the next one itself.
func like(text, pattern string, fold bool) bool {
	if fold {
		text, pattern = strings.Map(unicode.ToLower, text), strings.Map(unicode.ToLower, pattern)
	}
	// Where the last % stood, and how much of the text it has taken: only the last one is tried again.
	t, p, star, taken := 0, 0, -1, 0
	for t < len(text) {
		if p < len(pattern) && pattern[p] == '%' {
			star, taken = p, t
			p++
			continue
		}
		if tn, pn := one(text[t:], pattern[p:]); tn > 0 {
			t, p = t+tn, p+pn
			continue
		}
		if star < 0 {
			return false
		}
		_, n := utf8.DecodeRuneInString(text[taken:])
		taken += n
		t, p = taken, star+1
	}
	return strings.Trim(pattern[p:], "%") == ""
}

// one matches one character with what stands first in a pattern, and returns
// how many bytes both are, 0 where they do not match.
func one(text, pattern string) (int, int) {
	if pattern == "" {
		return 0, 0
	}
	_, n := utf8.DecodeRuneInString(text)
	if pattern[0] == '_' {
		return n, 1
	}
	escaped := 0
	if pattern[0] == '\\' {
		escaped = 1
	}
	if strings.HasPrefix(pattern[escaped:], text[:n]) {
		return n, escaped + n
	}
	return 0, 0
}

// EndsInEscape says that a LIKE pattern ends in a \ that makes nothing itself.
func EndsInEscape(pattern string) bool {
	trimmed := strings.TrimRight(pattern, `\`)
	return (len(pattern)-len(trimmed))%2 == 1
}

// Compile reads a regular expression.
func Compile(pattern string, fold bool) (*regexp.Regexp, error) {
	if fold {
		pattern = "(?i)" + pattern
	}
	return regexp.Compile("(?s)" + pattern)
}

// compiled are the expressions of late: a statement has one for all its rows.
var compiled struct {
	sync.Mutex
	m map[string]*regexp.Regexp
}

// mostCompiled is how many are kept.
const mostCompiled = 64

func match(text, pattern string, fold bool) any {
	key := pattern
	if fold {
		key = "i" + key
	} else {
		key = "s" + key
	}
	compiled.Lock()
	re := compiled.m[key]
	compiled.Unlock()
	if re == nil {
		var err error
		if re, err = Compile(pattern, fold); err != nil {
			return nil
		}
		compiled.Lock()
		if compiled.m == nil || len(compiled.m) >= mostCompiled {
			compiled.m = map[string]*regexp.Regexp{}
		}
		compiled.m[key] = re
		compiled.Unlock()
	}
	return re.MatchString(text)
}
