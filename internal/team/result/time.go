package result

import (
	"fmt"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A Time is when something happened. It is written as RFC 3339; read are also
// the forms without a zone that many languages write, which are taken as UTC.
type Time struct{ time.Time }

var timeLayouts = [...]string{
	time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05.999999999",
	"2006-01-02T15:04Z07:00", "2006-01-02T15:04", time.DateOnly, "2006-01-02T15:04:05.999999999Z0700", "2006-01-02 15:04:05.999999999 -0700",
}

// ParseTime reads a time in one of these forms.
func ParseTime(s string) (Time, error) {
	for _, layout := range timeLayouts {
		if t, err := time.Parse(layout, s); err == nil {
			if _, zone := t.Zone(); t.Year() < 1970 || t.Year() > 9999 || zone <= -24*60*60 || zone >= 24*60*60 {
				break // could not be written again
			}
			return Time{t}, nil
		}
	}
	return Time{}, fmt.Errorf("%q is no time: one like 2026-03-15T10:30:00Z is wanted", s)
}

// UnmarshalJSONFrom reads what ParseTime reads; null and "" are the zero time.
func (t *Time) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	var text string
	err := json.UnmarshalDecode(dec, &text)
	if err != nil || text == "" {
		return err
	}
	*t, err = ParseTime(text)
	return err
}
