package answer

import (
	"fmt"
	"math"
	"strconv"
	"time"
)

// nothing is shown where there is no value.
const nothing = "–"

// Show writes a value as a person reads it; – for nothing.
func Show(v any, u Unit) string {
	switch v := v.(type) {
	case nil:
		return nothing
	case string:
		if v == "" {
			return nothing
		}
		if at, err := time.Parse(time.RFC3339, v); u == Moment && err == nil { // a moment that went through JSON
			return Show(at, u)
		}
		return v
	case time.Time:
		if v.IsZero() {
			return nothing
		}
		if u == Day || u == Week {
			return v.UTC().Format(time.DateOnly)
		}
		return v.UTC().Format("2006-01-02 15:04")
	case *float64:
		if v == nil {
			return nothing
		}
		return number(*v, u)
	case float64:
		return number(v, u)
	case int:
		return number(float64(v), u)
	case int64:
		return number(float64(v), u)
	}
	return fmt.Sprint(v)
}

func number(v float64, u Unit) string {
	switch u {
	case Percent:
		return share(v)
	case Dollars:
		return dollars(v)
	case Tokens:
		return short(v)
	case Millis:
		return duration(v)
	case Minutes:
		return duration(v * 60000)
	case Number:
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return thousands(int64(math.Round(v)))
}

// share is 94.2 %, and never 0 or 100 for what is not.
func share(v float64) string {
	switch text := strconv.FormatFloat(v*100, 'f', 1, 64); {
	case text == "100.0" && v < 1:
		return ">99.9 %"
	case text == "0.0" && v > 0:
		return "<0.1 %"
	case v == 0, v == 1:
		return text[:len(text)-2] + " %"
	default:
		return text + " %"
	}
}

// dollars has cents for what a person pays, more digits for what a call costs.
func dollars(v float64) string {
	switch {
	case v == 0 || math.Abs(v) >= 1:
		whole, cents := math.Modf(math.Round(math.Abs(v)*100) / 100)
		text := "$" + thousands(int64(whole)) + fmt.Sprintf(".%02.0f", cents*100)
		if v < 0 {
			return "−" + text
		}
		return text
	case math.Abs(v) >= .01:
		return fmt.Sprintf("$%.3f", v)
	}
	return fmt.Sprintf("$%.2g", v)
}

func thousands(n int64) string {
	text := strconv.FormatInt(n, 10)
	sign := ""
	if n < 0 {
		sign, text = "−", text[1:]
	}
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return sign + text
}

// short is 950, 12.3k, 4.5M.
func short(v float64) string {
	for _, s := range [...]struct {
		of   float64
		name string
	}{{1e9, "G"}, {1e6, "M"}, {1e3, "k"}} {
		if math.Abs(v) >= s.of {
			return strconv.FormatFloat(v/s.of, 'f', 1, 64) + s.name
		}
	}
	return strconv.FormatFloat(math.Round(v), 'f', 0, 64)
}

// duration of milliseconds is 340ms, 4.2s, 3m 05s, 2h 10m.
func duration(ms float64) string {
	switch s := ms / 1000; {
	case s < 1:
		return fmt.Sprintf("%.0fms", ms)
	case s < 9.95:
		return fmt.Sprintf("%.1fs", s)
	case s < 59.5:
		return fmt.Sprintf("%.0fs", s)
	case s < 3599.5:
		whole := int(math.Round(s))
		return fmt.Sprintf("%dm %02ds", whole/60, whole%60)
	default:
		minutes := int(math.Round(s / 60))
		return fmt.Sprintf("%dh %02dm", minutes/60, minutes%60)
	}
}
