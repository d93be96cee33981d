package otlp

import (
	"math"
	"strings"
	"time"

	"cairn/internal/team/otlp/proto"
	"cairn/internal/team/record"
)

// Logs reads events.
func (r *Reader) Logs(data *proto.Logs) *Batch {
	b := &Batch{}
	for _, res := range data.Resources {
		for _, scope := range res.Scopes {
			for _, l := range scope.List {
				r.event(b, of(l.Attributes, res.Resource), l)
			}
		}
	}
	return b
}

// eventName is what a record is called: by its attribute, its member, or, of those
// agents that put it there, its body. Any other body is somebody's words.
func eventName(a attributes, l *proto.LogRecord) string {
	name := (attributes{own: a.own}).text("event.name")
	body, _ := l.Body.Get().(string)
	switch {
	case strings.HasPrefix(body, "claude_code.") && Named(body) != "other":
		return body
	case name != "" && !strings.Contains(name, ".") && agentOf(a.text("service.name")) == agentClaude:
		return "claude_code." + name
	case name != "":
		return name
	}
	return l.EventName
}

func (r *Reader) event(b *Batch, a attributes, l *proto.LogRecord) {
	name := eventName(a, l)
	usage, counts := r.usage(a, name)
	switch {
	case counts:
	case usage == nil:
		b.unknown(name)
		return
	default:
		b.Known++
		return
	}
	row := a.place(record.SourceEvents)
	at, err := r.when(l.Time, l.Observed, stamped(a))
	if err == nil {
		err = usage(&row)
	}
	if err != nil {
		b.refuse(err)
		return
	}
	row.At, row.Day, row.Requests = at, at.Format(time.DateOnly), 1
	if row.Micros == 0 {
		r.price(&row)
	}
	b.Events = append(b.Events, row.Bounded())
	b.Counted++
}

func stamped(a attributes) uint64 {
	at, err := time.Parse(time.RFC3339, a.text("event.timestamp"))
	if err != nil {
		return 0
	}
	return uint64(max(at.UnixNano(), 0))
}

// usage says how an event tells of a request. It is not nil, and counts is false,
// of one that is known to tell of none.
func (r *Reader) usage(a attributes, name string) (fill func(*record.SpendDay) error, counts bool) {
	none := func(*record.SpendDay) error { return nil }
	switch {
	case name == "claude_code.api_request":
		return a.claude, true
	case name == "codex.sse_event" && a.text("event.kind") == "response.completed":
		_, tokens := a.number("input_token_count") // of two events of an answer only one tells them
		return a.codex, tokens
	case name == "gemini_cli.api_response":
		return a.gemini, true
	case strings.HasPrefix(name, "claude_code."), strings.HasPrefix(name, "codex."), strings.HasPrefix(name, "gemini_cli."):
		return none, false
	}
	switch agentOf(a.text("service.name")) {
	case agentClaude, agentCodex, agentGemini: // the same request by other words
		return none, false
	}
	_, in := a.number(inputNames...)
	_, out := a.number(outputNames...)
	switch a.text("gen_ai.operation.name") {
	case "invoke_agent", "create_agent", "execute_tool", "invoke_workflow": // sums of requests that are told one by one
		return none, false
	}
	if in || out {
		return a.conventions, true
	}
	if strings.HasPrefix(name, "gen_ai.") {
		return none, false
	}
	return nil, false
}

// claude reads an event of Claude Code: input does not have what came of the cache.
func (a attributes) claude(row *record.SpendDay) (err error) {
	row.Agent, row.Model = agentClaude, a.text("model")
	row.Input, row.Output = a.tokens(&err, "input_tokens"), a.tokens(&err, "output_tokens")
	row.CacheRead = a.tokens(&err, "cache_read_tokens")
	row.Write5m, row.Write1h = a.tokens(&err, "cache_creation_5m_tokens"), a.tokens(&err, "cache_creation_1h_tokens")
	if more := a.tokens(&err, "cache_creation_tokens") - row.Write5m - row.Write1h; more > 0 { // older versions tell no times
		row.Write5m += more
	}
	micros, ok := a.number("cost_usd_micros")
	if !ok {
		usd, _ := a.number("cost_usd")
		micros = usd * 1e6
	}
	if !(micros >= 0 && micros <= mostDollars*1e6) {
		return errFigures
	}
	row.Micros = int64(math.Round(micros))
	return err
}

// codex reads an event of Codex: input has what came of the cache and went there,
// output has what was reasoned.
func (a attributes) codex(row *record.SpendDay) (err error) {
	row.Agent, row.Model = agentCodex, a.text("model", "slug")
	row.Output = a.tokens(&err, "output_token_count")
	row.CacheRead, row.Write5m = a.tokens(&err, "cached_token_count"), a.tokens(&err, "cache_write_token_count")
	row.Input = max(0, a.tokens(&err, "input_token_count")-row.CacheRead-row.Write5m)
	return err
}

// gemini reads an event of Gemini CLI: input has what came of the cache, thoughts
// are beside the output, and what tools' results took beside the input.
func (a attributes) gemini(row *record.SpendDay) (err error) {
	row.Agent, row.Model = agentGemini, a.text("model")
	row.CacheRead = a.tokens(&err, "cached_content_token_count")
	row.Input = max(0, a.tokens(&err, "input_token_count")-row.CacheRead) + a.tokens(&err, "tool_token_count")
	row.Output = a.tokens(&err, "output_token_count") + a.tokens(&err, "thoughts_token_count")
	return err
}

// Names of the conventions for generative models, the newest first.
var (
	inputNames  = []string{"gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens"}
	outputNames = []string{"gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens"}
	readNames   = []string{"gen_ai.usage.cache_read.input_tokens", "gen_ai.usage.cache_read_input_tokens", "gen_ai.usage.cached_tokens"}
	writeNames  = []string{"gen_ai.usage.cache_creation.input_tokens", "gen_ai.usage.cache_creation_input_tokens"}
	modelNames  = []string{"gen_ai.response.model", "gen_ai.request.model"}
)

// conventions reads an event of whatever follows them: input has what came of a
// cache and went there.
func (a attributes) conventions(row *record.SpendDay) (err error) {
	row.Model = a.text(modelNames...)
	row.Output = a.tokens(&err, outputNames...)
	row.CacheRead, row.Write5m = a.tokens(&err, readNames...), a.tokens(&err, writeNames...)
	row.Input = max(0, a.tokens(&err, inputNames...)-row.CacheRead-row.Write5m)
	return err
}
