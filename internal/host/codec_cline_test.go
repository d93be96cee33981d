package host

import (
	"encoding/json"
	"reflect"
	"testing"
)

func TestDecodeCline(t *testing.T) {
	const file = "/home/dev/proj/a.txt"
	code := func(n int) *int { return &n }
	tests := []struct {
		name string
		want Event
		out  *Output // without Encode; nil: it is left alone
	}{
		{"bash", Event{Tool: "Bash", Command: "seq 1 5", ExitCode: code(0)}, &Output{Texts: []string{"1\n2\n3\n4\n5\n"}}},
		{"bash-failed", Event{Tool: "Bash", Command: "seq 1 3; echo oops >&2; exit 3", ExitCode: code(3)}, &Output{Texts: []string{"1\n2\n3\n\n[stderr]\noops\n"}}},
		{"bash-two", Event{Tool: "Bash", Command: "echo a\necho b; exit 2", ExitCode: code(2)}, &Output{Texts: []string{"a\n", "b\n"}}},
		{"read", Event{Tool: "Read"}, &Output{Texts: []string{"1 | hello line 1\n2 | hello line 2\n3 | hello line 3"}, File: file}},
		{"read-range", Event{Tool: "Read"}, &Output{Texts: []string{"2 | hello line 2"}, File: file, Range: true}},
		{"search", Event{}, nil},
		{"fetch", Event{}, nil},
	}
	for _, tt := range tests {
		ev, err := decodeCline(fixture(t, "cline/"+tt.name))
		if err != nil {
			t.Fatal(err)
		}
		if out := ev.Output; out != nil {
			out.Encode = nil
		}
		if !reflect.DeepEqual(ev.Output, tt.out) {
			t.Errorf("%s: %+v, want %+v", tt.name, ev.Output, tt.out)
		}
		tt.want.Kind, tt.want.Session, tt.want.Cwd = CallEnded, "conv_1795217189056_ul21unt", "/home/dev/proj"
		if ev = plain(ev); !reflect.DeepEqual(ev, tt.want) {
			t.Errorf("%s: got %+v, want %+v", tt.name, ev, tt.want)
		}
	}
}

// The entries keep their order, their other members and the exit code.
func TestReplaceCline(t *testing.T) {
	ev, err := decodeCline(fixture(t, "cline/bash-two"))
	if err != nil {
		t.Fatal(err)
	}
	answer, err := ev.Output.Encode([]string{"short 0", "short 1"})
	want := `{"output":[{"query":"echo a","result":"short 0","success":true},` +
		`{"query":"echo b; exit 2","result":"[Command exited with code 2]\nshort 1","error":"Command exited with code 2","success":false}]}`
	if err != nil || !reflect.DeepEqual(decoded(t, answer), decoded(t, []byte(want))) {
		t.Errorf("%v, %s", err, answer)
	}
}

func decoded(t *testing.T, data []byte) (v any) {
	t.Helper()
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestClippedByCline(t *testing.T) {
	const marker = "[... output truncated: 108894 chars total. Refine the command (grep, head, tail) to view the elided middle ...]"
	event, err := json.Marshal(object{"event": "afterTool", "tool": "run_commands", "input": object{"commands": []string{"x"}},
		"output": []any{object{"result": "a"}, object{"result": "b\n" + marker + "\nc\n"}}})
	if err != nil {
		t.Fatal(err)
	}
	if ev, err := decodeCline(event); err != nil || ev.Output.Clipped != marker {
		t.Errorf("%v, %+v", err, ev.Output)
	}
}

func TestNotAnEventOfCline(t *testing.T) {
	for _, data := range []string{"", "[]", `{"event": 3}`, `{"event": "afterTool", "tool": "run_commands"}`, `{"event": "afterTool", "tool": "run_commands", "input": {"commands": "x"}}`} {
		if ev, err := decodeCline([]byte(data)); err == nil {
			t.Errorf("%q: %+v", data, ev)
		}
	}
	for _, data := range []string{
		`{"event": "another"}`, `{"event": "afterTool", "tool": "editor", "input": 3}`,
		`{"event": "afterTool", "tool": "run_commands", "input": {}, "output": "x"}`,
		`{"event": "afterTool", "tool": "run_commands", "input": {}, "output": [{"result": "a"}, {"result": [{"type": "image"}]}]}`,
		`{"event": "afterTool", "tool": "read_files", "input": {"files": [{"path": "a"}, {"path": "b"}]}, "output": [{"result": "a"}, {"result": "b"}]}`,
	} {
		if ev, err := decodeCline([]byte(data)); err != nil || ev.Output != nil {
			t.Errorf("%q: %v, %+v", data, err, ev)
		}
	}
}
