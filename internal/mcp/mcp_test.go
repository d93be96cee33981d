package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"cairn/internal/term"
)

// A peer is the other end of a server's streams.
type peer struct {
	*testing.T
	in   io.WriteCloser
	out  *bufio.Reader
	done chan error
}

// serve starts a server; hello is what the client can do.
func serve(t *testing.T, s *Server, hello string) *peer {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	p := &peer{t, inW, bufio.NewReader(outR), make(chan error, 1)}
	if s.Log == nil {
		s.Log = io.Discard
	}
	go func() {
		p.done <- s.Serve(t.Context(), inR, outW)
		outW.Close()
	}()
	t.Cleanup(func() { inW.Close(); outR.Close() })
	p.send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":` + hello + `,"clientInfo":{"name":"t","version":"1"}}}`)
	p.receive()
	p.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return p
}

func (p *peer) send(line string) {
	p.Helper()
	if _, err := io.WriteString(p.in, line+"\n"); err != nil {
		p.Fatal(err)
	}
}

func (p *peer) call(id int, tool, args string) {
	p.Helper()
	p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, id, tool, args))
}

type message struct {
	ID     any
	Method string
	Error  *struct {
		Code    int
		Message string
	}
	Result struct {
		IsError           bool
		Content           []struct{ Text string }
		StructuredContent any
		Resources         []struct{ URI string }
		Contents          []struct{ Text string }
	}
}

func (m message) text() string {
	if len(m.Result.Content) != 1 {
		return ""
	}
	return m.Result.Content[0].Text
}

func (p *peer) receive() (m message) {
	p.Helper()
	line, err := p.out.ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &m)
	}
	if err != nil {
		p.Fatalf("%v: %q", err, line)
	}
	return m
}

// echo says what it was asked.
func echo(ctx context.Context, a Args) (Answer, error) {
	p := &Page{}
	fmt.Fprintf(p, "%v\n", map[string]any(a))
	return Answer{Page: p, Data: a}, nil
}

func TestAnswers(t *testing.T) {
	var log strings.Builder
	s := &Server{Log: &log, Data: true, Tools: []Tool{
		{Name: "echo", Run: echo, Params: []Param{
			{Name: "text", Kind: Text}, {Name: "n", Kind: Whole}, {Name: "on", Kind: Flag}, {Name: "one", Kind: Text, OneOf: []string{"a", "b"}},
		}},
		{Name: "must", Run: echo, Params: []Param{{Name: "x", Kind: Text, Required: true}}},
		{Name: "fails", Run: func(context.Context, Args) (Answer, error) {
			return Answer{}, term.Hint(errors.New("no such thing"), "make one")
		}},
		{Name: "crashes", Run: func(context.Context, Args) (Answer, error) { panic("oh no") }},
	}}
	p := serve(t, s, "{}")
	for i, tt := range []struct {
		tool, args, want string
		failed           bool
	}{
		{tool: "echo", args: `{"text":"hi","n":3,"on":true,"one":"a"}`, want: "map[n:3 on:true one:a text:hi]\n"},
		{tool: "echo", args: `{"text":3,"n":"3","on":"true","one":null}`, want: "map[n:3 on:true text:3]\n"},
		{tool: "echo", args: `{}`, want: "map[]\n"},
		{tool: "echo", args: `null`, want: "map[]\n"},
		{tool: "echo", args: `{"text":["a"]}`, want: "text of echo is a text", failed: true},
		{tool: "echo", args: `{"n":-1}`, want: "n of echo is a whole number from 0", failed: true},
		{tool: "echo", args: `{"n":1e99}`, want: "n of echo is a whole number from 0", failed: true},
		{tool: "echo", args: `{"on":"maybe"}`, want: "on of echo is true or false", failed: true},
		{tool: "echo", args: `{"one":"c"}`, want: "one of echo is one of a, b", failed: true},
		{tool: "echo", args: `{"other":1}`, want: `echo takes no argument "other"; it takes text, n, on, one`, failed: true},
		{tool: "echo", args: `[1]`, want: "the arguments of echo are not a JSON object", failed: true},
		{tool: "must", args: `{}`, want: "must needs x: a text", failed: true},
		{tool: "fails", args: `{}`, want: "no such thing\nhint: make one", failed: true},
		{tool: "crashes", args: `{}`, want: "crashes crashed; the log of this server has more", failed: true},
	} {
		p.call(i+1, tt.tool, tt.args)
		m := p.receive()
		if m.text() != tt.want || m.Result.IsError != tt.failed || m.Error != nil {
			t.Errorf("%s(%s): %+v, want %q", tt.tool, tt.args, m, tt.want)
		}
		if (m.Result.StructuredContent != nil) == tt.failed {
			t.Errorf("%s(%s): data %v", tt.tool, tt.args, m.Result.StructuredContent)
		}
	}
	if !strings.Contains(log.String(), "oh no") || !strings.Contains(log.String(), "mcp_test.go") {
		t.Errorf("a crash is not in the log: %s", log.String())
	}
}

