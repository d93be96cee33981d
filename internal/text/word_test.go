package text

import (
	"strings"
	"testing"
)

func TestCount(t *testing.T) {
	for noun, want := range map[string]string{"case": "0 cases, 1 case, 2 cases", "entry": "0 entries, 1 entry, 2 entries", "criterion": "0 criteria, 1 criterion, 2 criteria", "person": "0 people, 1 person, 2 people"} {
		if got := Count(0, noun) + ", " + Count(1, noun) + ", " + Count(2, noun); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestSlug(t *testing.T) {
	for in, want := range map[string][2]string{
		"User Dashboard": {"user-dashboard", "user-dashboard"}, "Über uns!": {"uber-uns", "uber-uns"}, "U\u0308ber": {"uber", "uber"}, "  a -- b  ": {"a-b", "a-b"}, "Straße & Œuvre": {"strasse-oeuvre", "strasse-oeuvre"},
		"база 2": {"2", "база-2"}, "e\u0301te": {"ete", "ete"}, "!!!": {"", ""}, "Łódź Ðør ŋ": {"lodz-dor-n", "lodz-dor-n"}, "Tiếng Việt": {"tieng-viet", "tieng-viet"}, "がぎ ﬁn": {"fin", "がぎ-fin"}, "한국": {"", "한국"},
		"\xff a": {"a", "a"}, strings.Repeat("x", 70): {strings.Repeat("x", 60), strings.Repeat("x", 60)}, strings.Repeat("x", 59) + " y": {strings.Repeat("x", 59), strings.Repeat("x", 59)},
	} {
		if got := [2]string{Slug(in, 60), LetterSlug(in, 60)}; got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
		if s := Slug(in, 60); s != "" && !IsSlug(s, 60) {
			t.Errorf("%q is not a slug", s)
		}
	}
	for _, bad := range []string{"", "-a", "a-", "A", "ü", "a b", strings.Repeat("x", 61)} {
		if IsSlug(bad, 60) {
			t.Errorf("%q is a slug", bad)
		}
	}
}

func TestNearest(t *testing.T) {
	known := []string{"min_pass_rate", "max_lost", "quarantine", "contains", "not_contains", "id"}
	for word, want := range map[string]string{
		"max_losst": "max_lost", "Max_Lost": "max_lost", "max": "", "min_pass": "min_pass_rate", "contain": "contains", "contains": "", "zebra": "", "ids": "id", "x": "", "": "",
	} {
		if got := Nearest(word, known); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"abc", "abc", 0}, {"abc", "ab", 1}, {"abc", "axc", 1}, {"kitten", "sitting", 3}, {"abcdefgh", "", 4}, {"abcdefgh", "ijklmnop", 8}} {
		if got := distance(tt.a, tt.b, 4); got != tt.want {
			t.Errorf("%s %s: %d, want %d", tt.a, tt.b, got, tt.want)
		}
	}
}
