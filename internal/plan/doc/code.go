package doc

import "strings"

// scanCode marks the lines of code fences and of HTML comments that begin a
// line. Rules are those of CommonMark 0.31: a fence is at least three ` or ~
// after at most three spaces, closed by one of the same character at least as
// long with nothing after it; a comment ends at the first line with -->. An
// opening that is never closed is text, so that one stray fence in a file
// people write by hand does not hide the rest of it.
func (t *Text) scanCode() []bool {
	code := make([]bool, len(t.lines))
	open := map[byte]int{}  // the shortest fence of a character that is known not to be closed
	const commentMark = '<' // in open, for a comment
	for i := 0; i < len(t.lines); i++ {
		end := -1
		if mark, n := fence(t.lines[i]); n > 0 {
			if open[mark] == 0 || n < open[mark] {
				if end = t.fenceEnd(i+1, mark, n); end < 0 {
					open[mark] = n
				}
			}
		} else if strings.HasPrefix(strings.TrimLeft(t.lines[i], " \t"), "<!--") && open[commentMark] == 0 {
			if end = t.commentEnd(i); end < 0 {
				open[commentMark] = 1
			}
		}
		for ; end >= i; i++ {
			code[i] = true
			if i == end {
				break
			}
		}
	}
	return code
}

// bordersCode reports whether a line may begin or end code.
func bordersCode(line string) bool {
	s := strings.TrimSpace(line)
	return s != "" && (s[0] == '`' || s[0] == '~') || strings.Contains(s, "<!--") || strings.Contains(s, "-->")
}

// fence returns the character and length of the fence that a line opens, or
// a length of 0. Fences in list items are indented further than CommonMark
// lets a fence be, and common: any indentation is taken.
func fence(line string) (mark byte, n int) {
	s := strings.TrimLeft(line, " \t")
	if s == "" || s[0] != '`' && s[0] != '~' {
		return 0, 0
	}
	for n < len(s) && s[n] == s[0] {
		n++
	}
	if n < 3 || s[0] == '`' && strings.Contains(s[n:], "`") {
		return 0, 0
	}
	return s[0], n
}

func (t *Text) fenceEnd(from int, mark byte, n int) int {
	for i := from; i < len(t.lines); i++ {
		s := strings.TrimSpace(t.lines[i])
		if len(s) >= n && strings.Trim(s, string(mark)) == "" {
			return i
		}
	}
	return -1
}

func (t *Text) commentEnd(from int) int {
	for i := from; i < len(t.lines); i++ {
		if strings.Contains(t.lines[i], "-->") {
			return i
		}
	}
	return -1
}
