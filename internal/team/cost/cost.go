// Package cost says what the tokens of an eval cost: a table of list prices,
// dated, with rows of the user's own before it, and the sums of a run as a box
// for a terminal and as the figures of a page, which package evalpage draws.
//
// A model that no row names costs an unknown amount. It is named as unknown and
// left out of sums, which then say so: it is never billed as another model.
//
// The team part and the command line may import it. It reads the files it is
// given and nothing else; where those are, and which runs are summed, is never
// decided here.
package cost

import (
	"strings"

	"cairn/internal/team/result"
)

// Tiers of models, as judges are chosen by; a vendor has one model for each.
const (
	Fast     = "fast"
	Standard = "standard"
	Full     = "full"
)

// A Price is what one model costs, in US dollars for a million tokens.
type Price struct {
	ID         string
	Vendor     string // "" is none: its tokens cannot be priced at another tier
	Tier       string // fast, standard or full where it is its vendor's model of the tier
	Input      float64
	Output     float64
	CacheRead  float64
	CacheWrite float64
	AsOf       string // when it was last found so, as 2026-10-24; "" where a user's row does not say
	Source     string // the vendor's page, or the file of the user's row
	Note       string // what the price leaves out

	long    long
	changes []change
}

// of is what the tokens of c cost.
func (p *Price) of(c result.Cost) float64 {
	return (float64(c.InputTokens)*p.Input + float64(c.OutputTokens)*p.Output +
		float64(c.CacheReadTokens)*p.CacheRead + float64(c.CacheWriteTokens)*p.CacheWrite) / 1e6
}

// Write1h is what a token costs that is written to the cache for an hour. Only
// Anthropic has such a tier, at twice the price of input; the table's price is
// that of five minutes.
func (p *Price) Write1h() float64 {
	if p.Vendor == "anthropic" {
		return 2 * p.Input
	}
	return p.CacheWrite
}

// A Table is the prices that are known. The zero Table knows none.
type Table struct {
	prices []Price
	byName map[string]int // of every id and alias, folded
	sum    [32]byte       // of the files' contents
}

// Of returns what c cost in US dollars. What the runner counted itself wins.
// known is false where neither it nor the table can say: the model has no row,
// or calls are counted and no tokens.
func (t Table) Of(c result.Cost) (usd float64, known bool) {
	if c.CostUSD > 0 {
		return c.CostUSD, true
	}
	return t.Estimate(c)
}

// Estimate is Of by the table alone.
func (t Table) Estimate(c result.Cost) (usd float64, known bool) {
	if c.InputTokens == 0 && c.OutputTokens == 0 && c.CacheReadTokens == 0 && c.CacheWriteTokens == 0 {
		return 0, c.Calls == 0
	}
	p, ok := t.Find(c.Model)
	return p.of(c), ok
}

// AtTier returns what the tokens of c would cost with the model of a tier that
// the same vendor has. It is an estimate: another model says the same in
// another number of tokens.
func (t Table) AtTier(c result.Cost, tier string) (usd float64, known bool) {
	p, ok := t.Find(c.Model)
	if !ok || p.Vendor == "" {
		return 0, false
	}
	if _, known = t.Estimate(c); !known {
		return 0, false
	}
	for i := range t.prices {
		if q := &t.prices[i]; q.Vendor == p.Vendor && q.Tier == tier {
			return q.of(c), true
		}
	}
	return 0, false
}

// Find returns the row of a model by any name that runners give it.
func (t Table) Find(model string) (Price, bool) {
	for _, name := range names(model) {
		if i, ok := t.byName[name]; ok {
			return t.prices[i], true
		}
	}
	return Price{}, false
}

// hosts are what stands before a model's name where a service passes it on.
var hosts = [...]string{
	"openrouter/", "litellm/", "bedrock/", "vertex_ai/", "vertex/", "azure/", "models/", "converse/",
	"us.", "eu.", "apac.", "jp.", "au.", "global.",
	"anthropic/", "anthropic:", "anthropic.", "openai/", "openai:", "google/", "google:", "gemini/", "deepseek/", "messages:", "chat:",
}

// names are the names to look a model up by: as it is, then with less and less
// of what says only who serves it and when it was made. Nothing else is taken
// off: gpt-5-pro is not gpt-5.
func names(model string) []string {
	name := fold(model)
	list := []string{name}
	if i := strings.LastIndex(name, "/models/"); i >= 0 { // projects/p/locations/l/publishers/anthropic/models/…
		name = name[i+len("/models/"):]
	}
	if strings.HasPrefix(name, "arn:aws:bedrock:") { // …/us.anthropic.claude-…
		name = name[strings.LastIndexByte(name, '/')+1:]
	}
	for cut := true; cut; {
		cut = false
		for _, host := range hosts {
			if rest, ok := strings.CutPrefix(name, fold(host)); ok && rest != "" {
				name, cut = rest, true
			}
		}
	}
	for _, rest := range []string{name, undated(name)} {
		list = append(list, rest)
		if strings.HasPrefix(rest, "opus-") || strings.HasPrefix(rest, "sonnet-") || strings.HasPrefix(rest, "haiku-") || strings.HasPrefix(rest, "fable-") {
			list = append(list, "claude-"+rest)
		}
	}
	return list
}

// fold makes names equal that differ in case, or in a dot for a dash.
func fold(name string) string {
	return strings.ReplaceAll(strings.ToLower(strings.TrimSpace(name)), ".", "-")
}

// undated takes off a version of a service (-v1:0), the word latest and a date:
// -20250929, @20250929 or -2025-09-29.
func undated(name string) string {
	if i := strings.LastIndex(name, "-v"); i > 0 {
		if v, rev, ok := strings.Cut(name[i+2:], ":"); ok && digits(v, 1) && digits(rev, 1) {
			name = name[:i]
		}
	}
	name = strings.TrimSuffix(strings.TrimSuffix(name, "-latest"), "@latest")
	n := len(name)
	switch {
	case n > 9 && (name[n-9] == '-' || name[n-9] == '@') && digits(name[n-8:], 8) && name[n-8:n-6] == "20":
		return name[:n-9]
	case n > 11 && name[n-11] == '-' && name[n-6] == '-' && name[n-3] == '-' && digits(name[n-10:n-6], 4) && digits(name[n-5:n-3], 2) && digits(name[n-2:], 2):
		return name[:n-11]
	}
	return name
}

// digits reports whether s is at least n digits and nothing else.
func digits(s string, n int) bool {
	return len(s) >= n && strings.Trim(s, "0123456789") == ""
}
