package commit

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Sanitize returns a commit message without what a reader does not see and a
// model might obey: invisible and direction-changing characters go, control
// characters too, and the brackets of tags that mark who speaks in a prompt
// become ordinary ones.
func Sanitize(message string) string {
	visible := strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || isFiller(r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(message, ""))
	return strings.TrimSpace(defuse(visible))
}

// isFiller: characters of width zero, or of no ink, that are letters or
// symbols to Unicode.
func isFiller(r rune) bool {
	return strings.ContainsRune("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0", r)
}

// roles are the words that mark a speaker in the prompts of known models; the
// first three also in square brackets.
var roles = []string{"inst", "sys", "system", "assistant", "user", "human", "instructions", "im_start", "im_end", "tool_result", "function_results"}

// defuse writes (system) for <system>, </system>, <|system|>, <<SYS>> and
// [INST]. List<User> and list[user] are code and stay.
func defuse(s string) string {
	var b strings.Builder
	word := false // before s is a letter or a digit: what follows is no opening tag
	for {
		at := strings.IndexAny(s, "<[")
		if at < 0 {
			b.WriteString(s)
			return b.String()
		}
		if at > 0 {
			last, _ := utf8.DecodeLastRuneInString(s[:at])
			word = unicode.IsLetter(last) || unicode.IsDigit(last)
		}
		b.WriteString(s[:at])
		s = s[at:]
		if name, n := roleTag(s); n > 0 && (!word || s[1] == '/') {
			b.WriteString("(" + name + ")")
			s = s[n:]
		} else {
			b.WriteByte(s[0])
			s = s[1:]
		}
		word = false
	}
}

// roleTag returns the name and the length of the tag that s begins with, and
// a length of 0 when it begins with none.
func roleTag(s string) (name string, n int) {
	end := strings.IndexAny(s, ">]\n")
	if end < 0 || s[end] == '\n' {
		return "", 0
	}
	words := strings.Fields(strings.Trim(s[:end], "<>[]|/ "))
	if len(words) == 0 {
		return "", 0
	}
	known := roles
	if s[0] == '[' {
		known = roles[:3]
	}
	if !slices.ContainsFunc(known, func(role string) bool { return strings.EqualFold(strings.Trim(words[0], "|"), role) }) {
		return "", 0
	}
	if strings.HasPrefix(s, "<<") && strings.HasPrefix(s[end:], ">>") {
		end++
	}
	return strings.Trim(words[0], "|"), end + 1
}
