package compact

import (
	"strings"
	"testing"
)

// Lines in a row that tell the same trouble of different names are one; the first and
// the last stay where what is beside them may be about them alone. A test with many
// parameters is named once.
func TestNamesOnce(t *testing.T) {
	for body, want := range map[string]string{
		"--- FAIL: TestA (0.00s)\n--- FAIL: TestB (0.00s)\n--- FAIL: TestC (0.00s)\nFAIL":                                                                                         "--- FAIL: TestA, TestB, TestC (0.00s)\nFAIL",
		"    a_test.go:3: bad\n--- FAIL: TestA (0.00s)\n--- FAIL: TestB (0.00s)\n--- FAIL: TestC (0.00s)\n--- FAIL: TestD (0.00s)\n--- FAIL: TestE (0.00s)\n    e_test.go:3: bad": "    a_test.go:3: bad\n--- FAIL: TestA (0.00s)\n--- FAIL: TestB, TestC, TestD (0.00s)\n--- FAIL: TestE (0.00s)\n    e_test.go:3: bad",
		"the oven a is warm enough to bake\nthe oven b is warm enough to bake\nthe oven c is warm enough to bake":                                                                 "",
		"error: the oven 1 is broken since\nerror: the oven 2 is broken since\nerror: the oven 3 is broken since":                                                                 "",
		"error: the oven a is broken since\nerror: a door b is broken since\nerror: the oven c is broken since":                                                                   "",
		"| error: the oven a | is broken |\n| error: the oven b | is broken |\n| error: the oven c | is broken |":                                                                 "",
		"FAILED t/a.py::test_x[1-a b]\nFAILED t/a.py::test_x[2-c] - assert 1\nFAILED t/a.py::test_y[2]\nFAILED t/a.py::test_z - x[3]":                                             "FAILED t/a.py::test_x[1-a b]\n [2-c] - assert 1\nFAILED t/a.py::test_y[2]\nFAILED t/a.py::test_z - x[3]",
	} {
		if want == "" {
			want = body
		}
		got := squeezed(body)
		if got != want {
			t.Errorf("became:\n%s", got)
		}
		for l := range strings.Lines(body) {
			if !Shows(got, l) {
				t.Errorf("lost %q", l)
			}
		}
	}
}

// Where lines went in between, one blank line separates as well as several.
func TestBlankLinesInARow(t *testing.T) {
	got := reduce("./bake", strings.Repeat("warning: the oven is cold\n\n", 20)+"\n\nall loaves are done\n").Reduced
	if strings.Contains(got, "\n\n\n") || !strings.Contains(got, "all loaves are done") {
		t.Errorf("became:\n%s", got)
	}
}
