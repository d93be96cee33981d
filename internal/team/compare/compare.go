// Package compare says what changed from one run of an eval to another, and
// what of it is more than noise.
//
// It takes two runs and returns a Comparison: cases in classes, a test of the whole
// run, of each suite and of each variant, intervals for scores, cost and time. The
// same package writes it as text and Markdown, and says what a page shows, which
// package evalpage draws; its JSON form is the structs as they are. Package gate
// checks a comparison against a policy. The command line imports it.
// No files, clock or store: who finds the two runs, and what they are called
// before a person, belongs to the caller. The formulas are in package stats.
//
// # The unit is the input
//
// Variants of one case (its models, its prompts) rise and fall together, so a test
// averages them: four variants of 60 inputs are 60 units. Repeats never count as
// cases of their own. Of a case that ran more often in one run than in the other,
// the test takes only as many attempts as the other run has, the first ones: then
// A and B are exchangeable if nothing changed, and a pass rate that went up is as
// probable as one that went down. A unit is worse in B if a smaller share of these
// attempts passed. With one attempt each this is McNemar's table; with repeats and
// variants it is its general form, the sign test.
// Errors and skipped attempts were not judged and are not attempts.
package compare

import (
	"cmp"
	"math"

	"cairn/internal/team/result"
)

// Format is the version of the JSON form of a Comparison.
const Format = 1

// Options of a comparison. The zero value means the usual ones.
type Options struct {
	Alpha      float64 // of the tests; 0 is 0.05
	Confidence float64 // of the intervals; 0 is 0.95
	Seed       uint64  // of resampling: the same seed gives the same figures
	Suite      string  // only this one; "" is all
	By         string  // one of Dimensions, to test groups of; "" is variants, where there are some
	Margin     float64 // 0..1, of a test of non-inferiority; 0 is none

	// Quarantined says that a case is known to be flaky: it is listed and not tested.
	Quarantined func(suite, title, caseID string) bool
	// Exempt says that a suite is tested by itself and is not in the tests of the
	// run and of groups.
	Exempt func(suite string) bool
}

// A Verdict is what the tests say of a suite, of scores or of the whole.
type Verdict string

const (
	Regression    Verdict = "regression"
	Improvement   Verdict = "improvement"
	NoDifference  Verdict = "no difference shown" // which is not the same as none
	SameRun       Verdict = "same run"
	NotComparable Verdict = "not comparable" // nothing was judged in both runs
)

// A Comparison is what changed from A to B. Shares and p-values are 0..1,
// differences B − A, times text.Millis, costs US dollars.
type Comparison struct {
	Format     int       `json:"format"`
	Verdict    Verdict   `json:"verdict"` // of passes and failures: the worst one of the run, its suites and groups
	DecidedBy  *Decision `json:"decided_by,omitempty"`
	Summary    string    `json:"summary"` // one sentence
	Alpha      float64   `json:"alpha"`
	Confidence float64   `json:"confidence"`
	Seed       uint64    `json:"seed"`

	A     Side   `json:"a"`
	B     Side   `json:"b"`
	Notes []Note `json:"notes,omitempty"` // what a reader has to know before the figures

	Counts Counts  `json:"counts"` // of the cases of all suites
	Run    Test    `json:"run"`    // the test of all suites together
	Suites []Suite `json:"suites"`
	By     string  `json:"by,omitempty"` // what the groups are: variant, model …
	Groups []Suite `json:"groups,omitempty"`

	ScoreVerdict Verdict `json:"score_verdict,omitempty"` // "" where no score was in both
	Scores       []Score `json:"scores,omitempty"`

	Cost     *Spend `json:"cost,omitempty"`
	Duration *Spend `json:"duration,omitempty"`

	Cases []Case `json:"cases"`
}

// Runs compares B with A.
func Runs(a, b *result.Run, opts Options) *Comparison {
	opts.Alpha, opts.Confidence = cmp.Or(opts.Alpha, 0.05), cmp.Or(opts.Confidence, 0.95)
	c := &Comparison{
		Format: Format, Alpha: opts.Alpha, Confidence: opts.Confidence, Seed: opts.Seed,
		A: sideOf(a), B: sideOf(b),
	}
	pairs, known := match(a, b, opts)
	c.testAll(pairs, opts)
	c.Cases = make([]Case, len(pairs))
	for i, p := range pairs {
		c.Cases[i] = p.Case
		c.Counts.add(&p.Case)
	}
	same := a == b || a.IngestKey != "" && a.IngestKey == b.IngestKey
	c.Notes = append(known.notes, notes(a, b, c, same)...)
	if same {
		c.Verdict, c.Summary = SameRun, "A and B are the same run"
		c.Run.untested()
		for _, list := range [...][]Suite{c.Suites, c.Groups} {
			for i := range list {
				list[i].untested()
			}
		}
		return c
	}
	if !differentJudges(a, b) {
		c.Scores = testScores(pairs, opts)
		c.ScoreVerdict = scoreVerdict(c.Scores)
	}
	c.Cost, c.Duration = spending(pairs, opts)
	c.decide()
	return c
}

func comparePointers(p, q *float64) int {
	value := func(p *float64) float64 {
		if p == nil {
			return math.Inf(1)
		}
		return *p
	}
	return cmp.Compare(value(p), value(q))
}

// Of returns the cases of a class in the order of the comparison.
func (c *Comparison) Of(class Class) (found []Case) {
	n := 0
	for i := range c.Cases {
		if c.Cases[i].Class == class {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	found = make([]Case, 0, n)
	for i := range c.Cases {
		if c.Cases[i].Class == class {
			found = append(found, c.Cases[i])
		}
	}
	return found
}
