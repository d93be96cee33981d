package spend

import "cairn/internal/team/cost"

// Prices are list prices. They apply under a subscription too, where they say what
// the same requests would have cost.
type Prices struct{ Table cost.Table }

// nano is how many of the store's units a dollar has: rounding each request to a
// billionth of a dollar does not add up to a cent.
const nano = 1e9

// Nanos is what a request costs, in billionths of a dollar. known is false where
// the list has no such model, or none for its tier.
func (p Prices) Nanos(q *Request) (usd int64, known bool) {
	each, ok := p.Parts(q)
	if !ok {
		return int64(q.Own*nano + 0.5), q.Own > 0
	}
	sum := float64(q.Input)*each.Input + float64(q.CacheRead)*each.CacheRead + float64(q.Write5m)*each.Write5m + float64(q.Write1h)*each.Write1h +
		float64(q.Output)*each.Output
	return int64(sum + 0.5), true
}

// Parts are what the kinds of a request's tokens cost, in billionths of a dollar for
// one token. They are not rounded.
type Parts struct{ Input, CacheRead, Write5m, Write1h, Output float64 }

// Parts returns the price of each kind of token. known is false where the list has
// no such model, or none for its tier.
func (p Prices) Parts(q *Request) (parts Parts, known bool) {
	row, ok := p.Table.At(q.Model, q.At)
	factor, tier := tiers[q.Tier]
	if !ok || !tier {
		return Parts{}, false
	}
	in, out := row.Long(q.Prompt())
	const each = nano / 1e6
	in, out = in*factor*each, out*factor*each
	return Parts{Input: row.Input * in, CacheRead: row.CacheRead * in, Write5m: row.CacheWrite * in, Write1h: row.Write1h() * in, Output: row.Output * out}, true
}

// tiers are what a service's tier costs of the list price. Another tier has a price
// that we do not know.
var tiers = map[string]float64{"": 1, "standard": 1, "default": 1, "auto": 1, "batch": 0.5}

// Dollars of the store's units.
func Dollars(nanos int64) float64 { return float64(nanos) / nano }
