package host

import (
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"testing"
)

type object = map[string]any

// captured returns an envelope of testdata/claude, captured from 2.1.329, with
// keys of its tool_input and tool_response set.
func captured(t *testing.T, name string, input, response object) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/claude/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var e object
	if err := json.Unmarshal(data, &e); err != nil {
		t.Fatal(err)
	}
	for key, set := range map[string]object{"tool_input": input, "tool_response": response} {
		for k, v := range set {
			e[key].(object)[k] = v
		}
	}
	if data, err = json.Marshal(e); err != nil {
		t.Fatal(err)
	}
	return data
}

func TestDecodeClaude(t *testing.T) {
	const session = "3be43fda-103e-47d9-9fa3-7000cbf68197"
	tests := []struct {
		name  string
		input object
		want  Event // without Output
		reply bool  // it has one
	}{
		{"session-start", nil, Event{Kind: SessionBegan}, false},
		{"prompt", nil, Event{}, false},
		{"pre-bash", nil, Event{Kind: CallBegins, Tool: "Bash", Command: "seq 1 5"}, false},
		{"pre-bash", object{"run_in_background": true}, Event{Kind: CallBegins, Tool: "Bash", Command: "seq 1 5", Background: true}, false},
		{"bash", nil, Event{Kind: CallEnded, Tool: "Bash", Command: "seq 1 5"}, true},
		{"bash-no-matches", nil, Event{Kind: CallEnded, Tool: "Bash", Command: "grep nothing e.txt"}, true},
		{"bash-subagent", nil, Event{Kind: CallEnded, Tool: "Bash", Command: "echo from-sub", Subagent: true, Agent: "a0ac03d4a22ff38a3"}, true},
		{"bash-failed", nil, Event{Tool: "Bash", Command: "sh -c 'seq 1 3; echo oops >&2; exit 1'"}, false},
		{"read", nil, Event{Kind: CallEnded, Tool: "Read"}, true},
		{"mcp", nil, Event{Kind: CallEnded, Tool: "mcp__demo__big"}, true},
		{"edit", nil, Event{Kind: CallEnded, Tool: "Edit", File: "/home/dev/proj/e.txt", Text: "BETA",
			Change: &Change{File: "/home/dev/proj/e.txt", Before: "alpha\nbeta\ngamma\n", After: "alpha\nBETA\ngamma\n"}}, false},
		{"grep", nil, Event{Kind: CallEnded, Tool: "Grep"}, true},
		{"grep-count", nil, Event{Kind: CallEnded, Tool: "Glob"}, true},
		{"grep-files", nil, Event{Kind: CallEnded, Tool: "Glob"}, true},
		{"glob", nil, Event{Kind: CallEnded, Tool: "Glob"}, true},
		{"web-fetch", nil, Event{Kind: CallEnded, Tool: "WebFetch"}, true},
		{"web-search", nil, Event{Kind: CallEnded, Tool: "WebSearch"}, true},
		{"task-output", nil, Event{Kind: CallEnded, Tool: "Bash"}, true},
	}
	for _, tt := range tests {
		got, err := decodeClaude(captured(t, tt.name, tt.input, nil))
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if (got.Output != nil) != tt.reply {
			t.Errorf("%s: output %+v", tt.name, got.Output)
		}
		if exit := got.ExitCode; (exit != nil) != (tt.want.Kind == CallEnded && tt.want.Tool == "Bash") ||
			exit != nil && (*exit == 3) != (tt.name == "task-output") {
			t.Errorf("%s: exit code %v", tt.name, got.ExitCode)
		}
		if (got.Advise != nil) != (got.Kind != Other) || (got.Refuse != nil) != (got.Kind == CallBegins) {
			t.Errorf("%s: may advise: %v, refuse: %v", tt.name, got.Advise != nil, got.Refuse != nil)
		}
		tt.want.Session, tt.want.Cwd = session, "/home/dev/proj"
		got = plain(got)
		got.ExitCode = nil
		if !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s %v: got %+v, want %+v", tt.name, tt.input, got, tt.want)
		}
	}
}

