package answer

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"cairn/internal/text"
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
		return text.Percent(v, 1)
	case Dollars:
		return text.Dollars(v)
	case Tokens:
		return text.Approx(int64(math.Round(v)))
	case Millis:
		return text.Millis(v)
	case Minutes:
		return text.Millis(v * 60000)
	case Score:
		return strconv.FormatFloat(v, 'f', 2, 64)
	case Number:
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return text.Thousands(int64(math.Round(v)))
}
