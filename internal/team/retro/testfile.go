package retro

import "strings"

// isTest reports whether a path is a test's, by what languages and their tools
// agree on: a directory of tests, or a name that says so.
func isTest(path string) bool {
	dir, name := "", path
	if at := strings.LastIndexByte(path, '/'); at >= 0 {
		dir, name = path[:at], path[at+1:]
	}
	for part := range strings.SplitSeq(dir, "/") {
		switch strings.ToLower(part) {
		case "test", "tests", "__tests__", "testing", "testdata", "spec", "specs", "e2e", "__snapshots__", "androidtest", "t":
			return true
		}
	}
	stem, _, _ := strings.Cut(name, ".")
	for _, end := range [...]string{"_test", "_tests", "_spec", "Test", "Tests", "TestCase", "Spec", "IT"} {
		if strings.HasSuffix(stem, end) && stem != end {
			return true
		}
	}
	for _, part := range [...]string{".test.", ".tests.", ".spec.", ".e2e.", ".cy."} { // Perl's .t stands in t/
		if strings.Contains(name, part) {
			return true
		}
	}
	return strings.HasPrefix(name, "test_") || name == "conftest.py"
}
