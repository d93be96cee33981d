package host

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"
)

// fixture is an envelope as a real agent sent it.
func fixture(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestDecodeCopilot(t *testing.T) {
	const file = "/home/dev/proj/a.txt"
	code := func(n int) *int { return &n }
	tests := []struct {
		name string
		want Event
		text string // "": it is left alone
		out  Output // without Texts and Encode
	}{
		{"bash", Event{Tool: "Bash", Command: "seq 1 5", ExitCode: code(0)}, "1\n2\n3\n4\n5\n", Output{}},
		{"bash-failed", Event{Tool: "Bash", Command: "seq 1 3; echo oops >&2; exit 3", ExitCode: code(3)}, "1\n2\n3\noops\n", Output{}},
		{"bash-background", Event{Tool: "Bash", Command: "sleep 2"}, "", Output{}},
		{"view", Event{Tool: "Read"}, "hello line 1\nhello line 2\nhello line 3\n", Output{File: file}},
		{"view-range", Event{Tool: "Read"}, "hello line 1\nhello line 2", Output{File: file, Range: true}},
		{"view-image", Event{Tool: "Read"}, "Viewed image file successfully.", Output{File: "/home/dev/proj/p.png"}},
		{"mcp", Event{Tool: "mcp__demo-big"}, "mcp line 0\nmcp line 1\nmcp line 2", Output{}},
		{"grep", Event{}, "", Output{}},
		{"create", Event{Tool: "Write", File: "/home/dev/proj/new.txt", Text: "new\n"}, "", Output{}},
	}
	for _, tt := range tests {
		ev, err := decodeCopilot(fixture(t, "copilot/"+tt.name))
		if err != nil || (ev.Output != nil) != (tt.text != "") {
			t.Errorf("%s: %v, %+v", tt.name, err, ev.Output)
			continue
		}
		if out := ev.Output; out != nil {
			tt.out.Texts, out.Encode = []string{tt.text}, nil
			if !reflect.DeepEqual(*out, tt.out) {
				t.Errorf("%s: %+v, want %+v", tt.name, out, tt.out)
			}
		}
		tt.want.Kind, tt.want.Session, tt.want.Cwd = CallEnded, "a90d2ba2-b55e-4076-a6c8-fbd76d74d097", "/home/dev/proj"
		if ev = plain(ev); !reflect.DeepEqual(ev, tt.want) {
			t.Errorf("%s: got %+v, want %+v", tt.name, ev, tt.want)
		}
	}
}

// The line with the exit code stays, and so does the one that names the file
// with the complete output.
func TestReplaceCopilot(t *testing.T) {
	for name, want := range map[string]string{
		"bash-failed": "short 0<shellId: 1 completed with exit code 3>",
		"view":        "short 0",
		"mcp":         "short 0",
		"bash-saved":  "Output too large to read at once (23.3 KB). Saved to: SAVED\nshort 0<shellId: 2 completed with exit code 2>",
	} {
		data := fixture(t, "copilot/"+name)
		ev, err := decodeCopilot(data)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := ev.Output.Encode([]string{"short 0"})
		var got, envelope map[string]map[string]any
		if err != nil || json.Unmarshal(answer, &got) != nil {
			t.Fatalf("%s: %v, %s", name, err, answer)
		}
		json.Unmarshal(data, &envelope) // members of another type are not looked at
		result := envelope["toolResult"]
		result["textResultForLlm"] = strings.Replace(want, "SAVED", ev.Output.Complete, 1)
		if !reflect.DeepEqual(got, map[string]map[string]any{"modifiedResult": result}) {
			t.Errorf("%s: %s", name, answer)
		}
	}
}

// A command may print what looks like the host's own words.
func TestSavedByCopilot(t *testing.T) {
	for text, want := range map[string]string{
		"Output too large to read at once (9 KB). Saved to: /tmp/1-copilot-tool-output-2-a.txt\nConsider": "/tmp/1-copilot-tool-output-2-a.txt",
		"Output too large to read at once (9 KB). Saved to: /home/dev/.ssh/id_rsa\nConsider":              "",
		"Output too large to read at once (9 KB). Saved to: 1-copilot-tool-output-2-a.txt\nConsider":      "",
		"Saved to: /tmp/1-copilot-tool-output-2-a.txt\n":                                                  "",
	} {
		f := framed{text: text}
		if got := f.copilotSaved(); got != want || f.before+f.text != text && got == "" {
			t.Errorf("%q: %q", text, got)
		}
	}
}

func TestNotAnEventOfCopilot(t *testing.T) {
	for _, data := range []string{"", "[]", `{"toolName": 3}`, `{"toolName": "bash", "toolResult": 3}`,
		`{"toolName": "bash", "toolArgs": 3, "toolResult": {"textResultForLlm": "x"}}`, `{"toolName": "view", "toolArgs": {"path": 3}, "toolResult": {"textResultForLlm": "x"}}`} {
		if ev, err := decodeCopilot([]byte(data)); err == nil {
			t.Errorf("%q: %+v", data, ev)
		}
	}
	for _, data := range []string{`{"toolName": "bash", "toolArgs": {}}`, `{"toolName": "bash", "toolResult": {"resultType": "denied"}}`,
		`{"toolName": "bash", "toolArgs": {"command": "x"}, "toolResult": {"textResultForLlm": "x <shellId: 1 is still running>"}}`} {
		if ev, err := decodeCopilot([]byte(data)); err != nil || ev.Output != nil {
			t.Errorf("%q: %v, %+v", data, err, ev)
		}
	}
	// Older versions send the arguments as text.
	const text = `{"toolName": "bash", "toolArgs": "{\"command\": \"make\"}", "toolResult": {"textResultForLlm": "x\n<shellId: 1 completed with exit code 2>"}}`
	if ev, err := decodeCopilot([]byte(text)); err != nil || ev.Command != "make" || *ev.ExitCode != 2 {
		t.Errorf("%v, %+v", err, ev)
	}
}
