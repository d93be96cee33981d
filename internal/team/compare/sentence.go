package compare

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"

	"cairn/internal/term"
	"cairn/internal/text"
)

// sentence says the verdict, and the level that made it.
func (c *Comparison) sentence() string {
	t := &c.Run
	of, whole := "", true
	if c.DecidedBy.Level != "run" {
		part, level := c.worst(c.Verdict)
		t, of, whole = &part.Test, level+" "+term.Line(suiteName(part.Name))+": ", false
	}
	switch c.Verdict {
	case Regression, Improvement:
		return of + t.Changes() + " (" + t.PText() + ")" + c.others(whole)
	case NoDifference:
		if t.Near(c.Alpha) {
			return t.Changes() + " (" + t.PText() + "): too near to call"
		}
		return t.Changes() + "; " + t.Limits()
	}
	return "nothing to test: no case was judged in both runs"
}

// others names the parts with a verdict of their own, but for the one that was
// said.
func (c *Comparison) others(whole bool) (line string) {
	for _, want := range [...]Verdict{Regression, Improvement} {
		for _, list := range [...]struct {
			level string
			parts []Suite
		}{{"suite", c.Suites}, {c.By, c.Groups}} {
			var names []string
			for _, s := range list.parts {
				said := !whole && list.level == c.DecidedBy.Level && s.Name == c.DecidedBy.Name
				if s.Verdict == want && len(list.parts) > 1 && !said {
					names = append(names, term.Line(suiteName(s.Name)))
				}
			}
			switch n := len(names); {
			case n > mostParts:
				line += fmt.Sprintf("; %s in %s", want, text.Count(n, list.level))
			case n > 0:
				line += fmt.Sprintf("; %s in %s %s", want, list.level, strings.Join(names, ", "))
			}
		}
	}
	return line
}

// mostParts is how many parts a sentence names.
const mostParts = 3

// Changes says how many cases changed: "15 of 100 cases regressed, 3 fixed".
func (t *Test) Changes() string {
	line := t.Counts.changes()
	if t.Inputs > 0 {
		line += fmt.Sprintf(" (of %s, %d worse and %d better)", text.Count(t.Inputs, "input"), t.worse, t.better)
	}
	return line
}

func (n Counts) changes() string {
	line := fmt.Sprintf("%d of %s regressed, %d fixed", n.Lost, text.Count(n.Tested(), "case"), n.Gained)
	if n.FlakyWorse+n.FlakyBetter > 0 {
		line += fmt.Sprintf(", %d flaky ones worse and %d better", n.FlakyWorse, n.FlakyBetter)
	}
	return line
}

// PText is "p = 0.0075", with the adjusted value where several tests were made.
func (s *Test) PText() string {
	if s.P == nil {
		return "not tested"
	}
	text := PSentence(*s.P)
	if s.PHolm != nil && *s.PHolm != *s.P && pValue(*s.PHolm) != pValue(*s.P) {
		text += ", adjusted " + pValue(*s.PHolm)
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

// unit is what the test counts: cases, or the inputs that several share.
func (s *Test) unit() string {
	if s.Inputs > 0 {
		return "input"
	}
	return "case"
}

// Limits says what a test of so many inputs cannot show.
func (s *Test) Limits() string {
	word := s.unit()
	switch {
	case s.units == 0:
		return "no case was judged in both runs"
	case s.RateA.Rate == 0:
		return "no case passed in A, so none can regress"
	case s.SmallestDrop == nil && s.RateA.Rate < 1:
		return fmt.Sprintf("%s, %s of them passing in A, cannot show any drop", text.Count(s.units, word), share(s.RateA.Rate))
	case s.SmallestDrop == nil:
		return text.Count(s.units, word) + " cannot show any drop"
	}
	line := fmt.Sprintf("%s cannot show a drop under %s points", text.Count(s.units, word), points(*s.SmallestDrop))
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
