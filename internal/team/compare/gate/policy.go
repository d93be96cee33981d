// Package gate holds a run against a policy: what it must reach by itself, and
// what it may not lose against a baseline. It makes the report, and writes it as
// text, Markdown, JUnit XML and the body of a GitHub check run.
//
// The command line imports it. It reads a policy from bytes; which file, which
// run and which baseline, and what a no does to a build, belongs to the caller.
package gate

import (
	"cmp"
	"maps"
	"reflect"
	"slices"
)

// NoBaseline says what the gate makes of a run with nothing to compare it with.
type NoBaseline string

const (
	PassAnyway NoBaseline = "pass"
	WarnOnly   NoBaseline = "warn" // the verdict is NotChecked, and the run passes
	StopThen   NoBaseline = "not-checked"
	FailThen   NoBaseline = "fail"
)

// A Policy is what a run is held to.
type Policy struct {
	Name       string // of the file, for the report; "" is the policy that is built in
	Baseline   string // a ref, "" where the policy names none
	Alpha      float64
	NoBaseline NoBaseline
	Whole      Whole   // of the run as a whole
	Default    Rules   // of suites without a section, and of what a section leaves out
	Suites     []Suite // in the order of the file
	Variant    Rates   // of variants without a section, and of what a section leaves out
	Variants   []Variant
	lines      map[string]int
}

// Whole are the rules of the run as a whole.
type Whole struct {
	NoRegression *bool    `toml:"no_regression"`
	Margin       *float64 `toml:"non_inferiority_margin"`
	Spending
}

// A Suite is the section of one suite.
type Suite struct {
	Name  string
	Rules Rules
}

// A Variant is the section of one variant.
type Variant struct {
	Name  string
	Rates Rates
}

// Rates are the rules about passes of a suite or a variant; nil is not said. Shares
// are 0..1.
type Rates struct {
	MinPassRate      *float64 `toml:"min_pass_rate"`
	MinPassRateLower *float64 `toml:"min_pass_rate_lower"` // of the Wilson interval's lower end
	NoRegression     *bool    `toml:"no_regression"`
	Margin           *float64 `toml:"non_inferiority_margin"`
	MaxLost          *int     `toml:"max_lost"`
	MaxGone          *int     `toml:"max_gone"`
	MinCases         *int     `toml:"min_cases"`
	MaxErrorRate     *float64 `toml:"max_error_rate"`
}

// Rules of a suite.
type Rules struct {
	Rates
	MustPass   *[]string            `toml:"must_pass"`  // names or globs
	Quarantine *[]string            `toml:"quarantine"` // names or globs
	Criteria   map[string]Criterion `toml:"criteria"`
	Spending
}

// Spending is what may be spent.
type Spending struct {
	MaxCostUSD             *float64 `toml:"max_cost_usd"`
	MaxCostIncreasePct     *float64 `toml:"max_cost_increase_pct"`
	MaxDurationIncreasePct *float64 `toml:"max_duration_increase_pct"`
}

// A Criterion is what one score must reach; "score" is the result's own.
type Criterion struct {
	Min          *float64 `toml:"min"`
	NoRegression *bool    `toml:"no_regression"`
}

// maxErrorRate is the share of errors past which nothing is known of a suite.
const maxErrorRate = 0.2

// Default is the policy where there is no file: no significant regression, no
// more than a fifth of errors, and a baseline to compare with.
func Default() *Policy {
	yes, share := true, maxErrorRate
	return &Policy{Alpha: 0.05, NoBaseline: StopThen, Default: Rules{Rates: Rates{NoRegression: &yes, MaxErrorRate: &share}}}
}

// rules are those of a suite: its section's, and for what that leaves out the
// default's.
func (p *Policy) rules(suite string) Rules {
	if i := p.section(suite); i >= 0 {
		return p.Suites[i].Rules.or(p.Default)
	}
	return p.Default
}

// noRegression reports whether the run as a whole may not regress: what is not said
// of it is as for suites.
func (p *Policy) noRegression() bool {
	said := cmp.Or(p.Whole.NoRegression, p.Default.NoRegression)
	return said != nil && *said
}

// ratesOf are the rules of a variant.
func (p *Policy) ratesOf(variant string) Rates {
	yes := p.noRegression()
	r := p.Variant
	if i := slices.IndexFunc(p.Variants, func(v Variant) bool { return v.Name == variant }); i >= 0 {
		r = p.Variants[i].Rates
		inherit(reflect.ValueOf(&r).Elem(), reflect.ValueOf(p.Variant))
	}
	r.NoRegression = cmp.Or(r.NoRegression, &yes)
	r.MaxErrorRate = cmp.Or(r.MaxErrorRate, p.Default.MaxErrorRate)
	return r
}

// exempt reports whether a suite may regress: then it is not in the test of the run.
func (p *Policy) exempt(suite string) bool {
	i := p.section(suite)
	return i >= 0 && p.Suites[i].Rules.NoRegression != nil && !*p.Suites[i].Rules.NoRegression
}

// section is the section of a suite, -1 for none.
func (p *Policy) section(suite string) int {
	return slices.IndexFunc(p.Suites, func(s Suite) bool { return s.Name == suite })
}

func (r Rules) or(d Rules) Rules {
	criteria := map[string]Criterion{}
	maps.Copy(criteria, d.Criteria)
	for name, c := range r.Criteria {
		inherit(reflect.ValueOf(&c).Elem(), reflect.ValueOf(criteria[name]))
		criteria[name] = c
	}
	inherit(reflect.ValueOf(&r).Elem(), reflect.ValueOf(d))
	r.Criteria = criteria
	return r
}

// inherit takes what a struct does not say, which are its nil pointers, from another.
func inherit(to, from reflect.Value) {
	for i := range to.NumField() {
		switch f := to.Field(i); {
		case f.Kind() == reflect.Struct:
			inherit(f, from.Field(i))
		case f.Kind() == reflect.Pointer && f.IsNil():
			f.Set(from.Field(i))
		}
	}
}

// quarantined reports whether the policy sets a case aside.
func (p *Policy) quarantined(suite, title, caseID string) bool {
	r := p.rules(suite)
	return r.Quarantine != nil && anyMatch(*r.Quarantine, title, caseID)
}

func anyMatch(patterns []string, title, caseID string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		return Match(pattern, title) || caseID != "" && Match(pattern, caseID)
	})
}

// Match reports whether a name is what a glob says: * is any text, also with
// slashes, ? one character, and anything else itself.
func Match(glob, name string) bool {
	g, n := []rune(glob), []rune(name)
	star, mark := -1, 0 // the last *, and what it took up to
	i, j := 0, 0
	for j < len(n) {
		switch {
		case i < len(g) && g[i] == '*':
			star, mark = i, j
			i++
		case i < len(g) && (g[i] == '?' || g[i] == n[j]):
			i++
			j++
		case star >= 0:
			mark++
			i, j = star+1, mark
		default:
			return false
		}
	}
	for i < len(g) && g[i] == '*' {
		i++
	}
	return i == len(g)
}
