package gate

import (
	"fmt"
	"strings"

	"cairn/internal/team/compare"
	"cairn/internal/team/result"
	"cairn/internal/text"
)

// maxCost limits what the run or a suite cost. A cost of 0 is one that nobody said: a
// run that says none has not kept to a limit. What a part of the results cost is what
// all cost at least.
func (k *checker) maxCost(most float64, suite, what string, in func(*result.Result) bool) {
	const rule = "max_cost_usd"
	sum, all, known, judged := 0., 0., 0, 0
	for i := range k.run.Results {
		r := &k.run.Results[i]
		if all += r.CostUSD; !in(r) {
			continue
		}
		switch sum += r.CostUSD; {
		case r.CostUSD > 0:
			known, judged = known+1, judged+1
		case r.Status == result.Pass || r.Status == result.Fail:
			judged++
		}
	}
	// The run may say more than its results: the sum of what its models cost.
	said := k.run.TotalCostUSD > all+rounding
	if said && suite != "" && len(k.c.Suites) > 1 && known == 0 {
		k.say(Fail, rule, nil, "the run cost %s, but its results do not say which suite; max_cost_usd in [gate] is of the whole run", text.Dollars(k.run.TotalCostUSD))
		return
	}
	if said = said && (suite == "" || len(k.c.Suites) == 1); said {
		sum = k.run.TotalCostUSD
	}
	allowed := fmt.Sprintf("at most %s is allowed", text.Dollars(most))
	switch {
	case said || known == judged && known > 0 || judged == 0:
		k.hold(sum <= most+rounding, rule, nil, "%s cost %s, %s", what, text.Dollars(sum), allowed)
	case sum > most+rounding:
		k.say(Fail, rule, nil, "%s cost at least %s, %s; the cost is known of %d of %s", what, text.Dollars(sum), allowed, known, text.Count(judged, "judged result"))
	case known == 0:
		k.unknown(rule, "no result says what it cost (cost_usd), %s", allowed)
	default:
		k.say(Warn, rule, nil, "%s cost at least %s, %s: not checked for all of it, since the cost is known of %d of %s",
			what, text.Dollars(sum), allowed, known, text.Count(judged, "judged result"))
	}
}

// unknown is a rule about what the run's results do not say.
func (k *checker) unknown(rule, format string, args ...any) {
	reason := fmt.Sprintf(format, args...)
	k.say(Warn, rule, nil, "not checked: %s", reason)
	part := Rule{Suite: k.suite, Variant: k.variant, Rule: rule}.title()
	k.gaps = append(k.gaps, gap{part: part, reason: reason, data: true})
}

// increase limits by how much the cost or the time of the cases in both runs may grow.
func (k *checker) increase(rule, what string, most *float64, s *compare.Spend) {
	switch {
	case most == nil:
	case !k.baseline:
		k.say(Skip, rule, nil, "no baseline")
	case s == nil || s.Increase == nil && s.OnlyA == 0:
		k.say(Warn, rule, nil, "not checked: the baseline says no %s of the cases in both runs, so its increase is not known", what)
	case s.Increase == nil:
		k.unknown(rule, "the run says no %s of the cases in both runs, so its increase is not known", what)
	default:
		reason := fmt.Sprintf("%s of the cases in both runs %s %%, at most +%g %% is allowed", what, strings.Replace(fmt.Sprintf("%+.1f", *s.Increase*100), "-", "−", 1), *most)
		if unknown := s.OnlyA + s.OnlyB; unknown > 0 {
			reason += fmt.Sprintf("; the %s is known in both of %d of %s", what, s.Cases, text.Count(s.Cases+unknown, "case"))
			if *s.Increase*100 <= *most+rounding {
				k.say(Warn, rule, nil, "%s: not checked for the others", reason)
				return
			}
		}
		k.hold(*s.Increase*100 <= *most+rounding, rule, nil, "%s", reason)
	}
}
