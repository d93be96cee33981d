package digest

import (
	"time"
	_ "time/tzdata" // places, also where the machine has none of them

	"cairn/internal/team/db/notice"
)

// A Week is what a digest is of: seven whole days of UTC.
type Week struct {
	Date string    // when it is due in the team's place, as 2026-03-02
	Due  time.Time // the moment
	From time.Time
	To   time.Time
}

// Event is what a week's digest is written under, once for each channel.
func (w Week) Event() string { return "digest:" + w.Date }

// Due returns the last week whose digest was due by now, and whether it is to be
// sent still: on its day or on the one after it, in the team's place. A clock
// that skips the hour sends an hour later; one that has it twice, once.
func Due(s notice.Settings, now time.Time) (Week, bool) {
	place, err := time.LoadLocation(s.Timezone)
	if err != nil {
		place = time.UTC
	}
	local := now.In(place)
	back := (int(local.Weekday()) - s.Weekday + 7) % 7
	due := at(local, -back, s.Hour, place)
	if due.After(now) {
		due = at(local, -back-7, s.Hour, place)
		back += 7
	}
	return weekOf(due), back <= 1
}

func at(local time.Time, days, hour int, place *time.Location) time.Time {
	return time.Date(local.Year(), local.Month(), local.Day()+days, hour, 0, 0, 0, place)
}

func weekOf(due time.Time) Week {
	day := time.Date(due.Year(), due.Month(), due.Day(), 0, 0, 0, 0, time.UTC)
	return Week{Date: day.Format(time.DateOnly), Due: due, From: day.AddDate(0, 0, -7), To: day}
}

// Last is the week of the seven days before a moment's day, in a team's place.
func Last(s notice.Settings, now time.Time) Week {
	place, err := time.LoadLocation(s.Timezone)
	if err != nil {
		place = time.UTC
	}
	return weekOf(now.In(place))
}
