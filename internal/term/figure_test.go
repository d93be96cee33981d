package term

import (
	"math"
	"testing"
	"time"
)

func TestApprox(t *testing.T) {
	for n, want := range map[int]string{
		0: "0", 999: "999", 1000: "1.0k", 12_345: "12.3k", 99_949: "99.9k", 99_950: "100k", 999_499: "999k", 999_500: "1.00M", 4_560_000: "4.56M", -1300: "−1.3k",
	} {
		if got := Approx(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

func TestCount(t *testing.T) {
	for noun, want := range map[string]string{"case": "0 cases, 1 case, 2 cases", "entry": "0 entries, 1 entry, 2 entries", "criterion": "0 criteria, 1 criterion, 2 criteria"} {
		if got := Count(0, noun) + ", " + Count(1, noun) + ", " + Count(2, noun); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestShorten(t *testing.T) {
	for text, want := range map[string]string{"go test": "go test", "cd x &&\n\tmake": "cd x &&…", "größer !": "größer !", "größer als": "größer …"} {
		if got := Shorten(text, 8); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestBytes(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0 B", 1023: "1023 B", 1024: "1.0 KB", 4_100: "4.0 KB", 1023 << 10: "1.0 MB", 1_400_000_000: "1.3 GB", 1 << 62: "4194304.0 TB",
	} {
		if got := Bytes(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

func TestDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0s", 250_400: "250µs", 12 * time.Millisecond: "12ms", 1_240 * time.Millisecond: "1.2s", -3 * time.Second: "−3s", math.MinInt64: "−2562047h47m16.854775807s", 893_400 * time.Millisecond: "14m53s",
	} {
		if got := Duration(d); got != want {
			t.Errorf("%d: %q, want %q", d, got, want)
		}
	}
}
