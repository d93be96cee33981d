package record

import (
	"strings"

	"cairn/internal/compact/lines"
)

// The forms of go test's lines.

// goMark reads the lines testing marks: "=== RUN   Name" gives "===" and the
// name, "    --- FAIL: Name (0.00s)" gives "FAIL" and the name.
func goMark(t string) (verb, name string) {
	if strings.HasPrefix(t, "=== ") {
		f := strings.Fields(t)
		if len(f) >= 4 && (f[1] == "FAIL:" || f[1] == "SKIP:") {
			return f[1][:4], f[3] // gotestsum: "=== FAIL: package Name (0.00s)"
		}
		if len(f) == 3 && oneOf(f[1], "RUN", "CONT", "NAME", "PAUSE") {
			return "===", f[2]
		}
		return "", ""
	}
	rest, ok := strings.CutPrefix(strings.TrimLeft(t, " "), "--- ")
	if !ok {
		return "", ""
	}
	verb, name, ok = strings.Cut(rest, ": ")
	if !ok || !oneOf(verb, "PASS", "FAIL", "SKIP", "BENCH") {
		return "", ""
	}
	name, _, _ = strings.Cut(name, " (")
	return verb, name
}

// goPackage reports whether t is a package's result.
func goPackage(t string) bool {
	return hasPrefix(t, "ok  \t", "FAIL\t", "?   \t") ||
		strings.HasPrefix(t, "\t") && strings.Contains(t, "\tcoverage: ")
}

// goDiagnostic reports whether t is a message of the compiler, vet or go
// itself.
func goDiagnostic(t string) bool {
	if hasPrefix(t, "go: ", "too many errors", "note: module requires Go") ||
		strings.HasPrefix(t, "package ") && strings.Contains(t, ": ") {
		return true
	}
	t = strings.TrimPrefix(t, "vet: ")
	i := strings.Index(t, ".go:")
	return i > 0 && !indented(t) && !strings.Contains(t[:i], " ") && i+4 < len(t) && t[i+4] >= '0' && t[i+4] <= '9'
}

// goMessageLine reports whether t is what a test said itself, by t.Log or
// t.Error: "    file_test.go:12: …".
func goMessageLine(t string) bool {
	s := strings.TrimLeft(t, " ")
	i := strings.Index(s, ".go:")
	return len(s) < len(t) && i > 0 && !strings.Contains(s[:i], " ") || lines.Classify(t) >= lines.Trouble
}
