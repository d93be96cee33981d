package gate

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// MaxBytes is the most that a policy may hold.
const MaxBytes = 1 << 20

type file struct {
	Gate struct {
		Baseline   *string  `toml:"baseline"`
		Alpha      *float64 `toml:"alpha"`
		NoBaseline *string  `toml:"on_no_baseline"`
		Whole
	} `toml:"gate"`
	Suite   map[string]Rules `toml:"suite"`
	Variant map[string]Rates `toml:"variant"`
}

// Decode reads a policy. An error names the line and what is wanted; a key that
// is not known is one.
func Decode(data []byte) (*Policy, error) {
	if len(data) > MaxBytes {
		return nil, fmt.Errorf("a policy of more than %d KB is not read", MaxBytes>>10)
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	var f file
	decoder := toml.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&f); err != nil {
		return nil, explain(data, err)
	}
	p := Default()
	if f.Gate.Baseline != nil {
		p.Baseline = *f.Gate.Baseline
	}
	p.lines, p.Whole = lines(data), f.Gate.Whole
	if f.Gate.Alpha != nil {
		p.Alpha = *f.Gate.Alpha
	}
	if f.Gate.NoBaseline != nil {
		p.NoBaseline = NoBaseline(*f.Gate.NoBaseline)
	}
	if own, ok := f.Suite["default"]; ok {
		p.Default = own.or(p.Default)
	}
	for name, rules := range f.Suite {
		if name != "default" {
			p.Suites = append(p.Suites, Suite{name, rules})
		}
	}
	slices.SortFunc(p.Suites, func(a, b Suite) int {
		return cmp.Or(cmp.Compare(p.line("suite", a.Name), p.line("suite", b.Name)), strings.Compare(a.Name, b.Name))
	})
	for name, rates := range f.Variant {
		if name == "default" {
			p.Variant = rates
		} else {
			p.Variants = append(p.Variants, Variant{name, rates})
		}
	}
	slices.SortFunc(p.Variants, func(a, b Variant) int { return strings.Compare(a.Name, b.Name) })
	return p, p.check(f)
}

// check refuses values that no run could meet, or every run does.
func (p *Policy) check(f file) error {
	if !(p.Alpha > 0 && p.Alpha < 1) {
		return p.wrong("a share between 0 and 1 is wanted, such as 0.05", "gate", "alpha")
	}
	if !slices.Contains([]NoBaseline{PassAnyway, WarnOnly, StopThen, FailThen}, p.NoBaseline) {
		return p.wrong(`must be "pass", "warn", "not-checked" or "fail"`, "gate", "on_no_baseline")
	}
	if f.Gate.Baseline != nil && strings.TrimSpace(p.Baseline) == "" {
		return p.wrong("the name of a run is wanted, such as \"merge-base\" or \"@main\"", "gate", "baseline")
	}
	if err := cmp.Or(p.checkMargin(p.Whole.Margin, "gate"), p.checkSpending(p.Whole.Spending, "gate")); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(f.Suite)) { // the same error each time
		if err := p.checkRules(f.Suite[name], name); err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(f.Variant)) {
		if err := p.checkRates(f.Variant[name], "variant", name); err != nil {
			return err
		}
	}
	return nil
}

func (p *Policy) checkMargin(margin *float64, where ...string) error {
	if margin != nil && !(*margin > 0 && *margin < 1) {
		return p.wrong("must be a share between 0 and 1, such as 0.05 for 5 points", append(where, "non_inferiority_margin")...)
	}
	return nil
}

