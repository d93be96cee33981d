package gate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cairn/internal/team/compare"
	"cairn/internal/team/result"
	"cairn/internal/text"
)

// rounding is what the last digits of a sum may be off.
const rounding = 1e-9

// checker collects the rules of a report.
type checker struct {
	policy   *Policy
	run      *result.Run
	c        *compare.Comparison
	baseline bool
	why      string // there is no baseline
	listed   int    // results of the baseline
	had      func(suite string) string
	rules    []Rule
	gaps     []gap
	suite    string // that is being looked at
	variant  string
}

// A gap is what a rule is about and could not be checked, so that the run may not be
// called passed.
type gap struct {
	part   string // suite or variant, "" for the run
	reason string
	data   bool // the results do not say it: another baseline would not help
}

// Check holds a run against a policy. baseline is nil where there is none, and
// why says why. had says which earlier run of the baseline's branch has a suite that
// the baseline does not have, "" for none; it may be nil. seed is of the resampling.
func Check(run, baseline *result.Run, why string, policy *Policy, seed uint64, had func(suite string) string) *Report {
	before := baseline
	if before == nil {
		before = &result.Run{SchemaVersion: result.Version}
	}
	c := compare.Runs(before, run, compare.Options{Alpha: policy.Alpha, Seed: seed, Quarantined: policy.quarantined, Exempt: policy.exempt})
	k := checker{policy: policy, run: run, c: c, baseline: baseline != nil, why: why, listed: len(before.Results), had: had}
	k.all()
	report := &Report{Format: Format, Policy: cmp.Or(policy.Name, builtIn), Run: c.B, Rules: k.rules}
	if baseline != nil {
		report.Baseline, report.Comparison = &c.A, c
	}
	report.Verdict = Passed
	switch report.gap = k.gap(); {
	case report.Count(Fail) > 0:
		report.Verdict = Failed
	case report.gap != nil:
		report.Verdict = NotChecked
	}
	report.Passed = report.Verdict == Passed || report.Verdict == NotChecked && policy.NoBaseline == WarnOnly && !report.gap.data
	return report
}

// gap is why the run may not be called passed, although no rule failed: first what a
// missing baseline would not excuse.
func (k *checker) gap() *gap {
	var found []gap
	for _, g := range k.gaps {
		if g.data {
			found = append(found, g)
		}
	}
	switch {
	case len(found) > 0:
	case k.policy.NoBaseline == PassAnyway:
		return nil
	case !k.baseline, k.nothingCompared():
		return &gap{reason: "compared nothing: " + cmp.Or(k.why, "no case was judged in both runs")}
	default:
		found = k.gaps
	}
	if len(found) == 0 {
		return nil
	}
	first := found[0]
	if first.reason = "left something unchecked: " + first.reason; first.part != "" {
		first.reason = "did not check " + first.part + ": " + found[0].reason
	}
	if n := len(found) - 1; n > 0 {
		first.reason += fmt.Sprintf(" (and %d more)", n)
	}
	return &first
}

// nothingCompared reports whether the run has cases and none was judged in both
// runs: a baseline of other suites is as good as none.
func (k *checker) nothingCompared() bool {
	tested := slices.ContainsFunc(k.c.Suites, func(s compare.Suite) bool { return s.Units() > 0 })
	return !tested && slices.ContainsFunc(k.c.Cases, func(c compare.Case) bool { return c.B != nil && !c.Quarantined })
}

func (k *checker) say(s Status, rule string, cases []string, format string, args ...any) {
	line := k.policy.line("gate", rule)
	if k.suite != "" {
		line = k.policy.lineOf("suite", k.suite, rule)
	} else if k.variant != "" {
		line = k.policy.lineOf("variant", k.variant, rule)
	}
	k.rules = append(k.rules, Rule{Suite: k.suite, Variant: k.variant, Rule: rule, Status: s, Reason: fmt.Sprintf(format, args...), Cases: cases, Line: line})
}

