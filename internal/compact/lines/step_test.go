package lines

import "testing"

func TestCutStep(t *testing.T) {
	for _, c := range []struct{ line, step, text string }{
		{"unit\tRun go test\t2026-11-20T20:11:22.3358517Z FAIL\tx", "unit\tRun go test", "FAIL\tx"},
		{"unit\tTest\t\ufeff2026-11-20T20:11:22.3358517Z ##[group]Run", "unit\tTest", "##[group]Run"},
		{"2026-11-20T20:11:22.3358517Z text", "", "text"},
		{"unit\tTest\t2026-11-20T20:11:22.3358517Z", "unit\tTest", ""},
	} {
		if step, text, ok := CutStep(c.line); !ok || step != c.step || text != c.text {
			t.Errorf("%q: %q, %q, %v", c.line, step, text, ok)
		}
	}
	for _, line := range []string{"", "ok\tpkg\t0.1s", "2026-11-20T20:11:22Z text", "a\tb\t2026-11-20 20:11:22.3358517Z x"} {
		if _, text, ok := CutStep(line); ok || text != line {
			t.Errorf("%q was cut", line)
		}
	}
}
