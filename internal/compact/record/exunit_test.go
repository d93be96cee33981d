package record

import (
	"strings"
	"testing"
)

func TestExunitForms(t *testing.T) {
	for line, want := range map[string]bool{
		"  1) test adds (CalcTest)":                 true,
		" 12) doctest Calc.add/2 (1) (CalcTest)":    true,
		"  1) Failure:":                             false,
		"1) test at the margin (CalcTest)":          false,
		"     x) test within a failure (CalcTest)":  false,
		"  3) see the manual (chapter 2)":           false,
		" 14) property sums commute (LedgerTest.A)": true,
	} {
		if got := exunitTitle(line); got != want {
			t.Errorf("title %q: %v", line, got)
		}
	}
	for line, want := range map[string]bool{
		"5 tests, 0 failures":                            true,
		"1 doctest, 118 tests, 1 failure, 1 skipped":     true,
		"2 properties, 3 tests, 0 failures (2 excluded)": true,
		"3 failures":                         false,
		"12 examples, 1 failure":             false,
		"10 tests ran before the 2 failures": false,
	} {
		if got := exunitTotals(line); got != want {
			t.Errorf("totals %q: %v", line, got)
		}
	}
}

// Of a stack, the frames of other applications beyond the first two go; the
// project's own stay wherever they stand.
func TestExunitFrames(t *testing.T) {
	var f []Line
	for i, s := range strings.Split(`  1) test mounts (SpotterWeb.LiveTest)
     test/live_test.exs:5
     ** (RuntimeError) no key
     stacktrace:
       (phoenix 1.8.3) lib/a.ex:1: A.a/1
       (plug 1.1.0) lib/b.ex:2: B.b/1
       (phoenix 1.8.3) lib/c.ex:3: C.c/1
       (spotter 0.1.0) lib/d.ex:4: SpotterWeb.D.d/1
       (stdlib 4.1) gen.erl:5: :gen.e/1
       test/live_test.exs:7: (test)`, "\n") {
		f = append(f, Line{N: i, Text: s})
	}
	kept, foreign := exunitFrames(f)
	var gone []string
	for _, l := range foreign {
		gone = append(gone, strings.Fields(l.Text)[2])
	}
	if strings.Join(gone, " ") != "lib/c.ex:3: gen.erl:5:" || len(kept) != len(f)-2 {
		t.Errorf("gone %q, %d kept", gone, len(kept))
	}
}
