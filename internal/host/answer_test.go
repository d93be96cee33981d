package host

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"
)

// plain is an event without what a test cannot compare.
func plain(ev Event) Event {
	ev.Output, ev.Used, ev.Advise, ev.Refuse = nil, nil, nil, nil
	return ev
}

// What is said beside a shorter output comes with it, in one answer, and alone
// where there is none: a captured call of each host that takes it.
func TestAdvise(t *testing.T) {
	tests := []struct {
		host, file  string
		alone, both string // "SHORT" stands for the output
	}{
		{
			"claude", "bash", `{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"HEAR"}}`,
			`{"hookSpecificOutput":{"hookEventName":"PostToolUse","updatedToolOutput":{"stdout":"SHORT","stderr":"","interrupted":false,"isImage":false,"noOutputExpected":false},"additionalContext":"HEAR"}}`,
		},
		{"claude", "edit", `{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"HEAR"}}`, ""},
		{"claude", "session-start", `{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"HEAR"}}`, ""},
		{"claude", "pre-bash", `{"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"HEAR"}}`, ""},
		{
			"codex", "mcp", `{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"HEAR"}}`,
			`{"decision":"block","reason":"SHORT\n\nHEAR"}`,
		},
		{"codex", "session-start", `{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"HEAR"}}`, ""},
		{"gemini", "write", `{"hookSpecificOutput":{"hookEventName":"AfterTool","additionalContext":"HEAR"}}`, ""},
		{"gemini", "session-start", `{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"HEAR"}}`, ""},
		{"opencode", "bash", `{"output":"1\n2\n3\n4\n5\n\n\nHEAR"}`, `{"output":"SHORT\n\nHEAR"}`},
		{
			"kilo", "mcp", `{"content":[{"type":"text","text":"mcp line 0\nmcp line 1\nmcp line 2"},{"type":"text","text":"HEAR"}]}`,
			`{"content":[{"type":"text","text":"SHORT"},{"type":"text","text":"HEAR"}]}`,
		},
		{
			"copilot", "bash", `{"modifiedResult":{"resultType":"success","textResultForLlm":"1\n2\n3\n4\n5\n<shellId: 0 completed with exit code 0>\n\nHEAR"}}`,
			`{"modifiedResult":{"resultType":"success","textResultForLlm":"SHORT<shellId: 0 completed with exit code 0>\n\nHEAR"}}`,
		},
		{
			"cline", "bash-two", `{"output":[{"query":"echo a","result":"a\n","success":true},{"query":"echo b; exit 2","result":"[Command exited with code 2]\nb\n\n\nHEAR","error":"Command exited with code 2","success":false}]}`, "",
		},
		{
			"cursor", "mcp", `{"additional_context":"HEAR"}`,
			`{"updated_mcp_tool_output":{"content":[{"type":"text","text":"SHORT"}]},"additional_context":"HEAR"}`,
		},
		{"qwen", "read", `{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"HEAR"}}`, ""},
	}
	for _, tt := range tests {
		h, _ := Find(tt.host)
		ev, err := h.Decode(sampleOf(t, tt.host, tt.file))
		if err != nil || ev.Advise == nil {
			t.Errorf("%s %s: %v, takes advice: %v", tt.host, tt.file, err, ev.Advise != nil)
			continue
		}
		alone, err := ev.Advise(nil, "HEAR")
		if err != nil || !sameJSON(t, alone, tt.alone) {
			t.Errorf("%s %s: %v, %s", tt.host, tt.file, err, alone)
		}
		if tt.both == "" {
			continue
		}
		answer, err := ev.Output.Encode([]string{"SHORT"})
		if err != nil {
			t.Fatal(err)
		}
		both, err := ev.Advise(answer, "HEAR")
		if err != nil || !sameJSON(t, both, tt.both) {
			t.Errorf("%s %s, both: %v, %s", tt.host, tt.file, err, both)
		}
		if broken, err := ev.Advise([]byte(`{"hookSpecificOutput":3`), "HEAR"); err == nil {
			t.Errorf("%s %s: to an answer that is none: %s", tt.host, tt.file, broken)
		}
	}
}

