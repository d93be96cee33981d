package query

import (
	"regexp"
	"slices"
	"strings"
)

// exportsOf returns the names a JavaScript or TypeScript source exports, in
// order, and by which of the two systems: "esm", "commonjs", "mixed", "none".
// It reads lines, not the language: a generated or minified file fools it.
func exportsOf(source string) (names []string, method string) {
	names = []string{}
	var esm, commonJS bool
	add := func(name string) {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	declared := regexp.MustCompile(`(?m)^\s*export\s+(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:function\*?|class|const|let|var|interface|type|enum)\s+([A-Za-z_$][\w$]*)`)
	for _, m := range declared.FindAllStringSubmatch(source, -1) {
		esm = true
		add(m[1])
	}
	if regexp.MustCompile(`(?m)^\s*export\s+default\s`).MatchString(source) {
		esm = true
		add("default")
	}
	for _, m := range regexp.MustCompile(`(?m)^\s*export\s*\{([^}]*)\}`).FindAllStringSubmatch(source, -1) {
		esm = true
		for item := range strings.SplitSeq(m[1], ",") {
			words := strings.Fields(item) // a, or: a as b
			if len(words) > 0 {
				add(words[len(words)-1])
			}
		}
	}
	for _, m := range regexp.MustCompile(`module\.exports\s*=\s*\{([^}]*)\}`).FindAllStringSubmatch(source, -1) {
		commonJS = true
		for item := range strings.SplitSeq(m[1], ",") {
			name, _, _ := strings.Cut(item, ":")
			if name = strings.TrimSpace(name); !strings.HasPrefix(name, "...") && !strings.HasPrefix(name, "//") {
				add(name)
			}
		}
	}
	for _, m := range regexp.MustCompile(`(?m)^\s*(?:module\.)?exports\.([A-Za-z_$][\w$]*)\s*=`).FindAllStringSubmatch(source, -1) {
		commonJS = true
		add(m[1])
	}
	switch {
	case esm && commonJS:
		return names, "mixed"
	case esm:
		return names, "esm"
	case commonJS:
		return names, "commonjs"
	}
	return names, "none"
}
