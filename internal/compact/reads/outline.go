package reads

import (
	"fmt"
	"path/filepath"
	"strings"

	"cairn/internal/text"
)

const (
	outlined     = 8 << 10 // a file of so many bytes is large
	outlineHead  = 2 << 10 // bytes of its first lines that are shown
	outlineBytes = 3 << 10 // of the outline
	outlineEntry = 90      // characters of one line of it
	outlineLeast = 4       // lines that make one
)

// Outline is what may stand for the first Read of a large file: its first lines,
// up to the line to, and in one line more the numbers and beginnings of the
// blocks below. ok is false where the agent was shown any of the file before,
// asked for a part, or where the file has no blocks that begin at its margin.
func (k *Look) Outline() (short string, to int, ok bool) {
	if k == nil || k.known != nil || !k.whole() || len(k.view.Text) < outlined {
		return "", 0, false
	}
	all := strings.Split(k.view.Text, "\n")
	for size := 0; to < len(all) && size+len(all[to]) < outlineHead; to++ {
		size += len(all[to]) + 1
	}
	entries := blocks(all, to, filepath.Ext(k.path))
	if to == 0 || len(entries) < outlineLeast {
		return "", 0, false
	}
	var b strings.Builder
	b.WriteString(k.part(0, to-1))
	fmt.Fprintf(&b, "\n[cairn: lines %d–%d are not shown; Read them with offset and limit, or Read again for all. In them: ", to+1, k.Last())
	more := 0
	for i, e := range entries {
		if b.Len() > outlineHead+outlineBytes {
			more = len(entries) - i
			break
		}
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(e)
	}
	if more > 0 {
		fmt.Fprintf(&b, "; … %d more", more)
	}
	b.WriteString("]")
	return b.String(), to, true
}

// blocks are the lines from one on that begin something at the margin: in
// Markdown headings, else lines with indented ones below them. Where those are
// few, the blocks right inside them count, too.
func blocks(all []string, from int, ext string) (entries []string) {
	entry := func(i int) string {
		return fmt.Sprint(i+1, " ", text.Shorten(strings.TrimRight(strings.TrimSpace(all[i]), " {:"), outlineEntry))
	}
	if ext == ".md" || ext == ".mdx" || ext == ".markdown" {
		for i := from; i < len(all); i++ {
			if level := len(all[i]) - len(strings.TrimLeft(all[i], "#")); level > 0 && level < 7 && strings.HasPrefix(all[i][level:], " ") {
				entries = append(entries, entry(i))
			}
		}
		return entries
	}
	var inner []string
	step := 0 // how far the lines right inside the last block are indented
	for i := range all {
		own, below := indent(all[i]), 0
		for j := i + 1; j < len(all); j++ {
			if below = indent(all[j]); strings.TrimSpace(all[j]) != "" {
				break
			}
		}
		if below <= own || !begins(all[i]) {
			continue
		}
		if own == 0 {
			step = below
		}
		if i < from {
			continue
		}
		switch own {
		case 0:
			entries, inner = append(entries, entry(i)), append(inner, entry(i))
		case step:
			inner = append(inner, entry(i))
		}
	}
	if len(entries) < outlineLeast {
		return inner
	}
	return entries
}

// indent is how far a line is indented; a tab counts as four.
func indent(s string) (n int) {
	for _, c := range s {
		switch c {
		case ' ':
			n++
		case '\t':
			n += 4
		default:
			return n
		}
	}
	return n
}

// begins reports whether a line may name what begins with it: it is no comment
// and no bracket, and no branch or loop.
func begins(s string) bool {
	s = strings.TrimSpace(s)
	if s == "" || strings.HasPrefix(s, "//") || strings.HasPrefix(s, "/*") || strings.HasPrefix(s, "# ") || strings.IndexByte("}])*-<|\"'`", s[0]) >= 0 {
		return false
	}
	word, _, _ := strings.Cut(s, " ")
	word, _, _ = strings.Cut(word, "(")
	switch strings.TrimRight(word, ":{") {
	case "if", "for", "while", "else", "elif", "switch", "match", "select", "case", "default", "try", "catch", "except", "finally", "with", "do", "return", "unless", "when", "until", "loop", "import", "from":
		return false
	}
	return true
}
