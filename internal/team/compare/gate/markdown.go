package gate

import (
	"fmt"
	"strings"

	"cairn/internal/team/compare"
)

// Markdown is the report for a pull request or a job's summary, with the
// comparison folded away under it.
func (r *Report) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "## %s eval gate: %s\n\n", map[bool]string{true: "✅", false: "❌"}[r.Passed], r.Summary())
	b.WriteString("| | suite | rule | |\n|---|---|---|---|\n")
	rules := r.ordered()
	const most = 100
	for _, rule := range rules[:min(most, len(rules))] {
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", sign(rule.Status), compare.Escape(shown(rule.Suite)), compare.Escape(shown(rule.Rule)), compare.Escape(rule.sentence(mostNamed)))
	}
	if rest := len(rules) - most; rest > 0 {
		fmt.Fprintf(&b, "\n… and %d more rules\n", rest)
	}
	fmt.Fprintf(&b, "\nRun %s", compare.Escape(r.Run.Name()))
	if r.Baseline != nil {
		fmt.Fprintf(&b, ", baseline %s", compare.Escape(r.Baseline.Name()))
	}
	fmt.Fprintf(&b, "; policy: %s\n", compare.Escape(r.PolicyText()))
	if r.Comparison != nil {
		b.WriteString("\n<details><summary>comparison</summary>\n\n" + r.Comparison.Markdown(0) + "\n</details>\n")
	}
	return b.String()
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
