package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"cairn/internal/term"
	"cairn/internal/text"
)

// sentence says the verdict of a suite, which is that of the whole.
func (c *Comparison) sentence(s Suite) string {
	of := ""
	if len(c.Suites) > 1 {
		of = term.Line(suiteName(s.Name)) + ": "
	}
	switch s.Verdict {
	case Regression, Improvement:
		return of + s.Changes() + " (" + s.PText() + ")" + c.others(s.Verdict)
	case NoDifference:
		if len(c.Suites) == 1 && s.Near(c.Alpha) {
			return s.Changes() + " (" + s.PText() + "): too near to call"
		}
		if len(c.Suites) == 1 {
			return s.Changes() + "; " + s.Limits()
		}
		tested := slices.DeleteFunc(slices.Clone(c.Suites), func(t Suite) bool { return t.P == nil })
		return fmt.Sprintf("%s in %s; the table says what each of them can show", c.Counts.changes(), text.Count(len(tested), "suite"))
	}
	return "nothing to test: no case was judged in both runs"
}

// others tells of more suites with a verdict that is not "no difference shown".
func (c *Comparison) others(said Verdict) string {
	same, better := -1, 0
	for _, s := range c.Suites {
		switch s.Verdict {
		case said:
			same++
		case Improvement:
			better++
		}
	}
	line := ""
	if same > 0 {
		line = fmt.Sprintf("; %s of %s more", said, text.Count(same, "suite"))
	}
	if better > 0 {
		line += fmt.Sprintf("; improvement of %s", text.Count(better, "suite"))
	}
	return line
}

// Changes says how many cases changed: "15 of 100 cases lost, 3 gained".
func (s Suite) Changes() string { return s.Counts.changes() }

func (n Counts) changes() string {
	line := fmt.Sprintf("%d of %s lost, %d gained", n.Lost, text.Count(n.Tested(), "case"), n.Gained)
	if n.FlakyWorse+n.FlakyBetter > 0 {
		line += fmt.Sprintf(", %d flaky ones worse and %d better", n.FlakyWorse, n.FlakyBetter)
	}
	return line
}

// PText is "p = 0.0075", with the adjusted value where several suites were
// tested.
func (s Suite) PText() string {
	if s.P == nil {
		return "not tested"
	}
	text := PSentence(*s.P)
	if s.PHolm != nil && *s.PHolm != *s.P {
		text += ", " + pValue(*s.PHolm) + " among all suites"
	}
	if s.Verdict == NoDifference && s.PStrict != nil && *s.PStrict > *s.PHolm {
		text += "; exact " + pValue(*s.PStrict)
	}
	return text
}

// PSentence is "p = 0.0075", or "p < 0.0001".
func PSentence(p float64) string {
	return strings.Replace("p = "+pValue(p), "= <", "<", 1)
}

// Limits says what a suite of so many cases cannot show.
func (s Suite) Limits() string {
	switch {
	case s.Tested == 0:
		return "no case was judged in both runs"
	case s.RateA.Rate == 0:
		return "no case passed in A, so none can be lost"
	case s.SmallestDrop == nil && s.RateA.Rate < 1:
		return fmt.Sprintf("%s, %s of them passing in A, cannot show any drop", text.Count(s.Tested, "case"), share(s.RateA.Rate))
	case s.SmallestDrop == nil:
		return text.Count(s.Tested, "case") + " cannot show any drop"
	}
	line := fmt.Sprintf("%s cannot show a drop under %s points", text.Count(s.Tested, "case"), points(*s.SmallestDrop))
	if s.DetectableDrop == nil {
		return line + ", and would mostly miss any"
	}
	return line + fmt.Sprintf(", and show one of %s four times in five", points(*s.DetectableDrop))
}

// points writes a drop of a share in points, upwards: a smaller one than said is
// not shown.
func points(drop float64) string {
	p := drop * 100
	if p < 10 {
		return strconv.FormatFloat(math.Ceil(p*10-1e-6)/10, 'f', -1, 64)
	}
	return strconv.Itoa(int(math.Ceil(p - 1e-6)))
}

func share(rate float64) string { return strconv.FormatFloat(rate*100, 'f', 0, 64) + " %" }

// suiteName is a suite before a person.
func suiteName(name string) string { return cmp.Or(name, "(none)") }

// pValue writes a p-value with two digits that count: 0.0075, 0.23, < 0.0001.
func pValue(p float64) string {
	switch {
	case p < 0.0001:
		return "< 0.0001"
	case p > 0.9949:
		return "1"
	}
	digits := 2
	for limit := 0.0995; p < limit && digits < 6; limit /= 10 {
		digits++
	}
	return strconv.FormatFloat(p, 'f', digits, 64)
}
