package hook

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"cairn/internal/calls"
	"cairn/internal/compact"
	"cairn/internal/home"
	"cairn/internal/host"
	"cairn/test/cairntest"
)

type object = map[string]any

var claude, _ = host.Find("claude")

func plain(string) compact.Options { return compact.Options{Level: compact.Normal} }

// ask sends one event and returns what was printed.
func ask(t *testing.T, event any, set Settings) (string, error) {
	t.Helper()
	data, err := json.Marshal(event)
	if err != nil {
		t.Fatal(err)
	}
	if set.Compact == nil {
		set.Compact = plain
	}
	var out bytes.Buffer
	err = Run(claude, bytes.NewReader(data), &out, set)
	return out.String(), err
}

func bash(command, stdout string) object {
	return object{
		"hook_event_name": "PostToolUse", "session_id": "s", "cwd": os.TempDir(), "tool_name": "Bash",
		"tool_input":    object{"command": command},
		"tool_response": object{"stdout": stdout, "stderr": "", "interrupted": false, "isImage": false},
	}
}

func read(file, content string, input object) object {
	n := strings.Count(content, "\n") + 1
	input["file_path"] = file
	return object{
		"hook_event_name": "PostToolUse", "session_id": "s", "tool_name": "Read", "tool_input": input,
		"tool_response": object{"type": "text", "file": object{"filePath": file, "content": content, "numLines": n, "startLine": 1, "totalLines": n}},
	}
}

// updated is the text of an answer.
func updated(t *testing.T, answer string) string {
	t.Helper()
	var a struct {
		Hook struct {
			Updated struct {
				Stdout string
				File   struct{ Content string }
			} `json:"updatedToolOutput"`
		} `json:"hookSpecificOutput"`
	}
	if err := json.Unmarshal([]byte(answer), &a); err != nil {
		t.Fatalf("%v: %q", err, answer)
	}
	return a.Hook.Updated.Stdout + a.Hook.Updated.File.Content
}

func TestReplacesBash(t *testing.T) {
	answer, err := ask(t, bash("seq 1 5000", lines(5000)), Settings{})
	if err != nil {
		t.Fatal(err)
	}
	got := updated(t, answer)
	if !strings.HasPrefix(got, compact.HeaderPrefix+"5,000 → ") || !strings.HasSuffix(got, "line 5000 of a file\n") || len(got) > 10_000 {
		t.Errorf("%d bytes: %.200q", len(got), got)
	}
}

// Whatever goes wrong, nothing is printed and the host keeps its result.
func TestFailsOpen(t *testing.T) {
	cairntest.Long(t)
	whole, err := json.Marshal(bash("seq 1 5000", lines(5000)))
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name  string
		in    io.Reader
		error bool
	}{
		{"empty", strings.NewReader(""), true},
		{"garbage", strings.NewReader("\x00\xff not json"), true},
		{"truncated", bytes.NewReader(whole[:len(whole)/2]), true},
		{"two events", bytes.NewReader(append(whole[:len(whole):len(whole)], whole...)), true},
		{"an array", strings.NewReader("[1,2]"), true},
		{"null", strings.NewReader("null"), true},
		{"an unknown event", strings.NewReader(`{"hook_event_name":"Tomorrow","tool_name":"Bash","tool_input":{}}`), false},
		{"a tool of another kind", strings.NewReader(`{"hook_event_name":"PostToolUse","tool_name":"Edit","tool_response":{"stdout":"x"}}`), false},
		{"a response of another shape", strings.NewReader(`{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{},"tool_response":"text"}`), false},
		{"no response", strings.NewReader(`{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{}}`), false},
		{"more than can be read", io.MultiReader(strings.NewReader(`{"x":"`), endless{}), true},
		{"a reader that fails", io.MultiReader(bytes.NewReader(whole[:10]), broken{}), true},
		{"deep nesting", strings.NewReader(strings.Repeat(`{"a":`, 100_000)), true},
	}
	for _, tt := range tests {
		var out bytes.Buffer
		err := Run(claude, tt.in, &out, Settings{Compact: plain})
		if out.Len() > 0 || (err != nil) != tt.error {
			t.Errorf("%s: printed %.100q, error %v", tt.name, out.String(), err)
		}
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, errors.New("the pipe broke") }

