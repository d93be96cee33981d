package compare

import (
	"fmt"
	"strconv"
	"strings"

	"cairn/internal/team/stats"
	"cairn/internal/text"
)

// A Difference is B − A of the mean pass rates of the inputs, with its interval:
// stats.PairedDifference.
type Difference struct {
	Diff float64 `json:"diff"`
	Lo   float64 `json:"lo"`
	Hi   float64 `json:"hi"`
}

func differenceOf(fell, rose float64, units int, confidence float64) *Difference {
	lo, hi := stats.PairedDifference(fell, rose, units, confidence)
	return &Difference{(rose - fell) / float64(units), lo, hi}
}

// MarginVerdict is whether B was shown to be at most the margin worse.
type MarginVerdict string

const (
	MarginShown    MarginVerdict = "shown"     // the whole interval is above −margin
	MarginNotShown MarginVerdict = "not shown" // −margin is inside it
	MarginExceeded MarginVerdict = "exceeded"  // the whole interval is below −margin
)

// A Margin is a test of non-inferiority: B is at most Margin (0..1) worse than A.
type Margin struct {
	Margin  float64       `json:"margin"`
	Verdict MarginVerdict `json:"verdict"`
	Lo      float64       `json:"lo"` // of B − A, at the confidence of this test
	Hi      float64       `json:"hi"`
	// MoreInputs is about how many more inputs would show it four times in five, if
	// B is as good as A and inputs change as often as these did. 0 where as many as
	// there are should have shown it.
	MoreInputs int `json:"more_inputs,omitempty"`
}

// Within tests whether B was shown to be at most margin worse; nil where nothing was
// judged. The interval is at least of 95 %: a narrower one on paper does not make a
// promise cheaper.
func (t *Test) Within(margin, confidence float64) *Margin {
	if t.units == 0 || t.Verdict == SameRun {
		return nil
	}
	confidence = max(confidence, 0.95)
	lo, hi := stats.PairedDifference(t.fell, t.rose, t.units, confidence)
	m := &Margin{Margin: margin, Verdict: MarginNotShown, Lo: lo, Hi: hi}
	switch {
	case lo >= -margin:
		m.Verdict = MarginShown
	case hi < -margin:
		m.Verdict = MarginExceeded
	default:
		m.MoreInputs = max(0, stats.CasesToShow(t.fell, t.rose, t.units, margin, confidence, power)-t.units)
	}
	return m
}

// MarginText says whether B was shown to be good enough; "" of nil.
func (t *Test) MarginText(m *Margin) string {
	if m == nil {
		return ""
	}
	line := "at most " + points(m.Margin) + " points worse: " + string(m.Verdict) + ", B − A is " + (&Difference{t.Difference.Diff, m.Lo, m.Hi}).Points()
	switch {
	case m.Verdict != MarginNotShown:
	case m.MoreInputs > 0:
		line += fmt.Sprintf("; about %s would show it four times in five, if B is as good as A",
			strings.Replace(text.Count(rounded(m.MoreInputs), t.unit()), " ", " more ", 1))
	default:
		line += "; if B were as good as A, so many " + t.unit() + "s would have shown it four times in five"
	}
	return line
}

// rounded keeps two digits of a number that is known about.
func rounded(n int) int {
	unit := 1
	for n/unit >= 100 {
		unit *= 10
	}
	return (n + unit - 1) / unit * unit
}

// Points is "−10.0 points (−13.2 … −6.9)".
func (d *Difference) Points() string {
	p := func(v float64) string { return strings.Replace(strconv.FormatFloat(v*100, 'f', 1, 64), "-", "−", 1) }
	return signed(d.Diff, p) + " points (" + signed(d.Lo, p) + " … " + signed(d.Hi, p) + ")"
}
