package result

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// StatusOf reads the words that runners use for an outcome.
func StatusOf(word string) (Status, error) {
	switch strings.ToLower(word) {
	case "pass", "passed", "ok", "success":
		return Pass, nil
	case "fail", "failed", "failure":
		return Fail, nil
	case "skip", "skipped", "pending", "todo", "disabled":
		return Skip, nil
	case "error", "errored":
		return Error, nil
	}
	return "", fmt.Errorf("%q is no status: pass, fail, skip or error is wanted", word)
}

// Set says how the result ended, in both members that say so.
func (r *Result) Set(s Status) { r.Status, r.Passed = s, s == Pass }

// Count adds one result of a status.
func (c *Counts) Count(s Status) {
	c.Total++
	switch s {
	case Pass:
		c.Passed++
	case Fail:
		c.Failed++
	case Skip:
		c.Skipped++
	case Error:
		c.Errored++
	}
}

// Add adds other counts.
func (c *Counts) Add(n Counts) {
	*c = Counts{c.Total + n.Total, c.Passed + n.Passed, c.Failed + n.Failed, c.Skipped + n.Skipped, c.Errored + n.Errored}
}

// Judged is how many passed or failed: what a pass rate is a share of.
func (c Counts) Judged() int { return c.Passed + c.Failed }

// Rate is the share of what was judged that passed; ok is false where nothing
// was judged.
func (c Counts) Rate() (rate float64, ok bool) {
	if c.Judged() == 0 {
		return 0, false
	}
	return float64(c.Passed) / float64(c.Judged()), true
}

// Bounds returns the lowest and the highest score of the scale.
func (s Scale) Bounds() (lo, hi float64, err error) {
	if s == "" {
		return 0, 1, nil
	}
	low, high, ok := strings.Cut(string(s), "-")
	lo, err1 := strconv.ParseFloat(low, 64)
	hi, err2 := strconv.ParseFloat(high, 64)
	if !ok || err1 != nil || err2 != nil || !(lo < hi) {
		return 0, 0, fmt.Errorf(`%q is no scale: "0-1" or "1-5" is wanted`, string(s))
	}
	return lo, hi, nil
}

// Is reports whether two scales are the same; "" is "0-1".
func (s Scale) Is(t Scale) bool {
	alo, ahi, aerr := s.Bounds()
	blo, bhi, berr := t.Bounds()
	return aerr == nil && berr == nil && alo == blo && ahi == bhi
}

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
