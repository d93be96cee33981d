package compare

import (
	"math"
	"slices"

	"cairn/internal/team/stats"
)

// A Suite is the test of one suite, or of another part that has a name.
type Suite struct {
	Name string `json:"name"`
	Test
}

// A Decision names the level whose test made the verdict.
type Decision struct {
	Level string `json:"level"` // run, suite, or what By says
	Name  string `json:"name,omitempty"`
}

// testAll tests the whole run, its suites and its groups, and judges them
// together. The pairs come suite by suite.
func (c *Comparison) testAll(pairs []*pair, opts Options) {
	c.Suites = []Suite{} // an empty list in JSON, not null
	var counted []*pair
	for begin := 0; begin < len(pairs); {
		end := begin
		for end < len(pairs) && pairs[end].Suite == pairs[begin].Suite {
			end++
		}
		c.Suites = append(c.Suites, Suite{pairs[begin].Suite, testOf(pairs[begin:end], opts)})
		if opts.Exempt == nil || !opts.Exempt(pairs[begin].Suite) {
			counted = append(counted, pairs[begin:end]...)
		}
		begin = end
	}
	c.Run = testOf(counted, opts)
	c.By, c.Groups = grouped(counted, opts)

	// A part with all of the run's cases is the run's test, and not one more.
	var parts []*Test
	for _, list := range [...][]Suite{c.Suites, c.Groups} {
		for i := range list {
			if t := &list[i].Test; t.P != nil && !(len(list) == 1 && t.Tested == c.Run.Tested) {
				parts = append(parts, t)
			}
		}
	}
	p, strict := make([]float64, len(parts)), make([]float64, len(parts))
	for i, t := range parts {
		p[i], strict[i] = *t.P, stats.McNemarExact(t.worse, t.better)
	}
	whole, wholeStrict := math.Inf(1), math.Inf(1) // no test of the run hands nothing on
	if c.Run.P != nil {
		whole, wholeStrict = *c.Run.P, stats.McNemarExact(c.Run.worse, c.Run.better)
	}
	whole, p = adjusted(whole, p)
	wholeStrict, strict = adjusted(wholeStrict, strict)
	share, known := 1., newLimits()
	if len(parts) > 0 {
		share = 2
	}
	if c.Run.P != nil {
		c.Run.PHolm, c.Run.PStrict = &whole, &wholeStrict
		c.Run.judge(opts.Alpha, opts.Alpha/share, known)
	}
	for i, t := range parts {
		t.PHolm, t.PStrict = &p[i], &strict[i]
		t.judge(opts.Alpha, opts.Alpha/share/float64(len(parts)), known)
	}
	for _, list := range [...][]Suite{c.Suites, c.Groups} {
		if len(list) == 1 && list[0].P != nil && list[0].PHolm == nil {
			list[0].PHolm, list[0].PStrict = c.Run.PHolm, c.Run.PStrict
			list[0].judge(opts.Alpha, opts.Alpha/share, known)
		}
	}
}

// ranked is the order of verdicts, from what matters most.
var ranked = [...]Verdict{Regression, Improvement, NotComparable, NoDifference, SameRun}

func (v Verdict) rank() int { return slices.Index(ranked[:], v) }

// decide takes the verdict of the whole: a regression anywhere, else an
// improvement anywhere, else what the run's test says. The run's own test goes
// before those of its parts.
func (c *Comparison) decide() {
	if len(c.Suites) == 0 {
		c.Verdict, c.Summary = NotComparable, "nothing to compare: neither run holds a case"
		return
	}
	c.Verdict, c.DecidedBy = c.Run.Verdict, &Decision{Level: "run"}
	for _, want := range [...]Verdict{Regression, Improvement} {
		if c.Run.Verdict == want {
			break
		}
		if part, level := c.worst(want); part != nil {
			c.Verdict, c.DecidedBy = want, &Decision{level, part.Name}
			break
		}
	}
	c.Summary = c.sentence()
}

// worst is the part with the verdict and the smallest p.
func (c *Comparison) worst(want Verdict) (found *Suite, level string) {
	for _, list := range [...]struct {
		level string
		parts []Suite
	}{{"suite", c.Suites}, {c.By, c.Groups}} {
		for i := range list.parts {
			if s := &list.parts[i]; s.Verdict == want && (found == nil || comparePointers(s.PHolm, found.PHolm) < 0) {
				found, level = s, list.level
			}
		}
	}
	return found, level
}
