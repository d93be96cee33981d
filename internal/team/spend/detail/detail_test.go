package detail

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cairn/internal/team/cost"
	"cairn/internal/team/db/ledger"
	"cairn/internal/team/spend"
)

// A play is a session of Claude Code that is made up, and what was billed for it.
type play struct {
	t        *testing.T
	prices   spend.Prices
	now      time.Time
	lines    []string
	requests []ledger.Spent
	calls    int
}

func newPlay(t *testing.T) *play {
	t.Helper()
	table, err := cost.Load()
	if err != nil {
		t.Fatal(err)
	}
	return &play{t: t, prices: spend.Prices{Table: table}, now: time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)}
}

func (p *play) line(v map[string]any) {
	v["sessionId"], v["timestamp"] = "s", p.now.Format(time.RFC3339)
	data, err := json.Marshal(v)
	if err != nil {
		p.t.Fatal(err)
	}
	p.lines = append(p.lines, string(data))
}

func (p *play) said(text string) {
	p.line(map[string]any{"type": "user", "message": map[string]any{"content": text}})
}

// ask is a request that reads and writes so many tokens, and whose answer calls a tool.
func (p *play) ask(read, write, output int, tool string, input map[string]any) {
	p.askOf("claude-opus-4-5", read, write, output, tool, input)
}

func (p *play) askOf(model string, read, write, output int, tool string, input map[string]any) {
	sent := p.now
	p.now = p.now.Add(time.Second)
	p.calls++
	id := fmt.Sprintf("m%d", p.calls)
	content := []any{map[string]any{"type": "text", "text": "x"}}
	if tool != "" {
		content = []any{map[string]any{"type": "tool_use", "id": fmt.Sprintf("t%d", p.calls), "name": tool, "input": input}}
	}
	p.line(map[string]any{"type": "assistant", "message": map[string]any{"id": id, "model": model, "content": content, "usage": map[string]any{
		"input_tokens": 0, "cache_read_input_tokens": read, "cache_creation_input_tokens": write, "output_tokens": output}}})
	q := ledger.Spent{Request: spend.Request{Agent: "claude", ID: id, Session: "s", At: p.now, Sent: sent, Model: model,
		Tokens: spend.Tokens{CacheRead: int64(read), Write5m: int64(write), Output: int64(output)}}}
	q.Nanos, q.Known = p.prices.Nanos(&q.Request)
	p.requests = append(p.requests, q)
}

func (p *play) result(text string, failed bool) {
	p.line(map[string]any{"type": "user", "message": map[string]any{"content": []any{map[string]any{
		"type": "tool_result", "tool_use_id": fmt.Sprintf("t%d", p.calls), "content": text, "is_error": failed}}}})
}

func (p *play) of(memory map[string]int) map[Source]Line {
	p.t.Helper()
	file := filepath.Join(p.t.TempDir(), "s.jsonl")
	if err := os.WriteFile(file, []byte(strings.Join(p.lines, "\n")+"\n"), 0o600); err != nil {
		p.t.Fatal(err)
	}
	s := Of(p.requests, []string{file}, memory, p.prices, func(err error) { p.t.Error(err) })
	lines, total := s.Lines(All)
	var billed, sum int64
	for _, q := range p.requests {
		billed += q.Nanos
	}
	found := map[Source]Line{}
	for _, l := range lines {
		sum += l.nanos
		found[Source{l.Kind, l.Name}] = l
		if l.nanos < 0 {
			p.t.Errorf("%s %s costs %d", l.Kind, l.Name, l.nanos)
		}
	}
	if sum != billed || total != billed {
		p.t.Errorf("the parts are %d and %d, the bill %d", sum, total, billed)
	}
	return found
}

func (p *play) costs(found map[Source]Line, kind Kind, name string, want float64) {
	p.t.Helper()
	if got := found[Source{kind, name}].USD; math.Abs(got-want) > 1e-6 {
		p.t.Errorf("%s %s: $%.6f, want $%.6f", kind, name, got, want)
	}
}

const m = 1e-6 // opus 4.5: written 6.25, read 0.5, output 25 for a million

// text is one of so many estimated tokens.
func text(tokens int, letter string) string { return strings.Repeat(letter, 4*tokens) }

