package benchmark

import (
	"fmt"
	"strings"
	"time"

	"cairn/internal/transcript"
)

// A Report is all that came of a benchmark, as `--json` prints it. Tokens are
// estimates (package tokens) of what the model received; percentages are of
// such tokens.
type Report struct {
	Made  time.Time  `json:"made"`
	Since *time.Time `json:"since,omitempty"`
	Level string     `json:"level"`

	Scan  transcript.Stats `json:"scan"`
	Hosts []HostShare      `json:"hosts"`

	Received Total `json:"received"` // every tool result: what the gate judges
	Touched  Total `json:"touched"`  // those that cairn may touch
	Corpus   Total `json:"corpus"`   // those of the scenarios
	Light    Total `json:"light"`    // long ones that are in no scenario
	Short    Total `json:"short"`    // short ones: at most 80 lines, under 2,000 tokens

	Heavy     Heavy      `json:"heavyTail"`
	Scenarios []Scenario `json:"scenarios"`
	Apart     []Apart    `json:"apart"` // results that count neither way
	Rules     []RuleSum  `json:"rules"`
	Gained    Gained     `json:"gained"`
	Planted   Planted    `json:"planted"`
	ESeries   []Figure   `json:"eSeries"`
	Gate      Gate       `json:"gate"`
	Dollars   *Dollars   `json:"dollars,omitempty"`

	Dir string `json:"dir,omitempty"` // where the files are
}

// HostShare is what one agent's transcripts hold.
type HostShare struct {
	Host   string `json:"host"`
	Calls  int    `json:"calls"`
	Tokens int    `json:"tokens"`
}

// A Total is tokens before and after, at the level asked for and at the
// aggressive one.
type Total struct {
	Calls      int     `json:"calls"`
	Before     int     `json:"tokensBefore"`
	After      int     `json:"tokensAfter"`
	Aggressive int     `json:"tokensAfterAggressive"`
	Percent    float64 `json:"percent"` // saved
}

func (t *Total) add(o outcome) {
	t.Calls++
	t.Before += o.before
	t.After += o.after
	t.Aggressive += o.aggressive
	t.Percent = saved(t.Before, t.After)
}

func saved(before, after int) float64 {
	if before == 0 {
		return 0
	}
	return float64(int(1000*float64(before-after)/float64(before)+0.5)) / 10
}

// Heavy is how unequal the calls are.
type Heavy struct {
	Calls     int `json:"calls"`         // that together hold 80 % of the tokens of long results
	Percent   int `json:"percent"`       // of the calls with a long result
	Threshold int `json:"fromTokens"`    // the smallest of them
	TopTenth  int `json:"topTenthHolds"` // percent of the tokens in the largest 10 % of calls
	NotShown  int `json:"clustersBeyondCap"`
}

// A Scenario is the heavy calls of one tool and kind of command.
type Scenario struct {
	Name    string `json:"name"`
	Title   string `json:"title"`
	Example string `json:"example"`
	Total
	LinesBefore int       `json:"linesBefore"`
	LinesAfter  int       `json:"linesAfter"`
	Failed      int       `json:"failed"`   // calls
	Restored    int       `json:"restored"` // lines that the guard brought back
	Verify      int       `json:"verifierWouldFire"`
	Rules       []string  `json:"rules"`
	Planted     int       `json:"planted"` // lines
	Lost        int       `json:"lost"`
	Dropped     []Dropped `json:"dropped"`
	File        string    `json:"file,omitempty"`
	InFile      int       `json:"callsInFile"`
}

// Apart is results that are shown but counted neither way.
type Apart struct {
	Reason  Reason `json:"reason"`
	Text    string `json:"text"`
	Calls   int    `json:"calls"`
	Tokens  int    `json:"tokens"`
	Largest []Part `json:"largest"` // clusters
}

// Part is one cluster's share.
type Part struct {
	Title  string `json:"title"`
	Calls  int    `json:"calls"`
	Tokens int    `json:"tokens"`
}

// RuleSum is what one rule did to the results that cairn may touch.
type RuleSum struct {
	Rule string `json:"rule"`
	Total
	Restored int `json:"restored"`
}

// Gained is what the model would have seen of outputs that the agent cut: no
// saving, but better text.
type Gained struct {
	Calls  int `json:"calls"`
	Before int `json:"tokensReceived"`
	More   int `json:"tokensMore"` // known only where the agent stored the whole output
}

// Planted is what came of the failures put into the real outputs.
type Planted struct {
	Lines int      `json:"lines"`
	Lost  []Lost   `json:"lost"`
	Kinds []string `json:"kinds"`
}

// A Figure is one target and what was measured.
type Figure struct {
	ID     string  `json:"id"`
	Text   string  `json:"text"`
	Value  float64 `json:"value"`
	Target float64 `json:"target"`
	Unit   string  `json:"unit"`
	Most   bool    `json:"atMost"`
	OK     bool    `json:"ok"`
}

// A Gate is the verdict.
type Gate struct {
	Pass    bool     `json:"pass"`
	Reasons []string `json:"reasons"` // why not; a sentence each
}

// What the gate asks for, in percent of tokens.
const (
	minTotal      = 15
	minScenario   = 5
	minAggressive = 25
	maxVerify     = 10
)

// judge applies the gate: enough is saved of all results, those included that
// cairn leaves alone, something in each scenario, and no planted line is lost.
func (r *Report) judge() {
	fail := func(format string, args ...any) {
		r.Gate.Reasons = append(r.Gate.Reasons, fmt.Sprintf(format, args...))
	}
	r.Gate.Reasons = []string{}
	if len(r.Scenarios) == 0 {
		fail("no long result that cairn may touch was found, so nothing was measured")
	} else if r.Received.Percent < minTotal {
		fail("%.1f %% of the tokens of all results are saved, less than %d %%", r.Received.Percent, minTotal)
	}
	if n := len(r.Planted.Lost); n > 0 {
		fail("%d of %d planted lines are lost, the first in %s: %s", n, r.Planted.Lines, r.Planted.Lost[0].Scenario, strings.TrimSpace(r.Planted.Lost[0].Line))
	}
	for _, s := range r.Scenarios {
		if s.Percent < minScenario {
			fail("%s saves %.1f %%, less than %d %%", s.Name, s.Percent, minScenario)
		}
	}
	r.Gate.Pass = len(r.Gate.Reasons) == 0
}
