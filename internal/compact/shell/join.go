package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Join writes argv as a shell command that Parse reads back.
func Join(argv []string) string {
	words := make([]string, len(argv))
	for i, arg := range argv {
		word, err := syntax.Quote(arg, syntax.LangBash)
		if err != nil {
			word = "''" // a NUL or a bad rune: no rule asks for one
		}
		words[i] = word
	}
	return strings.Join(words, " ")
}
