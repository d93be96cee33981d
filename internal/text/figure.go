package text

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Thousands writes 1234567 as 1,234,567.
func Thousands[N int | int64](n N) string { return grouped(strconv.FormatInt(int64(n), 10)) }

// grouped puts a comma between the thousands of a whole number, and a real
// minus sign before it.
func grouped(digits string) string {
	sign := ""
	if rest, ok := strings.CutPrefix(digits, "-"); ok {
		sign, digits = "−", rest
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return sign + digits
}

// Approx writes a number with about three digits: 950, 12.3k, 123k, 4.56M,
// 1.20G.
func Approx[N int | int64](n N) string {
	f, sign := float64(n), ""
	if f < 0 {
		f, sign = -f, "−"
	}
	write := func(of float64, digits int, unit string) string {
		return sign + strconv.FormatFloat(f/of, 'f', digits, 64) + unit
	}
	switch {
	case f < 1000:
		return write(1, 0, "")
	case f < 99_950:
		return write(1e3, 1, "k")
	case f < 999_500:
		return write(1e3, 0, "k")
	case f < 999_500_000:
		return write(1e6, 2, "M")
	case f < 999_500_000_000:
		return write(1e9, 2, "G")
	}
	return write(1e12, 2, "T")
}

// Dollars writes an amount: cents from one dollar on, $1,234.50, below that two
// digits that count, $0.050 and $0.0012. No amount but zero is written as zero.
func Dollars(usd float64) string {
	switch {
	case usd < 0:
		return "−" + Dollars(-usd)
	case usd == 0:
		return "$0"
	case usd < 0.00001:
		return "<$0.00001"
	case usd >= 1e15: // more digits than a float64 has
		return "$" + strconv.FormatFloat(usd, 'g', 3, 64)
	}
	_, power, _ := strings.Cut(strconv.FormatFloat(usd, 'e', 1, 64), "e") // of the rounded amount
	exponent, _ := strconv.Atoi(power)
	whole, cents, _ := strings.Cut(strconv.FormatFloat(usd, 'f', max(2, 1-exponent), 64), ".")
	return "$" + grouped(whole) + "." + cents
}

// Percent writes a share with so many digits behind the point: 94 %. Only what
// is 0 or 1 is written as 0 % or 100 %.
func Percent(share float64, digits int) string {
	scale := math.Pow10(digits)
	percent := math.Round(share*100*scale) / scale
	write := func(v float64) string { return strconv.FormatFloat(v, 'f', digits, 64) + " %" }
	switch {
	case share == 0 || share == 1:
		return strconv.FormatFloat(percent, 'f', 0, 64) + " %"
	case percent >= 100 && share < 1:
		return ">" + write(100-1/scale)
	case percent == 0 && share > 0:
		return "<" + write(1/scale)
	case percent <= 0: // −0 is a minus before nothing
		return strings.Replace(write(percent), "-", "−", 1)
	}
	return write(percent)
}

// Bytes writes a size: 512 B, 4.0 KB, 1.3 GB, each unit 1,024 of the one before.
func Bytes(n int64) string {
	if n < 1024 {
		return strconv.FormatInt(n, 10) + " B"
	}
	f, unit := float64(n), 0
	for f >= 999.95 && unit < 4 {
		f /= 1024
		unit++
	}
	return strconv.FormatFloat(f, 'f', 1, 64) + []string{" B", " KB", " MB", " GB", " TB"}[unit]
}

// Duration writes a time with about two digits of its largest unit: 250µs,
// 12ms, 1.2s, 42s, 3m 05s, 2h 10m.
func Duration(d time.Duration) string {
	whole := func(large, small time.Duration, format string) string {
		n, rest := d.Round(small)/large, d.Round(small)%large/small
		if rest == 0 {
			return fmt.Sprintf(format[:strings.IndexByte(format, ' ')], n)
		}
		return fmt.Sprintf(format, n, rest)
	}
	switch {
	case d < 0:
		return "−" + Duration(-max(d, -math.MaxInt64)) // the least has no counterpart
	case d < time.Millisecond:
		return d.Round(time.Microsecond).String()
	case d < time.Second-time.Millisecond/2:
		return d.Round(time.Millisecond).String()
	case d < 9950*time.Millisecond && d%time.Second != 0:
		return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) + "s"
	case d < time.Minute-time.Second/2:
		return d.Round(time.Second).String()
	case d < time.Hour-time.Second/2:
		return whole(time.Minute, time.Second, "%dm %02ds")
	}
	return whole(time.Hour, time.Minute, "%dh %02dm")
}

// Millis is Duration of milliseconds.
func Millis(ms float64) string {
	const most = float64(math.MaxInt64 / int64(time.Millisecond))
	return Duration(time.Duration(max(-most, min(ms, most)) * float64(time.Millisecond)))
}

// When writes a moment of this year with its minute, and of another its day;
// "" for none.
func When(t, now time.Time) string {
	if t.IsZero() {
		return ""
	}
	if t = t.Local(); t.Year() == now.Local().Year() {
		return t.Format("01-02 15:04")
	}
	return t.Format(time.DateOnly)
}

// Ago writes how long ago something was, in one unit.
func Ago(t, now time.Time) string {
	d := now.Sub(t)
	switch {
	case d < time.Minute: // also what a clock puts ahead of ours
		return "just now"
	case d < time.Hour:
		return fmt.Sprintf("%dm ago", d/time.Minute)
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh ago", d/time.Hour)
	}
	return Count(int(d/(24*time.Hour)), "day") + " ago"
}

// Some writes a value, and "" for none.
func Some(v float64, write func(float64) string) string {
	if !(v > 0) {
		return ""
	}
	return write(v)
}

// Rate writes a rate with its interval: 67 % (57–76).
func Rate(share, low, high float64, digits int) string {
	return fmt.Sprintf("%s (%.0f–%.0f)", Percent(share, digits), low*100, high*100)
}

// P writes a p-value: p = 0.016, or p < 0.0001.
func P(p float64) string {
	if p < .0001 {
		return "p < 0.0001"
	}
	return fmt.Sprintf("p = %.2g", p)
}
