package detail

import (
	"math"
	"time"

	"cairn/internal/team/db/ledger"
	"cairn/internal/team/spend"
)

// A segment is a part of a prompt, in the order in which it is sent.
type segment struct {
	source Source
	tokens float64
}

// A prompt is what a context holds.
type prompt []segment

func (p prompt) size() (n float64) {
	for _, s := range p {
		n += s.tokens
	}
	return n
}

// cut shortens the prompt from its end.
func (p prompt) cut(to float64) prompt {
	for i, s := range p {
		if to <= s.tokens {
			p[i].tokens = to
			return p[:i+1]
		}
		to -= s.tokens
	}
	return p
}

// largest is by how much more than estimated a text may have been billed: code and
// JSON have more tokens than a quarter of their characters.
const largest = 1.6

// grow adds what entered behind the last request, scaled to so many tokens. What it
// does not explain is of rest.
func (p prompt) grow(items []item, by float64, rest Source) prompt {
	sum := 0.0
	for _, it := range items {
		sum += float64(it.tokens)
	}
	scale := 1.0
	if sum > 0 {
		scale = min(by/sum, largest)
	}
	for _, it := range items {
		p = append(p, segment{it.source, float64(it.tokens) * scale})
	}
	if left := by - sum*scale; left > 0.5 {
		p = append(p, segment{rest, left})
	}
	return p
}

// unknown notes how much of what was added nothing explains.
func (s *Session) unknown(p prompt) {
	if n := len(p); n > 0 && p[n-1].source.Kind == NotKnown {
		s.Tokens[p[n-1].source] += int(p[n-1].tokens)
	}
}

var (
	startRest  = Source{NotKnown, "start of every request"}
	growthRest = Source{NotKnown, "additions between requests"}
	answerRead = Source{Answers, "read again"}
)

// cost finds out what the requests of a conversation were billed for.
func (t *talk) cost(s *Session, prices spend.Prices, all []ledger.Spent, done map[int]bool) {
	var (
		p     prompt
		start int // segments that a summary does not replace
		last  *asked
		next  int // item
		hour  bool
	)
	for i := range t.requests {
		q := &t.requests[i]
		var items []item
		recap := false
		if last != nil {
			items = append(items, item{last.number, answerRead, last.Output, false})
		}
		for ; next < len(t.items) && t.items[next].behind < q.number; next++ {
			it := t.items[next]
			recap = recap || it.recap
			items = append(items, it)
			s.Tokens[it.source] += it.tokens
			s.Times[it.source]++
		}
		size := float64(q.Prompt())
		switch {
		case last == nil:
			p = p.grow(items, size, startRest)
			s.unknown(p)
			p, start = first(p)
		case q.Context != last.Context && t.agent == "" || recap:
			kept := p[:start].cut(size)
			items = items[1:] // the answer is in the summary
			p = append(prompt{}, kept...).grow(items, size-kept.size(), Source{Summary, "summaries"})
			last = nil // what its cache had is no loss
		case size < p.size(): // the user went back, or the agent cleared old results
			added := 0.0
			for _, it := range items[1:] {
				added += float64(it.tokens)
			}
			p = p.cut(max(size-added, p[:start].size()*min(1, size/p.size())))
			p = p.grow(items[1:], max(0, size-p.size()), growthRest).cut(size)
		default:
			before := len(p)
			p = p.grow(items, size-p.size(), growthRest)
			s.unknown(p[before:])
		}
		hour = hour || q.Write1h > 0
		if q.spent >= 0 {
			done[q.spent] = true
			s.Costs = append(s.Costs, t.bill(s, &all[q.spent], p, last, hour, prices))
		}
		last = q
	}
}

// first puts what every request begins with before the rest, and returns how many
// segments that is. What nothing explains is most likely of it.
func first(p prompt) (prompt, int) {
	var begin, rest prompt
	for _, s := range p {
		if s.source.Kind == Start || s.source == startRest {
			begin = append(begin, s)
		} else {
			rest = append(rest, s)
		}
	}
	return append(begin, rest...), len(begin)
}

// bill splits what one request cost.
func (t *talk) bill(s *Session, q *ledger.Spent, p prompt, last *asked, hour bool, prices spend.Prices) Cost {
	each, ok := prices.Parts(&q.Request)
	if !ok || summarizes(t.agent) {
		return alone(q, prices)
	}
	c := Cost{Spent: *q, By: map[Source]float64{}}
	read := float64(q.CacheRead)
	wrote := read + float64(q.Write5m+q.Write1h)
	writing := 0.0 // of one token
	if n := float64(q.Write5m + q.Write1h); n > 0 {
		writing = (float64(q.Write5m)*each.Write5m + float64(q.Write1h)*each.Write1h) / n
	}
	cold, why := 0.0, Source{} // up to where the cache had it before
	if last != nil {
		cold, why = t.cold(q, last, hour)
		if cold > read {
			s.Times[why]++
			s.Tokens[why] += int(cold - read)
		}
	}
	at := 0.0
	for _, part := range p {
		from, to := at, at+part.tokens
		at = to
		c.add(part.source, overlap(from, to, 0, read)*each.CacheRead)
		for _, price := range [...]struct{ from, to, each float64 }{{read, wrote, writing}, {wrote, math.Inf(1), each.Input}} {
			lost := overlap(from, to, price.from, min(price.to, cold))
			kept := overlap(from, to, max(price.from, cold), price.to)
			c.add(part.source, kept*price.each+lost*min(price.each, each.CacheRead))
			c.add(why, lost*max(0, price.each-each.CacheRead))
		}
	}
	c.add(written, float64(q.Output)*each.Output)
	c.level()
	return c
}

// overlap is how much of one range is in another.
func overlap(a, b, from, to float64) float64 { return max(0, min(b, to)-max(a, from)) }

// cold is up to where the cache had the prompt of the request before, and why a
// request did not find it there; at most what it read where it found all.
func (t *talk) cold(q *ledger.Spent, last *asked, hour bool) (float64, Source) {
	had := float64(min(last.CacheRead+last.Write5m+last.Write1h, int(q.Prompt())))
	if slack := max(1024, had/50); float64(q.CacheRead) >= had-slack {
		return 0, Source{}
	}
	ttl := 5 * time.Minute
	if hour {
		ttl = time.Hour
	}
	switch idle := q.Sent.Sub(last.Time); {
	case last.Time.IsZero():
	case last.Model != q.Model:
		return had, Source{Lost, "another model was asked"}
	case idle > ttl:
		return had, pause(ttl)
	}
	return had, Source{Lost, "the prompt changed, or the service dropped it"}
}
