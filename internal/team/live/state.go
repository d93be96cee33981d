package live

import (
	"fmt"
	"time"
)

// A State is how it stands with a run.
type State string

const (
	Waiting  State = "waiting"  // nothing was written yet
	Running  State = "running"  //
	Silent   State = "silent"   // nothing was heard for long, and nobody knows whether the runner lives
	Finished State = "finished" //
	Crashed  State = "crashed"  // the runner is gone and did not finish
)

// goSettles is how long a go test -json stream may rest between two packages.
const goSettles = 5 * time.Second

// Around is what is known from outside of the lines.
type Around struct {
	Now   time.Time
	Alive func(pid int) bool // a process of this machine
	Here  string             // the name of this machine
	PIDs  []int              // of workers, where each writes a file
	Over  bool               // the stream has ended, no line can follow
	Quiet time.Duration      // what counts as long
}

// State says how it stands, and why where that is bad news.
func (run *Run) State(a Around) (s State, why string) {
	quiet := a.Now.Sub(run.Heard)
	switch {
	case !run.Ended.IsZero() && run.Aborted != "":
		return Crashed, "the runner gave up: " + run.Aborted
	case !run.Ended.IsZero():
		return Finished, ""
	case run.Lines == 0 && a.Over:
		return Crashed, "the stream ended and held nothing"
	case run.Lines == 0:
		return Waiting, ""
	case run.Documents():
		return run.documentState(a, quiet)
	case run.GoTest() && run.Open() == 0 && (a.Over || quiet > goSettles):
		return Finished, ""
	case a.Over:
		return Crashed, "the stream ended before the run did"
	case run.PID > 0 && (run.Host == "" || run.Host == a.Here):
		if a.Alive(run.PID) {
			return Running, ""
		}
		return Crashed, fmt.Sprintf("the runner (process %d) is gone and did not finish", run.PID)
	case quiet > a.Quiet:
		return Silent, "the runner may have stopped"
	}
	return Running, ""
}

// documentState is that of whole files: they are done when the workers that
// write them are gone, or nobody says that there are more results to come.
func (run *Run) documentState(a Around, quiet time.Duration) (State, string) {
	for _, pid := range a.PIDs {
		if a.Alive(pid) {
			return Running, ""
		}
	}
	missing := run.Expected - run.Counts.Total
	switch {
	case missing <= 0 && (len(a.PIDs) > 0 || quiet > goSettles || a.Over):
		return Finished, ""
	case missing <= 0:
		return Running, ""
	case len(a.PIDs) > 0:
		return Crashed, fmt.Sprintf("the workers are gone, %d results are missing", missing)
	case quiet > a.Quiet:
		return Silent, "the runner may have stopped"
	}
	return Running, ""
}