// What is no message is answered, and the session goes on.
func TestHostileLines(t *testing.T) {
	p := serve(t, &Server{Tools: []Tool{{Name: "echo", Run: echo, Params: []Param{{Name: "text", Kind: Text}}}}}, "{}")
	for _, tt := range []struct {
		line string
		code int
	}{
		{"garbage", -32700},
		{`{"foo":1}`, -32700},
		{`{"jsonrpc":"1.0","id":1,"method":"ping"}`, -32700},
		{`{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}`, -32700},
		{"\xff\xfe\x00", -32700},
		{strings.Repeat("[", 100_000), -32600},
		{`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, -32600},
		{`{"jsonrpc":"2.0","id":1,"method":"no/such"}`, -32601},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}`, -32602},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nobody"}}`, -32602},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"` + strings.Repeat("x", 10<<20) + `"}}}`, -32600},
	} {
		p.send(tt.line)
		if m := p.receive(); m.Error == nil || m.Error.Code != tt.code {
			t.Errorf("%.60q: %+v, want %d", tt.line, m, tt.code)
		}
	}
	for _, ignored := range []string{"", "\r", `{"jsonrpc":"2.0","method":"no/such"}`, `{"jsonrpc":"2.0","id":77,"result":{}}`} {
		p.send(ignored)
	}
	p.send(`{"jsonrpc":"2.0","id":"last","method":"ping"}`)
	if m := p.receive(); m.ID != "last" || m.Error != nil {
		t.Errorf("%+v", m)
	}
}

// Every call is answered: of many at once, of those that are cancelled, and
// of those before the end.
func TestManyCalls(t *testing.T) {
	var running, most atomic.Int32
	release := make(chan struct{})
	s := &Server{Tools: []Tool{{Name: "slow", Run: func(ctx context.Context, a Args) (Answer, error) {
		if n := running.Add(1); n > most.Load() {
			most.Store(n)
		}
		defer running.Add(-1)
		<-release
		return echo(ctx, a)
	}}}}
	p := serve(t, s, "{}")
	const n = 50
	for i := range n {
		p.call(i+1, "slow", "{}")
	}
	p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":50}}`)
	p.send(`{"jsonrpc":"2.0","id":99,"method":"ping"}`)
	if m := p.receive(); m.ID != 99.0 && m.ID != 50.0 {
		t.Errorf("not answered while tools run: %+v", m)
	}
	p.in.Close()
	close(release)
	seen := map[any]bool{}
	for {
		line, err := p.out.ReadBytes('\n')
		if err != nil {
			break
		}
		var m message
		_ = json.Unmarshal(line, &m)
		seen[m.ID] = true
	}
	for i := 1; i < n; i++ {
		if !seen[float64(i)] {
			t.Errorf("call %d has no answer", i)
		}
	}
	if err := <-p.done; err != nil {
		t.Error(err)
	}
	if int(most.Load()) > cap(s.slots) {
		t.Errorf("%d ran at once", most.Load())
	}
}

