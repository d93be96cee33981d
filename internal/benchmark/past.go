package benchmark

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"cairn/internal/transcript"
)

// A Saving is tokens that a session was spared when a result came.
type Saving struct {
	Time   time.Time
	Tokens int
	Rule   string
}

// A Past is what sessions were billed, and what they would have been billed on
// top without the savings.
type Past struct {
	Bill     float64  `json:"bill"`
	Saved    float64  `json:"saved"`
	Percent  float64  `json:"percent"`        // of what the bill would have been
	Known    int      `json:"tokensKnown"`    // saved, in sessions whose bill is known
	NotKnown int      `json:"tokensNotKnown"` // saved, in sessions without transcript, usage or price
	Unknown  []string `json:"modelsWithoutPrice"`

	Rules []RuleSaved `json:"rules"` // what of it each rule saved, the most first
}

// A RuleSaved is what one rule saved, in dollars.
type RuleSaved struct {
	Rule  string  `json:"rule"`
	Saved float64 `json:"saved"`
}

// Bills counts savings, by session, as the bill does: each was not written to
// the cache once, and not read again by every later request of its context. What
// the transcripts have from before since is not in the bill.
func Bills(roots []transcript.Root, since time.Time, price func(string) (Price, bool), savings map[string][]Saving, warn func(error)) Past {
	p := Past{Unknown: []string{}, Rules: []RuleSaved{}}
	rules := map[string]float64{}
	sessions := map[string][]transcript.Request{}
	r := transcript.Reader{Requests: func(all []transcript.Request) {
		for _, q := range all {
			if !q.Copied {
				sessions[q.Session] = append(sessions[q.Session], q)
			}
		}
	}}
	for _, f := range transcript.Files(roots, since, warn) {
		if err := r.Read(f, func(*transcript.Call) {}); err != nil {
			warn(err)
		}
	}
	for id, requests := range sessions {
		slices.SortStableFunc(requests, func(x, y transcript.Request) int { return x.Time.Compare(y.Time) })
		b := ledger{price: price, requests: requests}
		for i := range requests {
			q := &requests[i]
			if q.Time.Before(since) {
				continue
			}
			if unit, ok := price(q.Model); ok {
				p.Bill += unit.of(q).total()
			} else if !slices.Contains(p.Unknown, q.Model) {
				p.Unknown = append(p.Unknown, q.Model)
			}
		}
		for _, s := range savings[id] {
			// The call's own request is the last one before its result.
			i, _ := slices.BinarySearchFunc(requests, s.Time, func(q transcript.Request, at time.Time) int {
				if q.Time.After(at) {
					return 1
				}
				return -1
			})
			usd, _, ok := b.carried(i - 1)
			if !ok {
				p.NotKnown += s.Tokens
				continue
			}
			p.Known += s.Tokens
			p.Saved += float64(s.Tokens) * usd
			rules[s.Rule] += float64(s.Tokens) * usd
		}
	}
	for id, all := range savings {
		if sessions[id] == nil {
			for _, s := range all {
				p.NotKnown += s.Tokens
			}
		}
	}
	for rule, usd := range rules {
		p.Rules = append(p.Rules, RuleSaved{rule, usd})
	}
	slices.SortFunc(p.Rules, func(a, b RuleSaved) int {
		return cmp.Or(cmp.Compare(b.Saved, a.Saved), strings.Compare(a.Rule, b.Rule))
	})
	slices.Sort(p.Unknown)
	p.Less(1)
	return p
}

// Less leaves a share of what was saved: the rest came back.
func (p *Past) Less(share float64) {
	p.Saved *= share
	for i := range p.Rules {
		p.Rules[i].Saved *= share
	}
	if whole := p.Bill + p.Saved; whole > 0 {
		p.Percent = 100 * p.Saved / whole
	}
}
