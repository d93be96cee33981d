package transcript

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"cairn/test/cairntest"
)

// read returns the calls under dirs and what was counted.
func read(t *testing.T, dirs ...string) ([]*Call, Stats) {
	t.Helper()
	var roots []Root
	for _, d := range dirs {
		roots = append(roots, Root{Dir: d})
	}
	var r Reader
	var calls []*Call
	for _, f := range Files(roots, time.Time{}, func(err error) { t.Error(err) }) {
		if err := r.Read(f, func(c *Call) { calls = append(calls, c) }); err != nil {
			t.Error(err)
		}
	}
	return calls, r.Stats
}

// say is what matters of a call on one line.
func say(c *Call) string {
	exit := "?"
	if c.Exit != nil {
		exit = fmt.Sprint(*c.Exit)
	}
	var marks []string
	for name, on := range map[string]bool{"failed": c.Failed, "images": c.Images, "clipped": c.Clipped, "background": c.Background, "complete": c.Complete != ""} {
		if on {
			marks = append(marks, name)
		}
	}
	slices.Sort(marks)
	return strings.TrimSpace(fmt.Sprintf("%s %s %s%s exit %s %q %s", c.Host, c.Tool, c.Command, c.File, exit, c.Body, strings.Join(marks, " ")))
}

func TestClaude(t *testing.T) {
	calls, stats := read(t, "testdata/claude")
	want := []string{
		`claude Bash echo from-sub exit 0 "from-sub"`,
		`claude Bash go test ./... exit 2 "--- FAIL: TestA\nFAIL" failed`,
		`claude Bash make exit 0 "built\nwarning: old"`,
		`claude Bash npm start exit ? "Command running in background with ID: b7" background`,
		`claude Bash rm -rf / exit ? "The user doesn't want to proceed with this tool use." failed`,
		`claude Bash seq 1 20000 exit 0 "" complete`,
		`claude Read /home/dev/proj/a.go exit ? "package a\n\nfunc A() {}\n"`,
		`claude Read /home/dev/proj/shot.png exit ? "" images`,
		`claude mcp__demo__big  exit ? "one\ntwo"`,
	}
	compare(t, calls, want)
	if stats.Duplicates != 1 || stats.Broken != 0 || stats.Unpaired != 0 {
		t.Errorf("%+v", stats) // the subagent's result stands in two files
	}
	for _, c := range calls {
		if c.Command == "go test ./..." && (c.Project != "/home/dev/proj" || c.Session != "5f1c" || c.Model != "claude-x" || c.Time.Format(time.TimeOnly) != "10:00:03" || !strings.HasPrefix(c.Output, "Exit code 2\n")) {
			t.Errorf("%+v", c)
		}
	}
}

// A call that took too long went on in the background; one that prints what
// looks like a failure did not fail.
func TestClaudeResults(t *testing.T) {
	dir := t.TempDir()
	late := strings.Replace(pair("r1", "make", "Command is running"), `"timestamp"`, `"toolUseResult":{"backgroundTaskId":"b1"},"timestamp"`, 1)
	task := strings.Replace(pair("r3", "", "<status>completed</status>\n<exit_code>1</exit_code>\n<output>\nboom\n</output>"), `"timestamp"`, `"toolUseResult":{"retrieval_status":"success","task":{"output":"boom\n","exitCode":1}},"timestamp"`, 1)
	task = strings.Replace(task, `"Bash"`, `"TaskOutput"`, 1)
	write(t, filepath.Join(dir, "s.jsonl"), task+late+pair("r2", "cat log", "Exit code 3\nof a build"))
	cut := strings.Replace(pair("r4", "ci", "Exit code 1\na... [9000 characters truncated] ...b"), `"tool_use_id"`, `"is_error":true,"tool_use_id"`, 1)
	plot := strings.Replace(pair("r5", "plot", "…"), `"timestamp"`, `"toolUseResult":{"isImage":true},"timestamp"`, 1)
	write(t, filepath.Join(dir, "t.jsonl"), cut+plot)
	calls, _ := read(t, dir)
	compare(t, calls, []string{`claude Bash cat log exit 0 "Exit code 3\nof a build"`,
		`claude Bash ci exit 1 "a... [9000 characters truncated] ...b" clipped failed`, `claude Bash make exit ? "Command is running" background`, `claude Bash plot exit 0 "…" images`,
		`claude TaskOutput  exit 1 "boom"`})
}

