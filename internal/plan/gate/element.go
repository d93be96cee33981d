package gate

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// Kinds of structural elements that the map of the code should have.
const (
	NewDir    = "new_dir"
	Barrel    = "barrel"
	Migration = "migration"
	Route     = "route"
)

// Element is one thing that was added since the code was mapped.
type Element struct {
	Category string `json:"category"`
	Path     string `json:"path"`
}

// elements sorts the added files into kinds. Files in a directory that is new
// and outside of what the map names are one element: the directory.
func elements(added, known []string, structure string) []Element {
	var out []Element
	for _, name := range added {
		e := Element{Category: category(name), Path: name}
		if e.Category == "" {
			dir := path.Dir(name)
			if dir == "." || slices.Contains(known, dir) || mapped(structure, dir) {
				continue
			}
			e = Element{Category: NewDir, Path: dir}
		}
		out = append(out, e)
	}
	slices.SortFunc(out, func(a, b Element) int {
		return cmp.Or(strings.Compare(a.Category, b.Category), strings.Compare(a.Path, b.Path))
	})
	return slices.Compact(out)
}

func category(name string) string {
	anyOf := func(patterns ...string) bool {
		return slices.ContainsFunc(patterns, func(p string) bool { return matches(p, name) })
	}
	switch ext := strings.TrimPrefix(path.Ext(name), "."); {
	case anyOf("supabase/migrations/*.sql", "prisma/migrations/**/*", "drizzle/meta/**/*", "drizzle/migrations/**/*"),
		(ext == "js" || ext == "ts" || ext == "sql" || ext == "py" || ext == "rb" || ext == "go" || ext == "exs") &&
			anyOf("src/migrations/*", "db/migrations/*", "db/migrate/*", "migrations/*", "migrations/versions/*", "alembic/versions/*"):
		return Migration
	case slices.Contains([]string{"js", "ts", "jsx", "tsx", "mjs", "cjs"}, ext) && anyOf("src/routes/**/*", "src/api/**/*"):
		return Route
	case anyOf("packages/*/src/index.*", "apps/*/src/index.*") && slices.Contains([]string{"ts", "tsx", "js", "mjs", "cjs"}, ext):
		return Barrel
	}
	return ""
}

// mapped reports whether the map names the directory or one above it, or a
// file in one of these: as a path of its own, not as a part of a longer one.
func mapped(structure, dir string) bool {
	for ; dir != "."; dir = path.Dir(dir) {
		for from := 0; ; {
			i := strings.Index(structure[from:], dir)
			if i < 0 {
				break
			}
			i += from
			from = i + 1
			if !pathBefore(structure[:i]) && endsPath(structure[i+len(dir):]) {
				return true
			}
		}
	}
	return false
}

// pathBefore reports whether a path goes on at the end of s: "lib/" and "li",
// not "./" and "`".
func pathBefore(s string) bool {
	s = strings.TrimSuffix(s, "/")
	return s != "" && inPath(s[len(s)-1])
}

// endsPath reports whether a directory's path ends before s, a file in it
// aside: "/", " x" and "/main.go", not "s" and "/lib".
func endsPath(s string) bool {
	rest, deeper := strings.CutPrefix(s, "/")
	if !deeper {
		return s == "" || !inPath(s[0])
	}
	name, more, _ := strings.Cut(rest, "/")
	if end := strings.IndexFunc(name, func(r rune) bool { return r != '.' && r < 0x80 && !inPath(byte(r)) }); end >= 0 {
		name, more = name[:end], ""
	}
	return name == "" || more == "" && strings.Contains(strings.TrimRight(name, "."), ".")
}

func inPath(c byte) bool {
	return c == '_' || c == '-' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80
}

// affected returns the top directories of the elements; in apps/ and
// packages/ each package is one.
func affected(es []Element) []string {
	var out []string
	for _, e := range es {
		parts := strings.SplitN(e.Path, "/", 3)
		at := parts[0]
		if (at == "apps" || at == "packages") && len(parts) > 1 {
			at += "/" + parts[1]
		}
		if safePath(at) {
			out = append(out, at)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// safePath reports whether a path can be put into a prompt or a command as it
// is: relative, without .., of letters, digits, dots, dashes and underscores.
func safePath(s string) bool {
	for part := range strings.SplitSeq(s, "/") {
		if part == "" || strings.Contains(part, "..") || part[0] == '-' {
			return false
		}
		for i := range len(part) {
			if c := part[i]; c >= 0x80 || c != '.' && !inPath(c) {
				return false
			}
		}
	}
	return s != ""
}
