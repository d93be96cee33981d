package gate

import (
	"fmt"
	"strings"

	"cairn/internal/team/compare"
	"cairn/internal/term"
	"cairn/internal/text"
)

// Format is the version of the JSON form of a Report.
const Format = 1

// A Status is what became of a rule.
type Status string

const (
	Pass Status = "pass"
	Fail Status = "fail"
	Warn Status = "warn" // does not stop the run, and must be seen
	Skip Status = "skip" // could not be checked, and need not be
)

// A Rule is one rule of the policy, and whether the run holds it.
type Rule struct {
	Suite   string   `json:"suite,omitempty"` // "" is the whole run, or a variant
	Variant string   `json:"variant,omitempty"`
	Rule    string   `json:"rule"` // the key in the policy
	Status  Status   `json:"status"`
	Reason  string   `json:"reason"`          // one sentence
	Cases   []string `json:"cases,omitempty"` // that it is about
	Line    int      `json:"line,omitempty"`  // in the policy
}

// A Verdict is what the gate says of a run as a whole.
type Verdict string

const (
	Passed     Verdict = "passed"
	Failed     Verdict = "failed"
	NotChecked Verdict = "not checked" // no rule failed, and there was nothing to compare with
)

// A Report is what the gate says of a run.
type Report struct {
	Format   int           `json:"format"`
	Passed   bool          `json:"passed"` // the build may go on
	Policy   string        `json:"policy"` // the file, or "built in"
	Run      compare.Side  `json:"run"`
	Baseline *compare.Side `json:"baseline,omitempty"` // absent where there is none
	Verdict  Verdict       `json:"verdict"`

	Rules      []Rule              `json:"rules"`
	Comparison *compare.Comparison `json:"comparison,omitempty"`

	gap *gap // where the verdict is NotChecked
}

// Why says what was not checked, where the verdict is NotChecked: "compared nothing:
// …". data is whether the run's results lack it, which no baseline would mend.
func (r *Report) Why() (reason string, data bool) { return r.gap.reason, r.gap.data }

// builtIn is how the policy is called that needs no file.
const builtIn = "built in"

// Count says how many rules ended so.
func (r *Report) Count(s Status) (n int) {
	for _, rule := range r.Rules {
		if rule.Status == s {
			n++
		}
	}
	return n
}

// Summary is "2 of 9 rules failed".
func (r *Report) Summary() string {
	failed := r.Count(Fail)
	s := fmt.Sprintf("%d of %s failed", failed, text.Count(len(r.Rules), "rule"))
	if failed == 0 {
		s = fmt.Sprintf("%s held", text.Count(r.Count(Pass), "rule"))
	}
	if n := r.Count(Warn); n > 0 {
		s += ", " + text.Count(n, "warning")
	}
	if n := r.Count(Skip); n > 0 {
		s += fmt.Sprintf(", %d not checked", n)
	}
	return s
}

// ordered are the rules with what failed at the top.
func (r *Report) ordered() []Rule {
	var rules []Rule
	for _, s := range [...]Status{Fail, Warn, Pass, Skip} {
		for _, rule := range r.Rules {
			if rule.Status == s {
				rules = append(rules, rule)
			}
		}
	}
	return rules
}

// title is the rule before a person, with its suite.
func (r Rule) title() string {
	if part := r.part(); part != "" {
		return shown(part) + ": " + shown(r.Rule)
	}
	return r.Rule
}

// part is what of the run the rule is about; "" is all of it.
func (r Rule) part() string {
	if r.Variant != "" {
		return "variant " + r.Variant
	}
	return r.Suite
}

// sentence is the reason with the first cases it is about.
func (r Rule) sentence(most int) string {
	text := r.Reason
	if len(r.Cases) == 0 || most == 0 {
		return text
	}
	var names []string
	for _, name := range r.Cases[:min(most, len(r.Cases))] {
		names = append(names, shown(name))
	}
	text += ": " + strings.Join(names, ", ")
	if rest := len(r.Cases) - most; rest > 0 {
		text += fmt.Sprintf(" and %d more", rest)
	}
	return text
}

func shown(s string) string { return text.Shorten(term.Line(s), 120) }
