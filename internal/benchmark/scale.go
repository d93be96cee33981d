package benchmark

import "slices"

const (
	scaleSteps  = 5    // so many results must tell
	scaleTokens = 1000 // of results between two requests, for the prompt's growth to be theirs
)

// scale is how many tokens were billed for each that is estimated: by how much
// the prompt grew from one request to the next, less the answer between them,
// over what came back in results. The median ignores outliers: a reminder of the
// host, a message, an answer with incomplete usage.
// It is 1 where too few results tell.
func (b *ledger) scale(calls []measured) (factor float64, told bool) {
	results := make([]int, len(b.requests))
	for _, e := range b.entries {
		if e.request >= 0 && e.request < len(results) {
			results[e.request] += calls[e.call].before
		}
	}
	var seen []float64
	for i, q := range b.requests {
		if results[i] < scaleTokens {
			continue
		}
		next := slices.IndexFunc(b.requests[i+1:], b.follows(i))
		if next < 0 {
			continue
		}
		n := &b.requests[i+1+next]
		if grown := n.Prompt() - q.Prompt() - q.Output; n.Context == q.Context && grown > 0 {
			seen = append(seen, float64(grown)/float64(results[i]))
		}
	}
	if len(seen) < scaleSteps {
		return 1, false
	}
	slices.Sort(seen)
	return seen[len(seen)/2], true
}
