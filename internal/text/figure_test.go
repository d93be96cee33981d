package text

import (
	"math"
	"testing"
	"time"
)

func TestApprox(t *testing.T) {
	for n, want := range map[int]string{
		0: "0", 999: "999", 1000: "1.0k", 12_345: "12.3k", 99_949: "99.9k", 99_950: "100k", 999_499: "999k", 999_500: "1.00M", 4_560_000: "4.56M", -1300: "−1.3k", 1_204_000_000: "1.20G", math.MinInt64: "−9223372.04T",
	} {
		if got := Approx(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
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
		0: "0s", 250_400: "250µs", 12 * time.Millisecond: "12ms", 999_600 * time.Microsecond: "1.0s", 1_240 * time.Millisecond: "1.2s", 3 * time.Second: "3s", -3 * time.Second: "−3s",
		9_949 * time.Millisecond: "9.9s", 9_950 * time.Millisecond: "10s", 42_300 * time.Millisecond: "42s", 59_500 * time.Millisecond: "1m", 185 * time.Second: "3m 05s", 10 * time.Minute: "10m",
		893_400 * time.Millisecond: "14m 53s", 3_599_500 * time.Millisecond: "1h", 130 * time.Minute: "2h 10m", 50 * time.Hour: "50h", math.MinInt64: "−2562047h 47m",
	} {
		if got := Duration(d); got != want {
			t.Errorf("%d: %q, want %q", d, got, want)
		}
	}
	if got := Millis(1e300) + " " + Millis(1250) + " " + Some(0, Millis); got != "2562047h 47m 1.2s " {
		t.Errorf("%q", got)
	}
}

func TestDollars(t *testing.T) {
	for usd, want := range map[float64]string{
		0: "$0", 0.000009: "<$0.00001", 0.00001: "$0.000010", 0.00123: "$0.0012", 0.0499: "$0.050", 0.05: "$0.050", 0.0996: "$0.10", 0.5: "$0.50", 0.996: "$1.00",
		1: "$1.00", 12.345: "$12.35", 1234.5: "$1,234.50", 1_234_567.891: "$1,234,567.89", 999.999: "$1,000.00", -0.05: "−$0.050", -1234.5: "−$1,234.50", 3e18: "$3e+18",
	} {
		if got := Dollars(usd); got != want {
			t.Errorf("%g: %q, want %q", usd, got, want)
		}
	}
}

func TestPercent(t *testing.T) {
	for share, want := range map[float64][2]string{
		0: {"0 %", "0 %"}, 1: {"100 %", "100 %"}, 0.9999: {">99 %", ">99.9 %"}, 0.0001: {"<1 %", "<0.1 %"}, 0.942: {"94 %", "94.2 %"}, 0.0625: {"6 %", "6.3 %"}, -0.25: {"−25 %", "−25.0 %"}, 1.5: {"150 %", "150.0 %"},
	} {
		if got := [2]string{Percent(share, 0), Percent(share, 1)}; got != want {
			t.Errorf("%g: %q, want %q", share, got, want)
		}
	}
	if got := Rate(2./3, 0.57, 0.76, 0); got != "67 % (57–76)" {
		t.Errorf("%q", got)
	}
}

func TestThousands(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -1234: "−1,234"} {
		if got := Thousands(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

func TestMoments(t *testing.T) {
	now := time.Date(2026, 3, 4, 12, 0, 0, 0, time.Local)
	for _, tt := range []struct {
		at        time.Time
		when, ago string
	}{
		{now, "03-04 12:00", "just now"}, {now.Add(time.Minute), "03-04 12:01", "just now"}, {now.Add(-59 * time.Minute), "03-04 11:01", "59m ago"},
		{now.Add(-47 * time.Hour), "03-02 13:00", "47h ago"}, {now.AddDate(-1, 0, 0), "2025-03-04", "365 days ago"},
	} {
		if got := When(tt.at, now); got != tt.when {
			t.Errorf("%s: %q, want %q", tt.at, got, tt.when)
		}
		if got := Ago(tt.at, now); got != tt.ago {
			t.Errorf("%s: %q, want %q", tt.at, got, tt.ago)
		}
	}
	if When(time.Time{}, now) != "" {
		t.Error("no moment")
	}
}
