// Package detail says where the money of a session went: the start of its requests by
// source, tool results, what was read again, caches that went cold, compactions, and
// what the model wrote.
//
// What was billed is the ledger's, to the last digit. What it was billed for is told
// by the agent's own file, read again by package transcript. Sizes of texts are
// estimates, scaled to how much each prompt grew; what nothing explains is said to be
// not known. Nothing of it is kept.
package detail

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"cairn/internal/team/db/ledger"
	"cairn/internal/team/spend"
	"cairn/internal/transcript"
)

// A Kind is what money was spent for.
type Kind string

// The kinds, in the order in which they are shown.
const (
	Start    Kind = "start"     // sent with every request: system prompt, tools, memory files
	Prompts  Kind = "prompts"   // what people wrote
	Results  Kind = "results"   // of tools, by tool or command
	Again    Kind = "again"     // results that the model had before, word for word
	Retries  Kind = "retries"   // results of calls that were repeated at once after they failed
	Answers  Kind = "answers"   // what the model wrote, and read again later
	Summary  Kind = "summary"   // requests that summarize a context, and their summaries
	Expired  Kind = "expired"   // what it cost more that a cache had expired
	Lost     Kind = "lost"      // what it cost more that a cache was lost for another reason
	NotKnown Kind = "not_known" // of which the agent's file does not say what it is
)

// Kinds are all of them.
var Kinds = [...]Kind{Start, Prompts, Results, Again, Retries, Answers, Summary, Expired, Lost, NotKnown}

// Avoidable says whether money of a kind bought nothing.
func (k Kind) Avoidable() bool { return k == Again || k == Retries || k == Expired || k == Lost }

// A Source is what money was spent for: a kind and which of it.
type Source struct {
	Kind Kind
	Name string
}

// A Cost is what one request cost, by source.
type Cost struct {
	ledger.Spent
	By map[Source]float64 // in billionths of a dollar
}

// A Session is what is known of one.
type Session struct {
	Costs   []Cost
	Tokens  map[Source]int // that entered a context, once each
	Times   map[Source]int // how often something did
	Missing int            // requests that stand in no transcript
}

// Of finds out what the requests of a session were billed for. files are those of its
// agent that may have it, by their paths. memory are files that the agent sends along
// and does not note, by name, with their tokens. A file that cannot be read is given
// to warn.
func Of(requests []ledger.Spent, files []string, memory map[string]int, prices spend.Prices, warn func(error)) *Session {
	s := &Session{Tokens: map[Source]int{}, Times: map[Source]int{}}
	r := newReading(requests, memory)
	read := transcript.Reader{Requests: r.end, Entered: r.entered}
	for _, f := range files {
		r.begin(f)
		if err := read.Read(transcript.File{Path: f, Size: 1 << 62}, r.called); err != nil {
			warn(err)
		}
	}
	done := map[int]bool{}
	for _, c := range r.talks {
		c.cost(s, prices, requests, done)
	}
	for i := range requests {
		if !done[i] {
			s.Missing++
			s.Costs = append(s.Costs, alone(&requests[i], prices))
		}
	}
	slices.SortStableFunc(s.Costs, func(a, b Cost) int { return cmp.Or(a.At.Compare(b.At), strings.Compare(a.ID, b.ID)) })
	return s
}

// Files are those of an agent's that may tell of requests of a session: their path
// names it, or the thread of a subagent.
func Files(all []string, requests []ledger.Spent) (files []string) {
	names := map[string]bool{}
	for i := range requests {
		names[requests[i].Session] = true
		if thread, _, ok := strings.Cut(requests[i].ID, "/"); ok && requests[i].Agent == transcript.Codex && thread != "" {
			names[thread] = true
		}
	}
	for _, f := range all {
		base := strings.TrimSuffix(filepath.Base(f), filepath.Ext(f))
		for name := range names {
			if base == name || strings.HasSuffix(base, "-"+name) || strings.Contains(f, string(filepath.Separator)+name+string(filepath.Separator)) {
				files = append(files, f)
				break
			}
		}
	}
	slices.Sort(files)
	return files
}

