package rows

import (
	"math"
	"strings"
	"time"

	"cairn/internal/team/postgrest"
)

// Moments before and after all others, as SQLite keeps them.
const (
	never   = math.MinInt64
	forever = math.MaxInt64
)

// timestamp reads ISO 8601, with a T or a space, with or without zone (then UTC),
// and now, today, infinity.
func (k kind) timestamp(s, trimmed string) (value, error) {
	switch strings.ToLower(trimmed) {
	case "infinity":
		return value{text: "infinity", lite: int64(forever)}, nil
	case "-infinity":
		return value{text: "-infinity", lite: int64(never)}, nil
	}
	at, err := k.moment(s, trimmed)
	if err != nil {
		return value{}, err
	}
	return value{text: at.Format(time.RFC3339Nano), lite: at.UnixMicro()}, nil
}

func (k kind) date(s, trimmed string) (value, error) {
	at, err := k.moment(s, trimmed)
	if err != nil {
		return value{}, err
	}
	day := at.Format(time.DateOnly)
	return value{text: day, lite: day}, nil
}

// layouts are ways of writing a moment; Go reads a fraction where there is one.
var layouts = [...]string{
	"2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05Z0700", "2006-01-02T15:04:05Z07", "2006-01-02T15:04:05",
	"2006-01-02T15:04Z07:00", "2006-01-02T15:04Z0700", "2006-01-02T15:04Z07", "2006-01-02T15:04", "2006-01-02",
	"20060102T150405Z", "20060102",
}

func (k kind) moment(s, trimmed string) (time.Time, error) {
	now := time.Now().UTC()
	day := now.Truncate(24 * time.Hour)
	switch strings.ToLower(trimmed) {
	case "now":
		return now.Truncate(time.Microsecond), nil
	case "today":
		return day, nil
	case "yesterday":
		return day.AddDate(0, 0, -1), nil
	case "tomorrow":
		return day.AddDate(0, 0, 1), nil
	case "epoch":
		return time.Unix(0, 0).UTC(), nil
	}
	text := strings.ToUpper(trimmed)
	if len(text) > 10 && text[10] == ' ' {
		text = text[:10] + "T" + strings.TrimLeft(text[11:], " ")
	}
	text = strings.TrimSuffix(text, " UTC")
	text = strings.Replace(text, " +", "+", 1)
	beyond := false
	for _, layout := range layouts {
		at, err := time.Parse(layout, text)
		if err == nil && at.UTC().Year() >= 1 && at.UTC().Year() <= 9999 {
			return at.UTC().Round(time.Microsecond), nil
		}
		beyond = beyond || err == nil || strings.HasSuffix(err.Error(), "out of range")
	}
	if beyond {
		return time.Time{}, fail(400, "22008", `date/time field value out of range: "`+s+`"`)
	}
	return time.Time{}, k.notMoment(s)
}

func (k kind) notMoment(s string) *postgrest.Error {
	return fail(400, "22007", "invalid input syntax for type "+k.String()+`: "`+s+`"`)
}

// showMoment prints microseconds since 1970 as PostgREST does.
func showMoment(micros int64) string {
	switch micros {
	case forever:
		return "infinity"
	case never:
		return "-infinity"
	}
	return time.UnixMicro(micros).UTC().Format("2006-01-02T15:04:05.999999-07:00")
}