// lineOf is the line of a rule: of the section of a suite or variant, or the
// default's.
func (p *Policy) lineOf(kind, part, rule string) int {
	if name, ok := strings.CutPrefix(rule, criteriaRule); ok {
		rule = "criteria\x00" + strings.TrimSuffix(strings.TrimSuffix(name, minRule), regressionRule)
	}
	for _, section := range []string{part, "default"} {
		if line := p.lines[kind+"\x00"+section+"\x00"+rule]; line > 0 {
			return line
		}
	}
	return p.line(kind, part)
}

// hold says whether a rule held.
func (k *checker) hold(ok bool, rule string, cases []string, format string, args ...any) {
	status := Fail
	if ok {
		status, cases = Pass, nil
	}
	k.say(status, rule, cases, format, args...)
}

func (k *checker) all() {
	k.baselineRule()
	if len(k.run.Results) == 0 {
		k.say(Fail, "results", nil, "the run holds no results")
		return
	}
	k.unlisted()
	k.whole()
	for _, name := range k.suites() {
		k.suite = name
		if k.of(name).cases == nil {
			k.absent(name)
			continue
		}
		k.check(k.of(name), k.policy.rules(name))
	}
	k.suite = ""
	for _, name := range k.variants() {
		k.variant = name
		s := k.ofVariant(name)
		switch {
		case s.cases != nil:
		case slices.ContainsFunc(k.policy.Variants, func(v Variant) bool { return v.Name == name }):
			k.say(Fail, "results", nil, "the run holds no result of this variant, and the policy has a section for it")
			continue
		default:
			k.say(Warn, "results", nil, "the whole variant is gone: %s in the baseline, none in the run", text.Count(len(s.gone)+s.aside, "case"))
			continue
		}
		k.rates(s, k.policy.ratesOf(name))
	}
	k.variant = ""
}

// variants are those of the run, where it has several, and of the policy.
func (k *checker) variants() []string {
	return named(k.c.Groups, k.policy.Variants, func(v Variant) string { return v.Name })
}

// suites are those of the run, of the baseline and of the policy.
func (k *checker) suites() []string {
	return named(k.c.Suites, k.policy.Suites, func(s Suite) string { return s.Name })
}