func TestCodex(t *testing.T) {
	calls, _ := read(t, "testdata/codex")
	compare(t, calls, []string{
		`codex Bash go vet ./... exit 1 "a.go:1: bad\n" failed`,
		`codex Bash grep -n 'a b' x exit ? "x:1:a b"`,
		`codex Bash ls exit 0 "a.go"`,
		`codex Bash seq 1 3; exit 7 exit 7 "1\n2\n3\n" failed`,
		`codex apply_patch  exit ? "Success"`,
	})
	for _, c := range calls {
		if c.Tool == "apply_patch" && (c.Session != "01a1" || c.Project != "/home/dev/proj" || c.Model != "gpt-x") {
			t.Errorf("%+v", c)
		}
	}
}

// A tool may say that it failed without an exit code.
func TestCodexFailed(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "s.jsonl"), `{"type":"function_call","name":"view_image","arguments":"{}","call_id":"d"}`+"\n"+
		`{"type":"function_call_output","call_id":"d","output":{"content":"no such file","success":false}}`+"\n")
	calls, _ := read(t, dir)
	compare(t, calls, []string{`codex view_image  exit ? "no such file" failed`})
}

func compare(t *testing.T, calls []*Call, want []string) {
	t.Helper()
	var got []string
	for _, c := range calls {
		got = append(got, say(c))
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// use is a line of Claude Code's with a call; pair has the one with its result
// too.
func use(id, command string) string {
	return fmt.Sprintf(`{"type":"assistant","message":{"content":[{"type":"tool_use","id":%q,"name":"Bash","input":{"command":%q}}]}}`+"\n", id, command)
}

func pair(id, command, output string) string {
	return use(id, command) + fmt.Sprintf(`{"type":"user","timestamp":"2026-11-20T10:00:00Z","message":{"content":[{"type":"tool_result","tool_use_id":%q,"content":%q}]}}`+"\n", id, output)
}

// What is broken costs itself and nothing else.
func TestBrokenFiles(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "empty.jsonl"), "")
	write(t, filepath.Join(dir, "broken.jsonl"), pair("b1", "one", "1")+"{\"type\":\"user\",\"tool_use\n"+"not json tool_use\n"+"[\"tool_use\"]\n"+"{tool_use}\n"+pair("b2", "two", "2"))
	write(t, filepath.Join(dir, "types.jsonl"), `{"type":7,"cwd":[],"message":"tool_use","timestamp":3}`+"\n"+
		`{"type":"user","message":{"content":[7,null,"x",{"type":"tool_result","tool_use_id":5,"content":{}}]}}`+"\n"+
		`{"type":"assistant","cwd":[],"message":{"model":1,"content":[{"type":"tool_use","id":"y","name":"Bash","input":"ls"}]}}`+"\n"+pair("b3", "three", "3"))
	write(t, filepath.Join(dir, "orphan.jsonl"), strings.Split(pair("nobody", "x", "y"), "\n")[1]+"\n")
	write(t, filepath.Join(dir, "cut.jsonl"), pair("b4", "four", "4")+`{"type":"user","message":{"content":[{"type":"tool_result","tool`)
	write(t, filepath.Join(dir, "notes.txt"), pair("no", "no", "no"))
	write(t, filepath.Join(dir, "elsewhere", "real"), pair("no2", "no", "no"))
	if err := os.Symlink(filepath.Join(dir, "elsewhere", "real"), filepath.Join(dir, "link.jsonl")); err != nil {
		t.Log(err)
	}
	calls, stats := read(t, dir)
	compare(t, calls, []string{`claude Bash four exit 0 "4"`, `claude Bash one exit 0 "1"`, `claude Bash three exit 0 "3"`, `claude Bash two exit 0 "2"`})
	if stats.Broken != 5 || stats.Unpaired != 2 || stats.Files != 5 {
		t.Errorf("%+v", stats)
	}
}

// A line of 100 MB is passed over in the memory of one buffer.
func TestLongLine(t *testing.T) {
	cairntest.Long(t)
	name := filepath.Join(t.TempDir(), "long.jsonl")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(f, pair("l1", "before", "1")+`{"type":"user","tool_use":"`)
	chunk := strings.Repeat("x", 1<<20)
	for range 100 {
		fmt.Fprint(f, chunk)
	}
	fmt.Fprint(f, "\"}\n"+pair("l2", "after", "2"))
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	calls, stats := read(t, filepath.Dir(name))
	if len(calls) != 2 || stats.Long != 1 {
		t.Errorf("%d calls, %+v", len(calls), stats)
	}
	if n := testing.AllocsPerRun(1, func() { read(t, filepath.Dir(name)) }); n > 1000 {
		t.Errorf("%.0f allocations", n)
	}
}

// A resumed session copies the lines of the one before.
func TestCopies(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.jsonl"), pair("c1", "one", "1"))
	write(t, filepath.Join(dir, "b.jsonl"), pair("c1", "one", "1")+pair("c2", "two", "2"))
	calls, stats := read(t, dir)
	if len(calls) != 2 || stats.Duplicates != 1 {
		t.Errorf("%d calls, %+v", len(calls), stats)
	}
}

