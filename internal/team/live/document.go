package live

import (
	"time"

	"cairn/internal/team/result"
)

// A document is what counts of one file beside its results.
type document struct {
	costs  []result.Cost
	beyond int // results that it counts and does not list
	listed int
}

// Document takes a whole run of version 1 as it stood at now: one that a
// worker writes again and again, say. name tells the workers apart. Of an
// attempt that is known the result that took longest counts, as when the
// workers' files are joined.
func (run *Run) Document(name string, doc *result.Run, now time.Time) {
	run.Lines++
	run.Heard = now
	fill(&run.Suite, doc.Suite)
	fill(&run.Label, doc.Label)
	fill(&run.Branch, doc.GitBranch)
	fill(&run.SHA, doc.GitSHA)
	fill(&run.Tool, doc.Tool)
	if t := doc.Timestamp; !t.IsZero() && (run.Started.IsZero() || t.Before(run.Started)) {
		run.Started = t.Time
	}
	run.begin(now)
	for _, r := range doc.Results {
		r.Attempt = r.Try()
		if r.Suite == "" && doc.Suite != run.Suite {
			r.Suite = doc.Suite
		}
		i, known := run.at[withTry(run.key(&r), r.Attempt)]
		if known && run.Rows[i].Status != "" && run.Rows[i].DurationMS >= r.DurationMS {
			continue
		}
		run.done(r, now)
	}
	if run.docs == nil {
		run.docs = map[string]document{}
	}
	run.docs[name] = document{doc.Costs, max(0, doc.Total-len(doc.Results)), len(doc.Results)}
	run.Costs, run.Expected = nil, 0
	beyond, listed := 0, 0
	for _, d := range run.docs {
		run.Costs = result.AddCosts(run.Costs, d.costs)
		beyond, listed = beyond+d.beyond, listed+d.listed
	}
	if beyond > 0 { // else nobody said how many there will be
		run.Expected = beyond + listed
	}
}

// Documents reports whether the run is told by whole files, which have no
// event for their end.
func (run *Run) Documents() bool { return run.docs != nil }

func fill(to *string, value string) {
	if *to == "" {
		*to = value
	}
}
