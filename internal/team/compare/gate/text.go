package gate

import (
	"fmt"
	"io"

	"cairn/internal/team/compare"
	"cairn/internal/term"
)

// mostNamed is how many cases a reason names.
const mostNamed = 5

// Text prints the report: the answer first, then the rules, what failed on top.
func (r *Report) Text(w io.Writer, paint term.Paint) error {
	answer := paint.Good("✓ passed")
	if !r.Passed {
		answer = paint.Bad("✗ failed")
	}
	fmt.Fprintf(w, "%s: %s\n\n", paint.Bold("gate "+answer), r.Summary())
	about := term.NewColumns(w)
	fmt.Fprintf(about, "%s\t%s\n", paint.Dim("run"), r.Run.Name())
	if r.Baseline != nil {
		fmt.Fprintf(about, "%s\t%s\n", paint.Dim("baseline"), r.Baseline.Name())
	}
	fmt.Fprintf(about, "%s\t%s\n", paint.Dim("policy"), r.PolicyText())
	if err := about.Flush(); err != nil {
		return err
	}
	if r.Comparison != nil {
		for _, n := range r.Comparison.Notes {
			fmt.Fprintln(w, paint.Warn("! "+compare.OneLine(n.Text)))
		}
	}
	fmt.Fprintln(w)
	rules := term.NewColumns(w)
	for _, rule := range r.ordered() {
		fmt.Fprintf(rules, "%s\t%s\t%s\t%s\n", glyph(paint, rule.Status), shown(rule.Suite), shown(rule.Rule), compare.OneLine(rule.sentence(mostNamed)))
	}
	return rules.Flush()
}

// PolicyText names the policy, and says what the built-in one wants.
func (r *Report) PolicyText() string {
	if r.Policy == builtIn {
		return "built in, there is no file: no significant regression, at most 20 % errors"
	}
	return compare.OneLine(r.Policy)
}

func glyph(paint term.Paint, s Status) string {
	switch s {
	case Fail:
		return paint.Bad("✗ fail")
	case Warn:
		return paint.Warn("! warn")
	case Skip:
		return paint.Dim("– skip")
	}
	return paint.Good("✓ pass")
}
