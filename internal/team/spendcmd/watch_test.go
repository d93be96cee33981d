package spendcmd

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"cairn/internal/budget"
	"cairn/internal/team/db/ledger"
	"cairn/internal/team/spend/detail"
	"cairn/internal/term"
)

// A state is drawn over the last one, whatever that had more.
func TestDraw(t *testing.T) {
	at := time.Date(2026, 11, 2, 9, 30, 0, 0, time.UTC)
	s := state{At: at, Today: 4.1, Block: &block{Span: budget.Span{Start: at.Add(-30 * time.Minute), End: at.Add(270 * time.Minute), Spent: 1.2}, Rate: 2, Projected: 10.2}}
	for range 14 {
		s.Sessions = append(s.Sessions, ledger.Active{Agent: "claude", Session: "01a203dc-c06e-4bbb", Repo: "acme/shop", Branch: "main\x1b[2J", Model: "m", Last: at})
	}
	var b bytes.Buffer
	lines := draw(&b, s, term.Paint(false), 0)
	text := b.String()
	if n := strings.Count(text, "\n"); n != lines || strings.Contains(text, "A\r") {
		t.Errorf("%d lines, said %d: %q", n, lines, text)
	}
	for _, want := range []string{"09:00 to 14:00, 4h 30m left", "$2.00 per hour", "$10.20 at the end", "01a203dc-c06e  acme/shop:main", "and 2 more"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, "\x1b[2J") {
		t.Error("a branch clears the screen")
	}
	b.Reset()
	s.Sessions, s.Block = nil, nil
	if draw(&b, s, term.Paint(false), lines); !strings.HasPrefix(b.String(), fmt.Sprintf("\x1b[%dA\r", lines)) || !strings.HasSuffix(b.String(), "\x1b[J") {
		t.Errorf("the second time, behind %d lines: %q", lines, b.String())
	}
	if got := s.line(); got != "$4.10 today, 0 sessions at work" {
		t.Errorf("as a line: %q", got)
	}
}

// What would lower a bill comes the largest first; small change is not worth a word.
func TestAdvise(t *testing.T) {
	got := advise("claude", []detail.Line{
		{Kind: detail.Start, Name: "MCP server demo", USD: 2}, {Kind: detail.Start, Name: "system prompt", USD: 9}, {Kind: detail.Again, Name: "a.go", USD: 0.5},
		{Kind: detail.Again, Name: "b.go", USD: 0.25}, {Kind: detail.Expired, Name: "x", USD: 3}, {Kind: detail.Retries, Name: "go test", USD: 0.004}})
	var said []string
	for _, a := range got {
		said = append(said, fmt.Sprintf("%v %s", a.USD, a.Command))
	}
	if want := "3 /clear, 2 claude mcp remove demo, 0.75 cairn install"; strings.Join(said, ", ") != want {
		t.Errorf("%q, want %q", said, want)
	}
}
