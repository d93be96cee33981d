package compact

import (
	"fmt"
	"strings"
	"testing"
)

// What each hook of a commit printed is read by the parser of its tool; one that only
// changed files keeps its heading.
func TestHooksAreTold(t *testing.T) {
	var b strings.Builder
	heading := func(name, status string) { b.WriteString(name + strings.Repeat(".", 60) + status + "\n") }
	heading("trim trailing whitespace", "Failed")
	b.WriteString("- hook id: trailing-whitespace\n- exit code: 1\n- files were modified by this hook\n\nFixing src/oven.py\n\n")
	heading("black", "Failed")
	b.WriteString("- hook id: black\n- files were modified by this hook\n\n")
	heading("types", "Failed")
	b.WriteString("- hook id: mypy\n- duration: 1.2s\n- exit code: 1\n\n")
	for i := range 30 {
		fmt.Fprintf(&b, "src/oven.py:%d: error: Incompatible types in assignment (expression has type \"str\", variable has type \"int\")  [assignment]\n", i+3)
	}
	b.WriteString("Found 30 errors in 1 file (checked 9 source files)\n\n")
	for i := range 20 {
		heading(fmt.Sprintf("check %d", i), "Passed")
	}
	heading("tsc", "Failed")
	b.WriteString("- hook id: tsc\n- exit code: 2\n\n")
	for i := range 30 {
		fmt.Fprintf(&b, "src/a.ts(%d,3): error TS2322: Type 'string' is not assignable to type 'number'.\n", i+1)
	}
	code := 1
	got := Compact(Envelope{Command: "git commit -m x", CombinedText: b.String(), ExitCode: &code}, Options{Level: Normal}).Reduced
	for _, want := range []string{"Fixing src/oven.py", "- hook id: black", "- files were modified", "- hook id: mypy", "3,4,5,", "[assignment] ×30", "Found 30 errors", "20 passed", "- hook id: tsc", "(1,3 2,3", "TS2322: Type 'string' is not assignable to type 'number'. ×30"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing:\n%s", want, got)
		}
	}
	if strings.Contains(got, "duration") || len(got)*3 > b.Len() {
		t.Errorf("%d of %d bytes:\n%s", len(got), b.Len(), got)
	}
	doc := "# Hooks\n\nThis is what a commit prints that a hook stops. Read it from the top.\n\n" + b.String()
	if res := reduce("cat CONTRIBUTING.md", doc); res.Reduced != doc && strings.Contains(res.Reduced, "×30") {
		t.Errorf("a document became:\n%s", res.Reduced)
	}
}