// named lists the names of what was tested, then those that only the policy has.
func named[S any](tested []compare.Suite, sections []S, of func(S) string) (names []string) {
	for _, t := range tested {
		names = append(names, t.Name)
	}
	for _, s := range sections {
		if name := of(s); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// absent is a suite without a result in the run.
func (k *checker) absent(name string) {
	if k.policy.section(name) >= 0 {
		k.say(Fail, "results", nil, "the run holds no result of this suite, and the policy has a section for it")
		return
	}
	s := k.of(name)
	aside := ""
	if s.aside > 0 {
		aside = fmt.Sprintf(" (%d in quarantine)", s.aside)
	}
	most := k.policy.rules(name).MaxGone
	if most == nil || s.aside > 0 { // a rule about cases that are gone says nothing of those in quarantine
		k.say(Warn, "results", nil, "the whole suite is gone: %s in the baseline%s, none in the run", text.Count(len(s.gone)+s.aside, "case"), aside)
	}
	if len(s.gone) > 0 {
		k.maxGone(s, most)
	}
}

// baselineRule says what is compared, or that nothing is.
func (k *checker) baselineRule() {
	if k.baseline && k.c.Verdict != compare.SameRun {
		return
	}
	if k.c.Verdict == compare.SameRun {
		k.why = "the baseline is the run itself"
	}
	k.baseline = false
	k.say(k.policy.NoBaseline.status(), "baseline", nil, "no baseline, so nothing was compared: %s", k.why)
	if k.rules[0].Line == 0 {
		k.rules[0].Line = k.policy.line("gate", "on_no_baseline")
	}
}

// unlisted tells of results that a run counts and does not list: nothing is known of
// them but how many there are.
func (k *checker) unlisted() {
	const counts = "the %s counts %s and lists %d"
	if n := len(k.run.Results); k.run.Total > n {
		k.unknown("results", counts, "run", text.Count(k.run.Total, "result"), n)
	}
	if n := k.listed; k.baseline && k.c.A.Attempts.Total > n {
		reason := fmt.Sprintf(counts, "baseline", text.Count(k.c.A.Attempts.Total, "result"), n)
		k.say(k.policy.NoBaseline.status(), "baseline", nil, "not checked: %s", reason)
		k.gaps = append(k.gaps, gap{part: "baseline", reason: reason})
	}
}

// status is that of a rule that needs a baseline and has none.
func (n NoBaseline) status() Status {
	return map[NoBaseline]Status{PassAnyway: Skip, WarnOnly: Warn, StopThen: Warn, FailThen: Fail}[n]
}

// untested says why a suite or variant could not be compared. One that is new is a
// warning, and so is one in which nothing was to be judged. Of any other the baseline
// is as good as none.
func (k *checker) untested(s suite, rule string) {
	const nothing = "no case was judged in both runs, so nothing could be tested"
	earlier := ""
	switch {
	case len(s.cases) == 0: // the whole run, or all in quarantine
		k.say(Warn, rule, nil, nothing)
		return
	case s.before == 0 && s.after == 0:
		k.say(Skip, rule, nil, "every case is skipped, so nothing could be tested")
		return
	case s.before == 0 && k.had != nil && k.suite != "" && !s.known:
		earlier = k.had(s.name)
	}
	reason := nothing
	switch {
	case earlier != "":
		reason = fmt.Sprintf("not checked: the baseline has no case of it, and %s has", earlier)
	case s.before == 0 && s.known:
		k.say(Warn, rule, nil, "every case was skipped in the baseline, so nothing could be tested")
		return
	case s.before == 0:
		k.say(Warn, rule, nil, "not checked: it is new, the baseline has no case of it")
		return
	}
	k.say(k.policy.NoBaseline.status(), rule, nil, "%s", reason)
	if part := (Rule{Suite: k.suite, Variant: k.variant}).part(); !slices.ContainsFunc(k.gaps, func(g gap) bool { return g.part == part }) {
		k.gaps = append(k.gaps, gap{part: part, reason: strings.TrimPrefix(reason, "not checked: ")})
	}
}

// whole checks the run as a whole: whether it got worse, and what it may spend. The
// test of a run of one suite is that suite's.
func (k *checker) whole() {
	w := k.policy.Whole
	all := suite{tested: &k.c.Run, lost: k.lost(), apart: map[compare.Class]int{}}
	for i := range k.c.Cases {
		if c := &k.c.Cases[i]; !c.Quarantined && !k.policy.exempt(c.Suite) {
			leftOut(all.apart, c)
		}
	}
	if apart := len(k.c.Suites) > 1 && all.tested.Units() > 0; apart || w.NoRegression != nil {
		k.noRegression(all, k.policy.noRegression())
	}
	k.margin(&k.c.Run, w.Margin)
	k.pooled()
	if w.MaxCostUSD != nil {
		k.maxCost(*w.MaxCostUSD, "", "the run", func(*result.Result) bool { return true })
	}
	k.increase("max_cost_increase_pct", "cost", w.MaxCostIncreasePct, k.c.Cost)
	k.increase("max_duration_increase_pct", "time", w.MaxDurationIncreasePct, k.c.Duration)
}

// lost are the cases of the run that regressed.
func (k *checker) lost() (names []string) {
	for i := range k.c.Cases {
		if c := &k.c.Cases[i]; c.Class == compare.Lost && !c.Quarantined && !k.policy.exempt(c.Suite) {
			names = append(names, k.c.Title(c))
		}
	}
	return names
}
