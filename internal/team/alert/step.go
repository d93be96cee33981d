package alert

import (
	"time"

	"github.com/google/uuid"
)

const (
	// goodPushes in a row resolve an alert.
	goodPushes = 2
	// usualPushes is after how many pushes a lower level is taken for the usual one.
	usualPushes = HistoryRuns
	// QuietTime is after how long without a push an open alert is closed.
	QuietTime = 14 * 24 * time.Hour
	// CoolDown is the least time between two messages that a series fires.
	CoolDown = time.Hour
	// Stale is how old a run may be that is judged; older ones are history only.
	Stale = 7 * 24 * time.Hour
)

// A News is what a step has to tell.
type News uint8

const (
	Nothing News = iota
	NewFiring
	NewResolved
)

// Step is what a run's judgment does to a series: open is its open alert, nil
// where there is none. The answer is nil where nothing has to be kept. A run
// that was made before the newest one of the alert changes nothing: it came late.
func Step(open *Alert, s Series, run Run, j Judgment, now time.Time) (*Alert, News) {
	if j.Verdict == Unknown || open != nil && run.At.Before(open.RunAt) {
		return nil, Nothing
	}
	if open == nil {
		if j.Verdict < Bad {
			return nil, Nothing
		}
		a := &Alert{ID: uuid.New(), Series: s, State: Pending, BeganAt: run.At, OpenedAt: now}
		a.take(run, j)
		if j.Verdict == Severe {
			return a, a.fire(now)
		}
		return a, Nothing
	}
	a := *open
	a.take(run, j)
	switch {
	case a.State == Pending && j.Verdict >= Bad:
		return &a, a.fire(now)
	case a.State == Pending && (j.Verdict == Good || a.Pushes >= usualPushes):
		a.end(Passed, now)
		return &a, Nothing
	case a.State == Pending: // neither: it goes on, so that a drop that lasts is not taken for history
		return &a, Nothing
	case a.Good >= goodPushes:
		return &a, a.end(Recovered, now)
	case a.Pushes >= usualPushes:
		return &a, a.end(Usual, now)
	}
	return &a, Nothing
}

// Close ends an alert of a series that nothing was pushed to any more.
func Close(open Alert, now time.Time) (*Alert, News) {
	fired := open.State == Firing
	open.end(Quiet, now)
	if fired {
		return &open, NewResolved
	}
	return &open, Nothing
}

func (a *Alert) take(run Run, j Judgment) {
	a.Run, a.RunAt = run.ID, run.At
	a.P, a.Expected, a.Observed, a.Cases, a.Worst = j.P, j.Expected, j.Observed, j.Cases, j.Worst
	a.Pushes++
	a.Good++
	if j.Verdict != Good {
		a.Good = 0
	}
}

func (a *Alert) fire(now time.Time) News {
	a.State, a.FiredAt = Firing, &now
	return NewFiring
}

func (a *Alert) end(o Outcome, now time.Time) News {
	a.State, a.Outcome, a.ResolvedAt = Resolved, o, &now
	return NewResolved
}
