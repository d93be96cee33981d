package term

import "testing"

func TestPrintable(t *testing.T) {
	for text, want := range map[string]string{
		"plain – größer":   "plain – größer",
		"a\nb\tc":          "a b c",
		"\x1b[31mred\x1b":  "[31mred",
		"c1\u009b2K\u0085": "c12K",
		"ab\u202edc\u2066": "abdc",
	} {
		if got := Printable(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
