package compact_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"cairn/internal/compact"
)

// Outputs of commands in a row, which nothing announces, are each read by the
// rule of its own command: no line of one is cut as ordinary text of another.
func TestTurns(t *testing.T) {
	var tsc, eslint, mypy, flake strings.Builder
	var places []string
	for i := range 60 {
		fmt.Fprintf(&tsc, "src/mod%d.ts(%d,26): error TS2322: Type 'number' is not assignable to type 'string'.\n", i, i+2)
		fmt.Fprintf(&eslint, "\n/p/src/row%d.ts\n  %d:45  error  Expected '===' and instead saw '=='  eqeqeq\n", i, i+3)
		fmt.Fprintf(&mypy, "app/m%d.py:%d: error: Module has no attribute \"nope\"  [attr-defined]\n", i, i+4)
		fmt.Fprintf(&flake, "app/f%d.py:%d:1: F401 'os' imported but unused\n", i, i+5)
		places = append(places, fmt.Sprintf("mod%d.ts(%d,26)", i, i+2), fmt.Sprintf("row%d.ts %d:45", i, i+3))
	}
	eslint.WriteString("\n✖ 60 problems (60 errors, 0 warnings)\n\n")
	mypy.WriteString("Found 60 errors in 60 files (checked 61 source files)\n")
	goTest := "--- FAIL: TestTotal (0.00s)\n    a_test.go:7: Total = 4, want 3\nFAIL\nFAIL\texample.com/shop\t0.020s\nFAIL\n"
	husky := "husky - pre-commit script failed (code 1)\n"
	for _, c := range []struct {
		command, output string
		wants           []string
	}{
		{"npx tsc --noEmit; npx eslint src; go test ./...", tsc.String() + eslint.String() + goTest, slices.Concat(places, []string{"--- FAIL: TestTotal", "a_test.go:7: Total = 4, want 3"})},
		{"npx tsc --noEmit && npx eslint src && go test ./...", eslint.String() + goTest, []string{places[1], "a_test.go:7: Total = 4, want 3"}}, // tsc had nothing to say
		{"git commit -m wip", tsc.String() + eslint.String() + husky, slices.Concat(places, []string{strings.TrimSpace(husky)})},
		{"mypy app; flake8 app", mypy.String() + flake.String(), []string{"m59.py 63", "f59.py 64:1", "Found 60 errors"}},
		{"./gen.sh; eslint src", "panic: no template for row 7\n\tgen.go:14\n" + eslint.String(), []string{"panic: no template for row 7", "row59.ts 62:45"}},
	} {
		exit := 1
		res := compact.Compact(compact.Envelope{Tool: "Bash", Command: c.command, CombinedText: c.output, ExitCode: &exit}, compact.Options{Level: compact.Normal})
		for _, want := range c.wants {
			if !strings.Contains(res.Reduced, want) {
				t.Errorf("%s (%s): lost %q in\n%.1500s", c.command, res.Meta.Rule, want, res.Reduced)
				break
			}
		}
	}
}

// What tests printed may look like the output of any tool: behind them nothing
// begins in a hook.
func TestTurnsStayInTests(t *testing.T) {
	out := "FAIL src/a.test.ts\n  ● Test suite failed to run\n\n    src/a.ts:3:1 - error TS2322: Type 'string' is not assignable to type 'number'.\n\n" +
		"error TS2322: printed by a test\n\nTest Suites: 1 failed, 1 total\nTests:       0 total\n" + strings.Repeat("\n", 3)
	exit := 1
	res := compact.Compact(compact.Envelope{Tool: "Bash", Command: "git push", CombinedText: out, ExitCode: &exit}, compact.Options{Level: compact.Normal})
	if res.Meta.Rule != "tests/jest" || !strings.Contains(res.Reduced, "Test Suites: 1 failed, 1 total") {
		t.Errorf("%s:\n%s", res.Meta.Rule, res.Reduced)
	}
}
