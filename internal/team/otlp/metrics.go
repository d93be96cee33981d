package otlp

import (
	"crypto/sha256"
	"math"
	"slices"
	"strings"
	"time"

	common "go.opentelemetry.io/proto/otlp/common/v1"
	metrics "go.opentelemetry.io/proto/otlp/metrics/v1"
	resource "go.opentelemetry.io/proto/otlp/resource/v1"
	"google.golang.org/protobuf/proto"

	"cairn/internal/team/record"
)

// Metrics reads sums.
func (r *Reader) Metrics(data *metrics.MetricsData) *Batch {
	b := &Batch{}
	for _, res := range data.GetResourceMetrics() {
		for _, scope := range res.GetScopeMetrics() {
			for _, m := range scope.GetMetrics() {
				r.metric(b, res.GetResource(), scope.GetScope(), m)
			}
		}
	}
	return b
}

// A sample is a point of a sum or of a histogram.
type sample struct {
	of        []*common.KeyValue
	start, at uint64
	value     float64
	n         int64
}

func (r *Reader) metric(b *Batch, res *resource.Resource, scope *common.InstrumentationScope, m *metrics.Metric) {
	list, kind := samples(m)
	for _, s := range list {
		a := of(s.of, res)
		to := meant(m.GetName(), a)
		switch {
		case to == unheard:
			b.unknown(m.GetName())
			continue
		case to == 0 || kind == metrics.AggregationTemporality_AGGREGATION_TEMPORALITY_UNSPECIFIED:
			b.Known++ // no sum: nothing can be added up
			continue
		}
		at, err := r.when(s.at)
		most := float64(mostTokens)
		if to == dollars {
			most = mostDollars
		}
		if err == nil && !(s.value >= 0 && s.value <= most && s.n >= 0) {
			err = errFigures
		}
		if err != nil {
			b.refuse(err)
			continue
		}
		row := a.place(record.SourceMetrics)
		row.Model = a.text(append([]string{"model"}, modelNames...)...)
		row.At, row.Day = at, at.Format(time.DateOnly)
		p := Point{Cumulative: kind == metrics.AggregationTemporality_AGGREGATION_TEMPORALITY_CUMULATIVE,
			Start: s.start, At: s.at, Value: s.value, N: s.n, row: row.Bounded(), to: to}
		if p.Cumulative {
			p.Series = series(res, scope, m.GetName(), s.of)
		}
		b.Points = append(b.Points, p)
		b.Counted++
	}
	if len(list) == 0 {
		b.unknown(m.GetName())
	}
}

// unheard is the figure of a metric that nothing is known of; 0 is that of one which
// tells of no cost.
const unheard figure = 255

// meant is what a point of a metric counts.
func meant(name string, a attributes) figure {
	agent := agentOf(a.text("service.name"))
	switch name {
	case "claude_code.token.usage":
		return map[string]figure{"input": input, "output": output, "cacheRead": cached, "cacheCreation": written}[a.text("type")]
	case "claude_code.cost.usage":
		return dollars
	case "gemini_cli.token.usage":
		return map[string]figure{"input": input, "tool": input, "output": output, "thought": output, "cache": cachedOfInput}[a.text("type")]
	case "gemini_cli.api.request.count":
		return asked
	case "gen_ai.client.token.usage":
		if agent == agentClaude || agent == agentCodex || agent == agentGemini { // the same tokens by other words
			return 0
		}
		return map[string]figure{"input": input, "prompt": input, "output": output, "completion": output}[a.text("gen_ai.token.type")]
	}
	for _, known := range [...]string{"claude_code.", "codex.", "gemini_cli.", "gen_ai."} { // of Codex events tell more: its sums name no conversation
		if strings.HasPrefix(name, known) {
			return 0
		}
	}
	return unheard
}

// samples are the points of a metric that is a sum or a histogram.
func samples(m *metrics.Metric) (list []sample, kind metrics.AggregationTemporality) {
	numbers := func(points []*metrics.NumberDataPoint) {
		for _, p := range points {
			value := p.GetAsDouble()
			if v, ok := p.GetValue().(*metrics.NumberDataPoint_AsInt); ok {
				value = float64(v.AsInt)
			}
			list = append(list, sample{p.GetAttributes(), p.GetStartTimeUnixNano(), p.GetTimeUnixNano(), value, 0})
		}
	}
	switch d := m.GetData().(type) {
	case *metrics.Metric_Sum:
		numbers(d.Sum.GetDataPoints())
		if d.Sum.GetIsMonotonic() {
			kind = d.Sum.GetAggregationTemporality()
		}
	case *metrics.Metric_Gauge:
		numbers(d.Gauge.GetDataPoints())
	case *metrics.Metric_Histogram:
		kind = d.Histogram.GetAggregationTemporality()
		for _, p := range d.Histogram.GetDataPoints() {
			list = append(list, sample{p.GetAttributes(), p.GetStartTimeUnixNano(), p.GetTimeUnixNano(), p.GetSum(), many(p.GetCount())})
		}
	case *metrics.Metric_ExponentialHistogram:
		kind = d.ExponentialHistogram.GetAggregationTemporality()
		for _, p := range d.ExponentialHistogram.GetDataPoints() {
			list = append(list, sample{p.GetAttributes(), p.GetStartTimeUnixNano(), p.GetTimeUnixNano(), p.GetSum(), many(p.GetCount())})
		}
	}
	return list, kind
}

func many(n uint64) int64 { return int64(min(n, math.MaxInt32)) }

// series tells one sum of an agent's from another: whose, of what, with which attributes.
func series(res *resource.Resource, scope *common.InstrumentationScope, name string, of []*common.KeyValue) (sum [32]byte) {
	h := sha256.New()
	for _, list := range [...][]*common.KeyValue{res.GetAttributes(), of} {
		var parts []string
		for _, kv := range list {
			data, _ := proto.MarshalOptions{Deterministic: true}.Marshal(kv)
			parts = append(parts, string(data))
		}
		slices.Sort(parts)
		for _, p := range append(parts, scope.GetName()+"\x00"+name) {
			one := sha256.Sum256([]byte(p))
			h.Write(one[:])
		}
	}
	return [32]byte(h.Sum(nil))
}
