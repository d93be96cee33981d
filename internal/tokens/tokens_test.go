package tokens

import (
	"math/rand/v2"
	"testing"
	"unicode/utf8"
)

func TestEstimate(t *testing.T) {
	for s, want := range map[string]int{"": 0, "a": 1, "abcd": 1, "abcde": 2, "日本語で": 1, "日本語です": 2, "\xff\xfe": 1} {
		if got := Estimate(s); got != want {
			t.Errorf("%q: %d, want %d", s, got, want)
		}
	}
	if got := EstimateBytes(9); got != 3 {
		t.Errorf("9 bytes: %d", got)
	}
}

// It counts as the library does, what is no UTF-8 included.
func TestCounts(t *testing.T) {
	parts := []string{"a", "eight of", "é", "日", "🙂", "\xff", "\xe6\x97", "\n"}
	for range 2000 {
		s := ""
		for range rand.N(20) {
			s += parts[rand.N(len(parts))]
		}
		if got, want := Estimate(s), EstimateBytes(utf8.RuneCountInString(s)); got != want {
			t.Fatalf("%q: %d, want %d", s, got, want)
		}
	}
}
