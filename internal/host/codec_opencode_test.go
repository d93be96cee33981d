package host

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

func TestDecodeOpenCode(t *testing.T) {
	const file = "/home/dev/proj/a.txt"
	code := func(n int) *int { return &n }
	tests := []struct {
		name  string
		want  Event
		texts []string // nil: it is left alone
		out   Output   // without Texts and Encode
	}{
		{"bash", Event{Tool: "Bash", Command: "seq 1 5", ExitCode: code(0)}, []string{"1\n2\n3\n4\n5\n"}, Output{}},
		{"bash-failed", Event{Tool: "Bash", Command: "seq 1 3; echo oops >&2; exit 3", ExitCode: code(3)}, []string{"1\n2\n3\noops\n"}, Output{}},
		{"bash-stopped", Event{Tool: "Bash", Command: "echo tick 1; sleep 5"}, []string{"tick 1\n"}, Output{}},
		{"bash-saved", Event{Tool: "Bash", Command: "seq 1 3000; exit 2", ExitCode: code(2)}, []string{"2996\n2997\n2998\n2999\n3000\n"},
			Output{Complete: "/home/dev/.local/share/opencode/tool-output/"}},
		{"read", Event{Tool: "Read"}, []string{"1: hello line 1\n2: hello line 2\n3: hello line 3"}, Output{File: file}},
		{"read-range", Event{Tool: "Read"}, []string{"2: hello line 2"}, Output{File: file, Range: true}},
		{"read-directory", Event{Tool: "Read"}, nil, Output{}},
		{"read-image", Event{Tool: "Read"}, nil, Output{}},
		{"grep", Event{Tool: "Grep"}, []string{"Found 3 matches\n" + file + ":\n  Line 1: hello line 1\n\n  Line 2: hello line 2\n\n  Line 3: hello line 3\n"}, Output{}},
		{"glob", Event{Tool: "Glob"}, []string{"/home/dev/proj/src/"}, Output{}},
		{"webfetch", Event{Tool: "WebFetch"}, []string{"tDocParagraph 0"}, Output{}},
		{"mcp", Event{Tool: "mcp__demo_big"}, []string{"mcp line 0\nmcp line 1\nmcp line 2"}, Output{}},
		{"write", Event{Tool: "Write", File: "/home/dev/proj/new.txt", Text: "new\n"}, nil, Output{}},
	}
	for _, tt := range tests {
		ev, err := decodeOpenCode(fixture(t, "opencode/"+tt.name))
		if err != nil || (ev.Output != nil) != (tt.texts != nil) {
			t.Errorf("%s: %v, %+v", tt.name, err, ev.Output)
			continue
		}
		if out := ev.Output; out != nil {
			if len(out.Texts) != 1 || !strings.HasPrefix(out.Texts[0], tt.texts[0]) || tt.name != "glob" && tt.name != "webfetch" && out.Texts[0] != tt.texts[0] {
				t.Errorf("%s: texts %q, want %q", tt.name, out.Texts, tt.texts)
			}
			if !strings.HasPrefix(out.Complete, tt.out.Complete) || out.Complete != "" && tt.out.Complete == "" || out.File != tt.out.File || out.Range != tt.out.Range {
				t.Errorf("%s: %+v", tt.name, out)
			}
		}
		tt.want.Kind, tt.want.Session, tt.want.Cwd = CallEnded, "ses_e0673e59dffezgz23rz0yZ79G5", "/home/dev/proj"
		if ev = plain(ev); !reflect.DeepEqual(ev, tt.want) {
			t.Errorf("%s: got %+v, want %+v", tt.name, ev, tt.want)
		}
	}
}

// What the host says around an output stays.
func TestReplaceOpenCode(t *testing.T) {
	tests := []struct{ name, begins, ends string }{
		{"bash", "short 0", ""},
		{"bash-stopped", "short 0\n\n<shell_metadata>\nshell tool terminated", "milliseconds.\n</shell_metadata>"},
		{"bash-saved", "Full output saved to: /home/dev/.local/share/opencode/tool-output/tool_", "\n\nshort 0\n[exit code 2]"},
		{"read", "<path>/home/dev/proj/a.txt</path>\n<type>file</type>\n<content>\nshort 0\n\n(End of file", "- total 3 lines)\n</content>"},
		{"read-range", "<path>/home/dev/proj/a.txt</path>\n<type>file</type>\n<content>\nshort 0\n\n(Showing lines 2-2", "to continue.)\n</content>"},
		{"glob", "short 0\n\n(Results are truncated: ", "pattern.)"},
	}
	for _, tt := range tests {
		ev, err := decodeOpenCode(fixture(t, "opencode/"+tt.name))
		if err != nil {
			t.Fatal(err)
		}
		answer, err := ev.Output.Encode([]string{"short 0"})
		var got map[string]string
		if err != nil || json.Unmarshal(answer, &got) != nil || len(got) != 1 {
			t.Fatalf("%s: %v, %s", tt.name, err, answer)
		}
		if text := got["output"]; !strings.HasPrefix(text, tt.begins) || !strings.HasSuffix(text, tt.ends) || len(text) > 400 {
			t.Errorf("%s: %q", tt.name, text)
		}
	}
	ev, err := decodeOpenCode(fixture(t, "opencode/mcp"))
	if err != nil {
		t.Fatal(err)
	}
	answer, err := ev.Output.Encode([]string{"short 0"})
	if err != nil || string(answer) != `{"content":[{"type":"text","text":"short 0"}]}` {
		t.Errorf("%v, %s", err, answer)
	}
}

func TestNotAnEventOfOpenCode(t *testing.T) {
	const after = `{"event": "tool.execute.after", "tool": "bash", "args": {"command": "x"}, "output": "x"`
	for _, data := range []string{"", "[]", `{"event": 3}`, after, after + `, "exit": "no"}`, `{"event": "tool.execute.after", "tool": "bash", "output": "x"}`} {
		if ev, err := decodeOpenCode([]byte(data)); err == nil {
			t.Errorf("%q: %+v", data, ev)
		}
	}
	for _, data := range []string{
		`{"event": "another", "tool": "bash"}`, `{"event": "tool.execute.after", "tool": "bash"}`,
		`{"event": "tool.execute.after", "tool": "demo_shot", "content": [{"type": "image"}]}`, `{"event": "tool.execute.after", "tool": "demo_shot", "content": 3}`,
	} {
		if ev, err := decodeOpenCode([]byte(data)); err != nil || ev.Output != nil {
			t.Errorf("%q: %v, %+v", data, err, ev)
		}
	}
}

// Kilo is a fork and sends the same.
func TestDecodeKilo(t *testing.T) {
	for _, name := range []string{"bash", "bash-failed", "bash-saved", "read", "grep", "glob", "mcp"} {
		kilo, err := decodeOpenCode(fixture(t, "kilo/"+name))
		if err != nil || kilo.Output == nil {
			t.Fatalf("%s: %v, %+v", name, err, kilo)
		}
		opencode, err := decodeOpenCode(fixture(t, "opencode/"+name))
		if err != nil || kilo.Tool != opencode.Tool || (kilo.ExitCode == nil) != (opencode.ExitCode == nil) ||
			(kilo.Output.Complete == "") != (opencode.Output.Complete == "") || kilo.Output.File != opencode.Output.File {
			t.Errorf("%s: %v, %+v and %+v", name, err, kilo, opencode)
		}
	}
}
