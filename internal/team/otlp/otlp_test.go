package otlp

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"cairn/internal/team/cost"
	"cairn/internal/team/otlp/proto"
	"cairn/internal/team/record"
)

func reader(t *testing.T) *Reader {
	t.Helper()
	prices, err := cost.Load()
	if err != nil {
		t.Fatal(err)
	}
	return &Reader{Prices: prices, Now: func() time.Time { return time.Date(2026, 11, 28, 0, 0, 0, 0, time.UTC) }}
}

// captured is a file of what a real agent sent, a record or a metric a line, as one message.
func captured(t *testing.T, name, resources, scopes, list, member string) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		var parts map[string]json.RawMessage
		if err := json.Unmarshal([]byte(line), &parts); err != nil {
			t.Fatal(err)
		}
		all = append(all, fmt.Sprintf(`{"resource":%s,%q:[{"scope":%s,%q:[%s]}]}`, parts["resource"], scopes, parts["scope"], list, parts[member]))
	}
	return fmt.Appendf(nil, `{%q:[%s]}`, resources, strings.Join(all, ","))
}

func readLogs(t *testing.T, data []byte) *Batch {
	t.Helper()
	var m proto.Logs
	if err := proto.FromJSON(data, &m); err != nil {
		t.Fatal(err)
	}
	return reader(t).Logs(&m)
}

func readMetrics(t *testing.T, data []byte) *Batch {
	t.Helper()
	var m proto.Metrics
	if err := proto.FromJSON(data, &m); err != nil {
		t.Fatal(err)
	}
	return reader(t).Metrics(&m)
}

// event is a message of one record of a service; attributes are name and value by turns.
func event(service string, attributes ...any) []byte {
	return fmt.Appendf(nil, `{"resourceLogs":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":%q}},
		{"key":"vcs.repository.url.full","value":{"stringValue":"https://github.com/acme/shop.git"}},{"key":"vcs.ref.head.name","value":{"stringValue":"refs/heads/topic"}}]},
		"scopeLogs":[{"logRecords":[{"timeUnixNano":"1795360557046000000","attributes":%s}]}]}]}`, service, keyed(attributes...))
}

func keyed(attributes ...any) string {
	var list []string
	for i := 0; i < len(attributes); i += 2 {
		value := fmt.Sprintf(`{"intValue":"%v"}`, attributes[i+1])
		if text, ok := attributes[i+1].(string); ok {
			value = fmt.Sprintf(`{"stringValue":%q}`, text)
		}
		list = append(list, fmt.Sprintf(`{"key":%q,"value":%s}`, attributes[i], value))
	}
	return "[" + strings.Join(list, ",") + "]"
}

