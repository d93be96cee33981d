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
	rules    []Rule
	suite    string // that is being looked at
	variant  string
}

// Check holds a run against a policy. baseline is nil where there is none, and
// why says why. seed is of the resampling.
func Check(run, baseline *result.Run, why string, policy *Policy, seed uint64) *Report {
	before := baseline
	if before == nil {
		before = &result.Run{SchemaVersion: result.Version}
	}
	c := compare.Runs(before, run, compare.Options{Alpha: policy.Alpha, Seed: seed, Quarantined: policy.quarantined, Exempt: policy.exempt})
	k := checker{policy: policy, run: run, c: c, baseline: baseline != nil, why: why}
	k.all()
	report := &Report{Format: Format, Policy: cmp.Or(policy.Name, builtIn), Run: c.B, Rules: k.rules}
	if baseline != nil {
		report.Baseline, report.Comparison = &c.A, c
	}
	report.Verdict = Passed
	switch {
	case report.Count(Fail) > 0:
		report.Verdict = Failed
	case (!k.baseline || k.nothingCompared()) && policy.NoBaseline != PassAnyway:
		report.Verdict, report.why = NotChecked, cmp.Or(k.why, "no case was judged in both runs")
	}
	report.Passed = report.Verdict == Passed || report.Verdict == NotChecked && policy.NoBaseline == WarnOnly
	return report
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
	status := map[NoBaseline]Status{PassAnyway: Skip, WarnOnly: Warn, StopThen: Warn, FailThen: Fail}[k.policy.NoBaseline]
	k.baseline = false
	k.say(status, "baseline", nil, "no baseline, so nothing was compared: %s", k.why)
	if k.rules[0].Line == 0 {
		k.rules[0].Line = k.policy.line("gate", "on_no_baseline")
	}
}

// whole checks the run as a whole: whether it got worse, and what it may spend. The
// test of a run of one suite is that suite's.
func (k *checker) whole() {
	w := k.policy.Whole
	all := suite{tested: &k.c.Run, lost: k.lost()}
	if apart := len(k.c.Suites) > 1 && all.tested.Units() > 0; apart || w.NoRegression != nil {
		k.noRegression(all, k.policy.noRegression())
	}
	k.margin(&k.c.Run, w.Margin)
	k.pooled()
	if w.MaxCostUSD != nil {
		k.hold(k.run.TotalCostUSD <= *w.MaxCostUSD+rounding, "max_cost_usd", nil, "the run cost %s, at most %s is allowed", text.Dollars(k.run.TotalCostUSD), text.Dollars(*w.MaxCostUSD))
	}
	k.increase("max_cost_increase_pct", "cost", w.MaxCostIncreasePct, spent(k.c.Cost))
	k.increase("max_duration_increase_pct", "time", w.MaxDurationIncreasePct, spent(k.c.Duration))
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

func spent(s *compare.Spend) *float64 {
	if s == nil {
		return nil
	}
	return s.Increase
}

func (k *checker) increase(rule, what string, most, increase *float64) {
	switch {
	case most == nil:
	case !k.baseline:
		k.say(Skip, rule, nil, "no baseline")
	case increase == nil:
		k.say(Warn, rule, nil, "the baseline says no %s of the cases in both runs, so its increase is not known", what)
	default:
		k.hold(*increase*100 <= *most+rounding, rule, nil, "%s of the cases in both runs %s %%, at most +%g %% is allowed", what, strings.Replace(fmt.Sprintf("%+.1f", *increase*100), "-", "−", 1), *most)
	}
}
