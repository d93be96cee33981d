package term

import "testing"

func TestSpark(t *testing.T) {
	if got := Spark([]int{-5, 0, 1, 500, 1000}); got != "··▁▅█" {
		t.Errorf("%q", got)
	}
	if got := Spark(nil); got != "" {
		t.Errorf("%q", got)
	}
}

func TestApprox(t *testing.T) {
	for n, want := range map[int]string{
		0: "0", 999: "999", 1000: "1.0k", 12_345: "12.3k", 99_949: "99.9k", 99_950: "100k", 999_499: "999k", 999_500: "1.00M", 4_560_000: "4.56M", -1300: "−1.3k",
	} {
		if got := Approx(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}