// Calls that never end do not pile up.
func TestPending(t *testing.T) {
	var b strings.Builder
	for i := range maxPending + 10 {
		b.WriteString(use(fmt.Sprint("p", i), "sleep"))
	}
	s := &session{reader: &Reader{}, waiting: map[string]*Call{}}
	for l := range strings.Lines(b.String()) {
		s.line([]byte(strings.TrimSpace(l)))
	}
	if len(s.waiting) != maxPending || len(s.order) != maxPending {
		t.Errorf("%d calls wait", len(s.waiting))
	}
}

func TestSince(t *testing.T) {
	var r Reader
	r.Since = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	n := 0
	for _, f := range Files([]Root{{Claude, "testdata/claude"}}, time.Time{}, func(error) {}) {
		if err := r.Read(f, func(*Call) { n++ }); err != nil {
			t.Error(err)
		}
	}
	if n != 8 {
		t.Errorf("%d calls, want those of 2026", n)
	}
	if files := Files([]Root{{Claude, "testdata/claude"}}, time.Now().Add(time.Hour), func(error) {}); len(files) != 0 {
		t.Errorf("%v were not written to since", files)
	}
}

func TestNewest(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "claude", "projects", "p", "s.jsonl"), pair("n1", "one", "1"))
	env := map[string]string{"CLAUDE_CONFIG_DIR": filepath.Join(dir, "claude"), "CODEX_HOME": filepath.Join(dir, "none")}
	newest := Newest(Roots(func(k string) string { return env[k] }))
	if len(newest) != 1 || !newest[Claude].Equal(time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)) {
		t.Errorf("%v", newest)
	}
}

func TestFailing(t *testing.T) {
	dir := t.TempDir()
	failed := func(id, body string) string {
		return strings.Replace(pair(id, "make", "Exit code 2\n"+body), `"tool_use_id"`, `"is_error":true,"tool_use_id"`, 1)
	}
	refused := strings.Replace(pair("no", "make", "The user doesn't want to proceed"), `"tool_use_id"`, `"is_error":true,"tool_use_id"`, 1)
	write(t, filepath.Join(dir, "s.jsonl"), failed("f1", "[cairn: 900 → 12 lines · build/make]\nerror")+failed("f2", "error")+refused+pair("ok", "make", "fine"))
	for host, want := range map[string]int{Claude: 2, Codex: 0} {
		var total, read int64
		got := 0
		Failing([]Root{{Claude, dir}}, host, time.Time{}, func(n int64) { total = n }, func(n int64) { read += n }, func(*Call) { got++ })
		if got != want || total == 0 || read != total {
			t.Errorf("%s: %d calls, want %d; %d of %d bytes", host, got, want, read, total)
		}
	}
}

// The path in a transcript is of another machine, or a lie: only the name
// counts, in the session's own directory.
func TestStored(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "secret"), "x")
	write(t, filepath.Join(dir, "s", "tool-results", "b.txt"), "x")
	transcript := filepath.Join(dir, "s.jsonl")
	if err := os.Symlink(filepath.Join(dir, "secret"), filepath.Join(dir, "s", "tool-results", "link.txt")); err != nil {
		t.Log(err)
	}
	for named, want := range map[string]string{
		"/elsewhere/link.txt":                "",
		"/elsewhere/b.txt":                   filepath.Join(dir, "s", "tool-results", "b.txt"),
		`C:\Users\dev\tool-results\b.txt`:    filepath.Join(dir, "s", "tool-results", "b.txt"),
		filepath.Join(dir, "secret"):         "",
		"/x/..":                              "",
		"../../secret":                       "",
		"":                                   "",
		filepath.Join(dir, "s", "no-such.x"): "",
	} {
		if got := stored(transcript, named); got != want {
			t.Errorf("%q: %q, want %q", named, got, want)
		}
	}
	if got := stored(filepath.Join(dir, "s", "subagents", "agent-a.jsonl"), "/elsewhere/b.txt"); got == "" {
		t.Error("what a subagent's transcript names is not found")
	}
}

func FuzzRead(f *testing.F) {
	for _, name := range []string{"testdata/claude/proj/5f1c.jsonl", "testdata/claude/proj/old.jsonl", "testdata/codex/rollout-new.jsonl", "testdata/codex/rollout-old.jsonl"} {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var r Reader
		err := r.read("f.jsonl", bytes.NewReader(data), func(c *Call) {
			if c.Tool == "" || c.Host == "" {
				t.Errorf("%+v", c)
			}
		})
		if err != nil || r.Stats.Bytes != int64(len(data)) {
			t.Errorf("read %d of %d bytes: %v", r.Stats.Bytes, len(data), err)
		}
	})
}