// A read file is written to the cache once and read by every later request; a second
// time, word for word, it is waste. The same call right after it failed is a retry.
func TestParts(t *testing.T) {
	p := newPlay(t)
	p.line(map[string]any{"type": "api-request-shape", "shape": map[string]any{
		"system": []any{map[string]any{"type": "text", "text": text(1000, "s")}},
		"tools":  []any{map[string]any{"name": "mcp__demo__x", "description": text(500, "d")}}}})
	p.said(text(100, "p"))
	p.ask(0, 3000, 10, "Read", map[string]any{"file_path": "/x/a.go"})
	p.result(text(990, "a"), false)
	p.ask(3000, 1000, 10, "Read", map[string]any{"file_path": "/x/a.go"})
	p.result(text(990, "a"), false)
	p.ask(4000, 1000, 10, "Bash", map[string]any{"command": "cd x && go test ./SECRET"})
	p.result("Exit code 1\n"+text(487, "f"), true)
	p.ask(5000, 500, 10, "Bash", map[string]any{"command": "cd x && go test ./SECRET"})
	p.result("Exit code 1\n"+text(487, "f"), true)
	p.ask(5500, 500, 20, "", nil)
	found := p.of(map[string]int{"CLAUDE.md": 200})
	p.costs(found, Results, "Read", 990*(6.25+3*0.5)*m)
	p.costs(found, Again, "a.go", 990*(6.25+2*0.5)*m)
	p.costs(found, Results, "go test", 490*(6.25+0.5)*m)
	p.costs(found, Retries, "go test", 490*6.25*m)
	p.costs(found, Answers, "written", 60*25*m)
	p.costs(found, Answers, "read again", (10*(6.25+3*0.5)+10*(6.25+2*0.5)+10*(6.25+0.5)+10*6.25)*m)
	if l := found[Source{Start, "MCP server demo"}]; l.Tokens < 500 || l.USD == 0 {
		t.Errorf("the server's tools: %+v", l)
	}
	if found[Source{Start, "CLAUDE.md"}].USD == 0 || found[Source{Start, "system prompt"}].USD == 0 {
		t.Errorf("the start: %v", found)
	}
	for s := range found {
		if strings.Contains(s.Name, "SECRET") {
			t.Errorf("a word of a command in %q", s.Name)
		}
	}
}

// What is billed for a cold cache is apart from what the prompt would have cost.
func TestCold(t *testing.T) {
	for _, tt := range []struct {
		name  string
		pause time.Duration
		model string
		want  Source
	}{
		{"a pause", 6 * time.Minute, "claude-opus-4-5", Source{Expired, "after a pause of more than 5 minutes"}},
		{"none", time.Minute, "claude-opus-4-5", Source{Lost, "the prompt changed, or the service dropped it"}},
		{"a model", 6 * time.Minute, "claude-opus-4-6", Source{Lost, "another model was asked"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newPlay(t)
			p.said(text(100, "p"))
			p.ask(0, 50000, 10, "", nil)
			p.now = p.now.Add(tt.pause)
			p.askOf(tt.model, 10000, 40010, 10, "", nil)
			found := p.of(nil)
			p.costs(found, tt.want.Kind, tt.want.Name, 40000*(6.25-0.5)*m)
			if l := found[tt.want]; l.Times != 1 || l.Tokens != 40000 {
				t.Errorf("%+v", l)
			}
		})
	}
}

// Behind a summary the start goes on, and the rest is the summary.
func TestSummary(t *testing.T) {
	p := newPlay(t)
	p.line(map[string]any{"type": "api-request-shape", "shape": map[string]any{"system": []any{map[string]any{"type": "text", "text": text(10000, "s")}}}})
	p.ask(0, 10000, 0, "Read", map[string]any{"file_path": "/x/a.go"})
	p.result(text(30000, "a"), false)
	p.ask(10000, 30000, 0, "", nil)
	p.line(map[string]any{"type": "system", "subtype": "compact_boundary"})
	p.line(map[string]any{"type": "user", "isCompactSummary": true, "message": map[string]any{"content": text(2000, "z")}})
	p.ask(10000, 2000, 0, "", nil)
	found := p.of(nil)
	p.costs(found, Start, "system prompt", 10000*(6.25+0.5+0.5)*m)
	p.costs(found, Results, "Read", 30000*6.25*m)
	p.costs(found, Summary, "summaries", 2000*6.25*m)
	for s := range found {
		if s.Kind == Lost || s.Kind == Expired {
			t.Errorf("a summary is no loss: %v", s)
		}
	}
}

// A request of which no transcript tells is in the sum, and its prompt is not known.
func TestWithoutTranscript(t *testing.T) {
	p := newPlay(t)
	p.ask(1000, 1000, 10, "", nil)
	p.lines = nil
	found := p.of(nil)
	p.costs(found, Answers, "written", 10*25*m)
	p.costs(found, NotKnown, "prompts of requests without transcript", 1000*(6.25+0.5)*m)
}

func TestProgram(t *testing.T) {
	for command, want := range map[string]string{
		"cd /x && FOO=1 sudo go test ./...": "go test", "git -C x status": "git", "timeout 30s npm run build": "npm run", "/usr/bin/python3 x.py": "python3",
		"": "shell", "cd x": "shell", "\"$secret\"": "shell", "for i in 1 2; do echo $i; done": "for", "ls": "ls",
	} {
		if got := program(command); got != want {
			t.Errorf("%q: %q, want %q", command, got, want)
		}
	}
}
