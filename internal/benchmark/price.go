package benchmark

import "cairn/internal/transcript"

// A Price is what a model costs, in dollars for a million tokens.
type Price struct {
	Input, Output, CacheRead, Write5m, Write1h float64
}

// of is what a request was billed.
func (p Price) of(q *transcript.Request) Bill {
	return Bill{
		Input:      float64(q.Input) * p.Input / 1e6,
		CacheRead:  float64(q.CacheRead) * p.CacheRead / 1e6,
		CacheWrite: (float64(q.Write5m)*p.Write5m + float64(q.Write1h)*p.Write1h) / 1e6,
		Output:     float64(q.Output) * p.Output / 1e6,
	}
}

// written is what a token costs that a request wrote to the cache, or sent
// without one.
func (p Price) written(q *transcript.Request) float64 {
	if n := q.Write5m + q.Write1h; n > 0 {
		return (float64(q.Write5m)*p.Write5m + float64(q.Write1h)*p.Write1h) / float64(n) / 1e6
	}
	return p.Input / 1e6
}

// A Bill is dollars by what they were paid for.
type Bill struct {
	Input      float64 `json:"input"`
	CacheRead  float64 `json:"cacheRead"`
	CacheWrite float64 `json:"cacheWrite"`
	Output     float64 `json:"output"`
}

func (b Bill) total() float64 { return b.Input + b.CacheRead + b.CacheWrite + b.Output }

func (b *Bill) add(o Bill) {
	b.Input += o.Input
	b.CacheRead += o.CacheRead
	b.CacheWrite += o.CacheWrite
	b.Output += o.Output
}

// follows says whether a later request is of the same model's conversation: the
// session's own, or one subagent's.
func (b *ledger) follows(request int) func(transcript.Request) bool {
	from := &b.requests[request]
	return func(q transcript.Request) bool { return q.Agent == from.Agent && q.Session == from.Session }
}

// carried is what one token costs that entered the context behind a request:
// the next request writes it to the cache, each later one reads it again, or
// writes it anew where the cache had gone cold, until the context ends. times
// counts these requests.
func (b *ledger) carried(request int) (usd float64, times int, known bool) {
	if request < 0 || request >= len(b.requests) {
		return 0, 0, false
	}
	from := &b.requests[request]
	at := from.Prompt() // whatever comes now stands behind that
	follows := b.follows(request)
	for i := request + 1; i < len(b.requests); i++ {
		q := &b.requests[i]
		if !follows(*q) {
			continue
		}
		if q.Context != from.Context && q.Agent == "" || q.Prompt() <= at {
			break // a summary, or the user went back to before it
		}
		if q.Copied {
			continue
		}
		p, ok := b.price(q.Model)
		if !ok {
			return 0, 0, false
		}
		times++
		if at < q.CacheRead {
			usd += p.CacheRead / 1e6
		} else {
			usd += p.written(q)
		}
	}
	return usd, times, true
}
