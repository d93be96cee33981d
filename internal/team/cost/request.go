package cost

import "time"

// long is what a large prompt costs: its tokens and those of its answer times a
// factor.
type long struct {
	over          int64 // tokens of the prompt, 0 for no such rule
	input, output float64
}

// A change is a price that is another from a day on, times a factor.
type change struct {
	from   time.Time
	factor float64
}

// Long returns by what the prices of input and output are multiplied in a request
// whose prompt has so many tokens.
func (p *Price) Long(prompt int64) (input, output float64) {
	if p.long.over == 0 || prompt <= p.long.over {
		return 1, 1
	}
	return p.long.input, p.long.output
}

// At is Find for what was asked at a time.
func (t Table) At(model string, at time.Time) (Price, bool) {
	p, ok := t.Find(model)
	for _, c := range p.changes {
		if !at.Before(c.from) {
			p.Input, p.Output, p.CacheRead, p.CacheWrite = p.Input*c.factor, p.Output*c.factor, p.CacheRead*c.factor, p.CacheWrite*c.factor
		}
	}
	return p, ok
}
