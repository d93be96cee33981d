package benchmark

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"
)

// summarize adds up what was measured.
func (s *scan) summarize(ranked ranking, scenarios []*scenario) *Report {
	r := &Report{
		Made: time.Now().UTC().Truncate(time.Second), Level: s.opt.Level.String(),
		Scan: s.reader.Stats, Scenarios: []Scenario{}, Apart: []Apart{}, Rules: []RuleSum{},
		Planted: Planted{Lost: []Lost{}},
	}
	if !s.opt.Since.IsZero() {
		since := s.opt.Since.UTC().Truncate(time.Second)
		r.Since = &since
	}
	for _, name := range slices.Sorted(maps.Keys(s.hosts)) {
		r.Hosts = append(r.Hosts, *s.hosts[name])
	}
	byCluster := map[int]*scenario{}
	for _, sc := range scenarios {
		byCluster[sc.cluster] = sc
		r.Planted.Lines += sc.Planted
		r.Planted.Lost = append(r.Planted.Lost, sc.plants.lost...)
	}
	for _, k := range kinds {
		r.Planted.Kinds = append(r.Planted.Kinds, k.kind)
	}
	rules := map[string]*RuleSum{}
	verify := 0
	for _, m := range s.calls {
		r.Received.add(m.outcome)
		if m.why == Clipped {
			r.Gained.Calls++
			r.Gained.Before += m.before
			r.Gained.More += m.gained
		}
		if m.why != Touched {
			continue
		}
		r.Touched.add(m.outcome)
		if m.verify {
			verify++
		}
		addRule(rules, m.outcome)
		switch sc := byCluster[m.cluster]; {
		case sc != nil && m.heavy:
			r.Corpus.add(m.outcome)
			sc.addCall(m.outcome)
		case m.short:
			r.Short.add(m.outcome)
		default:
			r.Light.add(m.outcome)
		}
	}
	for _, sc := range scenarios {
		r.Scenarios = append(r.Scenarios, sc.Scenario)
	}
	for _, sum := range rules {
		r.Rules = append(r.Rules, *sum)
	}
	slices.SortFunc(r.Rules, func(a, b RuleSum) int {
		return cmp.Or(cmp.Compare(b.Before-b.After, a.Before-a.After), strings.Compare(a.Rule, b.Rule))
	})
	r.Heavy = Heavy{ranked.heavy, percent(ranked.heavy, r.Touched.Calls-r.Short.Calls), ranked.threshold, ranked.topTenth, ranked.left}
	r.Apart = s.apart()
	r.ESeries = eSeries(r, scenarios, verify)
	if r.judge(); s.ledger != nil {
		r.Dollars = s.ledger.dollars()
	}
	return r
}

func addRule(rules map[string]*RuleSum, o outcome) {
	if rules[o.rule] == nil {
		rules[o.rule] = &RuleSum{Rule: o.rule}
	}
	rules[o.rule].add(o)
	rules[o.rule].Restored += o.restored
}

func (sc *Scenario) addCall(o outcome) {
	sc.add(o)
	sc.LinesBefore += o.linesBefore
	sc.LinesAfter += o.linesAfter
	sc.Restored += o.restored
	if o.failed {
		sc.Failed++
	}
	if o.verify {
		sc.Verify++
	}
	if o.rule != "" && !slices.Contains(sc.Rules, o.rule) {
		sc.Rules = append(sc.Rules, o.rule)
	}
}

// apart groups the results that count neither way.
func (s *scan) apart() []Apart {
	type part struct {
		why     Reason
		cluster int
	}
	parts := map[part]*Part{}
	for _, m := range s.calls {
		if m.why == Touched {
			continue
		}
		k := part{m.why, m.cluster}
		if parts[k] == nil {
			parts[k] = &Part{Title: s.names[m.cluster].String()}
		}
		parts[k].Calls++
		parts[k].Tokens += m.before
	}
	out := []Apart{}
	for _, reason := range slices.Sorted(maps.Keys(reasons)) {
		a := Apart{Reason: reason, Text: reasons[reason]}
		for k, p := range parts {
			if k.why == reason {
				a.Calls += p.Calls
				a.Tokens += p.Tokens
				a.Largest = append(a.Largest, *p)
			}
		}
		if a.Calls == 0 {
			continue
		}
		slices.SortFunc(a.Largest, func(x, y Part) int {
			return cmp.Or(cmp.Compare(y.Tokens, x.Tokens), strings.Compare(x.Title, y.Title))
		})
		a.Largest = a.Largest[:min(len(a.Largest), 4)]
		out = append(out, a)
	}
	slices.SortStableFunc(out, func(a, b Apart) int { return cmp.Compare(b.Tokens, a.Tokens) })
	return out
}

// eSeries are the figures that inform and decide nothing.
func eSeries(r *Report, scenarios []*scenario, verify int) []Figure {
	frames, framed := 0, 0
	for _, sc := range scenarios {
		frames += sc.plants.frames
		framed += sc.plants.framed
	}
	figures := []Figure{
		{ID: "E1", Text: "of all tokens, saved at level " + r.Level, Value: r.Received.Percent, Target: minTotal},
		{ID: "E2", Text: "of all tokens, saved at level aggressive", Value: saved(r.Received.Before, r.Received.Aggressive), Target: minAggressive},
		{ID: "E3", Text: "calls on which the verifier would fire", Value: saved(r.Received.Calls, r.Received.Calls-verify), Target: maxVerify, Most: true},
		{ID: "E4", Text: "planted stack frames that come through", Value: saved(frames, frames-framed), Target: 100},
	}
	for i := range figures {
		f := &figures[i]
		f.Unit = "%"
		f.OK = f.Value >= f.Target
		if f.Most {
			f.OK = f.Value <= f.Target
		}
	}
	if frames == 0 {
		figures[3].OK, figures[3].Value = true, 100
	}
	return figures
}
