package query

import (
	"regexp"
	"slices"
	"strings"
)

// exportForms are the ways a source says that it exports something: by which
// of the two systems, and the name, or names with what renames one.
var exportForms = [...]struct{ system, form, renames string }{
	{"esm", `(?m)^\s*export\s+(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:function\*?|class|const|let|var|interface|type|enum)\s+([A-Za-z_$][\w$]*)`, ""},
	{"esm", `(?m)^\s*export\s+(default)\s`, ""},
	{"esm", `(?m)^\s*export\s*\{([^}]*)\}`, "as"},
	{"commonjs", `module\.exports\s*=\s*\{([^}]*)\}`, ":"},
	{"commonjs", `(?m)^\s*(?:module\.)?exports\.([A-Za-z_$][\w$]*)\s*=`, ""},
}

// exportsOf returns the names a JavaScript or TypeScript source exports, in
// order, and by which of the two systems: "esm", "commonjs", "mixed", "none".
// It reads lines, not the language: a generated or minified file fools it.
func exportsOf(source string) (names []string, method string) {
	names, method = []string{}, "none"
	for _, f := range exportForms {
		for _, m := range regexp.MustCompile(f.form).FindAllStringSubmatch(source, -1) {
			if method == "none" {
				method = f.system
			} else if method != f.system {
				method = "mixed"
			}
			for name := range strings.SplitSeq(m[1], ",") {
				switch words := strings.Fields(name); {
				case len(words) == 0:
					continue
				case f.renames == "as":
					name = words[len(words)-1]
				case f.renames == ":":
					name, _, _ = strings.Cut(name, ":")
					if name = strings.TrimSpace(name); name == "" || strings.HasPrefix(name, "...") || strings.HasPrefix(name, "//") {
						continue
					}
				}
				if !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
	}
	return names, method
}
