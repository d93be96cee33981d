package host

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestClaudeStatus(t *testing.T) {
	for _, tt := range []struct {
		file string
		left float64 // < 0: not known
	}{{"status-new", -1}, {"status", 100}} {
		ev, err := decodeClaude(sampleOf(t, "claude", tt.file))
		if err != nil || ev.Kind != StatusLine {
			t.Errorf("%s: %v, %+v", tt.file, err, ev)
			continue
		}
		s := ev.Status
		if s.Model != "Sonnet 4.5" || s.Dir != "/home/dev/proj" || s.Size != 200_000 || ev.Session == "" ||
			(s.Left == nil) != (tt.left < 0) || s.Left != nil && *s.Left != tt.left || s.Task() != "" || s.Command() != "" {
			t.Errorf("%s: %+v", tt.file, s)
		}
	}
	for _, data := range []string{
		`{"model": 3, "workspace": {}}`, `{"model": {}, "workspace": {"current_dir": 3}}`,
		`{"model": {}, "workspace": {}, "context_window": {"remaining_percentage": "x"}}`,
	} {
		if ev, err := decodeClaude([]byte(data)); err == nil {
			t.Errorf("%s: %+v", data, ev)
		}
	}
	if ev, err := decodeClaude([]byte(`{"model": {}, "workspace": null, "cwd": "/p"}`)); err != nil || ev.Kind != Other {
		t.Errorf("%v, %+v", err, ev)
	}
}

// A line of a transcript of the session's own agent, with so many tokens.
func usageLine(tokens string) string {
	return `{"type":"assistant","isSidechain":false,"message":{"usage":{"input_tokens":1,"cache_creation_input_tokens":2,"cache_read_input_tokens":` + tokens + `,"output_tokens":4}}}` + "\n"
}

func TestClaudeUsed(t *testing.T) {
	long := `{"type":"user","message":"` + strings.Repeat("x", shortTail) + `"}` + "\n"
	tests := []struct {
		name, text string
		want       int // 0: not known
	}{
		{"one", usageLine("100"), 107},
		{"the last", usageLine("100") + usageLine("200"), 207},
		{"before a result", usageLine("100") + `{"type":"user","toolUseResult":{"usage":{"input_tokens":9}}}` + "\n", 107},
		{"before a long result", usageLine("100") + long, 107},
		{"before one that is too long", usageLine("100") + strings.Repeat(long, 9), 0},
		{"a subagent's", usageLine("100") + strings.Replace(usageLine("200"), "false", "true", 1), 107},
		{"while the next is written", usageLine("100") + usageLine("200")[:90], 107},
		{"a message of the host's own", usageLine("100") + `{"type":"assistant","message":{"usage":{"input_tokens":0}}}` + "\n", 107},
		{"text about it", `{"type":"user","text":"\"usage\":{\"input_tokens\":9}"}` + "\n", 0},
		{"nothing", "", 0},
	}
	for _, tt := range tests {
		name := filepath.Join(t.TempDir(), "s.jsonl")
		if err := os.WriteFile(name, []byte(tt.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, window, ok := claudeUsed(name); got != tt.want || ok != (tt.want > 0) || window != 0 {
			t.Errorf("%s: %d of %d, %v", tt.name, got, window, ok)
		}
	}
	for _, name := range []string{"", t.TempDir(), "/not/there"} {
		if got, _, ok := claudeUsed(name); ok {
			t.Errorf("%q: %d", name, got)
		}
	}
}

func TestCodexUsed(t *testing.T) {
	const last = `{"type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"total_tokens":900},"last_token_usage":{"total_tokens":120},"model_context_window":258400}}}` + "\n"
	for text, want := range map[string]int{
		last: 120, last + `{"type":"event_msg","payload":{"type":"token_count","info":null}}` + "\n": 120,
		`{"type":"event_msg","payload":{"type":"token_count","info":null}}` + "\n": 0, "": 0,
	} {
		name := filepath.Join(t.TempDir(), "r.jsonl")
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, window, ok := codexUsed(name); got != want || ok != (want > 0) || ok && window != 258400 {
			t.Errorf("%.40q: %d of %d, %v", text, got, window, ok)
		}
	}
}

// What the agent does, and which command was called, stand beside the
// transcript and in it.
func TestClaudeDoing(t *testing.T) {
	root := t.TempDir()
	file := func(name, text string, age time.Duration) string {
		name = filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		at := time.Now().Add(-age)
		if err := os.Chtimes(name, at, at); err != nil {
			t.Fatal(err)
		}
		return name
	}
	transcript := file("projects/-p/s.jsonl", `{"text":"<command-name>/first</command-name>"}`+"\n"+
		`{"text":"<command-name>/cairn-next</command-name>"}`+"\n"+`{"text":"a <command-name>\\n tag"}`+"\n", 0)
	if got := claudeCommand(transcript); got != "/cairn-next" {
		t.Errorf("called %q", got)
	}
	if got := claudeTodo(transcript, "s"); got != "" {
		t.Errorf("does %q", got)
	}
	file("tasks/s/1.json", `{"subject":"Old","status":"in_progress","activeForm":"Doing old"}`, time.Hour)
	file("tasks/s/2.json", `{"subject":"Write","status":"in_progress"}`, time.Minute)
	file("tasks/s/3.json", `{"subject":"Done","status":"completed","activeForm":"Doing done"}`, 0)
	if got := claudeTodo(transcript, "s"); got != "Write" {
		t.Errorf("does %q", got)
	}
	file("todos/s-agent-s.json", `[{"content":"a","status":"completed","activeForm":"A"},{"content":"b","status":"in_progress","activeForm":"Doing b"}]`, time.Minute)
	file("todos/s-agent-old.json", `[{"content":"c","status":"in_progress","activeForm":"Doing c"}]`, time.Hour)
	file("todos/t-agent-t.json", `[{"content":"d","status":"in_progress","activeForm":"Doing d"}]`, 0)
	if got := claudeTodo(transcript, "s"); got != "Doing b" {
		t.Errorf("does %q", got)
	}
	for _, session := range []string{"", "..", "a/b", "u"} {
		if got := claudeTodo(transcript, session); got != "" {
			t.Errorf("%q: %q", session, got)
		}
	}
	if got := claudeTodo("s.jsonl", "s"); got != "" {
		t.Errorf("without a place: %q", got)
	}
}
