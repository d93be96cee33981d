package hook

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"cairn/internal/compact"
)

// Files that are written by programs for programs: an agent that reads one
// whole wants to know what it is, and asks for a range if it needs more.
var (
	generatedNames = []string{
		"package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock",
		"Cargo.lock", "go.sum", "poetry.lock", "uv.lock", "Pipfile.lock", "composer.lock", "Gemfile.lock",
	}
	generatedSuffixes = []string{".min.js", ".min.css", ".map", ".log", ".bundle.js", ".csv", ".tsv", ".ndjson", ".jsonl"}
)

const (
	readBytes   = 8 << 10 // of such a file, about this much of its start is shown
	minifiedAvg = 1000    // bytes a line, on average, of a file nobody wrote by hand
)

// cutTail returns the start of a generated file with a marker after it, and
// every other file unchanged. The host numbers the lines of what it gets, so
// nothing may be taken out before the end. rest is how a call asks for what
// comes after, see host.Output.
func cutTail(file, content, rest string) string {
	if len(content) <= readBytes || !generated(file, content) {
		return content
	}
	cut := strings.LastIndexByte(content[:readBytes], '\n')
	head, tail := content[:cut+1], content[cut+1:]
	if cut < 0 {
		var more bool
		if head, tail, more = strings.Cut(content, "\n"); !more || tail == "" {
			return compact.ClipLine(head)
		}
		head = compact.ClipLine(head) + "\n"
	}
	missing := strings.Count(strings.TrimSuffix(tail, "\n"), "\n") + 1
	mark := strings.TrimSuffix(compact.Omission(missing), "\n")
	if rest != "" {
		next := strings.Count(content[:len(content)-len(tail)], "\n") + 1
		mark = "[… " + fmt.Sprintf(rest, next) + " shows the other" + strings.TrimPrefix(mark, "[…")
	}
	return head + mark
}

func generated(file, content string) bool {
	name := path.Base(strings.ReplaceAll(file, `\`, "/"))
	if slices.Contains(generatedNames, name) || slices.ContainsFunc(generatedSuffixes, func(s string) bool { return strings.HasSuffix(name, s) }) {
		return true
	}
	switch path.Ext(name) {
	case ".js", ".css", ".json", ".html", ".svg", ".xml":
		return len(content)/(strings.Count(content, "\n")+1) > minifiedAvg
	}
	return false
}