func TestRefuse(t *testing.T) {
	tests := []struct{ host, file, want string }{
		{"claude", "pre-bash", `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}`},
		{"codex", "pre-bash", `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}`},
		{"gemini", "pre-shell", `{"decision":"deny","reason":"no"}`},
		{"opencode", "before-bash", `{"refuse":"no"}`},
	}
	for _, tt := range tests {
		h, _ := Find(tt.host)
		ev, err := h.Decode(sampleOf(t, tt.host, tt.file))
		if err != nil || ev.Kind != CallBegins || ev.Tool != "Bash" || ev.Command == "" || ev.Refuse == nil {
			t.Errorf("%s: %v, %+v", tt.host, err, ev)
			continue
		}
		if got, err := ev.Refuse("no"); err != nil || !sameJSON(t, got, tt.want) {
			t.Errorf("%s: %v, %s", tt.host, err, got)
		}
	}
}

func sampleOf(t *testing.T, host, file string) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/" + host + "/" + file + ".json")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func sameJSON(t *testing.T, got []byte, want string) bool {
	t.Helper()
	var a, b any
	if err := json.Unmarshal([]byte(want), &b); err != nil {
		t.Fatal(err)
	}
	return json.Unmarshal(got, &a) == nil && reflect.DeepEqual(a, b)
}

// A patch of several files is about the one of them that belongs to a plan.
func TestCodexPatch(t *testing.T) {
	patch := "*** Begin Patch\n*** Update File: main.go\n@@\n-a\n+b\n*** Add File: .planning/notes.md\n+hello\n+you\n*** End Patch\n"
	data, err := json.Marshal(map[string]any{
		"hook_event_name": "PreToolUse", "session_id": "s", "cwd": "/p", "tool_name": "apply_patch", "tool_input": map[string]any{"command": patch},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ data, file, text string }{
		{string(data), ".planning/notes.md", "hello\nyou\n"},
		{strings.ReplaceAll(string(data), ".planning/notes.md", "other.go"), "main.go", "b\n"},
		{strings.ReplaceAll(string(data), "*** ", ""), "", ""},
		{strings.NewReplacer(`"apply_patch"`, `"Bash"`, `"*** Begin`, `"apply_patch <<'EOF'\n*** Begin`).Replace(string(data)), ".planning/notes.md", "hello\nyou\n"},
	} {
		ev, err := decodeCodex([]byte(tt.data))
		if err != nil || ev.Tool != "Edit" || ev.File != tt.file || ev.Text != tt.text {
			t.Errorf("%v, %+v", err, ev)
		}
	}
}

func TestDecodeQwen(t *testing.T) {
	for file, want := range map[string]Event{
		"shell": {Kind: CallEnded, Tool: "Bash", Command: "seq 1 5"},
		"read":  {Kind: CallEnded, Tool: "Read", File: "/home/dev/proj/a.txt"},
	} {
		ev, err := decodeQwen(sampleOf(t, "qwen", file))
		if err != nil || len(ev.Texts) != 1 || !strings.Contains(ev.Texts[0], map[string]string{"shell": "Output: 1\n2", "read": "hello line 50"}[file]) {
			t.Errorf("%s: %v, %q", file, err, ev.Texts)
		}
		want.Session, want.Cwd, want.Texts = ev.Session, "/home/dev/proj", ev.Texts
		if got := plain(ev); !reflect.DeepEqual(got, want) || ev.Session == "" {
			t.Errorf("%s: %+v, want %+v", file, got, want)
		}
	}
	for _, data := range []string{"", "[]", `{"hook_event_name": 3}`, `{"tool_name": "edit", "tool_input": 3}`} {
		if ev, err := decodeQwen([]byte(data)); err == nil {
			t.Errorf("%q: %+v", data, ev)
		}
	}
}
