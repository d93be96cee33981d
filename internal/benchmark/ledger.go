package benchmark

import (
	"cmp"
	"slices"
	"time"

	"cairn/internal/transcript"
)

// A ledger counts what calls cost as the bill does, file by file.
type ledger struct {
	price    func(model string) (Price, bool)
	since    time.Time // requests before are in no bill
	contexts map[contextKey]*context
	sessions map[string]*Session
	order    []string // of sessions
	unknown  []string // models without a price

	// Of the file that is read.
	entries  []entry
	requests []transcript.Request
}

// An entry is a call of the file that is read.
type entry struct {
	call     int // of the scan
	session  string
	request  int
	repeated int // tokens in lines that the model had before it
	missed   []missed
}

// missed is a name that a later call needed and that was cut.
type missed struct {
	call    int // of the scan, whose result had it
	name    string
	command string // of the later call
	request int    // that made it
}

func newLedger(price func(string) (Price, bool), since time.Time) *ledger {
	return &ledger{price: price, since: since, contexts: map[contextKey]*context{}, sessions: map[string]*Session{}}
}

// said notes what people wrote.
func (b *ledger) said(where *transcript.Call, text string) { b.context(where).shown(text) }

// called is told of each finished call, with what the model would have
// received of it.
func (b *ledger) called(n int, c *transcript.Call, out outcome, shown string) {
	ctx := b.context(c)
	e := entry{call: n, session: c.Session, request: c.Request}
	asked := written(c.Args)
	ctx.missed(asked, func(word string, call int) {
		// What was asked at the same time was asked without it.
		if i := b.entry(call); i >= 0 && b.entries[i].request < c.Request {
			e.missed = append(e.missed, missed{call, word, cmp.Or(example(c), c.Tool), c.Request})
		}
	})
	ctx.shown(asked)
	ctx.wrote(asked)
	if len(c.Body) > 0 {
		e.repeated = int(float64(out.before) * float64(ctx.repeated(c.Body)) / float64(len(c.Body)))
	}
	ctx.shown(shown)
	if out.after < out.before {
		ctx.cut(c.Body, n)
	}
	b.entries = append(b.entries, e)
}

// entry is the place of a call in the file that is read, or -1.
func (b *ledger) entry(call int) int {
	if len(b.entries) == 0 {
		return -1
	}
	if i := call - b.entries[0].call; i >= 0 && i < len(b.entries) {
		return i
	}
	return -1
}

// end closes a file: now all requests are known that read a result again.
func (b *ledger) end(requests []transcript.Request, calls []measured) {
	b.requests = requests
	scale, told := b.scale(calls)
	for i := range requests {
		if q := &requests[i]; !q.Copied && !(!q.Time.IsZero() && q.Time.Before(b.since)) {
			b.session(q.Session).request(b, q)
		}
	}
	counted := map[int]bool{} // calls whose cut was missed
	for _, e := range b.entries {
		m := &calls[e.call]
		m.usd, m.read, m.priced = b.carried(e.request)
		m.usd *= scale
		s := b.session(e.session)
		if told {
			s.PerEstimated = scale
		}
		s.result(m, e.repeated)
		for _, miss := range e.missed {
			if counted[miss.call] {
				continue
			}
			counted[miss.call] = true
			s.regret(b, &calls[miss.call], miss)
		}
	}
	b.entries, b.requests = nil, nil
	clear(b.contexts) // a transcript of its own is a context of its own
}

func (b *ledger) session(id string) *Session {
	if b.sessions[id] == nil {
		b.sessions[id] = &Session{Session: id, rules: map[string]*RuleBill{}, apart: map[Reason]float64{}, Known: true, Models: []string{}, Regrets: []Regret{}}
		b.order = append(b.order, id)
	}
	return b.sessions[id]
}

// request adds what a request was billed.
func (s *Session) request(b *ledger, q *transcript.Request) {
	s.Requests++
	s.Host, s.Project = q.Host, q.Project
	if !slices.Contains(s.Models, q.Model) {
		s.Models = append(s.Models, q.Model)
	}
	p, ok := b.price(q.Model)
	if !ok {
		s.Known = false
		if !slices.Contains(b.unknown, q.Model) {
			b.unknown = append(b.unknown, q.Model)
		}
		return
	}
	s.output += p.of(q).Output
	s.Parts.add(p.of(q))
	s.Bill = s.Parts.total()
}

// result adds what a tool result cost, and what was saved of it.
func (s *Session) result(m *measured, repeated int) {
	s.Calls++
	if !m.priced {
		s.Unpriced++
		return
	}
	s.Results += float64(m.before) * m.usd
	if m.why != Touched {
		s.apart[m.why] += float64(m.before) * m.usd
	}
	gross := float64(m.before-m.after) * m.usd
	s.Gross += gross
	s.Ceiling += float64(repeated) * m.usd
	s.Left += float64(max(0, repeated-(m.before-m.after))) * m.usd
	if gross != 0 {
		r := s.rule(m.rule)
		r.Calls++
		r.Gross += gross
		r.Net = r.Gross - r.Regret
	}
}

// regret adds what it costs that a later call needs a name which was cut: the
// result comes again, whole, by one request more.
func (s *Session) regret(b *ledger, m *measured, miss missed) {
	usd, _, known := b.carried(miss.request)
	if !known || !m.priced {
		return
	}
	if s.PerEstimated > 0 {
		usd *= s.PerEstimated
	}
	q := &b.requests[miss.request]
	p, _ := b.price(q.Model)
	again := float64(m.before) * usd
	extra := float64(q.Prompt())*p.CacheRead/1e6 + s.output/float64(max(1, s.Requests))
	s.Regret += again + extra
	s.Extra += extra
	r := s.rule(m.rule)
	r.Regret += again + extra
	r.Net = r.Gross - r.Regret
	s.Regrets = append(s.Regrets, Regret{m.rule, miss.name, miss.command, again + extra})
}

func (s *Session) rule(name string) *RuleBill {
	if s.rules[name] == nil {
		s.rules[name] = &RuleBill{Rule: name}
	}
	return s.rules[name]
}