// The host ignores an answer that has not the tool's own shape, so what is
// answered is the response as it came, with nothing but the text changed.
func TestReplaceClaude(t *testing.T) {
	tests := []struct {
		name     string
		capture  string
		response object   // keys set in the captured one
		texts    []string // in the event
		complete string
		want     func(response any) // makes the captured response the answer
	}{
		{"Bash", "bash", nil, []string{"1\n2\n3\n4\n5"}, "", func(r any) { r.(object)["stdout"] = "short 0" }},
		{"Bash with more keys", "bash-no-matches", object{"new key": []any{1.5, nil}}, []string{""}, "",
			func(r any) { r.(object)["stdout"] = "short 0" }},
		{"Bash, persisted", "bash", object{"persistedOutputPath": "/tmp/out.txt", "persistedOutputSize": 204800},
			[]string{"1\n2\n3\n4\n5"}, "/tmp/out.txt", func(r any) {
				r.(object)["stdout"] = "short 0"
				delete(r.(object), "persistedOutputPath")
				delete(r.(object), "persistedOutputSize")
			}},
		{"Read", "read", nil, nil, "", func(r any) {
			f := r.(object)["file"].(object)
			f["content"], f["numLines"] = "short 0", 1.0
		}},
		{"Read of a range", "read-range", nil, nil, "", func(r any) {
			f := r.(object)["file"].(object)
			f["content"], f["numLines"] = "short 0", 1.0
		}},
		{"Grep", "grep", nil, nil, "", func(r any) { r.(object)["content"] = "short 0" }},
		{"Grep for counts", "grep-count", nil, []string{"a.txt:50\nnew.txt:1"}, "", func(r any) { r.(object)["content"] = "short 0" }},
		{"Grep for files", "grep-files", nil, []string{"new.txt\na.txt"}, "", func(r any) { r.(object)["filenames"] = []any{"short 0"} }},
		{"Glob", "glob", nil, []string{"b.txt\na.txt\ne.txt\nnew.txt"}, "", func(r any) { r.(object)["filenames"] = []any{"short 0"} }},
		{"Glob, truncated", "glob-truncated", nil, nil, "", func(r any) {
			r.(object)["filenames"] = []any{"short 0", "[… 50 more files match; narrow the pattern or path …]"}
			r.(object)["truncated"] = false
		}},
		{"Glob that stopped early", "glob-truncated", object{"countIsComplete": false}, nil, "", func(r any) {
			r.(object)["filenames"] = []any{"short 0", "[… more files match; narrow the pattern or path …]"}
			r.(object)["truncated"] = false
		}},
		{"WebFetch", "web-fetch", nil, []string{"ok"}, "", func(r any) { r.(object)["result"] = "short 0" }},
		{"WebSearch", "web-search", nil, nil, "", func(r any) { r.(object)["results"] = []any{"short 0"} }},
		{"WebSearch with links", "web-search", object{"results": []any{object{"content": []any{}}, "a", object{"x": 1.0}, "b"}}, []string{"a", "b"}, "",
			func(r any) {
				r.(object)["results"] = []any{object{"content": []any{}}, "short 0", object{"x": 1.0}, "short 1"}
			}},
		{"TaskOutput", "task-output", nil, nil, "", func(r any) { r.(object)["task"].(object)["output"] = "short 0" }},
		{"MCP", "mcp", nil, []string{"mcp line 0\nmcp line 1\nmcp line 2"}, "",
			func(r any) { r.([]any)[0].(object)["text"] = "short 0" }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			data := captured(t, tt.capture, nil, tt.response)
			ev, err := decodeClaude(data)
			if err != nil || ev.Output == nil {
				t.Fatalf("%v, %+v", err, ev)
			}
			if tt.texts != nil && !reflect.DeepEqual(ev.Output.Texts, tt.texts) || ev.Output.Complete != tt.complete {
				t.Errorf("texts %q, complete %q", ev.Output.Texts, ev.Output.Complete)
			}
			checkAnswer(t, data, ev.Output, tt.want)
		})
	}
}

