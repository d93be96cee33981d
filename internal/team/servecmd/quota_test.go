package servecmd

import "testing"

func TestQuotaNumber(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{"none": 0, "0": 0, "250": 250, "20M": 20_000_000, "1.5GB": 1_500_000_000, " 3k ": 3000, "2t": 2_000_000_000_000} {
		if n, ok := quotaNumber(text); n != want || !ok {
			t.Errorf("%q is %d, %v", text, n, ok)
		}
	}
	for _, text := range []string{"", "many", "-1", "1.5", "1e6", "0x10", "1_000", "NaN", "Inf", "9999T", "M"} {
		if n, ok := quotaNumber(text); ok {
			t.Errorf("%q is %d", text, n)
		}
	}
}