func TestPanicFailsOpen(t *testing.T) {
	answer, err := ask(t, bash("seq 1 5000", lines(5000)), Settings{Compact: func(string) compact.Options { panic("a mistake of ours") }})
	if answer != "" || err == nil || !strings.Contains(err.Error(), "a mistake of ours") {
		t.Errorf("printed %.100q, error %v", answer, err)
	}
}

// P15: an answer that takes too long is none.
func TestP15TooSlow(t *testing.T) {
	release := make(chan struct{})
	slow := func(dir string) compact.Options {
		<-release
		return plain(dir)
	}
	set := Settings{Compact: slow, Limit: 10 * time.Millisecond, GiveUp: func() { close(release) }}
	answer, err := ask(t, bash("seq 1 5000", lines(5000)), set)
	if answer != "" || !errors.Is(err, ErrTimedOut) {
		t.Errorf("printed %.100q, error %v", answer, err)
	}
	// The same of a host that never closes stdin.
	r, w := io.Pipe()
	var out bytes.Buffer
	set = Settings{Compact: plain, Limit: 10 * time.Millisecond, GiveUp: func() { w.Close() }}
	if err := Run(claude, r, &out, set); !errors.Is(err, ErrTimedOut) || out.Len() > 0 {
		t.Errorf("printed %.100q, error %v", out.String(), err)
	}
	// Nobody gives up what is answered in time.
	set = Settings{Limit: time.Minute, GiveUp: func() { t.Error("gave up") }}
	if answer, err := ask(t, bash("seq 1 5000", lines(5000)), set); answer == "" || err != nil {
		t.Errorf("printed %.100q, error %v", answer, err)
	}
}

func TestLeftAlone(t *testing.T) {
	long := lines(5000)
	tool := func(name, text string) object {
		return object{"hook_event_name": "PostToolUse", "tool_name": name, "tool_response": []object{{"type": "text", "text": text}}}
	}
	background := bash("make", long)
	background["tool_input"].(object)["run_in_background"] = true
	image := bash("cat x.png", long)
	image["tool_response"].(object)["isImage"] = true
	off := func(string) compact.Options { return compact.Options{Level: compact.Normal, Off: true} }
	excludes := func(string) compact.Options {
		return compact.Options{Level: compact.Normal, Exclude: []string{"seq"}}
	}
	tests := []struct {
		name  string
		event object
		how   func(string) compact.Options
	}{
		{"turned off", bash("seq 1 5000", long), off},
		{"excluded", bash("cd x && seq 1 5000", long), excludes},
		{"our own", bash("cairn plan content show references/checkpoints", lines(300)), plain},
		{"our own MCP tool", tool("mcp__cairn__compact_show", long), plain},
		{"our own MCP tool in OpenCode", tool("mcp__cairn_compact_show", long), plain},
		{"our own MCP tool in Copilot", tool("mcp__cairn-compact_show", long), plain},
		{"backgrounded", background, plain},
		{"an image", image, plain},
		{"empty", bash("true", ""), plain},
		{"short", bash("seq 1 30", lines(30)), plain},
		{"compacted already", bash("cairn run -- make", compact.HeaderPrefix+"9 → 1 lines]\n"+long), plain},
		{"not text", bash("cat x", "\xff\xfe"+long), plain},
		{"source", read("/p/main.go", long, object{}), plain},
		{"a range of a lock file", read("/p/go.sum", long, object{"offset": 10}), plain},
		{"the start of a lock file", read("/p/go.sum", long, object{"limit": 2000}), plain},
		{"a short lock file", read("/p/go.sum", lines(50), object{}), plain},
	}
	for _, tt := range tests {
		if answer, err := ask(t, tt.event, Settings{Compact: tt.how}); answer != "" || err != nil {
			t.Errorf("%s: printed %.200q, error %v", tt.name, answer, err)
		}
	}
	if answer, err := ask(t, bash("cd x && seq 1 5000", long), Settings{}); answer == "" || err != nil {
		t.Errorf("the control: %v", err)
	}
	if answer, err := ask(t, bash("other plan content show references/checkpoints", lines(300)), Settings{}); answer == "" || err != nil {
		t.Errorf("the control of our own: %v", err)
	}
	if answer, err := ask(t, tool("mcp__cairns__show", long), Settings{}); answer == "" || err != nil {
		t.Errorf("the control of our own MCP tools: %v", err)
	}
}

