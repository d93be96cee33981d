package tokens

import "testing"

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
