package mark

import (
	"regexp"
	"strings"
	"sync"
)

// unfinished are the comments that say that code is missing. A plan for later, such
// as `TODO: faster`, is none.
var unfinished = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(?:` +
		`(?:todo|fixme|xxx|hack)\b(?:\([^)]*\))?\W*(?:$|.*\b(?:implement\w*|unimplemented|stub\w*|unfinished|fake\w*|dummy|placeholder|hard-?cod\w*|for now|later|finish|fill (?:this|in)|real|actual\w*|write (?:this|me|the)|missing|not done)\b)` +
		`|(?:not (?:yet )?implemented|unimplemented|not done yet|to be implemented|implement me|implement this|placeholder|stub|stubbed)\b(?:\s*$|\W*(?:for now|until|impl\w*|yet|$))` +
		`|.*\b(?:stubbed out|stub for now|hard-?coded for now|fake it for now|temporary stub|not implemented yet|implement later))`)
})

// readComments marks the comments that say that something is not done.
func (s *Source) readComments() {
	for i, start := range s.starts {
		end := lineEnd(s.Comments, start)
		line := strings.Trim(s.Comments[start:end], " \t\r/*#!-")
		if line != "" && unfinished().MatchString(line) {
			s.Marks = append(s.Marks, Mark{Stub, i + 1, i + 1, s.Line(i + 1), ""})
		}
	}
}

// saysUnfinished reports whether the text of an error or panic says that code is missing.
func saysUnfinished(text string) bool {
	return saysSo().MatchString(strings.Trim(text, "\"'`() \t\n;"))
}

var saysSo = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\bTODO\b|^(?i:todo)\W*$|(?i:\b(?:not (?:yet )?implemented|not yet (?:supported|handled|done)|not supported yet|unimplemented|implement me|to be implemented|not done yet|implement (?:this|later))\b|^stub\b)`)
})