func (p *Policy) checkRates(r Rates, where ...string) error {
	for _, share := range []struct {
		key string
		v   *float64
	}{{"min_pass_rate", r.MinPassRate}, {"min_pass_rate_lower", r.MinPassRateLower}, {"max_error_rate", r.MaxErrorRate}} {
		if share.v != nil && !(*share.v >= 0 && *share.v <= 1) {
			return p.wrong("a share from 0 to 1 is wanted, such as 0.9", append(where, share.key)...)
		}
	}
	for _, count := range []struct {
		key string
		v   *int
	}{{"max_lost", r.MaxLost}, {"max_gone", r.MaxGone}, {"min_cases", r.MinCases}} {
		if count.v != nil && *count.v < 0 {
			return p.wrong("a number of cases is wanted", append(where, count.key)...)
		}
	}
	return p.checkMargin(r.Margin, where...)
}

func (p *Policy) checkRules(r Rules, suite string) error {
	if err := p.checkRates(r.Rates, "suite", suite); err != nil {
		return err
	}
	for _, list := range []struct {
		key string
		v   *[]string
	}{{"must_pass", r.MustPass}, {"quarantine", r.Quarantine}} {
		if list.v != nil && slices.Contains(*list.v, "") {
			return p.wrong("an empty name matches no case", "suite", suite, list.key)
		}
	}
	for name, c := range r.Criteria {
		if c.Min != nil && (math.IsNaN(*c.Min) || math.IsInf(*c.Min, 0)) {
			return p.wrong("a score is wanted", "suite", suite, "criteria", name, "min")
		}
		if c.Min == nil && c.NoRegression == nil {
			return p.wrong("min or no_regression is wanted", "suite", suite, "criteria", name)
		}
	}
	return p.checkSpending(r.Spending, "suite", suite)
}

func (p *Policy) checkSpending(s Spending, where ...string) error {
	for _, most := range []struct {
		key string
		v   *float64
	}{{"max_cost_usd", s.MaxCostUSD}, {"max_cost_increase_pct", s.MaxCostIncreasePct}, {"max_duration_increase_pct", s.MaxDurationIncreasePct}} {
		if most.v != nil && !(*most.v >= 0 && *most.v <= math.MaxFloat32) {
			return p.wrong("a number from 0 is wanted", append(where[:len(where):len(where)], most.key)...)
		}
	}
	return nil
}

func (p *Policy) wrong(what string, key ...string) error {
	return at(p.line(key...), fmt.Sprintf("%s: %s", dotted(key), what))
}

func at(line int, what string) error {
	if line == 0 {
		return errors.New(what)
	}
	return fmt.Errorf("line %d: %s", line, what)
}

func dotted(key []string) string { return shown(strings.Join(key, ".")) }

// line is where a key, or what it is part of, stands; 0 is not known.
func (p *Policy) line(key ...string) int {
	for n := len(key); n > 0; n-- {
		if line := p.lines[strings.Join(key[:n], "\x00")]; line > 0 {
			return line
		}
	}
	return 0
}

// lines finds the line of every key of a document that was read before.
func lines(data []byte) map[string]int {
	found := map[string]int{}
	var parser unstable.Parser
	parser.Reset(data)
	var table []string
	for parser.NextExpression() {
		e := parser.Expression()
		switch e.Kind {
		case unstable.Table, unstable.ArrayTable:
			table = mark(&parser, e, nil, found)
		case unstable.KeyValue:
			markValue(&parser, e, table, found)
		}
	}
	return found
}

func markValue(parser *unstable.Parser, e *unstable.Node, under []string, found map[string]int) {
	key := mark(parser, e, under, found)
	if value := e.Value(); value.Kind == unstable.InlineTable {
		inside := value.Children()
		for inside.Next() {
			if inside.Node().Kind == unstable.KeyValue {
				markValue(parser, inside.Node(), key, found)
			}
		}
	}
}

// mark notes the line of a key, and of those it is under where they have none.
func mark(parser *unstable.Parser, e *unstable.Node, under []string, found map[string]int) []string {
	key := slices.Clone(under)
	for parts := e.Key(); parts.Next(); {
		key = append(key, string(parts.Node().Data))
		line := parser.Shape(parts.Node().Raw).Start.Line
		if name := strings.Join(key, "\x00"); found[name] == 0 {
			found[name] = line
		}
	}
	return key
}
