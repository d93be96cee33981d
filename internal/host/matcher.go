package host

import (
	"regexp"
	"slices"
	"strings"
)

// listOrRegexp is Claude Code's reading of a matcher: "" and "*" are every
// tool, names joined by | or , are compared exactly, and anything else is a
// regular expression that may match anywhere. One that does not compile
// matches nothing.
func listOrRegexp(matcher, tool string) bool {
	if matcher == "" || matcher == "*" {
		return true
	}
	if strings.Trim(matcher, wordsAndBars) == "" {
		names := strings.FieldsFunc(matcher, func(r rune) bool { return r == '|' || r == ',' || r == ' ' })
		return slices.Contains(names, tool)
	}
	re, err := regexp.Compile(matcher)
	return err == nil && re.MatchString(tool)
}

const wordsAndBars = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-|, "

// anyOrRegexp is the reading of hosts to which "" and "*" are every tool and
// anything else is a regular expression that may match anywhere.
func anyOrRegexp(matcher, tool string) bool {
	if matcher = strings.TrimSpace(matcher); matcher == "" || matcher == "*" {
		return true
	}
	re, err := regexp.Compile(matcher)
	return err == nil && re.MatchString(tool) || err != nil && matcher == tool
}
