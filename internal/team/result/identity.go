package result

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Key is the identity of a result's case: the same in every run of the suite,
// whatever the attempt.
func (run *Run) Key(r *Result) string {
	suite := cmp.Or(r.Suite, run.Suite)
	if r.CaseID != "" {
		return suite + "\x00#" + r.CaseID
	}
	return suite + "\x00" + r.Name + "\x00" + r.Variant
}

// Title is how a case is called before a person.
func (r *Result) Title() string {
	if r.Variant == "" {
		return r.Name
	}
	return r.Name + " [" + r.Variant + "]"
}

// Try is the attempt, from 1.
func (r *Result) Try() int { return max(1, r.Attempt) }

// NumberAttempts gives every result that comes after another of its case the
// next number: in formats that know no attempts a repeated name is a repeat.
func (run *Run) NumberAttempts() {
	seen := make(map[string]int, len(run.Results))
	for i := range run.Results {
		key := run.Key(&run.Results[i])
		if seen[key]++; seen[key] > 1 {
			run.Results[i].Attempt = seen[key]
		}
	}
}

// ContentKey returns the SHA-256 of a run's canonical JSON (RFC 8785), in 64
// hex digits. What tells nothing of the content is left out: ID, IngestKey and
// Hostname, so that the same file pushed from two machines is one run.
func (run *Run) ContentKey() (string, error) {
	same := *run
	same.ID, same.IngestKey, same.Hostname = "", "", ""
	data, err := json.Marshal(&same)
	if err != nil {
		return "", err
	}
	v := jsontext.Value(data)
	if err := v.Canonicalize(); err != nil {
		return "", err
	}
	sum := sha256.Sum256(v)
	return hex.EncodeToString(sum[:]), nil
}

// Identify gives the run its IngestKey and ID.
func (run *Run) Identify() error {
	key, err := run.ContentKey()
	if err != nil {
		return err
	}
	run.IngestKey, run.ID = key, IDOf(key)
	return nil
}

// IDOf is the id of the run with an ingest key.
func IDOf(ingestKey string) string {
	return strings.ToValidUTF8(ingestKey[:min(12, len(ingestKey))], "") // a key of another program may be any text
}

// Derive fills in what follows from the rest: counts of categories, the sum of
// costs, and kind, scope and judge tier from the one word that older runners
// have for the three.
func (run *Run) Derive() {
	switch tier := strings.ToLower(run.Tier); tier {
	case "quick":
		run.Scope = cmp.Or(run.Scope, tier)
	case "e2e", "llm-judge", "unit":
		run.Kind = cmp.Or(run.Kind, tier)
	default: // also by the models that stood for them
		run.JudgeTier = cmp.Or(run.JudgeTier, map[string]string{"fast": "fast", "haiku": "fast", "standard": "standard", "sonnet": "standard", "full": "full", "opus": "full"}[tier])
	}
	if run.Total <= len(run.Results) {
		run.Recount()
	}
	if run.TotalCostUSD == 0 {
		for i := range run.Results {
			run.TotalCostUSD += run.Results[i].CostUSD
		}
	}
	if run.TotalCostUSD == 0 {
		for _, c := range run.Costs {
			run.TotalCostUSD += c.CostUSD
		}
	}
	if run.DurationSeconds == 0 {
		for i := range run.Results {
			run.DurationSeconds += run.Results[i].DurationMS / 1000
		}
	}
}

// Recount makes the counts those of the results. Counts of categories stay
// where no result names one.
func (run *Run) Recount() {
	run.Counts = Counts{}
	var categories Categories
	for i := range run.Results {
		r := &run.Results[i]
		run.Count(r.Status)
		if r.Category == "" {
			continue
		}
		if categories == nil {
			categories = Categories{}
		}
		n := categories[r.Category]
		n.Count(r.Status)
		categories[r.Category] = n
	}
	if categories != nil {
		run.ByCategory = categories
	}
}

// AddCosts adds the costs of more calls to costs, model by model.
func AddCosts(costs, more []Cost) []Cost {
	for _, m := range more {
		i := slices.IndexFunc(costs, func(c Cost) bool { return c.Model == m.Model })
		if i < 0 {
			costs = append(costs, m)
			continue
		}
		c := &costs[i]
		c.Calls += m.Calls
		c.InputTokens += m.InputTokens
		c.OutputTokens += m.OutputTokens
		c.CacheReadTokens += m.CacheReadTokens
		c.CacheWriteTokens += m.CacheWriteTokens
		c.CostUSD += m.CostUSD
	}
	return costs
}
