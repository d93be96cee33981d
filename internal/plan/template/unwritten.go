package template

import (
	"strings"

	"cairn/internal/plan/doc"
)

// Gaps counts what [Fill] left to be written by hand, and says where the first
// stands: [words in lower case] alone on a line, after a list mark or a field's
// name, or in an element; TBD in the frontmatter does not count, some values
// come later. What stands in code is text.
func Gaps(t *doc.Text, name string) (n, first int) {
	fields := gapsOf(name)
	for i := t.Body(); i < t.Len(); i++ {
		if t.Code(i) || !isGap(t.Line(i), fields) {
			continue
		}
		if n++; n == 1 {
			first = i
		}
	}
	return n, first
}

// IsGap reports whether a line says no more than a gap of that template.
func IsGap(line, name string) bool { return isGap(line, gapsOf(name)) }

// gapsOf returns what [Fill] writes for the fields of a template: other words in
// brackets are somebody's text.
func gapsOf(name string) map[string]bool {
	fields, _ := Fields(name)
	out := map[string]bool{}
	for _, f := range fields {
		out[gap(f)] = true
	}
	return out
}

// gap is what is written for a field that has no value.
func gap(field string) string { return "[" + strings.ReplaceAll(field, "_", " ") + "]" }

// isGap reports whether a line is a gap, or ends with one after its mark.
func isGap(line string, gaps map[string]bool) bool {
	line = strings.TrimSpace(line)
	if element, ok := strings.CutPrefix(line, "<"); ok { // <name>[task]</name>
		_, line, _ = strings.Cut(element, ">")
		line, _, _ = strings.Cut(line, "</")
	}
	line = strings.TrimSpace(strings.TrimLeft(line, "-*0123456789.| "))
	line = strings.TrimPrefix(line, "[ ] ")
	if strings.HasPrefix(line, "[") && strings.Contains(line, "](") {
		return false
	}
	if _, value, ok := strings.Cut(line, ":"); ok {
		line = value
	}
	return gaps[strings.Trim(line, " *`")]
}

// Unwritten reports whether a document has nothing but what the template or the
// scaffold of its kind begins with: headings, tags, their sentences, gaps.
func Unwritten(t *doc.Text, kind string) bool {
	known, gaps := map[string]bool{}, gapsOf(strings.ToLower(kind))
	scaffold, _ := Scaffold(kind, nil)
	source, _ := Source(strings.ToLower(kind))
	for line := range strings.Lines(scaffold + "\n" + source) {
		known[bare(line)] = true
	}
	for i := t.Body(); i < t.Len(); i++ {
		line := strings.TrimSpace(t.Line(i))
		switch {
		case line == "", line[0] == '#', line[0] == '<' && line[len(line)-1] == '>' && !strings.Contains(line, "</"), strings.HasPrefix(line, "</"):
		case isGap(line, gaps), gapped(line), known[bare(line)]:
		case strings.HasPrefix(line, "**Gathered:**"), strings.HasPrefix(line, "**Status:**"):
		default:
			return false
		}
	}
	return true
}

// gapped reports whether a line has no words but gaps: `[reference]` — [says].
func gapped(line string) bool {
	rest := line
	found := false
	for {
		before, after, ok := strings.Cut(rest, "[")
		_, behind, closed := strings.Cut(after, "]")
		if !ok || !closed {
			return found && strings.Trim(rest, "-*`: —|.D0123456789") == ""
		}
		if strings.Trim(before, "-*`: —|.D0123456789") != "" {
			return false
		}
		found, rest = true, behind
	}
}

func bare(line string) string { return strings.Trim(strings.TrimSpace(line), "-* ") }
