// Package health checks a planning directory: what is missing, what
// contradicts itself, what cannot be read. Every check is a row of one table;
// a repair is one only when nothing is lost by it.
//
// The verb and the query `validate health` import it. A check reads what it
// needs and writes nothing; a repair writes through a [plan.Tx]. Whether a
// phase may go on is a gate's question, not this package's.
package health

import (
	"cmp"
	"context"
	"errors"
	"os"
	"slices"
	"time"

	"cairn/internal/plan"
)

// Level is how bad a finding is.
type Level string

const (
	Error   Level = "error"
	Warning Level = "warning"
	Info    Level = "info"
)

// Check is one row: what is wrong when it finds something, and what to do.
type Check struct {
	Code       string // E, W and I as in the older tool; D documents, C settings, J the journal
	Level      Level
	What       string // for the list of checks
	Fix        string // what a person should do
	RepairName string // of the repair, "" for none
	last       bool   // when it or one before it finds something, no other makes sense
	run        func(*look) []Finding
	repair     func(*look, Finding)
}

// Finding is one thing that a check found.
type Finding struct {
	Code       string `json:"code"`
	Level      Level  `json:"level"`
	Message    string `json:"message"`
	Path       string `json:"path,omitempty"`
	Line       int    `json:"line,omitempty"` // counted from 1; 0 for the whole file
	Fix        string `json:"fix"`
	Repairable bool   `json:"repairable"`
	byHand     bool   // its check has a repair, which does not do this one
}

// Status is a report in one word.
type Status string

const (
	Healthy  Status = "healthy"
	Degraded Status = "degraded" // warnings
	Broken   Status = "broken"   // errors
)

// Report is what the checks found: errors first, then warnings, then notes.
type Report struct {
	Findings []Finding
}

// Of returns the findings of a level.
func (r *Report) Of(level Level) []Finding {
	var out []Finding
	for _, f := range r.Findings {
		if f.Level == level {
			out = append(out, f)
		}
	}
	return out
}

// Status follows from the worst finding.
func (r *Report) Status() Status {
	switch {
	case len(r.Of(Error)) > 0:
		return Broken
	case len(r.Of(Warning)) > 0:
		return Degraded
	}
	return Healthy
}

// Repairable counts the findings that Repair can fix.
func (r *Report) Repairable() int {
	n := 0
	for _, f := range r.Findings {
		if f.Repairable {
			n++
		}
	}
	return n
}

// Options are what the checks want to know from outside of the plan.
type Options struct {
	Getenv func(string) string
	Now    time.Time
	Only   func(code string) bool // which checks to run; nil is all
}

// Look runs every check. Without a planning directory, or in the user's home
// directory, that is all there is to say.
func Look(tx *plan.Tx, opts Options) *Report {
	return newLook(tx, opts).report()
}

func (l *look) report() *Report {
	r := &Report{}
	for _, c := range Checks() {
		if l.opts.Only != nil && !l.opts.Only(c.Code) {
			continue
		}
		for _, f := range c.run(l) {
			f.Code, f.Level, f.Repairable = c.Code, c.Level, c.repair != nil && !f.byHand
			f.Fix = cmp.Or(f.Fix, c.Fix)
			r.Findings = append(r.Findings, f)
		}
		if c.last && len(r.Findings) > 0 {
			return r
		}
	}
	rank := func(f Finding) int { return slices.Index([]Level{Error, Warning, Info}, f.Level) }
	slices.SortStableFunc(r.Findings, func(a, b Finding) int { return rank(a) - rank(b) })
	return r
}

// Repaired is a repair that was made.
type Repaired struct {
	Code    string `json:"code"`
	Action  string `json:"action"`
	Path    string `json:"path"`
	Message string `json:"message"` // what was wrong
}

// Repair runs the checks under the lock and fixes what they find, as far as
// nothing is lost. It returns what was found before.
func Repair(ctx context.Context, w *plan.Workspace, opts Options) (*Report, []Repaired, *plan.Change, error) {
	var report *Report
	var done []Repaired
	conflicts, err := w.Conflicts(ctx)
	if err != nil {
		return nil, nil, nil, err
	}
	if !w.Exists() || len(conflicts) > 0 { // there is nothing to repair, or not yet one plan
		err := w.View(func(tx *plan.Tx) (err error) {
			report = Look(tx, opts)
			return nil
		})
		return report, nil, nil, err
	}
	// A change that was cut short is taken back by the next one; look first.
	cut, err := interrupted(w)
	if err != nil {
		return nil, nil, nil, err
	}
	change, err := w.Update(ctx, "health", func(tx *plan.Tx) error {
		l := newLook(tx, opts)
		report = l.report()
		for _, f := range report.Findings {
			c := find(f.Code)
			if !f.Repairable {
				continue
			}
			c.repair(l, f)
			done = append(done, Repaired{f.Code, c.RepairName, f.Path, f.Message})
		}
		return nil
	})
	if err == nil && len(cut) > 0 {
		report.Findings = append(cut, report.Findings...)
		done = append(done, Repaired{cut[0].Code, find(cut[0].Code).RepairName, cut[0].Path, cut[0].Message})
	}
	return report, done, change, err
}

// What returns what holds where a check finds nothing.
func What(code string) string { return find(code).What }

func find(code string) Check {
	checks := Checks()
	return checks[slices.IndexFunc(checks, func(c Check) bool { return c.Code == code })]
}

// isHome reports whether dir is the user's home directory, where a plan is a
// mistake.
func isHome(dir string) bool {
	home, err := os.UserHomeDir()
	if err != nil {
		return false
	}
	a, err1 := os.Stat(home)
	b, err2 := os.Stat(dir)
	return errors.Join(err1, err2) == nil && os.SameFile(a, b)
}
