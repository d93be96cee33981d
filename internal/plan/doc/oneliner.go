package doc

import (
	"strconv"
	"strings"
	"unicode"
)

// OneLiner returns what a summary says it achieved, in one line: one-liner in
// its frontmatter, else the first bold line under its title, `**What was
// built**`. Of `**Label:** text` it is the text. A template's placeholder
// such as [what was built] is nothing: "".
func OneLiner(t *Text) string {
	front := t.Front()
	for _, key := range []string{"one-liner", "one_liner"} {
		if s := front.Get(key).Text(); s != "" && !Placeholder(s) {
			return s
		}
	}
	titled := false
	for i := t.Body(); i < t.Len(); i++ {
		line := strings.TrimSpace(t.Line(i))
		switch {
		case line == "" || t.Code(i):
		case !titled:
			titled = strings.HasPrefix(line, "# ")
		case strings.HasPrefix(line, "**"):
			s := boldText(line)
			if Placeholder(s) || !strings.ContainsFunc(s, unicode.IsLetter) { // **Tasks:** 3
				return ""
			}
			return s
		case strings.HasPrefix(line, "## "):
			return ""
		}
	}
	return ""
}

// boldText returns the text of `**text**`, or what follows `**Label:**`.
func boldText(line string) string {
	bold, after, ok := strings.Cut(line[2:], "**")
	switch {
	case !ok:
		return ""
	case strings.HasSuffix(bold, ":"):
		return strings.TrimSpace(after)
	case strings.HasPrefix(after, ":"):
		return strings.TrimSpace(after[1:])
	}
	return strings.TrimSpace(bold)
}

// Placeholder reports whether a text is a template's, not yet written:
// brackets or braces around all of it, or TBD.
func Placeholder(s string) bool {
	s = strings.Trim(strings.TrimSpace(s), `"'.*_`)
	if len(s) < 2 {
		return s == "" || s == "-"
	}
	switch first, last := s[0], s[len(s)-1]; {
	case first == '[' && last == ']' && !strings.Contains(s, "]("):
		return strings.IndexByte(s, ']') == len(s)-1
	case first == '{' && last == '}':
		return true
	}
	return strings.EqualFold(s, "tbd") || strings.EqualFold(s, "todo")
}

// taskCount returns how many tasks a summary says were done: `**Tasks:** 3`,
// or the number of its headings `### Task 1: …`; 0 when it says neither.
func taskCount(t *Text) int {
	n := 0
	for i := t.Body(); i < t.Len(); i++ {
		line := t.Line(i)
		if !strings.Contains(line, "Task") || t.Code(i) {
			continue
		}
		if h, ok := heading(line); ok {
			if rest, ok := strings.CutPrefix(h.Text, "Task "); ok && countDigits(rest) > 0 {
				n++
			}
			continue
		}
		s := strings.TrimLeft(line, "-* \t")
		for _, label := range []string{"Tasks:**", "Tasks completed:**", "Tasks**:"} {
			if rest, ok := strings.CutPrefix(s, label); ok {
				rest = strings.TrimSpace(rest)
				count, err := strconv.Atoi(rest[:countDigits(rest)])
				if err == nil {
					return count
				}
			}
		}
	}
	return n
}
