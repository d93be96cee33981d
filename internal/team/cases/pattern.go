package cases

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
)

// A Pattern is text to look for, or between slashes a regular expression:
// /…/, /…/i. Text is found as it stands, upper and lower case told apart.
// Expressions are those of Go's regexp package (RE2); flags are i (case does
// not matter), m (^ and $ match at line ends) and s (. matches a line end).
type Pattern struct {
	Given string
	re    *regexp.Regexp // nil is text
}

// maxPattern is the most bytes of a pattern.
const maxPattern = 10_000

// ParsePattern reads a pattern. Its error says what of it cannot be used.
func ParsePattern(s string) (Pattern, error) {
	p := Pattern{Given: s}
	if s == "" {
		return p, errors.New("an empty pattern is found everywhere")
	}
	if len(s) > maxPattern {
		return p, fmt.Errorf("the pattern is longer than %d bytes", maxPattern)
	}
	body, flags, ok := expression(s)
	if !ok {
		return p, nil
	}
	if i := strings.IndexFunc(flags, func(r rune) bool { return !strings.ContainsRune("ims", r) }); i >= 0 {
		return p, fmt.Errorf("the flag %q of %s is not known; i, m and s are", flags[i:i+1], shown(s))
	}
	if flags != "" {
		flags = "(?" + flags + ")"
	}
	re, err := regexp.Compile(flags + body)
	if err != nil {
		return p, fmt.Errorf("the pattern %s cannot be used: %s", shown(s), reason(body, err))
	}
	p.re = re
	return p, nil
}

// expression takes the slashes off. What ends in letters that are no flags of
// any language is a text with slashes, such as /usr/lib.
func expression(s string) (body, flags string, ok bool) {
	end := strings.LastIndexByte(s, '/')
	if s[0] != '/' || end < 2 {
		return "", "", false
	}
	flags = s[end+1:]
	return s[1:end], flags, strings.Trim(flags, "imsgxuyd") == ""
}

// foreign lists what other languages' expressions have and RE2 does not.
var foreign = [...]struct{ text, name string }{
	{"(?=", "lookahead (?=…)"}, {"(?!", "negative lookahead (?!…)"},
	{"(?<=", "lookbehind (?<=…)"}, {"(?<!", "negative lookbehind (?<!…)"},
	{"(?>", "an atomic group (?>…)"}, {"(?#", "a comment (?#…)"}, {`\k<`, `a reference \k<…>`},
	{`\u`, `\u…; write \x{…}`}, {`\c`, `\c…; write \x{…}`}, {`\h`, `\h; write [ \t]`}, {`\R`, `\R; write \r?\n`},
}

func reason(body string, err error) string {
	inClass, escaped := false, false
	for i := range len(body) {
		c := body[i]
		switch {
		case escaped:
			escaped = false
			if c >= '1' && c <= '9' && !inClass {
				return fmt.Sprintf("at character %d stands a reference \\%c, which Go's expressions (RE2) do not have", runes(body, i-1), c)
			}
			continue
		case c == '[':
			inClass = true
		case c == ']':
			inClass = false
		case c == '\\':
			escaped = true
		}
		if inClass && c != '\\' {
			continue
		}
		for _, f := range foreign {
			if strings.HasPrefix(body[i:], f.text) && !(f.text == "(?#" && inClass) {
				return fmt.Sprintf("at character %d stands %s, which Go's expressions (RE2) do not have", runes(body, i), f.name)
			}
		}
	}
	var bad *syntax.Error
	if !errors.As(err, &bad) {
		return shown(err.Error())
	}
	where := ""
	if i := strings.Index(body, bad.Expr); i >= 0 && bad.Expr != "" {
		where = fmt.Sprintf(" at character %d", runes(body, i))
	}
	return fmt.Sprintf("%s: %s%s", bad.Code, shown(bad.Expr), where)
}

// runes is the place of a byte in a pattern as a person counts: from 1, with
// the slash before it.
func runes(body string, i int) int { return 2 + len([]rune(body[:i])) }

// In reports whether the pattern is found in text.
func (p Pattern) In(text string) bool {
	if p.re != nil {
		return p.re.MatchString(text)
	}
	return strings.Contains(text, p.Given)
}

// mostMatched limits a regular expression, whose time grows with its own length
// times that of the text. This much takes some seconds.
const mostMatched = 1 << 30

// TooLong reports whether looking for the pattern in text would take too long.
func (p Pattern) TooLong(text string) bool {
	return p.re != nil && len(text)*len(p.Given) > mostMatched
}

// Is reports whether text is the pattern's text but for case and blanks at the
// ends, or matches its expression.
func (p Pattern) Is(text string) bool {
	if p.re != nil {
		return p.re.MatchString(text)
	}
	return strings.EqualFold(strings.TrimSpace(text), strings.TrimSpace(p.Given))
}

// Count is how often the pattern is found in text, one after the other.
func (p Pattern) Count(text string) int {
	if p.re != nil {
		return len(p.re.FindAllStringIndex(text, -1))
	}
	return strings.Count(text, p.Given)
}

func (p Pattern) String() string { return p.Given }