// TestEvents: what real agents sent, and what the documentation of others says.
func TestEvents(t *testing.T) {
	for _, x := range []struct {
		name  string
		data  []byte
		want  record.SpendDay
		known int
	}{
		{"claude", captured(t, "claude-logs.jsonl", "resourceLogs", "scopeLogs", "logRecords", "logRecord"), record.SpendDay{Source: "otlp", Agent: "claude", Day: "2026-11-22",
			Session: "e5d23c8a-091b-42b2-80c2-4ed426f6104e", Model: "claude-sonnet-4-5",
			SpendFigures: record.SpendFigures{Input: 246, CacheRead: 71276, Write5m: 4121, Write1h: 1559, Output: 985, Requests: 1, Micros: 61704}}, 3},
		{"codex", captured(t, "codex-logs.jsonl", "resourceLogs", "scopeLogs", "logRecords", "logRecord"), record.SpendDay{Source: "otlp", Agent: "codex", Day: "2026-11-22", Hostname: "dev",
			Session: "01a203d8-ef86-7a23-9b87-678d2f1998e3", Model: "gpt-5", SpendFigures: record.SpendFigures{Input: 100, Output: 20, Requests: 1, Micros: 325}}, 2},
		{"codex with a cache", event("codex_cli_rs", "event.name", "codex.sse_event", "event.kind", "response.completed", "input_token_count", "1000", "cached_token_count", "700",
			"cache_write_token_count", "100", "output_token_count", "50", "reasoning_token_count", "30", "conversation.id", "c-1", "model", "no-such-model"),
			record.SpendDay{Source: "otlp", Agent: "codex", Day: "2026-11-22", Session: "c-1", Model: "no-such-model", Repo: "acme/shop", Branch: "topic",
				SpendFigures: record.SpendFigures{Input: 200, CacheRead: 700, Write5m: 100, Output: 50, Requests: 1, Unpriced: 1}}, 0},
		{"claude of before the times of writes", event("claude-code", "event.name", "api_request", "input_tokens", 1, "cache_creation_tokens", 10, "cost_usd_micros", 7, "model", "m", "session.id", "s"),
			record.SpendDay{Source: "otlp", Agent: "claude", Day: "2026-11-22", Session: "s", Model: "m", Repo: "acme/shop", Branch: "topic",
				SpendFigures: record.SpendFigures{Input: 1, Write5m: 10, Requests: 1, Micros: 7}}, 0},
		{"a large prompt", event("codex", "event.name", "codex.sse_event", "event.kind", "response.completed", "input_token_count", 300_000, "output_token_count", 10, "model", "gpt-6.1-sol", "conversation.id", "c"),
			record.SpendDay{Source: "otlp", Agent: "codex", Day: "2026-11-22", Session: "c", Model: "gpt-6.1-sol", Repo: "acme/shop", Branch: "topic",
				SpendFigures: record.SpendFigures{Input: 300_000, Output: 10, Requests: 1, Micros: 1_200_150}}, 0},
		{"gemini", event("gemini-cli", "event.name", "gemini_cli.api_response", "model", "no-such-model", "session.id", "g", "input_token_count", 100, "cached_content_token_count", 40,
			"output_token_count", 5, "thoughts_token_count", 3, "tool_token_count", 2),
			record.SpendDay{Source: "otlp", Agent: "gemini", Day: "2026-11-22", Session: "g", Model: "no-such-model", Repo: "acme/shop", Branch: "topic",
				SpendFigures: record.SpendFigures{Input: 62, CacheRead: 40, Output: 8, Requests: 1, Unpriced: 1}}, 0},
		{"copilot", event("github-copilot", "event.name", "gen_ai.client.inference.operation.details", "gen_ai.operation.name", "chat", "gen_ai.response.model", "x", "gen_ai.conversation.id", "p",
			"gen_ai.usage.input_tokens", 100, "gen_ai.usage.output_tokens", 5, "gen_ai.usage.cache_read.input_tokens", 60),
			record.SpendDay{Source: "otlp", Agent: "copilot", Day: "2026-11-22", Session: "p", Model: "x", Repo: "acme/shop", Branch: "topic",
				SpendFigures: record.SpendFigures{Input: 40, CacheRead: 60, Output: 5, Requests: 1, Unpriced: 1}}, 0},
		{"the conventions' old names", event("my bot", "gen_ai.request.model", "x y", "gen_ai.usage.prompt_tokens", 9, "gen_ai.usage.completion_tokens", 5),
			record.SpendDay{Source: "otlp", Agent: "my-bot", Day: "2026-11-22", Model: "x-y", Repo: "acme/shop", Branch: "topic",
				SpendFigures: record.SpendFigures{Input: 9, Output: 5, Requests: 1, Unpriced: 1}}, 0},
	} {
		b := readLogs(t, x.data)
		if len(b.Events) != 1 {
			t.Errorf("%s: %d events: %+v", x.name, len(b.Events), b)
			continue
		}
		got := b.Events[0]
		got.At = time.Time{}
		if got != x.want || b.Known != x.known || b.Counted != 1 || b.Refused != 0 || len(b.Unknown) != 0 {
			t.Errorf("%s:\n got %+v\nwant %+v\n%+v", x.name, got, x.want, b)
		}
	}
}

// TestNotCounted: what would count a request twice, what makes no sense, and what nobody knows.
func TestNotCounted(t *testing.T) {
	for _, x := range []struct {
		name                    string
		data                    []byte
		known, refused, unknown int
	}{
		{"the same request by the conventions", event("gemini-cli", "event.name", "gen_ai.client.inference.operation.details", "gen_ai.usage.input_tokens", 5), 1, 0, 0},
		{"a sum over requests", event("copilot", "gen_ai.operation.name", "invoke_agent", "gen_ai.usage.input_tokens", 5), 1, 0, 0},
		{"below zero", event("copilot", "gen_ai.usage.input_tokens", -5), 0, 1, 0},
		{"too many", event("copilot", "gen_ai.usage.input_tokens", 1<<50), 0, 1, 0},
		{"no number", event("claude-code", "event.name", "api_request", "input_tokens", "NaN"), 0, 1, 0},
		{"an answer of Codex without tokens", event("codex_exec", "event.name", "codex.sse_event", "event.kind", "response.completed", "duration_ms", 3, "conversation.id", "c"), 1, 0, 0},
		{"not known", event("else", "event.name", "else.happened"), 0, 0, 1},
	} {
		b := readLogs(t, x.data)
		if len(b.Events) != 0 || b.Known != x.known || b.Refused != x.refused || len(b.Unknown) != x.unknown {
			t.Errorf("%s: %+v", x.name, b)
		}
	}
	for name, want := range map[string]string{"else.happened": "else.happened", "please fix the login": "other", "secret": "other", "My.Secret": "other", "": "other"} {
		if got := Named(name); got != want {
			t.Errorf("%q is named %q", name, got)
		}
	}
}

