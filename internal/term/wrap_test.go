package term

import "testing"

func TestWrap(t *testing.T) {
	got := Wrap("one two\nthree four\n\n  kept as it is, however long\nüüü fünf sechs", 9)
	want := "one two\nthree\nfour\n\n  kept as it is, however long\nüüü fünf\nsechs"
	if got != want {
		t.Errorf("got\n%s", got)
	}
}
