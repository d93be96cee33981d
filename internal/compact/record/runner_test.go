package record

import (
	"strings"
	"testing"
)

// What a runner's totals count needs no marker, and its failures begin at the margin.
func TestRunner(t *testing.T) {
	in := "TAP version 13\nok 1 - adds\nnot ok 2 - carries\n  ---\n  error: 'expected 4, got 5'\n  at: sum.js:3:1\n  ...\n"
	got := map[Class]string{}
	p := New("tap")
	emit := func(r Record) { got[r.Class] += joined(r.Lines) }
	for i, s := range strings.Split(strings.TrimSuffix(in, "\n"), "\n") {
		p.Line(Line{N: i, Text: s}, emit)
	}
	p.Close(emit)
	if want := "not ok 2 - carries\n error: 'expected 4, got 5'\n at: sum.js:3:1\n"; got[Failure] != want {
		t.Errorf("failure:\n%s", got[Failure])
	}
	if got[Good] != "ok 1 - adds\n" { // TAP may have no totals
		t.Errorf("good: %q", got[Good])
	}
}

func TestFromMargin(t *testing.T) {
	for in, want := range map[string]string{
		"  ● a\n    says\n      at x.js:1:1\n": "● a\n says\n   at x.js:1:1\n",
		"    head\n  less\n     more\n":        "head\nless\n   more\n",
		"head\n\n  x\n":                        "head\n\n x\n",
		"head\nsame\n":                         "head\nsame\n",
		"  only\n":                             "only\n",
	} {
		var ls []Line
		for i, s := range strings.Split(strings.TrimSuffix(in, "\n"), "\n") {
			ls = append(ls, Line{N: i, Text: s})
		}
		if got := joined(fromMargin(ls)); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}
