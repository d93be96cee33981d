package digest

import (
	"testing"
	"time"

	"cairn/internal/team/db/notice"
)

func TestDue(t *testing.T) {
	t.Parallel()
	monday := notice.Settings{Timezone: "Europe/Berlin", Weekday: 1, Hour: 9}
	early := notice.Settings{Timezone: "Europe/Berlin", Weekday: 0, Hour: 2}
	for _, c := range []struct {
		name     string
		s        notice.Settings
		now      string
		date     string
		due      bool
		dueInUTC string
	}{
		{"a minute before", monday, "2026-03-02T07:59:00Z", "2026-02-23", false, "2026-02-23T08:00:00Z"},
		{"in time", monday, "2026-03-02T08:00:00Z", "2026-03-02", true, "2026-03-02T08:00:00Z"},
		{"late the same day", monday, "2026-03-02T22:59:00Z", "2026-03-02", true, "2026-03-02T08:00:00Z"},
		{"the next day", monday, "2026-03-03T22:59:00Z", "2026-03-02", true, "2026-03-02T08:00:00Z"},
		{"the day after that", monday, "2026-03-03T23:00:00Z", "2026-03-02", false, "2026-03-02T08:00:00Z"},
		{"summer", monday, "2026-03-30T07:00:00Z", "2026-03-30", true, "2026-03-30T07:00:00Z"},
		{"the hour that is not there", early, "2026-03-29T01:00:00Z", "2026-03-29", true, "2026-03-29T01:00:00Z"},
		{"before it", early, "2026-03-29T00:59:00Z", "2026-03-22", false, "2026-03-22T01:00:00Z"},
		{"the hour that is there twice, the second time", early, "2026-10-25T01:00:00Z", "2026-10-25", true, "2026-10-25T01:00:00Z"},
		{"after it", early, "2026-10-25T01:30:00Z", "2026-10-25", true, "2026-10-25T01:00:00Z"},
		{"east of it", notice.Settings{Timezone: "Pacific/Auckland", Weekday: 1, Hour: 9}, "2026-03-01T20:00:00Z", "2026-03-02", true, "2026-03-01T20:00:00Z"},
		{"a place that is not", notice.Settings{Timezone: "Nowhere/At_all", Weekday: 1, Hour: 9}, "2026-03-02T09:00:00Z", "2026-03-02", true, "2026-03-02T09:00:00Z"},
	} {
		now, _ := time.Parse(time.RFC3339, c.now)
		w, due := Due(c.s, now)
		if w.Date != c.date || due != c.due || w.Due.UTC().Format(time.RFC3339) != c.dueInUTC || !w.To.Equal(w.From.AddDate(0, 0, 7)) || w.To.Format(time.DateOnly) != c.date {
			t.Errorf("%s: %s %v at %s, %s to %s", c.name, w.Date, due, w.Due.UTC().Format(time.RFC3339), w.From, w.To)
		}
	}
}
