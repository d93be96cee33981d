package gate

import (
	"slices"
	"strings"

	"cairn/internal/plan/doc"
)

// FilesOf returns the files that a plan or summary lists as its own:
// files_modified, and the created and modified of key-files. Both forms of a
// list are read, in the frontmatter and in the body:
//
//	files_modified: [src/a.go, "src/b.go"]
//	key-files:
//	  created:
//	    - src/c.go
func FilesOf(t *doc.Text) []string {
	var out []string
	for i := 0; i < t.Len(); i++ {
		if t.Code(i) {
			continue
		}
		key, value, ok := listKey(t.Line(i))
		switch {
		case !ok:
		case key == "files_modified":
			out = append(out, listAt(t, i, value)...)
		case key == "key_files":
			out = append(out, keyFiles(t, i, value)...)
		}
	}
	out = slices.DeleteFunc(out, func(s string) bool { return s == "" })
	slices.Sort(out)
	return slices.Compact(out)
}

// listKey reads `key:` or `- key:`, with or without emphasis; dashes in the
// key are underscores.
func listKey(line string) (key, value string, ok bool) {
	key, value, ok = strings.Cut(strings.TrimLeft(line, " \t-*"), ":")
	key = strings.ReplaceAll(strings.ToLower(strings.Trim(key, "*` \t")), "-", "_")
	return key, strings.TrimSpace(strings.TrimLeft(value, "*")), ok
}

// keyFiles reads the lists under key-files, or the one it is itself.
func keyFiles(t *doc.Text, at int, value string) []string {
	if inner, ok := strings.CutPrefix(value, "{"); ok { // {created: [a], modified: [b]}
		var out []string
		for _, part := range strings.Split(strings.TrimRight(inner, "} "), "]") {
			if _, list, ok := strings.Cut(part, "["); ok {
				out = append(out, items(list)...)
			}
		}
		return out
	}
	if out := listAt(t, at, value); len(out) > 0 {
		return out
	}
	var out []string
	depth := indent(t.Line(at))
	for i := at + 1; i < t.Len() && (indent(t.Line(i)) > depth || strings.TrimSpace(t.Line(i)) == ""); i++ {
		if key, value, ok := listKey(t.Line(i)); ok && (key == "created" || key == "modified") {
			out = append(out, listAt(t, i, value)...)
		}
	}
	return out
}

// listAt returns the list that is the value of the key on line at.
func listAt(t *doc.Text, at int, value string) []string {
	if inline, ok := strings.CutPrefix(value, "["); ok {
		for i := at + 1; !strings.Contains(inline, "]") && i < t.Len(); i++ {
			inline += " " + strings.TrimSpace(t.Line(i))
		}
		inline, _, _ = strings.Cut(inline, "]")
		return items(inline)
	}
	if value != "" && value[0] != '#' {
		return nil
	}
	var out []string
	depth := indent(t.Line(at))
	for i := at + 1; i < t.Len(); i++ {
		line := t.Line(i)
		s := strings.TrimSpace(line)
		if s == "" || s[0] == '#' && (i < t.Body() || indent(line) > depth) {
			continue
		}
		text, ok := strings.CutPrefix(s, "- ")
		if !ok || indent(line) < depth {
			if indent(line) > depth && len(out) > 0 {
				continue // the rest of an item that is a map
			}
			return out
		}
		out = append(out, listedPath(text))
	}
	return out
}

// items splits an inline list at its commas.
func items(s string) []string {
	var out []string
	for part := range strings.SplitSeq(s, ",") {
		out = append(out, listedPath(part))
	}
	return out
}

// listedPath reads one item: quoted or not, perhaps `path: src/a.go`, perhaps with
// a word about it after the name.
func listedPath(s string) string {
	s = strings.TrimSpace(s)
	if rest, ok := strings.CutPrefix(s, "path:"); ok {
		s = strings.TrimSpace(rest)
	}
	if s != "" && strings.IndexByte("\"'`", s[0]) >= 0 {
		quoted, _, _ := strings.Cut(s[1:], s[:1])
		return quoted
	}
	for _, sep := range []string{" #", " - ", " – ", " — ", " (", ": "} {
		s, _, _ = strings.Cut(s, sep)
	}
	return strings.TrimSpace(s)
}

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }
