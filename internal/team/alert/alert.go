// Package alert decides when a suite of evals got worse: it judges a run by
// how its cases went on the main branch before, and says what state that leaves
// an alert in. It is pure: no SQL, no HTTP, no clock.
//
// The statistics and what they are worth are told in docs/alerts.md; the
// figures there come from the simulation in this package's tests. Who keeps
// alerts is team/db/notice, who tells of them team/herald and team/notify.
package alert

import (
	"time"

	"github.com/google/uuid"
)

// A Series is what is watched: the runs of one suite on one branch.
type Series struct {
	Repo   string `json:"repo"`
	Suite  string `json:"suite"`
	Branch string `json:"branch"`
	Kind   string `json:"kind"`
}

// A Tally is how a case went in a run, its repeats together. Errors and skips
// are not in it: a case that only had those says nothing.
type Tally struct {
	Case           int64
	Passed, Failed int
}

// failed is the share of a case's repeats that failed.
func (t Tally) failed() float64 { return float64(t.Failed) / float64(t.Passed+t.Failed) }

// A Run is what is judged, and what it is judged by.
type Run struct {
	ID    uuid.UUID
	At    time.Time
	Cases []Tally
}

// A State is how far an alert is.
type State string

const (
	Pending  State = "pending"  // one push was bad: nobody is told
	Firing   State = "firing"   // the next one was, too, or one was very bad
	Resolved State = "resolved" // it is over
)

// An Outcome is how an alert ended.
type Outcome string

const (
	Passed    Outcome = "passed"    // a good push came before a second bad one: never told
	Recovered Outcome = "recovered" // two good pushes in a row
	Usual     Outcome = "usual"     // so many pushes were like that that it is the level now
	Quiet     Outcome = "quiet"     // nothing was pushed any more
)

// Why says in words why an alert ended.
func (o Outcome) Why() string {
	switch o {
	case Passed:
		return "not confirmed"
	case Recovered:
		return "recovered"
	case Usual:
		return "accepted as the new level"
	case Quiet:
		return "no data"
	}
	return "not known"
}

// An Alert is a series that got worse, from the first sign until it is over.
type Alert struct {
	ID uuid.UUID
	Series
	State   State
	Outcome Outcome // "" while it is open

	BeganAt time.Time // when the first bad run was made
	Run     uuid.UUID // the newest that was judged
	RunAt   time.Time
	Pushes  int // judged since the first bad one, that one too
	Good    int // good ones in a row, up to now

	P        float64 // of the newest judgment
	Expected float64 // share of its cases that should have passed
	Observed float64 // that did
	Cases    int     // that could be judged
	Worst    []Worst
	Since    *Since // for a message: nil where the branch is not the main one

	OpenedAt            time.Time
	FiredAt, ResolvedAt *time.Time
}

// A Since is when a series fell to another level, as the team's pages show it, or the
// first bad push where they show no fall yet.
type Since struct {
	Shown     bool      `json:"shown"` // pages show the fall
	At        time.Time `json:"at"`    // the first run at the lower level
	SHA       string    `json:"git_sha,omitzero"`
	LastSHA   string    `json:"last_git_sha,omitzero"` // of the last run before it
	By        string    `json:"by,omitzero"`           // who made the commit, or pushed the run
	Before    float64   `json:"before,omitzero"`
	After     float64   `json:"after,omitzero"`
	P         float64   `json:"p,omitzero"`
	Regressed []string  `json:"cases,omitempty"` // that make up the fall
}

// A Worst is a case that failed and seldom did before.
type Worst struct {
	Case     int64   `json:"case_id"`
	Name     string  `json:"name,omitzero"`
	Expected float64 `json:"expected"` // its pass rate, smoothed
	Passed   int     `json:"passed"`
	Of       int     `json:"of"` // repeats
}
