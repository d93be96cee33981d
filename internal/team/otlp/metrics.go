package otlp

import (
	"crypto/sha256"
	"math"
	"slices"
	"strings"
	"time"

	"cairn/internal/team/otlp/proto"
	"cairn/internal/team/record"
)

// Metrics reads sums.
func (r *Reader) Metrics(data *proto.Metrics) *Batch {
	b := &Batch{}
	for _, res := range data.Resources {
		for _, scope := range res.Scopes {
			for _, m := range scope.List {
				r.metric(b, res.Resource, scope.Scope, m)
			}
		}
	}
	return b
}

// A sample is a point of a sum or of a histogram.
type sample struct {
	of        []*proto.KeyValue
	start, at uint64
	value     float64
	n         int64
}

func (r *Reader) metric(b *Batch, res *proto.Resource, scope *proto.Scope, m *proto.Metric) {
	list, kind := samples(m)
	for _, s := range list {
		a := of(s.of, res)
		to := meant(m.Name, a)
		switch {
		case to == unheard:
			b.unknown(m.Name)
			continue
		case to == 0 || kind == proto.Unspecified:
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
		p := Point{Cumulative: kind == proto.Cumulative,
			Start: s.start, At: s.at, Value: s.value, N: s.n, row: row.Bounded(), to: to}
		if p.Cumulative {
			p.Series = series(res, scope, m.Name, s.of)
		}
		b.Points = append(b.Points, p)
		b.Counted++
	}
	if len(list) == 0 {
		b.unknown(m.Name)
	}
}

// unheard is the figure of a metric that nothing is known of; 0 is that of one which
// tells of no cost.
const unheard figure = 255

// inferences are what Copilot CLI 1.0.102 counts by names that are in no convention yet.
// Its input has what came of the cache and went there.
var inferences = map[string]figure{
	"gen_ai.client.inference.operation.input_tokens":         each,
	"gen_ai.client.inference.usage.input_tokens":             input,
	"gen_ai.client.inference.usage.cache_read.input_tokens":  cachedOfInput,
	"gen_ai.client.inference.usage.cache_write.input_tokens": writtenOfInput,
	"gen_ai.client.inference.usage.output_tokens":            output,
}

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
	if to, ok := inferences[name]; ok {
		return to
	}
	for _, known := range [...]string{"claude_code.", "codex.", "gemini_cli.", "gen_ai.", "github.copilot."} { // of Codex events tell more: its sums name no conversation
		if strings.HasPrefix(name, known) {
			return 0
		}
	}
	return unheard
}

// samples are the points of a metric that is a sum or a histogram.
func samples(m *proto.Metric) (list []sample, kind proto.Temporality) {
	numbers := func(points []*proto.NumberPoint) {
		for _, p := range points {
			value, _ := p.Value.(float64)
			if v, ok := p.Value.(int64); ok {
				value = float64(v)
			}
			list = append(list, sample{p.Attributes, p.Start, p.Time, value, 0})
		}
	}
	distribution := func(p *proto.Distribution) {
		list = append(list, sample{p.Attributes, p.Start, p.Time, p.Sum, int64(min(p.Count, math.MaxInt32))})
	}
	switch d := m.Data.(type) {
	case *proto.Sum:
		numbers(d.Points)
		if d.Monotonic {
			kind = d.Temporality
		}
	case *proto.Gauge:
		numbers(d.Points)
	case *proto.Histogram:
		kind = d.Temporality
		for _, p := range d.Points {
			distribution(&p.Distribution)
		}
	case *proto.ExponentialHistogram:
		kind = d.Temporality
		for _, p := range d.Points {
			distribution(&p.Distribution)
		}
	}
	return list, kind
}

// series tells one sum of an agent's from another: whose, of what, with which attributes.
func series(res *proto.Resource, scope *proto.Scope, name string, of []*proto.KeyValue) (sum [32]byte) {
	h := sha256.New()
	for _, list := range [...][]*proto.KeyValue{res.Get(), of} {
		var parts []string
		for _, kv := range list {
			parts = append(parts, string(kv.Append(nil)))
		}
		slices.Sort(parts)
		for _, p := range append(parts, scope.Get()+"\x00"+name) {
			one := sha256.Sum256([]byte(p))
			h.Write(one[:])
		}
	}
	return [32]byte(h.Sum(nil))
}
