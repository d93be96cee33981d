package host

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A geminiUser has the host's directory, with a session of a project in it.
type geminiUser struct{ dir, project string }

func newGeminiUser(t *testing.T) geminiUser {
	return geminiUser{filepath.Join(t.TempDir(), ".gemini"), t.TempDir()}
}

func (u geminiUser) file(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// event decodes a captured envelope, with keys of its tool_response set.
func (u geminiUser) event(t *testing.T, name string, response object) Event {
	t.Helper()
	e := object{}
	data, err := os.ReadFile("testdata/gemini/" + name + ".json")
	if err != nil || json.Unmarshal(data, &e) != nil {
		t.Fatal(err)
	}
	e["transcript_path"], e["cwd"] = filepath.Join(u.dir, "tmp", "proj", "chats", "session.jsonl"), u.project
	for k, v := range response {
		e["tool_response"].(object)[k] = v
	}
	if data, err = json.Marshal(e); err != nil {
		t.Fatal(err)
	}
	ev, err := decodeGemini(data)
	if err != nil {
		t.Fatal(err)
	}
	return ev
}

// reads is what the model reads when out is answered with text.
func (u geminiUser) reads(t *testing.T, out *Output, text string) string {
	t.Helper()
	answer, err := out.Encode([]string{text})
	if err != nil {
		t.Fatal(err)
	}
	if answer == nil {
		return ""
	}
	var a struct {
		Hook struct {
			Event string `json:"hookEventName"`
			Tail  struct {
				Name string            `json:"name"`
				Args map[string]string `json:"args"`
			} `json:"tailToolCallRequest"`
		} `json:"hookSpecificOutput"`
	}
	if err := json.Unmarshal(answer, &a); err != nil || a.Hook.Event != "AfterTool" || a.Hook.Tail.Name != "read_file" {
		t.Fatalf("%v: %s", err, answer)
	}
	file := a.Hook.Tail.Args["file_path"]
	if !strings.HasPrefix(file, filepath.Join(u.dir, "tmp", "proj", "tool-outputs", "session-")) {
		t.Errorf("%s is not where the host keeps outputs", file)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if fi, _ := os.Stat(file); fi.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", fi.Mode())
	}
	return string(data)
}

// What the host puts around a text stays: the marks of what not to obey, and
// how the command ended.
func TestReplaceGemini(t *testing.T) {
	u := newGeminiUser(t)
	tests := []struct {
		name, tool, text, reads string
		exit                    int
	}{
		{"shell", "Bash", "1\n2\n3\n4\n5", "<untrusted_context>\nOutput: short\nProcess Group PGID: 4518\n</untrusted_context>", 0},
		{"shell-failed", "Bash", "1\n2\n3\n4\n5", "<untrusted_context>\nOutput: short\nExit Code: 4\nProcess Group PGID: 26878\n</untrusted_context>", 4},
		{"shell-killed", "Bash", "(empty)", "<untrusted_context>\nOutput: short\nSignal: 9\nProcess Group PGID: 19679\n</untrusted_context>", -1},
		{"mcp", "mcp__demo__big", "mcp line 0\nmcp line 1\nmcp line 2", "<untrusted_context>\nshort\n</untrusted_context>", -100},
	}
	for _, tt := range tests {
		ev := u.event(t, tt.name, nil)
		if ev.Output == nil || ev.Tool != tt.tool || ev.Output.Texts[0] != tt.text {
			t.Errorf("%s: %+v", tt.name, ev)
			continue
		}
		if (ev.ExitCode == nil) != (tt.exit == -100) || ev.ExitCode != nil && *ev.ExitCode != tt.exit {
			t.Errorf("%s: exit code %v", tt.name, ev.ExitCode)
		}
		if got := u.reads(t, ev.Output, "short\n"); got != tt.reads {
			t.Errorf("%s: the model reads %q, want %q", tt.name, got, tt.reads)
		}
	}
	for name, tt := range map[string]struct{ tool, first, before, after string }{
		"grep":       {"Grep", "File: a.txt\nL1: hello line 1\n", "Found 50 matches for pattern \"hello\" in the workspace directory:\n---\n", "\n---"},
		"grep-files": {"Glob", "src/d1/f1.go\n", "Found 3 files with matches for pattern \"errors.New\" in path \".\" (results limited to 100 matches for performance):\n", ""},
		"glob":       {"Glob", "/home/dev/proj/src/d4/f4.go\n", "Found 5 file(s) matching \"**/*.go\" within /home/dev/proj, sorted by modification time (newest first):\n", ""},
	} {
		ev := u.event(t, name, nil)
		if ev.Tool != tt.tool || ev.Output == nil || !strings.HasPrefix(ev.Output.Texts[0], tt.first) || strings.Contains(ev.Output.Texts[0], "---") {
			t.Errorf("%s: %+v", name, ev)
			continue
		}
		if got := u.reads(t, ev.Output, "short\n"); got != tt.before+"short"+tt.after {
			t.Errorf("%s: the model reads %q", name, got)
		}
	}
	ev := u.event(t, "read", nil)
	if ev.Tool != "Read" || ev.Output.File == "" || ev.Output.Range || u.reads(t, ev.Output, "short") != "short" {
		t.Errorf("read: %+v", ev)
	}
	long := "<untrusted_context>\nOutput: " + strings.Repeat("line\n", 10_000) + "Process Group PGID: 1\n</untrusted_context>"
	if ev := u.event(t, "shell", object{"llmContent": long}); ev.Output.Passed == 0 || len(ev.Output.Texts[0]) != 49_999 {
		t.Errorf("a long output: %d bytes, of which the model gets %d", len(ev.Output.Texts[0]), ev.Output.Passed)
	}
}

func TestLeftAloneByGemini(t *testing.T) {
	u := newGeminiUser(t)
	for _, name := range []string{"shell-background", "mcp-failed", "write", "grep-none", "pre-shell", "session-start"} {
		if ev := u.event(t, name, nil); ev.Output != nil {
			t.Errorf("%s: %+v", name, ev.Output)
		}
	}
	for what, content := range map[string]any{
		"parts": []any{object{"text": "a"}}, "cancelled": "Command was cancelled by user before it could complete.", "nothing": nil,
		"an exit code that is none": "Output: a\nExit Code: x",
	} {
		if ev := u.event(t, "shell", object{"llmContent": content}); ev.Output != nil {
			t.Errorf("shell, %s: %+v", what, ev.Output)
		}
	}
	for what, content := range map[string]any{
		"two parts": []any{object{"text": "a"}, object{"text": "b"}}, "an image": []any{object{"inlineData": object{"data": "x"}}}, "a string": "a",
	} {
		if ev := u.event(t, "mcp", object{"llmContent": content}); ev.Output != nil {
			t.Errorf("mcp, %s: %+v", what, ev.Output)
		}
	}
	out := u.event(t, "shell", nil).Output
	for what, text := range map[string]string{"a long line": strings.Repeat("x", 2001), "many lines": strings.Repeat("x\n", 2001)} {
		if got := u.reads(t, out, text); got != "" {
			t.Errorf("%s: read_file would clip it, answered %d bytes", what, len(got))
		}
	}
	data, err := os.ReadFile("testdata/gemini/read.json")
	if err != nil {
		t.Fatal(err)
	}
	data = []byte(strings.ReplaceAll(string(data), "a.txt", "cairn-0123456789ab.txt"))
	if ev, err := decodeGemini(data); err != nil || ev.Output != nil {
		t.Errorf("the read that an answer of ours asked for: %v, %+v", err, ev.Output)
	}
	u.dir = "elsewhere\x00"
	if _, err := u.event(t, "shell", nil).Output.Encode([]string{"x"}); err == nil {
		t.Error("a file that cannot be written is answered")
	}
}

// Where read_file may not be called, an answer would cost the model all.
func TestForbiddenByGemini(t *testing.T) {
	tests := []struct {
		name, file, text string
		forbids          bool
	}{
		{"nothing", "", "", false},
		{"hooks that name it", "settings.json", `{"hooks": {"AfterTool": [{"matcher": "^(run_shell_command|read_file)$"}]}}`, false},
		{"excluded", "settings.json", "{\"tools\": {\"exclude\": [\"read_file\"]}, // mine\n}", true},
		{"excluded, older name", "settings.json", `{"excludeTools": ["ReadFileTool"]}`, true},
		{"another one excluded", "settings.json", `{"tools": {"exclude": ["web_fetch"]}}`, false},
		{"a list without it", "settings.json", `{"tools": {"core": ["run_shell_command"]}}`, true},
		{"a list with it", "settings.json", `{"tools": {"core": ["run_shell_command", "read_file"]}}`, false},
		{"not JSON", "settings.json", `{`, false},
		{"a policy", "policies/mine.toml", "[[rule]]\ntoolName = \"read_file\"\ndecision = \"deny\"\n", true},
		{"a policy for all", "policies/mine.toml", "[[rule]]\ntoolName = \"*\"\n", true},
		{"an extension", "extensions/x/gemini-extension.json", `{"name": "x", "excludeTools": ["read_file"]}`, true},
		{"another extension", "extensions/x/gemini-extension.json", `{"name": "x"}`, false},
		{"an agent without it", "agents/builder.md", "---\nname: builder\ntools:\n  - run_shell_command\n---\n", true},
		{"an agent with all", "agents/builder.md", "---\nname: builder\n---\n", false},
		{"an agent with it", "agents/builder.md", "---\nname: builder\ntools: [run_shell_command, read_file]\n---\n", false},
		{"another policy", "policies/mine.toml", "[[rule]]\ntoolName = \"replace\"\n", false},
	}
	for _, tt := range tests {
		for _, inProject := range []bool{false, true} {
			u := newGeminiUser(t)
			where := u.dir
			if inProject {
				where = filepath.Join(u.project, ".gemini")
			}
			if tt.file != "" {
				u.file(t, filepath.Join(where, tt.file), tt.text)
			}
			ev := u.event(t, "shell", nil)
			why := geminiForbids(u.dir, u.project)
			if (ev.Output == nil) != tt.forbids || (why != "") != tt.forbids {
				t.Errorf("%s, in the project %v: %+v, %q", tt.name, inProject, ev.Output, why)
			}
		}
	}
}

// Beside another tool's call Gemini CLI drops what is said: it stands in the
// file that is read.
func TestGeminiAdvises(t *testing.T) {
	file := filepath.Join(t.TempDir(), "cairn-x.txt")
	answer, err := geminiAnswer(file, "short")
	if err != nil {
		t.Fatal(err)
	}
	both, err := geminiAdvise(answer, "HEAR")
	data, _ := os.ReadFile(file)
	if err != nil || string(both) != string(answer) || string(data) != "short\n\nHEAR" {
		t.Errorf("%v, %s, %q", err, both, data)
	}
	os.Remove(file)
	if both, err := geminiAdvise(answer, "HEAR"); err == nil {
		t.Errorf("without the file: %s", both)
	}
}