func checkAnswer(t *testing.T, envelope []byte, out *Output, change func(response any)) {
	t.Helper()
	answer, err := out.Encode(shorts(len(out.Texts)))
	if err != nil {
		t.Fatal(err)
	}
	var e struct {
		Response any `json:"tool_response"`
	}
	var got any
	if json.Unmarshal(envelope, &e) != nil || json.Unmarshal(answer, &got) != nil {
		t.Fatalf("not JSON: %s", answer)
	}
	change(e.Response)
	want := object{"hookSpecificOutput": object{"hookEventName": "PostToolUse", "updatedToolOutput": e.Response}}
	if !reflect.DeepEqual(got, any(want)) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func shorts(n int) []string {
	texts := []string{"short 0", "short 1", "short 2"}
	return texts[:n]
}

func TestReadClaude(t *testing.T) {
	for name, ranged := range map[string]bool{"read": false, "read-range": true} {
		ev, err := decodeClaude(captured(t, name, nil, nil))
		if err != nil || ev.Output.File != "/home/dev/proj/a.txt" || ev.Output.Range != ranged {
			t.Errorf("%s: %v, %+v", name, err, ev.Output)
		}
	}
	ev, err := decodeClaude(captured(t, "read", object{"limit": 2000}, nil))
	if err != nil || !ev.Output.Range {
		t.Errorf("a limit alone: %v, %+v", err, ev.Output)
	}
}

// Blocks of an MCP result keep their order and their keys; one that is not
// text leaves the whole result alone.
func TestBlocksClaude(t *testing.T) {
	text := func(s string) object {
		return object{"type": "text", "text": s, "annotations": object{"priority": 1.0}}
	}
	image := object{"type": "image", "data": "aGk=", "mimeType": "image/png"}
	event := func(response any) []byte {
		data, err := json.Marshal(object{"hook_event_name": "PostToolUse", "tool_name": "mcp__demo__shot", "tool_response": response})
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	two := event([]any{text("a"), text("b")})
	ev, err := decodeClaude(two)
	if err != nil || !reflect.DeepEqual(ev.Output.Texts, []string{"a", "b"}) {
		t.Fatalf("%v, %+v", err, ev.Output)
	}
	checkAnswer(t, two, ev.Output, func(r any) {
		r.([]any)[0].(object)["text"], r.([]any)[1].(object)["text"] = "short 0", "short 1"
	})
	for _, response := range []any{
		[]any{text("a"), image}, []any{image}, []any{}, []any{"text"}, []any{object{"type": "text"}},
		object{"content": []any{text("a")}}, "a string", nil, 7,
	} {
		if ev, err := decodeClaude(event(response)); err != nil || ev.Output != nil {
			t.Errorf("%v: %v, %+v", response, err, ev.Output)
		}
	}
}

func TestLeftAloneByClaude(t *testing.T) {
	for name, response := range map[string]object{
		"an image":                {"isImage": true},
		"a backgrounded command":  {"backgroundTaskId": "b1x"},
		"one that timed out":      {"timedOutAfterMs": 120000},
		"stdout is not text":      {"stdout": 7},
		"stdout is null":          {"stdout": nil},
		"an image that is also 1": {"isImage": true, "stdout": "data:image/png;base64,aGk="},
	} {
		if ev, err := decodeClaude(captured(t, "bash", nil, response)); err != nil || ev.Output != nil {
			t.Errorf("%s: %v, %+v", name, err, ev.Output)
		}
	}
	for name, response := range map[string]object{
		"another kind":     {"type": "image"},
		"no file":          {"file": nil},
		"no content":       {"file": object{"filePath": "/x"}},
		"a file unchanged": {"type": "file_unchanged"},
	} {
		if ev, err := decodeClaude(captured(t, "read", nil, response)); err != nil || ev.Output != nil {
			t.Errorf("%s: %v, %+v", name, err, ev.Output)
		}
	}
}

func TestListsLeftAloneByClaude(t *testing.T) {
	tests := []struct {
		capture  string
		response object
	}{
		{"grep", object{"mode": nil, "content": nil}},
		{"grep", object{"mode": 3}},
		{"grep-files", object{"filenames": []any{}}},
		{"grep-files", object{"filenames": []any{7}}},
		{"glob", object{"filenames": "a string"}},
		{"glob", object{"truncated": "yes"}},
		{"web-fetch", object{"result": object{}}},
		{"web-search", object{"results": []any{object{"content": []any{}}}}},
		{"web-search", object{"results": "none"}},
		{"task-output", object{"task": nil}},
		{"task-output", object{"task": object{"task_type": "local_bash", "status": "running", "output": "so far"}}},
		{"task-output", object{"task": object{"task_type": "local_agent", "exitCode": 0, "output": "a report"}}},
	}
	for _, tt := range tests {
		if ev, err := decodeClaude(captured(t, tt.capture, nil, tt.response)); err != nil || ev.Output != nil {
			t.Errorf("%s %v: %v, %+v", tt.capture, tt.response, err, ev.Output)
		}
	}
}

func TestNotAnEvent(t *testing.T) {
	for _, data := range []string{"", "null and void", "[]", `"x"`, `{"hook_event_name": 3}`, `{"tool_input": {"command": "a"`, `{"tool_name": "Bash", "tool_input": {"command": 3}}`, "\xff\xfe"} {
		if ev, err := decodeClaude([]byte(data)); !errors.Is(err, ErrEvent) {
			t.Errorf("%q: %v, %+v", data, err, ev)
		}
	}
	// A tool of which nothing is known may have any input.
	if _, err := decodeClaude([]byte(`{"hook_event_name": "PostToolUse", "tool_name": "mcp__x__y", "tool_input": {"offset": "a", "command": 3, "timeout": []}}`)); err != nil {
		t.Errorf("an MCP tool's own input: %v", err)
	}
}

// As Claude Code 2.1.329 writes it: under zsh, under bash with a line of ours in
// front, and with a word that needs no quoting.
func TestClaudeScript(t *testing.T) {
	const begin = "source /home/dev/.claude/shell-snapshots/snapshot-zsh-1-a.sh 2>/dev/null || true && "
	const end = " < /dev/null && pwd -P >| /tmp/claude-0cc1-cwd\n"
	for script, want := range map[string]string{
		begin + `eval 'seq 1 5; echo "a b" && exit 3'` + end: `seq 1 5; echo "a b" && exit 3`,
		begin + "eval \"$(direnv hook)\" && . /x && eval 'x'\n: && \\builtin setopt NO_EQUALS 2>/dev/null || true && eval 'it='\"'\"'s'\"'\"'; echo \\$it\n# < /dev/null && pwd -P >| x'" + end: "it='s'; echo \\$it\n# < /dev/null && pwd -P >| x",
		begin + "eval nosuch" + end: "nosuch",
		"make all":                  "",
		begin + "eval 'open" + end:  "",
		"":                          "",
	} {
		if got := claudeScript(script); got != want {
			t.Errorf("%s\n%q, want %q", script, got, want)
		}
	}
}
