// Package otlp reads what coding agents tell by OpenTelemetry of the requests that
// they made: of logs the events and of metrics the sums that have tokens or dollars.
// It makes rows of spend_days of them and drops all else, with what a person wrote
// and a model answered. What it does not know is counted by its name.
//
// An agent is a case of [claude], [codex], [gemini] and, for whatever follows the
// conventions of OpenTelemetry for generative models, [conventions]. HTTP is
// server/collector's, the sums so far are db/telemetry's.
package otlp

import (
	"errors"
	"math"
	"time"

	"cairn/internal/team/cost"
	"cairn/internal/team/record"
)

// A Reader reads, with the prices of requests that tell none.
type Reader struct {
	Prices cost.Table
	Now    func() time.Time
}

// A Batch is what one message told.
type Batch struct {
	Events []record.SpendDay // one for each request
	Points []Point           // of sums
	// Counted are the records and points that are in those, Known others that say
	// nothing of cost; Unknown are the rest, by name. Refused make no sense.
	Counted, Known, Refused int
	Unknown                 map[string]int
	Why                     string // the first was refused
}

// A Point is what a sum of an agent's stood at.
type Point struct {
	Series [32]byte // which sum
	// Cumulative: Value and N are since Start, else since the point before.
	Cumulative bool
	Start, At  uint64 // nanoseconds since 1970, 0 is not known
	Value      float64
	N          int64 // of a histogram: how many it has
	row        record.SpendDay
	to         figure
}

// A Delta is what a point adds.
type Delta struct {
	Value float64
	N     int64
}

// Since is what a point adds to what its series stood at before. fresh is false
// where the point is an old one that was known.
func (p *Point) Since(start, at uint64, value float64, n int64) (d Delta, fresh bool) {
	switch {
	case p.Start < start || p.Start == start && p.At <= at:
		return Delta{}, false
	case p.Start > start || p.Value < value || p.N < n: // begun anew
		return Delta{p.Value, p.N}, true
	}
	return Delta{p.Value - value, p.N - n}, true
}

// figure is what a point counts.
type figure uint8

const (
	input figure = iota + 1
	cached
	cachedOfInput // cached, and counted as input as well
	written
	writtenOfInput // written, and counted as input as well
	output
	each    // requests: as many as a histogram has values
	asked   // requests
	dollars // in whole ones
)

// Rows are the rows to add, one for each place, session and model. deltas are what
// the points add, in their order.
func (r *Reader) Rows(b *Batch, deltas []Delta) []record.SpendDay {
	var out []record.SpendDay
	at := map[record.SpendDay]int{}
	add := func(row record.SpendDay, f record.SpendFigures) int {
		key := row
		key.SpendFigures, key.At, key.Phase = record.SpendFigures{}, time.Time{}, ""
		i, ok := at[key]
		if !ok {
			i = len(out)
			at[key] = i
			out = append(out, key)
			out[i].At = row.At
		}
		if row.At.After(out[i].At) {
			out[i].At = row.At
		}
		out[i].Add(f)
		return i
	}
	for _, e := range b.Events {
		add(e, e.SpendFigures)
	}
	toPrice := map[int]bool{}
	for n := range b.Points {
		p := &b.Points[n]
		i := add(p.row, p.to.of(deltas[n]))
		toPrice[i] = p.row.Agent != agentClaude // which tells its own dollars
	}
	for i := range out {
		if f := &out[i].SpendFigures; out[i].Source == record.SourceMetrics {
			f.Input = max(f.Input, 0)
			if toPrice[i] {
				r.price(&out[i])
			}
		}
	}
	return out
}

func (to figure) of(d Delta) (f record.SpendFigures) {
	n := int64(math.Round(d.Value))
	switch to {
	case input:
		f.Input, f.Requests = n, d.N
	case cached:
		f.CacheRead = n
	case cachedOfInput:
		f.CacheRead, f.Input = n, -n
	case written:
		f.Write5m = n
	case writtenOfInput:
		f.Write5m, f.Input = n, -n
	case each:
		f.Requests = d.N
	case output:
		f.Output = n
	case asked:
		f.Requests = n
	case dollars:
		f.Micros = int64(math.Round(d.Value * 1e6))
	}
	return f
}

// price adds what the tokens of a row cost, or counts its requests as unpriced. A row
// of several requests has the usual price, however large their prompts were.
func (r *Reader) price(row *record.SpendDay) {
	f := &row.SpendFigures
	p, ok := r.Prices.At(row.Model, row.At)
	if !ok {
		f.Unpriced = f.Requests
		return
	}
	in, out := 1., 1.
	if row.Source == record.SourceEvents {
		in, out = p.Long(f.Input + f.CacheRead + f.Write5m + f.Write1h)
	}
	f.Micros = int64(math.Round((float64(f.Input)*p.Input+float64(f.CacheRead)*p.CacheRead+float64(f.Write5m)*p.CacheWrite+float64(f.Write1h)*p.Write1h())*in +
		float64(f.Output)*p.Output*out))
}

// Most that one record may tell: more is a mistake, and would spoil every sum.
const (
	mostTokens  = 1 << 40
	mostDollars = 1e6
	mostFuture  = 24 * time.Hour
)

var (
	errFigures = errors.New("a figure is below zero or too large")
	errTime    = errors.New("the time is not known, or not one that can be")
)

// when is the first of several times that is there.
func (r *Reader) when(nanos ...uint64) (time.Time, error) {
	for _, n := range nanos {
		if n == 0 {
			continue
		}
		at := time.Unix(0, int64(min(n, math.MaxInt64))).UTC()
		if at.Year() < 2020 || at.After(r.Now().Add(mostFuture)) {
			break
		}
		return at, nil
	}
	return time.Time{}, errTime
}

// unknown counts what is not understood. A name that does not look like one says
// nothing, and might say something that a person wrote.
func (b *Batch) unknown(name string) {
	if b.Unknown == nil {
		b.Unknown = map[string]int{}
	}
	b.Unknown[Named(name)]++
}

// refuse counts what makes no sense.
func (b *Batch) refuse(err error) {
	if b.Refused++; b.Why == "" {
		b.Why = err.Error()
	}
}

// Named is a name of an event or a metric, or a word in its place: names have parts
// with points between and neither spaces nor capitals.
func Named(name string) string {
	points := 0
	for _, c := range []byte(name) {
		switch {
		case c == '.':
			points++
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '_', c == '-':
		default:
			return "other"
		}
	}
	if points == 0 || len(name) > 80 {
		return "other"
	}
	return name
}