// A result is replaced only if that saves 10 % and 400 bytes.
func TestSavesEnough(t *testing.T) {
	source := numbered(400) // every line is different and none is noise
	for _, tt := range []struct {
		name, noise string
		want        bool
	}{
		{"nothing", "", false},
		{"200 bytes of 400", strings.Repeat("same line\n", 20), false},
		{"5 % of much", source + strings.Repeat("the very same line here\n", 40), false},
		{"most of it", strings.Repeat("the very same line here\n", 400), true},
	} {
		out := tt.noise
		keep := func(string) compact.Options { return compact.Options{Level: compact.Minimal} }
		answer, err := ask(t, bash("tool", out), Settings{Compact: keep})
		if err != nil || (answer != "") != tt.want {
			t.Errorf("%s: %v, %d bytes answered of %d", tt.name, err, len(answer), len(out))
		}
	}
}

func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%s has its own words\n", strings.Repeat(string(rune('a'+i%26)), 1+i/26))
	}
	return b.String()
}

func TestReadsTail(t *testing.T) {
	content := lines(5000)
	answer, err := ask(t, read("/p/package-lock.json", content, object{}), Settings{})
	if err != nil {
		t.Fatal(err)
	}
	start, marker, _ := strings.Cut(updated(t, answer), "[… ")
	if !strings.HasPrefix(content, start) || len(start) < 7000 || !strings.HasSuffix(marker, " lines …]") {
		t.Errorf("%d bytes, then %q", len(start), marker)
	}
}

// Of a page the repeated lines go and both ends stay; one that has no lines
// stays whole.
func TestReplacesPages(t *testing.T) {
	page := func(text string) object {
		return object{"hook_event_name": "PostToolUse", "session_id": "s", "tool_name": "WebFetch", "tool_input": object{"url": "https://docs.example.com", "prompt": "what"},
			"tool_response": object{"bytes": len(text), "code": 200, "codeText": "OK", "result": text, "durationMs": 1, "url": "https://docs.example.com"}}
	}
	answer, err := ask(t, page(lines(500)), Settings{})
	if err != nil || !strings.Contains(answer, "line 100 of a file") || !strings.Contains(answer, "line 500 of a file") || strings.Contains(answer, "line 300 of a file") {
		t.Errorf("%v, %.300q", err, answer)
	}
	if answer, err := ask(t, page(strings.Repeat("a sentence of the page. ", 1000)), Settings{}); answer != "" || err != nil {
		t.Errorf("a page without lines: %v, %.300q", err, answer)
	}
}

