package gate

import (
	"strings"

	"cairn/internal/plan/doc"
)

// promised returns the parts of a plan that say what will be done and must
// be true: must_haves, truths and objective of the frontmatter, the sections
// under such headings, and the <objective> and <tasks> elements. What stands
// in fences and comments is an example or was taken back.
func promised(t *doc.Text) string {
	var b strings.Builder
	promisedFront(t, &b)
	for _, s := range t.Sections() {
		if isPromise(s.Text) {
			spanWithoutCode(t, s.Start, s.End, &b)
		}
	}
	for _, name := range []string{"objective", "must_haves", "truths", "tasks", "task"} {
		for _, block := range t.Blocks(t.Body(), t.Len(), name) {
			var inner strings.Builder
			spanWithoutCode(t, block.Line, block.End, &inner)
			b.WriteString(between(inner.String(), name))
			b.WriteByte('\n')
		}
	}
	return withoutComments(b.String())
}

// promisedFront adds the frontmatter's promises: the line of the key and all
// lines up to the next key of the same level.
func promisedFront(t *doc.Text, b *strings.Builder) {
	in := false
	for i := 1; i < t.Body()-1; i++ {
		line := t.Line(i)
		if line != "" && !strings.ContainsRune(" \t-#", rune(line[0])) {
			key, value, _ := strings.Cut(line, ":")
			in = isPromise(key)
			line = value
		}
		if in && !strings.HasPrefix(strings.TrimLeft(line, " \t"), "#") {
			b.WriteString(withoutYAMLComment(line))
			b.WriteByte('\n')
		}
	}
}

// isPromise reports whether a heading or key is one of must_haves, truths,
// objective and tasks, or a task by its number ("Task 2: routes").
func isPromise(name string) bool {
	name = strings.ToLower(strings.Trim(name, " *_:`\"'"))
	switch strings.NewReplacer("_", " ", "-", " ").Replace(name) {
	case "must haves", "must have", "truths", "truth", "tasks", "task", "objective", "objectives":
		return true
	}
	number, ok := strings.CutPrefix(name, "task ")
	return ok && number[0] >= '0' && number[0] <= '9'
}

// withoutYAMLComment cuts ` # …` unless a quote is open before it.
func withoutYAMLComment(line string) string {
	var quote byte
	for i := range len(line) {
		switch c := line[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			if i == 0 || strings.IndexByte(" \t[,:-", line[i-1]) >= 0 { // not an apostrophe
				quote = c
			}
		case c == '#' && i > 0 && (line[i-1] == ' ' || line[i-1] == '\t'):
			return line[:i]
		}
	}
	return line
}

func spanWithoutCode(t *doc.Text, from, to int, b *strings.Builder) {
	for i := from; i < to; i++ {
		if !t.Code(i) {
			b.WriteString(t.Line(i))
			b.WriteByte('\n')
		}
	}
}

// between cuts what stands before the opening tag and after the closing one.
func between(s, name string) string {
	if i := strings.Index(s, "<"+name); i >= 0 {
		s = s[i:]
		if end := strings.IndexByte(s, '>'); end >= 0 {
			s = s[end+1:]
		}
	}
	s, _, _ = strings.Cut(s, "</"+name+">")
	return s
}

// withoutComments removes the HTML comments that begin inside a line; those
// that begin one are gone already.
func withoutComments(s string) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(s, "<!--")
		_, after, closed := strings.Cut(rest, "-->")
		if !ok || !closed {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(before)
		s = after
	}
}
