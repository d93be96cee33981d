package compare

import "slices"

// A Class is what became of a case from A to B.
type Class string

const (
	Lost   Class = "lost"   // passed in A, fails in B
	Gained Class = "gained" // failed in A, passes in B
	Flaky  Class = "flaky"  // passed and failed within one of the runs
	Failed Class = "failed" // fails in both
	Passed Class = "passed" // passes in both
	New    Class = "new"    // in B only
	Gone   Class = "gone"   // in A only

	// NotJudged has errors and nothing else in a run: no failure, and no pass.
	NotJudged Class = "not judged"
	Skipped   Class = "skipped" // was not run in A or in B
)

// classes is the order of every list and table.
var classes = [...]Class{Lost, Gained, Flaky, NotJudged, New, Gone, Failed, Skipped, Passed}

func (c Class) rank() int { return slices.Index(classes[:], c) }

// Counts of cases by their class. Quarantined ones are counted there and in no
// other member.
type Counts struct {
	Lost        int `json:"lost"`
	Gained      int `json:"gained"`
	FlakyWorse  int `json:"flaky_worse"`  // a smaller share of the attempts passed in B
	FlakyBetter int `json:"flaky_better"` // a larger one
	FlakySame   int `json:"flaky_same"`
	Failed      int `json:"failed"`
	Passed      int `json:"passed"`
	New         int `json:"new"`
	Gone        int `json:"gone"`
	NotJudged   int `json:"not_judged"`
	Skipped     int `json:"skipped"`
	Quarantined int `json:"quarantined,omitempty"`
}

// Flaky is how many cases had both outcomes within a run.
func (n Counts) Flaky() int { return n.FlakyWorse + n.FlakyBetter + n.FlakySame }

// Tested is how many cases were judged in both runs.
func (n Counts) Tested() int { return n.Lost + n.Gained + n.Flaky() + n.Failed + n.Passed }

// Worse and Better are what the test compares.
func (n Counts) Worse() int  { return n.Lost + n.FlakyWorse }
func (n Counts) Better() int { return n.Gained + n.FlakyBetter }

func (n *Counts) add(c *Case) {
	if c.Quarantined {
		n.Quarantined++
		return
	}
	switch c.Class {
	case Lost:
		n.Lost++
	case Gained:
		n.Gained++
	case Failed:
		n.Failed++
	case Passed:
		n.Passed++
	case New:
		n.New++
	case Gone:
		n.Gone++
	case NotJudged:
		n.NotJudged++
	case Skipped:
		n.Skipped++
	case Flaky:
		switch {
		case c.Change < 0:
			n.FlakyWorse++
		case c.Change > 0:
			n.FlakyBetter++
		default:
			n.FlakySame++
		}
	}
}
