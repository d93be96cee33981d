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
	row, ok := p.Table.At(q.Model, q.At)
	factor, tier := tiers[q.Tier]
	if !ok || !tier {
		return int64(q.Own*nano + 0.5), q.Own > 0
	}
	in, out := row.Long(q.Prompt())
	sum := (float64(q.Input)*row.Input+float64(q.CacheRead)*row.CacheRead+float64(q.Write5m)*row.CacheWrite+float64(q.Write1h)*row.Write1h())*in +
		float64(q.Output)*row.Output*out
	return int64(sum*factor*nano/1e6 + 0.5), true
}

// tiers are what a service's tier costs of the list price. Another tier has a price
// that we do not know.
var tiers = map[string]float64{"": 1, "standard": 1, "default": 1, "auto": 1, "batch": 0.5}

// Dollars of the store's units.
func Dollars(nanos int64) float64 { return float64(nanos) / nano }
