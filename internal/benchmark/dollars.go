package benchmark

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// Dollars are what the sessions cost, and what of it would have been saved. A
// session with a model whose price is not known is in Sessions and in no sum.
type Dollars struct {
	Sums
	Sessions []*Session `json:"sessions"` // the dearest first
	Unknown  []string   `json:"modelsWithoutPrice"`
	NoUsage  int        `json:"callsWithoutUsage"` // in transcripts that do not say what was billed
}

// Sums are dollars.
type Sums struct {
	Bill    float64 `json:"bill"`    // of all requests, each once
	Results float64 `json:"results"` // of it: written and read again, the tool results
	Gross   float64 `json:"saved"`
	Regret  float64 `json:"regret"` // results that come again, because a later call needs what was cut
	Extra   float64 `json:"extraCalls"`
	Net     float64 `json:"net"`
	Percent float64 `json:"netPercent"`   // of the bill
	GrossPc float64 `json:"savedPercent"` // of the bill
	Ceiling float64 `json:"ceiling"`      // of results, the lines that the model had before it already
	Left    float64 `json:"left"`         // of the ceiling, what is not saved
}

func (s *Sums) finish() {
	s.Net = s.Gross - s.Regret
	if s.Bill > 0 {
		s.Percent, s.GrossPc = 100*s.Net/s.Bill, 100*s.Gross/s.Bill
	}
}

func (s *Sums) add(o *Sums) {
	s.Bill += o.Bill
	s.Results += o.Results
	s.Gross += o.Gross
	s.Regret += o.Regret
	s.Extra += o.Extra
	s.Ceiling += o.Ceiling
	s.Left += o.Left
	s.finish()
}

// A Session is what one cost, its subagents included.
type Session struct {
	Session  string   `json:"session"`
	Host     string   `json:"host"`
	Project  string   `json:"project"`
	Models   []string `json:"models"`
	Known    bool     `json:"pricesKnown"` // false: the sums leave out what has no price
	Requests int      `json:"requests"`
	Calls    int      `json:"calls"`
	Unpriced int      `json:"callsNotPriced"` // without a request behind them, or without its price
	Parts    Bill     `json:"parts"`
	// PerEstimated is how many tokens were billed for each that is estimated, by
	// the growth of the prompts; 0 where too few results tell, and then 1 counts.
	PerEstimated float64 `json:"tokensPerEstimated,omitempty"`
	Sums
	Rules   []RuleBill  `json:"rules"`
	Apart   []ApartBill `json:"apart"`
	Regrets []Regret    `json:"regrets"`

	rules  map[string]*RuleBill
	apart  map[Reason]float64
	output float64
}

// RuleBill is what one rule saved, in dollars.
type RuleBill struct {
	Rule   string  `json:"rule"`
	Calls  int     `json:"calls"`
	Gross  float64 `json:"saved"`
	Regret float64 `json:"regret"`
	Net    float64 `json:"net"`
}

// ApartBill is what results cost that are left alone.
type ApartBill struct {
	Reason Reason  `json:"reason"`
	USD    float64 `json:"dollars"`
}

// A Regret is a result of which a later call needed what was cut.
type Regret struct {
	Rule    string  `json:"rule"`
	Name    string  `json:"name"`
	Command string  `json:"neededBy"`
	USD     float64 `json:"dollars"`
}

// dollars adds up what was billed.
func (b *ledger) dollars() *Dollars {
	d := &Dollars{Sessions: []*Session{}, Unknown: append([]string{}, b.unknown...)}
	for _, id := range b.order {
		s := b.sessions[id]
		if s.Requests == 0 {
			d.NoUsage += s.Calls
			continue
		}
		s.finish()
		s.Rules, s.Apart = ruleBills(s.rules), apartBills(s.apart)
		d.Sessions = append(d.Sessions, s)
		if s.Known {
			d.add(&s.Sums)
		}
	}
	slices.SortStableFunc(d.Sessions, func(x, y *Session) int { return cmp.Compare(y.Bill, x.Bill) })
	return d
}

func ruleBills(rules map[string]*RuleBill) []RuleBill {
	out := []RuleBill{}
	for _, r := range rules {
		out = append(out, *r)
	}
	slices.SortFunc(out, func(x, y RuleBill) int {
		return cmp.Or(cmp.Compare(y.Net, x.Net), strings.Compare(x.Rule, y.Rule))
	})
	return out
}

func apartBills(apart map[Reason]float64) []ApartBill {
	out := []ApartBill{}
	for _, why := range slices.Sorted(maps.Keys(apart)) {
		out = append(out, ApartBill{why, apart[why]})
	}
	slices.SortStableFunc(out, func(x, y ApartBill) int { return cmp.Compare(y.USD, x.USD) })
	return out
}
