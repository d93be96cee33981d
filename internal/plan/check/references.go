package check

import (
	"slices"
	"strings"

	"cairn/internal/plan/doc"
)

// References are the paths that a document names, and those that are not
// there.
type References struct {
	Found   int      `json:"found"`
	Missing []string `json:"missing"`
	Total   int      `json:"total"`
}

// LookUp checks the paths of a document, outside code and comments:
// @dir/file, and `dir/file.ext` in backquotes. A package that package.json
// names, such as @scope/name, is no path.
func LookUp(t *doc.Text, files Files) References {
	r := References{Missing: []string{}}
	for _, name := range Paths(t) {
		switch {
		case files.Has(name):
			r.Found++
		case isPackage(name, files):
			continue
		default:
			r.Missing = append(r.Missing, name)
		}
		r.Total++
	}
	return r
}

// isPackage reports whether package.json names @scope/name.
func isPackage(name string, files Files) bool {
	scope, rest, _ := strings.Cut(name, "/")
	rest, _, _ = strings.Cut(rest, "/")
	manifest, ok := files.Read("package.json")
	return ok && strings.Contains(manifest, `"@`+scope+"/"+rest+`"`)
}

// Paths returns the paths that a document names, each once.
func Paths(t *doc.Text) []string {
	var out []string
	for i := range t.Len() {
		if t.Code(i) {
			continue
		}
		line := t.Line(i)
		for _, name := range slices.Concat(mentions(line), quotedPaths(line)) {
			if !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	return out
}

// mentions returns the @dir/file of a line.
func mentions(line string) []string {
	var out []string
	for i := 0; i < len(line); i++ {
		if line[i] != '@' || i > 0 && (isWord(line[i-1]) || line[i-1] == '@' || line[i-1] == '/') {
			continue
		}
		name := line[i+1:]
		if n := strings.IndexAny(name, " \t,;`'\"()[]<>|"); n >= 0 {
			name = name[:n]
		}
		i += len(name)
		if name = strings.TrimRight(name, ".:!?*"); isPath(name) {
			out = append(out, name)
		}
	}
	return out
}

// quotedPaths returns the `dir/file.ext` of a line.
func quotedPaths(line string) []string {
	var out []string
	parts := strings.Split(line, "`")
	for i := 1; i < len(parts)-1; i += 2 {
		name := strings.TrimPrefix(parts[i], "@")
		if isPath(name) && hasExtension(name) {
			out = append(out, name)
		}
	}
	return out
}

// isPath reports whether s looks like a path that can be looked up: not an
// address, a pattern or a placeholder.
func isPath(s string) bool {
	return strings.Contains(strings.Trim(s, "/"), "/") && !strings.Contains(s, "://") &&
		!strings.ContainsAny(s, " \t*{}<>$|\"'\\") && !strings.HasPrefix(s, "http")
}

func hasExtension(s string) bool {
	base := s[strings.LastIndexByte(s, '/')+1:]
	dot := strings.LastIndexByte(base, '.')
	return dot >= 0 && len(base)-dot > 1 && len(base)-dot <= 11 && strings.IndexFunc(base[dot+1:], func(r rune) bool { return r > 'z' || !isWord(byte(r)) }) < 0
}
