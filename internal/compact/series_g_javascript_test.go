package compact

import (
	"strings"
	"testing"
)

// gCase compacts a capture and checks its size before and after.
func gCase(t *testing.T, name string, atLeast, atMost int) string {
	t.Helper()
	f := readFixture(t, "testdata/fixtures/tests/"+name+".txt")
	res := Compact(f.Envelope, Options{Level: Normal})
	if before := strings.Count(f.CombinedText, "\n"); before < atLeast {
		t.Fatalf("the capture has %d lines, want at least %d", before, atLeast)
	}
	if after := strings.Count(res.Reduced, "\n"); after > atMost {
		t.Errorf("%d lines left, want at most %d:\n%s", after, atMost, res.Reduced)
	}
	for _, k := range f.Lost(res.Reduced) {
		t.Errorf("lost: %s", k)
	}
	return res.Reduced
}

// TestG1 is jest with 47 tests that pass.
func TestG1(t *testing.T) {
	got := gCase(t, "jest-pass-verbose-nested", 150, 10)
	if !strings.Contains(got, "47 passed, 47 total") || strings.Contains(got, "✓") {
		t.Errorf("want the totals and no passed test:\n%s", got)
	}
}

// TestG2 is jest with 47 tests of which two fail.
func TestG2(t *testing.T) {
	got := gCase(t, "jest-fail-verbose-nested", 200, 60)
	if n := strings.Count(got, "● "); n != 2 {
		t.Errorf("%d failures, want 2:\n%s", n, got)
	}
	if !strings.Contains(got, "Test Suites: 2 failed, 6 passed, 8 total") {
		t.Errorf("the totals are missing:\n%s", got)
	}
}

// TestG3 is a verbose run of vitest.
func TestG3(t *testing.T) {
	got := gCase(t, "vitest-pass-verbose-long", 300, 15)
	if !strings.Contains(got, "312 passed (312)") {
		t.Errorf("the totals are missing:\n%s", got)
	}
}
