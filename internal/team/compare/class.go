package compare

import (
	"fmt"
	"slices"
	"strings"

	"cairn/internal/team/result"
)

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

// Word is what a person reads: the value in JSON is older than it.
func (c Class) Word() string {
	switch c {
	case Lost:
		return "regressed"
	case Gained:
		return "fixed"
	}
	return string(c)
}

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

// A Note is something about the two runs that bears on every figure.
type Note struct {
	Code string `json:"code"` // stable, for programs
	Text string `json:"text"`
}

// Deterministic is the kind of a run whose cases are taken to be deterministic.
const Deterministic = "unit"

// Deterministic reports whether the cases are taken to be deterministic: those of
// either run, so that a kind that was changed excuses nothing.
func (c *Comparison) Deterministic() bool {
	return strings.EqualFold(c.A.Kind, Deterministic) || strings.EqualFold(c.B.Kind, Deterministic)
}

// Broke says what became of a case that passed in A and does not in B: it fails, is
// flaky, was not judged in one attempt or in all, was skipped or is gone. It is ""
// of others.
func (c *Case) Broke() Class {
	if c.A.Status() != string(result.Pass) {
		return ""
	}
	switch c.B.Status() {
	case "":
		return Gone
	case string(result.Fail):
		return Lost
	case string(Flaky):
		return Flaky
	case string(result.Error):
		return NotJudged
	case string(result.Skip):
		return Skipped
	}
	if c.B.Errored > 0 && c.A.Errored == 0 {
		return NotJudged
	}
	return ""
}

// BrokeText counts how cases broke: "1 failed, 2 skipped".
func BrokeText(broke map[Class]int) string {
	var parts []string
	for _, class := range classes {
		word := string(class)
		if class == Lost {
			word = "failed"
		}
		if n := broke[class]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, word))
		}
	}
	return strings.Join(parts, ", ")
}

// manyErrors is the share of errors past which a comparison is of what is left.
const manyErrors = 0.2

func notes(a, b *result.Run, c *Comparison, same bool) (found []Note) {
	say := func(code, format string, args ...any) {
		found = append(found, Note{code, fmt.Sprintf(format, args...)})
	}
	if same {
		say("same-run", "both are the same run: there is nothing to test")
		return found
	}
	if len(c.Suites) > 0 && c.Counts.New+c.Counts.Gone == len(c.Cases) {
		say("nothing-common", "no case is in both runs: are they of the same suite?")
	}
	differ := func(code, what, a, b string) {
		switch {
		case a == b:
		case a == "":
			say(code, "%s: not said in A, %s in B", what, b)
		case b == "":
			say(code, "%s: %s in A, not said in B", what, a)
		default:
			say(code, "%s: %s in A, %s in B", what, a, b)
		}
	}
	if differentJudges(a, b) {
		say("judge-tier", "judged by different tiers, %s in A and %s in B: scores are not compared, and passes that hang on them may differ for that alone", a.JudgeTier, b.JudgeTier)
	} else {
		differ("judge-tier", "judges", a.JudgeTier, b.JudgeTier)
	}
	differ("suite", "suite", a.Suite, b.Suite)
	differ("model", "model", strings.Join(c.A.Models, ", "), strings.Join(c.B.Models, ", "))
	differ("prompt", "prompts", a.PromptSHA, b.PromptSHA)
	differ("tool", "results from", a.Tool, b.Tool)
	differ("scope", "scope", a.Scope, b.Scope)
	differ("kind", "kind", a.Kind, b.Kind)
	if !a.Timestamp.IsZero() && b.Timestamp.Before(a.Timestamp.Time) && !b.Timestamp.IsZero() {
		say("order", "A is newer than B: the other way round?")
	}
	for _, side := range []struct {
		name string
		run  *result.Run
		side Side
	}{{"A", a, c.A}, {"B", b, c.B}} {
		if share := side.side.Attempts.ErrorShare(); share > manyErrors {
			say("errors", "%.0f %% of the attempts in %s ended in an error and were not judged: the figures are about the rest", share*100, side.name)
		}
		if side.run.Total > len(side.run.Results) {
			say("unlisted", "%s counts %d results and lists %d: the others cannot be compared", side.name, side.run.Total, len(side.run.Results))
		}
	}
	if c.Deterministic() {
		broke, n := map[Class]int{}, 0
		for i := range c.Cases {
			if how := c.Cases[i].Broke(); how != "" && !c.Cases[i].Quarantined {
				broke[how]++
				n++
			}
		}
		if n > 0 {
			say("deterministic", "kind %s is taken to be deterministic: of the cases that passed in A, %d no longer pass (%s), whatever the test says of chance", Deterministic, n, BrokeText(broke))
		}
	}
	if slices.ContainsFunc(c.Cases, uneven) {
		say("repeats", "some cases ran more often in one run: of these as many attempts are tested as the other has")
	}
	return found
}

func uneven(c Case) bool {
	a, b := c.A.Judged(), c.B.Judged()
	return a > 0 && b > 0 && a != b
}
