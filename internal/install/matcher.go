package install

import (
	"slices"
	"strings"
)

// joined is a matcher for what either of two is for. Names joined by bars are
// whole words also when they become part of an expression.
func joined(a, b string) string {
	if a == b {
		return a
	}
	if a == "" || b == "" || a == "*" || b == "*" {
		return ""
	}
	inA, okA := alternatives(a)
	inB, okB := alternatives(b)
	if !okA || !okB {
		return a + "|" + b
	}
	for _, word := range inB {
		if !slices.Contains(inA, word) {
			inA = append(inA, word)
		}
	}
	list := strings.Join(inA, "|")
	if plainList(a) && plainList(b) {
		return list
	}
	return "^(" + list + ")$"
}

// alternatives cuts a list of names, or an anchored expression without groups
// within its one, at its bars.
func alternatives(matcher string) ([]string, bool) {
	if plainList(matcher) {
		return strings.Split(matcher, "|"), true
	}
	inner, begins := strings.CutPrefix(matcher, "^(")
	inner, ends := strings.CutSuffix(inner, ")$")
	if !begins || !ends || strings.ContainsAny(inner, `()[]\`) {
		return nil, false
	}
	return strings.Split(inner, "|"), true
}

func plainList(matcher string) bool {
	return !strings.ContainsFunc(matcher, func(r rune) bool {
		return r != '|' && r != '_' && r != '-' && !('a' <= r && r <= 'z') && !('A' <= r && r <= 'Z') && !('0' <= r && r <= '9')
	})
}
