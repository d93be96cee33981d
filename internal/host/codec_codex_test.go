package host

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

// codexEvent decodes a captured envelope of a session with this record; keys
// of the envelope are set.
func codexEvent(t *testing.T, name, rollout string, set object) Event {
	t.Helper()
	e := object{}
	data, err := os.ReadFile("testdata/codex/" + name + ".json")
	if err != nil || json.Unmarshal(data, &e) != nil {
		t.Fatal(err)
	}
	e["transcript_path"] = rollout
	for k, v := range set {
		e[k] = v
	}
	data, err = json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	ev, err := decodeCodex(data)
	if err != nil {
		t.Fatal(err)
	}
	return ev
}

const codexRollout = "testdata/codex/rollout.jsonl"

// codexReason is what the model reads. An answer with a key that Codex does
// not know is void, so the answer is checked with Codex's own schema.
func codexReason(t *testing.T, out *Output, texts ...string) string {
	t.Helper()
	answer, err := out.Encode(texts)
	if err != nil {
		t.Fatal(err)
	}
	var s jsonschema.Schema
	data, err := os.ReadFile("testdata/codex/answer.schema.json")
	if err != nil || json.Unmarshal(data, &s) != nil {
		t.Fatal(err)
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	var v object
	if err := json.Unmarshal(answer, &v); err != nil {
		t.Fatal(err)
	}
	if err := resolved.Validate(v); err != nil || v["decision"] != "block" {
		t.Errorf("%s: %v", answer, err)
	}
	return v["reason"].(string)
}

// The exit code stays known to the model, of success and failure.
func TestExitCodeCodex(t *testing.T) {
	for name, code := range map[string]string{"bash": "0", "bash-failed": "7"} {
		ev := codexEvent(t, name, codexRollout, nil)
		if ev.Kind != CallEnded || ev.Tool != "Bash" || ev.Output == nil || ev.Output.Passed != 0 {
			t.Errorf("%s: %+v", name, ev)
			continue
		}
		if got, want := codexReason(t, ev.Output, "short"), "Process exited with code "+code+"\nOutput:\nshort"; got != want {
			t.Errorf("%s: the model reads %q, want %q", name, got, want)
		}
		if failed := *ev.ExitCode != 0; failed != (code != "0") {
			t.Errorf("%s: exit code %d", name, *ev.ExitCode)
		}
	}
}

// An answer would take the exit code from the model: without it, none.
func TestNoExitCodeNoAnswer(t *testing.T) {
	dir := t.TempDir()
	running := filepath.Join(dir, "running.jsonl")
	line := `{"type":"event_msg","payload":{"type":"item_completed","item":{"type":"CommandExecution","id":"call_mock_1_0","exit_code":null,"aggregated_output":"1\n"}}}` + "\n"
	// Another call's, of a command that names this one.
	other := `{"type":"event_msg","payload":{"type":"item_completed","item":{"type":"CommandExecution","id":"call_8","command":["sh","-c","echo \"call_mock_1_0\""],"exit_code":1,"aggregated_output":"\"call_mock_1_0\""}}}` + "\n"
	named := `{"type":"event_msg","payload":{"type":"item_completed","item":{"type":"CommandExecution","id":"call_8","other":"call_mock_1_0","exit_code":1,"aggregated_output":""}}}` + "\n"
	if err := os.WriteFile(running, []byte(line+other+named+line[:60]), 0o600); err != nil {
		t.Fatal(err)
	}
	for what, ev := range map[string]Event{
		"no record":           codexEvent(t, "bash", "", nil),
		"null":                codexEvent(t, "bash", "", object{"transcript_path": nil}),
		"a missing record":    codexEvent(t, "bash", filepath.Join(dir, "gone.jsonl"), nil),
		"another call":        codexEvent(t, "bash", codexRollout, object{"tool_use_id": "call_9"}),
		"no code":             codexEvent(t, "bash", running, nil),
		"a response of parts": codexEvent(t, "bash", codexRollout, object{"tool_response": object{"output": "x"}}),
	} {
		if ev.Output != nil || ev.ExitCode != nil {
			t.Errorf("%s: %+v", what, ev)
		}
	}
}

// Of an output that Codex clipped, its record has more.
func TestClippedCodex(t *testing.T) {
	ev := codexEvent(t, "bash-clipped", codexRollout, nil)
	out := ev.Output
	const mark = "[… about 43 KB that Codex left out …]"
	text := out.Texts[0]
	if out.Clipped != mark || strings.Count(text, "\n"+mark+"\n") != 1 || out.Passed == 0 {
		t.Fatalf("clipped %q, passed %d, %d bytes", out.Clipped, out.Passed, len(text))
	}
	if !strings.HasPrefix(text, "1\n2\n3\n") || !strings.HasSuffix(text, "\n20000\n") || len(text) < 65_000 || strings.Contains(text, "truncated") {
		t.Errorf("%d bytes, from %q to %q", len(text), text[:20], text[len(text)-20:])
	}
	const warning = "Warning: truncated output (original token count: 5000)\nTotal output lines: 9\n\n"
	response := warning + "ab\ncd…1234 chars truncated…yz\nend\n"
	whole := "ab\ncd" + strings.Repeat("x", 19_990) + "end\n"
	tests := []struct {
		what, response, record, text, clipped string
		ok                                    bool
	}{
		{"all is in the record", response, whole, whole, "", true},
		{"the last of several calls", response, "seen before\nab\ncd\n" + whole, whole, "", true},
		{"the last of several calls, long", response, "seen before\nab\ncdef" + recordSeam + "vwxyz\nend\n",
			"ab\ncdef\n[… about 20 KB that Codex left out …]\nvwxyz\nend\n", "[… about 20 KB that Codex left out …]", true},
		{"another output", response, text, "ab\ncd\n…1234 chars truncated…\nyz\nend\n", "…1234 chars truncated…", true},
		{"the record is short", response, "ab\ncd and so on", "ab\ncd\n…1234 chars truncated…\nyz\nend\n", "…1234 chars truncated…", true},
		{"whole", "ab\ncd\n", "ab\ncd\n", "", "", false},
		{"whole, and speaks of truncation", "…12 chars truncated…", "", "", "", false},
		{"no mark", warning + "ab\n", "ab\n", "", "", false},
		{"no number", "Warning: truncated output (original token count: many)\n\nab…1 chars truncated…", "ab\n", "", "", false},
		{"a wrong number", "Warning: truncated output (original token count: -7)\n\nab…1 chars truncated…", "ab\n", "ab\n…1 chars truncated…\n", "…1 chars truncated…", true},
		{"none", "Warning: truncated output (original token count: 0)\n\nab…1 chars truncated…", "ab\n", "ab\n…1 chars truncated…\n", "…1 chars truncated…", true},
		{"cut short", "Warning: truncated output (original token count: 5", "", "", "", false},
	}
	for _, tt := range tests {
		text, clipped, ok := unclipped(tt.response, tt.record)
		if text != tt.text || clipped != tt.clipped || ok != tt.ok {
			t.Errorf("%s: %.80q, %q, %v", tt.what, text, clipped, ok)
		}
	}
}

func TestMCPCodex(t *testing.T) {
	text := object{"type": "text", "text": "b"}
	ev := codexEvent(t, "mcp", "", nil)
	if ev.Output == nil || ev.Tool != "mcp__demo__big" || ev.ExitCode != nil {
		t.Fatalf("%+v", ev)
	}
	if got := codexReason(t, ev.Output, "short"); got != "short" {
		t.Errorf("the model reads %q", got)
	}
	ev = codexEvent(t, "mcp", "", object{"tool_response": object{"content": []any{text, text}, "structuredContent": nil}})
	if got := codexReason(t, ev.Output, "one", "two"); got != "one\ntwo" {
		t.Errorf("the model reads %q", got)
	}
	for what, response := range map[string]any{
		"an image":    object{"content": []any{text, object{"type": "image", "data": "aGk="}}},
		"an error":    object{"content": []any{text}, "isError": true},
		"structured":  object{"content": []any{text}, "structuredContent": object{"a": 1}},
		"no content":  object{},
		"a string":    "text",
		"empty":       object{"content": []any{}},
		"other types": object{"content": 3},
	} {
		if ev := codexEvent(t, "mcp", "", object{"tool_response": response}); ev.Output != nil {
			t.Errorf("%s: %+v", what, ev.Output)
		}
	}
}

func TestOtherEventsOfCodex(t *testing.T) {
	for _, name := range []string{"pre-bash", "session-start"} {
		if ev := codexEvent(t, name, codexRollout, nil); ev.Kind == CallEnded || ev.Output != nil {
			t.Errorf("%s: %+v", name, ev)
		}
	}
}
