package gate

import (
	"fmt"
	"io"
	"strings"

	"cairn/internal/team/compare"
	"cairn/internal/term"
	"cairn/internal/text"
)

// mostNamed is how many cases a reason names.
const mostNamed = 5

// Text prints the report: the answer first, then the rules, what failed on top.
func (r *Report) Text(w io.Writer, paint term.Paint) error {
	answer := map[Verdict]string{Passed: paint.Good("✓ passed"), Failed: paint.Bad("✗ failed"), NotChecked: paint.Warn("! not checked")}[r.Verdict]
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
			fmt.Fprintln(w, paint.Warn(term.Fold(w, "! "+term.Line(n.Text), 2)))
		}
	}
	fmt.Fprintln(w)
	suite, name := 0, 0 // columns
	rules, held := r.told()
	for _, rule := range rules {
		suite, name = max(suite, text.Width(shown(rule.part()))), max(name, text.Width(shown(rule.Rule)))
	}
	const reason = 8 // a reason is never cut: where it does not fit it goes on below, beside the glyph
	for _, rule := range rules {
		line := glyph(paint, rule.Status) + "  " + text.Pad(shown(rule.part()), suite) + "  " + text.Pad(shown(rule.Rule), name) + "  " + term.Line(rule.sentence(mostNamed))
		if _, err := fmt.Fprintln(w, term.Fold(w, line, reason)); err != nil {
			return err
		}
	}
	if held > 0 {
		_, err := fmt.Fprintf(w, "%s  … and %s of suites held; --json lists them\n", glyph(paint, Pass), text.Count(held, "rule"))
		return err
	}
	return nil
}

// mostHeld is how many rules that held are listed.
const mostHeld = 10

// told are the rules worth reading, and how many of suites held beside them: a run
// of a hundred suites holds hundreds.
func (r *Report) told() (rules []Rule, held int) {
	all := r.Count(Pass) <= mostHeld
	for _, rule := range r.ordered() {
		if all || rule.Status != Pass || rule.Suite == "" {
			rules = append(rules, rule)
		} else {
			held++
		}
	}
	return rules, held
}

// PolicyText names the policy, and says what the built-in one wants.
func (r *Report) PolicyText() string {
	if r.Policy == builtIn {
		return "built in, there is no file: no significant regression, at most 20 % errors"
	}
	return term.Line(r.Policy)
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

// Markdown is the report for a pull request or a job's summary, with the
// comparison folded away under it.
func (r *Report) Markdown() string { return r.markdown(0) }

// MarkdownWithin is Markdown of at most so many bytes: with fewer cases of each
// list, without the comparison, or cut.
func (r *Report) MarkdownWithin(most int) string {
	for _, limit := range []int{0, 200, 50, 10, noComparison} {
		if text := r.markdown(limit); len(text) <= most || limit == noComparison {
			return cutBytes(text, most)
		}
	}
	return ""
}

const noComparison = -1

// markdown has at most limit cases of each list of the comparison; 0 is all.
func (r *Report) markdown(limit int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "## %s eval gate: %s\n\n", map[Verdict]string{Passed: "✅", Failed: "❌", NotChecked: "⚠️"}[r.Verdict], r.headline())
	b.WriteString("| | suite | rule | |\n|---|---|---|---|\n")
	rules := r.ordered()
	const most = 100
	for _, rule := range rules[:min(most, len(rules))] {
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", sign(rule.Status), compare.Escape(shown(rule.part())), compare.Escape(shown(rule.Rule)), compare.Escape(rule.sentence(mostNamed)))
	}
	if rest := len(rules) - most; rest > 0 {
		fmt.Fprintf(&b, "\n… and %d more rules\n", rest)
	}
	fmt.Fprintf(&b, "\nRun %s", compare.Escape(r.Run.Name()))
	if r.Baseline != nil {
		fmt.Fprintf(&b, ", baseline %s", compare.Escape(r.Baseline.Name()))
	}
	fmt.Fprintf(&b, "; policy: %s\n", compare.Escape(r.PolicyText()))
	switch {
	case r.Comparison == nil:
	case limit == noComparison:
		b.WriteString("\nThe comparison is too long to be shown here.\n")
	default:
		b.WriteString("\n<details><summary>comparison</summary>\n\n" + r.Comparison.Markdown(limit) + "\n</details>\n")
	}
	return b.String()
}

// headline says it where no color does.
func (r *Report) headline() string {
	if r.Verdict == NotChecked {
		return "not checked: " + r.Summary()
	}
	return r.Summary()
}

func sign(s Status) string {
	switch s {
	case Fail:
		return "❌"
	case Warn:
		return "⚠️"
	case Skip:
		return "➖"
	}
	return "✅"
}
