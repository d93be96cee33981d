package text

import "testing"

func TestWrap(t *testing.T) {
	got := Wrap("one two\nthree four\n\n  kept as it is, however long\nüüü fünf sechs", 9)
	want := "one two\nthree\nfour\n\n  kept as it is, however long\nüüü fünf\nsechs"
	if got != want {
		t.Errorf("got\n%s", got)
	}
}

func TestWidth(t *testing.T) {
	for s, want := range map[string]int{"": 0, "abc": 3, "受注": 4, "e\u0301t\u00e9": 3, "\x1b[31mfail\x1b[0m": 4, "✓ …–│": 5, "👩‍👩‍👧": 2, "🇩🇪": 2, "\u200b": 0} {
		if got := Width(s); got != want {
			t.Errorf("%q: %d, want %d", s, got, want)
		}
	}
}

func TestCut(t *testing.T) {
	for s, want := range map[string]string{"six is": "six is", "seven is": "seven…", "日本語": "日本語", "日本語x": "日本…", "\x1b[31mred and more\x1b[0m": "red a…", "e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301": "e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301"} {
		if got := Cut(s, 6); got != want || Width(got) > 6 {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
	if Cut("ab", 1) != "…" || Cut("ab", 0) != "" || Pad("日", 4) != "日  " || PadLeft("日", 4) != "  日" || Pad("long", 2) != "long" {
		t.Error("edges")
	}
}

func TestClip(t *testing.T) {
	for s, want := range map[string]string{"12345678": "12345678", "123456789": "12345…", "12345üüü": "12345…", "1234üüü\xff": "1234…"} {
		if got := Clip(s, 8); got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
	if First("aüb", 2) != "aü…" || First("aüb", 3) != "aüb" {
		t.Error(First("aüb", 2))
	}
	if Head("aü", 2) != "a" || Head("a\xffb", 3) != "ab" {
		t.Error(Head("aü", 2))
	}
}