// TestSums: deltas of Claude Code as it sent them.
func TestSums(t *testing.T) {
	b := readMetrics(t, captured(t, "claude-metrics.jsonl", "resourceMetrics", "scopeMetrics", "metrics", "metric"))
	deltas := make([]Delta, len(b.Points))
	for i, p := range b.Points {
		if p.Cumulative {
			t.Errorf("%+v is cumulative", p)
		}
		deltas[i] = Delta{p.Value, p.N}
	}
	rows := reader(t).Rows(b, deltas)
	want := record.SpendFigures{Input: 376, CacheRead: 63816, Write5m: 4644, Output: 675, Micros: 47813}
	if len(rows) != 1 || rows[0].SpendFigures != want || rows[0].Source != "metrics" || rows[0].Session != "5b194708-b0dd-4784-a1b4-de74e9e0f081" || b.Known != 3 {
		t.Errorf("%+v\n%+v", rows, b)
	}
}

// TestCopilot: sums as Copilot CLI sent them.
func TestCopilot(t *testing.T) {
	b := readMetrics(t, captured(t, "copilot-metrics.jsonl", "resourceMetrics", "scopeMetrics", "metrics", "metric"))
	deltas := make([]Delta, len(b.Points))
	for i, p := range b.Points {
		deltas[i] = Delta{p.Value, p.N}
	}
	rows := reader(t).Rows(b, deltas)
	want := record.SpendFigures{Input: 200, Output: 40, Requests: 2, Micros: 650}
	if len(rows) != 1 || rows[0].SpendFigures != want || rows[0].Agent != "copilot" || rows[0].Model != "gpt-5" || len(b.Unknown) != 0 {
		t.Errorf("%+v\n%+v", rows, b)
	}
}

// TestHistogram: the conventions' metric counts requests once and has a price where one is known.
func TestHistogram(t *testing.T) {
	point := func(kind string, sum, n int) string {
		return fmt.Sprintf(`{"attributes":%s,"startTimeUnixNano":"1795360000000000000","timeUnixNano":"1795360557046000000","sum":%d,"count":"%d"}`,
			keyed("gen_ai.token.type", kind, "gen_ai.response.model", "gpt-5"), sum, n)
	}
	b := readMetrics(t, fmt.Appendf(nil, `{"resourceMetrics":[{"resource":{"attributes":%s},"scopeMetrics":[{"metrics":[{"name":"gen_ai.client.token.usage","histogram":{"aggregationTemporality":2,"dataPoints":[%s,%s]}},
		{"name":"gen_ai.client.token.usage","gauge":{"dataPoints":[{"asInt":"3"}]}},{"name":"else.metric","sum":{"aggregationTemporality":1,"isMonotonic":true,"dataPoints":[{"asInt":"3"}]}}]}]}]}`,
		keyed("service.name", "copilot"), point("input", 1000, 3), point("output", 100, 3)))
	rows := reader(t).Rows(b, []Delta{{1000, 3}, {100, 3}})
	want := record.SpendFigures{Input: 1000, Output: 100, Requests: 3, Micros: 2250}
	if len(rows) != 1 || rows[0].SpendFigures != want || !b.Points[0].Cumulative || b.Points[0].Series == b.Points[1].Series || b.Known != 1 || b.Unknown["else.metric"] != 1 {
		t.Errorf("%+v\n%+v", rows, b)
	}
}

// TestSince: what a cumulative sum adds, over resets and late points.
func TestSince(t *testing.T) {
	for _, x := range []struct {
		name            string
		start, at       uint64
		value           float64
		wasStart, wasAt uint64
		was, want       float64
		fresh           bool
	}{
		{"grown", 10, 30, 7, 10, 20, 5, 2, true},
		{"the same again", 10, 20, 5, 10, 20, 5, 0, false},
		{"late", 10, 15, 3, 10, 20, 5, 0, false},
		{"begun anew", 25, 30, 4, 10, 20, 5, 4, true},
		{"smaller without a new start", 10, 30, 2, 10, 20, 5, 2, true},
		{"of before it began anew", 10, 40, 9, 25, 30, 4, 0, false},
	} {
		p := Point{Start: x.start, At: x.at, Value: x.value}
		if d, fresh := p.Since(x.wasStart, x.wasAt, x.was, 0); d.Value != x.want || fresh != x.fresh {
			t.Errorf("%s: %v %v", x.name, d, fresh)
		}
	}
}