// What the host keeps in a file is compacted from there, and is short enough
// not to be kept in a file again.
func TestPersistedOutput(t *testing.T) {
	file := filepath.Join(t.TempDir(), "out.txt")
	event := func(text string) object {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		e := bash("tool", text[:min(len(text), 30_000)])
		e["tool_response"].(object)["persistedOutputPath"] = file
		e["tool_response"].(object)["persistedOutputSize"] = len(text)
		return e
	}
	wide := strings.Repeat("ü", 3500) + "\n"
	for name, text := range map[string]string{
		"200 KB":               lines(10_000) + "error: the end is what matters\n",
		"the same wide line":   strings.Repeat("x "+wide, 15) + strings.Repeat("y"+wide, 15),
		"one line":             strings.Repeat("word ", 40_000),
		"a last line too wide": lines(8_000) + wide,
		"the same failure":     strings.Repeat("main.go:3: error: undefined: x\n", 100) + failures(6000),
	} {
		answer, err := ask(t, event(text), Settings{})
		if err != nil || answer == "" {
			t.Errorf("%s: %v, %q", name, err, answer)
			continue
		}
		got := updated(t, answer)
		if len(got) > maxPreview || !utf8.ValidString(got) || strings.ContainsRune(got, utf8.RuneError) || !strings.HasPrefix(got, compact.HeaderPrefix) {
			t.Errorf("%s: %d bytes: %.100q", name, len(got), got)
		}
		if end := text[len(text)-12:]; !strings.Contains(name, "same") && !strings.HasSuffix(got, end) {
			t.Errorf("%s: the end is %.100q", name, got[max(0, len(got)-100):])
		}
		if strings.Contains(answer, "persisted") {
			t.Errorf("%s: the host would show its own preview", name)
		}
	}

	// A list is cut evenly to what is shown, not in its middle.
	for command, row := range map[string]string{"find .": "./lib/part%d/name-of-file-%d.go", "grep -rn call . | head -2000": "lib/part%d/x.go:%d:\tcall(some, more, arguments)"} {
		var list strings.Builder
		for i := range 2000 {
			fmt.Fprintf(&list, row+"\n", i%20, i*3+1)
		}
		e := event(list.String())
		e["tool_input"] = object{"command": command}
		answer, err := ask(t, e, Settings{})
		got := updated(t, answer)
		if err != nil || len(got) > maxPreview || !strings.Contains(got, " of 2,000 rows not shown") {
			t.Errorf("%s: %v, %d bytes:\n%s", command, err, len(got), got)
		}
		for i := range 20 {
			if !strings.Contains(got, fmt.Sprintf("part%d", i)) {
				t.Errorf("%s: no part %d in\n%s", command, i, got)
			}
		}
	}

	e := event("\xff\xfe" + lines(10_000))
	if answer, err := ask(t, e, Settings{}); answer != "" || err != nil {
		t.Errorf("not text: printed %.100q, error %v", answer, err)
	}
	os.Remove(file)
	if answer, err := ask(t, e, Settings{}); answer != "" || err == nil {
		t.Errorf("no file: printed %.100q, error %v", answer, err)
	}
	os.Mkdir(file, 0o700)
	if answer, err := ask(t, e, Settings{}); answer != "" || err == nil {
		t.Errorf("a directory: printed %.100q, error %v", answer, err)
	}
}

func failures(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "src/f%d.go:%d: error: undefined: name%d\n", i, i, i)
	}
	return b.String()
}

func TestSessionAndCalls(t *testing.T) {
	dir := t.TempDir()
	h := home.Home(filepath.Join(dir, "home"))
	shell := &calls.Shell{EnvFile: filepath.Join(dir, "env.sh"), Binary: "/bin/cairn", Home: h}
	start := object{"hook_event_name": "SessionStart", "session_id": "s", "source": "startup"}
	if answer, err := ask(t, start, Settings{Shell: func() *calls.Shell { return shell }}); answer != "" || err != nil {
		t.Fatalf("printed %q, error %v", answer, err)
	}
	if data, err := os.ReadFile(shell.EnvFile); err != nil || !strings.Contains(string(data), "CAIRN_BIN='/bin/cairn'") {
		t.Errorf("%v: %s", err, data)
	}
	call := object{"hook_event_name": "PreToolUse", "session_id": "s", "tool_name": "Bash",
		"tool_input": object{"command": "make", "run_in_background": true}}
	if answer, err := ask(t, call, Settings{Shell: func() *calls.Shell { return shell }}); answer != "" || err != nil {
		t.Fatalf("printed %q, error %v", answer, err)
	}
	moved := object{"hook_event_name": "PostToolUse", "session_id": "s", "tool_name": "Bash", "tool_input": object{"command": "make all"},
		"tool_response": object{"stdout": failures(300), "stderr": "", "interrupted": false, "backgroundTaskId": "b1234", "timedOutAfterMs": 4000}}
	if answer, err := ask(t, moved, Settings{Shell: func() *calls.Shell { return shell }, Compact: func(string) compact.Options { return compact.Options{} }}); answer != "" || err != nil {
		t.Fatalf("printed %q, error %v", answer, err)
	}
	if notes, _ := filepath.Glob(filepath.Join(h.Calls(), "*", "*.json")); len(notes) != 2 {
		t.Errorf("notes: %q", notes)
	}
	for _, e := range []object{start, call} { // where there is no shell of ours
		if answer, err := ask(t, e, Settings{}); answer != "" || err != nil {
			t.Errorf("printed %q, error %v", answer, err)
		}
	}
}
