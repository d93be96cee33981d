package transcript

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func conversation(t *testing.T, name string, lines ...string) (Conversation, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return ReadConversation(File{Path: path, Host: Claude})
}

func said(c Conversation) string {
	var out []string
	for _, m := range c.Messages {
		out = append(out, m.Role+": "+m.Text+" "+strings.Join(m.Tools, ","))
	}
	return strings.Join(out, "\n")
}

func TestConversation(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines []string
		want  string
	}{
		{"what a resumed session copied", []string{
			`{"type":"user","sessionId":"old","message":{"content":"before"}}`,
			`{"type":"user","sessionId":"new","message":{"content":"mine"}}`,
			`{"type":"user","sessionId":"old","message":{"content":"again"}}`,
		}, "user: mine "},
		{"what the host adds", []string{
			`{"type":"user","sessionId":"new","message":{"content":"<local-command-stdout>x"}}`,
			`{"type":"user","sessionId":"new","message":{"content":"<command-name>/plan</command-name>\n<command-args>it</command-args>"}}`,
			`{"type":"user","sessionId":"new","isCompactSummary":true,"message":{"content":"summary"}}`,
			`{"type":"user","sessionId":"new","isSidechain":true,"message":{"content":"a subagent"}}`,
		}, "user: /plan it "},
		{"one message in several lines", []string{
			`{"type":"assistant","sessionId":"new","message":{"id":"m","content":[{"type":"text","text":"a"}]}}`,
			`{"type":"assistant","sessionId":"new","message":{"id":"m","content":[{"type":"tool_use","id":"1","name":"Bash"}]}}`,
			`{"type":"assistant","sessionId":"new","message":{"id":"n","content":[{"type":"text","text":"b"}]}}`,
		}, "assistant: a Bash\nassistant: b "},
		{"lines that are not understood", []string{`{"type":"user"`, `[]`, `{"type":"user","message":7}`, `{}`}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := conversation(t, "new.jsonl", c.lines...)
			if err != nil || said(got) != c.want {
				t.Errorf("%q, %v; want %q", said(got), err, c.want)
			}
		})
	}
	c, err := conversation(t, "rollout.jsonl", readLines(t, "testdata/codex/rollout-new.jsonl")...)
	if err != nil || c.Session != "01a1" || c.Project != "/home/dev/proj" || said(c) != "assistant:  Bash,apply_patch,Bash" {
		t.Errorf("of Codex: %+v, %v", c, err)
	}
}

func readLines(t *testing.T, name string) []string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(data)), "\n")
}

func TestBusyTranscript(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	if err := os.WriteFile(path, []byte(`{"type":"user","message":{"content":"half`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadConversation(File{Path: path}); !errors.Is(err, ErrBusy) {
		t.Errorf("%v; want %v", err, ErrBusy)
	}
}