// A context that ends ends the server, whatever its tools do.
func TestEnds(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	in, w := io.Pipe()
	defer w.Close()
	done := make(chan error)
	go func() { done <- (&Server{Log: io.Discard}).Serve(ctx, in, io.Discard) }()
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// The first directory that can be entered is entered before the first tool
// runs, and another when the client moves.
func TestRoots(t *testing.T) {
	dir := t.TempDir()
	deep := filepath.Join(dir, "a b")
	if err := os.Mkdir(deep, 0o755); err != nil {
		t.Fatal(err)
	}
	uri := func(path string) string {
		return "file://" + strings.ReplaceAll(strings.ReplaceAll("/"+strings.TrimPrefix(filepath.ToSlash(path), "/"), " ", "%20"), `\`, "/")
	}
	var mu sync.Mutex
	at := "start"
	s := &Server{
		Enter: func(dir string) error {
			mu.Lock()
			defer mu.Unlock()
			fi, err := os.Stat(dir)
			if err == nil && !fi.IsDir() {
				err = errors.New("not a directory")
			}
			if err == nil {
				at = dir
			}
			return err
		},
		Tools: []Tool{{Name: "where", Run: func(context.Context, Args) (Answer, error) {
			mu.Lock()
			defer mu.Unlock()
			p := &Page{}
			_, _ = io.WriteString(p, at)
			return Answer{Page: p}, nil
		}}},
		Documents: func() []Document {
			return []Document{{URI: "cairn://x", Read: func() ([]byte, error) { return []byte(at), nil }}}
		},
	}
	p := serve(t, s, `{"roots":{"listChanged":true}}`)
	answer := func(roots ...string) {
		m := p.receive()
		if m.Method != "roots/list" {
			t.Fatalf("%+v", m)
		}
		id, _ := json.Marshal(m.ID)
		list, _ := json.Marshal(roots)
		var items []string
		_ = json.Unmarshal(list, &items)
		for i := range items {
			items[i] = fmt.Sprintf(`{"uri":%q}`, items[i])
		}
		p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"roots":[%s]}}`, id, strings.Join(items, ",")))
	}
	where := func(want string) {
		t.Helper()
		p.call(1, "where", "{}")
		if m := p.receive(); m.text() != want {
			t.Errorf("works in %q, want %q", m.text(), want)
		}
	}
	answer("https://example.com/x", uri(filepath.Join(dir, "none")), uri(deep), uri(dir))
	where(deep)
	p.send(`{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}`)
	answer(uri(dir))
	where(dir)
	p.send(`{"jsonrpc":"2.0","id":2,"method":"resources/list"}`)
	if m := p.receive(); len(m.Result.Resources) != 1 || m.Result.Resources[0].URI != "cairn://x" {
		t.Errorf("%+v", m)
	}
	p.send(`{"jsonrpc":"2.0","id":3,"method":"resources/read","params":{"uri":"cairn://x"}}`)
	if m := p.receive(); len(m.Result.Contents) != 1 || m.Result.Contents[0].Text != dir {
		t.Errorf("%+v", m)
	}
	p.send(`{"jsonrpc":"2.0","id":4,"method":"resources/read","params":{"uri":"file:///etc/passwd"}}`)
	if m := p.receive(); m.Error == nil {
		t.Errorf("%+v", m)
	}
}

func TestPage(t *testing.T) {
	rest := func(lines int) string { return fmt.Sprintf("go on after %d", lines) }
	long := strings.Repeat("0123456789\n", 10_000)
	for _, tt := range []struct{ name, text, end string }{
		{"short", "a\nb\n", "a\nb\n"},
		{"no end", "a\nb", "a\nb"},
		{"long", long, "\n0123456789\n[cairn: cut: 6364 more lines; go on after 3636]\n"},
		{"one line", strings.Repeat("ä", MaxText), "ä\n[cairn: cut: the rest of this line; go on after 0]\n"},
	} {
		for _, step := range []int{1, 7, len(tt.text)} {
			p := &Page{}
			for text := tt.text; text != ""; {
				n := min(step, len(text))
				if got, err := io.WriteString(p, text[:n]); got != n || err != nil {
					t.Fatal(got, err)
				}
				text = text[n:]
			}
			got := Answer{Page: p, Rest: rest}.String()
			if !strings.HasSuffix(got, tt.end) || len(got) > MaxText+100 {
				t.Errorf("%s by %d: %d bytes, ends with %q", tt.name, step, len(got), got[max(0, len(got)-100):])
			}
		}
	}
}

// The schema has what a model needs, and the SDK's client reads it.
func TestDeclared(t *testing.T) {
	tool := Tool{Name: "x", Does: "y", Params: []Param{{Name: "a", Kind: Text, Does: "b", OneOf: []string{"c"}, Required: true}, {Name: "n", Kind: Whole}}}
	data, err := json.Marshal(tool.declared())
	want := `{"annotations":{"destructiveHint":false,"idempotentHint":true,"openWorldHint":false,"readOnlyHint":true},"description":"y","inputSchema":{"type":"object","properties":{"a":{"type":"string","description":"b","enum":["c"]},"n":{"type":"integer"}},"required":["a"]},"name":"x"}`
	if err != nil || string(data) != want {
		t.Errorf("%v\n%s\n%s", err, data, want)
	}
	var back sdk.Tool
	if err := json.Unmarshal(data, &back); err != nil {
		t.Error(err)
	}
}
