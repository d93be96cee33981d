package text

import "testing"

func TestFold(t *testing.T) {
	const text = "· no \x1b[31mdifference\x1b[0m shown; 40 cases"
	for _, tt := range []struct {
		width, indent int
		want          string
	}{
		{0, 2, text},
		{34, 2, text},
		{20, 2, "· no \x1b[31mdifference\x1b[0m\n  shown; 40 cases"},
		{6, 2, "· no\n  \x1b[31mdifference\x1b[0m\n  shown;\n  40\n  cases"},
	} {
		if got := Fold(text, tt.width, tt.indent); got != tt.want {
			t.Errorf("%d: %q, want %q", tt.width, got, tt.want)
		}
	}
	if got := Fold("two lines\nof text", 4, 0); got != "two lines\nof text" {
		t.Errorf("%q", got)
	}
}