// alone is the cost of a request of which no transcript tells more.
func alone(q *ledger.Spent, prices spend.Prices) Cost {
	c := Cost{Spent: *q, By: map[Source]float64{}}
	each, ok := prices.Parts(&q.Request)
	if !ok {
		c.add(Source{NotKnown, "price as the agent says it"}, float64(q.Nanos))
		return c
	}
	kind := Source{NotKnown, "prompts of requests without transcript"}
	if summarizes(q.Sub) {
		kind = Source{Summary, "requests for a summary"}
	}
	c.add(kind, float64(q.Input)*each.Input+float64(q.CacheRead)*each.CacheRead+float64(q.Write5m)*each.Write5m+float64(q.Write1h)*each.Write1h)
	out := written
	if kind.Kind == Summary {
		out = kind
	}
	c.add(out, float64(q.Output)*each.Output)
	c.level()
	return c
}

// written is what the model wrote.
var written = Source{Answers, "written"}

// summarizes reports whether a subagent is the one that summarizes a context.
func summarizes(sub string) bool { return strings.HasPrefix(sub, "acompact") }

func (c *Cost) add(s Source, nanos float64) {
	if nanos != 0 {
		c.By[s] += nanos
	}
}

// level makes the parts add up to what was billed. That was rounded; what is missing
// beyond that is not known.
func (c *Cost) level() {
	sum, most := 0.0, Source{}
	for s, n := range c.By {
		sum += n
		if n > c.By[most] || n == c.By[most] && s.Name < most.Name {
			most = s
		}
	}
	switch rest := float64(c.Nanos) - sum; {
	case rest > 1:
		c.By[growthRest] += rest
	case rest != 0 && len(c.By) > 0:
		c.By[most] += rest
	}
}

// A Line is a sum of what one source cost.
type Line struct {
	Kind   Kind    `json:"kind"`
	Name   string  `json:"name"`
	USD    float64 `json:"usd"`
	Tokens int     `json:"tokens,omitempty"` // estimated, each once
	Times  int     `json:"times,omitempty"`

	nanos int64
}

// Lines adds up what requests cost, by source. The sums are whole billionths of a
// dollar that add up to what was billed.
func (s *Session) Lines(which func(*ledger.Spent) bool) (lines []Line, total int64) {
	sums := map[Source]float64{}
	for i := range s.Costs {
		c := &s.Costs[i]
		if !which(&c.Spent) {
			continue
		}
		total += c.Nanos
		for source, n := range c.By {
			sums[source] += n
		}
	}
	rest := total
	for source, n := range sums {
		l := Line{Kind: source.Kind, Name: source.Name, Tokens: s.Tokens[source], Times: s.Times[source], nanos: int64(n + 0.5)}
		rest -= l.nanos
		lines = append(lines, l)
	}
	slices.SortFunc(lines, func(a, b Line) int {
		return cmp.Or(cmp.Compare(slices.Index(Kinds[:], a.Kind), slices.Index(Kinds[:], b.Kind)), cmp.Compare(b.nanos, a.nanos), strings.Compare(a.Name, b.Name))
	})
	if len(lines) > 0 { // what rounding left
		most := 0
		for i := range lines {
			if lines[i].nanos > lines[most].nanos {
				most = i
			}
		}
		lines[most].nanos += rest
	}
	for i := range lines {
		lines[i].USD = spend.Dollars(lines[i].nanos)
	}
	return slices.DeleteFunc(lines, func(l Line) bool { return l.nanos == 0 }), total
}

// All is of every request.
func All(*ledger.Spent) bool { return true }

// pause is what a cache that had expired is called.
func pause(ttl time.Duration) Source {
	if ttl >= time.Hour {
		return Source{Expired, "after a pause of more than an hour"}
	}
	return Source{Expired, fmt.Sprintf("after a pause of more than %d minutes", int(ttl.Minutes()))}
}
