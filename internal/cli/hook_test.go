package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"cairn/internal/hook"
	"cairn/test/cairntest"
)

// A user is somebody who has cairn: a home and a project.
type user struct {
	*testing.T
	cairn, home, dir string
	env              []string
}

func newUser(t *testing.T) *user {
	cairntest.NoRace(t)
	t.Helper()
	root := t.TempDir()
	u := &user{T: t, cairn: built(t), home: filepath.Join(root, ".cairn"), dir: filepath.Join(root, "work")}
	if err := os.Mkdir(u.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, e := range os.Environ() {
		if !strings.HasPrefix(e, "CAIRN_") && !strings.HasPrefix(e, "CLAUDE") && !strings.HasPrefix(e, "ANTHROPIC_") { // a test must not cost money
			u.env = append(u.env, e)
		}
	}
	u.env = append(u.env, "HOME="+root, "USERPROFILE="+root)
	return u
}

// file writes a file, and the directories above it.
func (u *user) file(name, text string) {
	u.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		u.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o755); err != nil {
		u.Fatal(err)
	}
}

// hook runs `cairn hook HOST` and returns what it printed.
func (u *user) hook(host string, stdin []byte, env ...string) (stdout, stderr string) {
	u.Helper()
	cmd := exec.Command(u.cairn, "hook", host)
	cmd.Dir, cmd.Env, cmd.Stdin = u.dir, append(u.env[:len(u.env):len(u.env)], env...), bytes.NewReader(stdin)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		u.Errorf("hook %s: %v", host, err)
	}
	return out.String(), errs.String()
}

// trust trusts what the project's .cairn holds now.
func (u *user) trust() {
	u.Helper()
	cmd := exec.Command(u.cairn, "trust", "--yes")
	cmd.Dir, cmd.Env = u.dir, u.env
	if out, err := cmd.CombinedOutput(); err != nil {
		u.Fatalf("trust: %v: %s", err, out)
	}
}

func (u *user) log() string {
	data, _ := os.ReadFile(filepath.Join(u.home, "log", "hook.log"))
	return string(data)
}

// bashEvent is a finished call whose output is lines of text.
func bashEvent(dir, command, stdout string) []byte {
	data, err := json.Marshal(map[string]any{
		"hook_event_name": "PostToolUse", "session_id": "s", "cwd": dir, "tool_name": "Bash",
		"tool_input":    map[string]any{"command": command},
		"tool_response": map[string]any{"stdout": stdout, "stderr": "", "interrupted": false, "isImage": false},
	})
	if err != nil {
		panic(err)
	}
	return data
}

func numbered(n int, text string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%d %s\n", i+1, text)
	}
	return b.String()
}

func answered(t *testing.T, answer string) string {
	t.Helper()
	var a struct {
		Hook struct {
			Updated struct{ Stdout string } `json:"updatedToolOutput"`
		} `json:"hookSpecificOutput"`
	}
	if err := json.Unmarshal([]byte(answer), &a); err != nil {
		t.Errorf("%v: %.200q", err, answer)
	}
	return a.Hook.Updated.Stdout
}

// What a user or a project says about compaction holds in the hook, and a
// mistake of theirs stops nothing.
func TestHookSettings(t *testing.T) {
	t.Parallel()
	long := numbered(3000, "lines of it")
	tests := []struct {
		name          string
		user, project string // config.toml
		env           []string
		command       string
		compacts      bool
	}{
		{name: "by default", command: "seq 1 3000", compacts: true},
		{name: "CAIRN_RAW", command: "seq 1 3000", env: []string{"CAIRN_RAW=1"}},
		{name: "off for the user", command: "seq 1 3000", user: "[compact]\nenabled = false\n"},
		{name: "off in the environment", command: "seq 1 3000", env: []string{"CAIRN_COMPACT_ENABLED=false"}},
		{name: "excluded by the project", command: "cd x && seq 1 3000", project: "[compact]\nexclude_commands = [\"seq\"]\n"},
		{name: "another is excluded", command: "cd x && seq 1 3000", project: "[compact]\nexclude_commands = [\"seq 2\"]\n", compacts: true},
		{name: "a broken file", command: "seq 1 3000", user: "[compact\nenabled = fa", compacts: true},
	}
	for _, tt := range tests {
		u := newUser(t)
		if tt.user != "" {
			u.file(filepath.Join(u.home, "config.toml"), tt.user)
		}
		if tt.project != "" {
			u.file(filepath.Join(u.dir, ".cairn", "config.toml"), tt.project)
			u.trust()
		}
		out, stderr := u.hook("claude", bashEvent(u.dir, tt.command, long), tt.env...)
		if (out != "") != tt.compacts || stderr != "" || u.log() != "" {
			t.Errorf("%s: answered %.200q, said %q, logged %q", tt.name, out, stderr, u.log())
		}
	}
}

func TestHookFailsOpen(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	for _, tt := range []struct{ host, stdin, log string }{
		{"nobody", "{}", `is called "nobody"`},
		{"claude", "{ not json", "claude: not an event of this host: "},
	} {
		if out, stderr := u.hook(tt.host, []byte(tt.stdin)); out != "" || stderr != "" || !strings.Contains(u.log(), tt.log) {
			t.Errorf("%s: answered %q, said %q, logged %q", tt.host, out, stderr, u.log())
		}
	}
	if n := strings.Count(u.log(), "\n"); n != 2 {
		t.Errorf("%d lines in the log:\n%s", n, u.log())
	}
	// A home that cannot be written has no log, and that is all.
	u.file(filepath.Join(u.dir, "file"), "")
	nowhere := "CAIRN_HOME=" + filepath.Join(u.dir, "file", "home")
	out, stderr := u.hook("claude", []byte("garbage"), nowhere)
	if out != "" || stderr != "" {
		t.Errorf("answered %q, said %q", out, stderr)
	}
	out, _ = u.hook("claude", bashEvent(u.dir, "make", numbered(3000, "x")), nowhere)
	if !strings.HasPrefix(answered(t, out), "[cairn: 3,000 → ") {
		t.Errorf("without a home: %.200q", out)
	}
}

// A host that never ends its event is not waited for.
func TestHookGivesUp(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	cmd := exec.Command(u.cairn, "hook", "claude")
	cmd.Dir, cmd.Env = u.dir, u.env
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	out, err := cmd.Output()
	if err != nil || len(out) > 0 || !strings.Contains(u.log(), hook.ErrTimedOut.Error()) {
		t.Errorf("%v, printed %q, log %q", err, out, u.log())
	}
}

// P20: many calls at once and one after the other, each with its own answer
// and its own stored output.
func TestP20ManyHooks(t *testing.T) {
	t.Parallel()
	const n = 50
	u := newUser(t)
	storedAs := regexp.MustCompile(`cairn compact show ([a-z0-9]+)\]`)
	var mu sync.Mutex
	ids := map[string]bool{}
	one := func(i int) {
		lines := 2000 + i
		out, stderr := u.hook("claude", bashEvent(u.dir, "make", numbered(lines, fmt.Sprintf("lines of call %d", i))))
		got := answered(t, out)
		id := storedAs.FindStringSubmatch(got)
		want := fmt.Sprintf("[cairn: 2,%03d → ", i)
		if !strings.HasPrefix(got, want) || !strings.HasSuffix(got, fmt.Sprintf("\n%d lines of call %d\n", lines, i)) || stderr != "" || id == nil {
			t.Errorf("call %d: %.100q, said %q", i, got, stderr)
			return
		}
		raw, err := os.ReadFile(filepath.Join(u.home, "compact", "tee", id[1]+".log"))
		if err != nil || string(raw) != numbered(lines, fmt.Sprintf("lines of call %d", i)) {
			t.Errorf("call %d: stored %d bytes as %s: %v", i, len(raw), id[1], err)
		}
		mu.Lock()
		defer mu.Unlock()
		if ids[id[1]] {
			t.Errorf("call %d: %s is stored twice", i, id[1])
		}
		ids[id[1]] = true
	}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { one(i) })
	}
	wg.Wait()
	for i := range n {
		one(n + i)
	}
	if u.log() != "" {
		t.Errorf("logged: %s", u.log())
	}
}

// What packages allocate before a hook is answered is paid on every call. Those that
// only servers, databases, the MCP SDK and the command tree need are initialized after
// it (package early, docs/adr/0033).
func TestInitBudget(t *testing.T) {
	t.Parallel()
	const budget = 208 << 10
	u := newUser(t)
	_, trace := u.hook("claude", []byte(`{"hook_event_name":"PostToolUse"}`), "GODEBUG=inittrace=1")
	total, packages := 0, 0
	for _, m := range regexp.MustCompile(`(?m)^init .* (\d+) bytes,`).FindAllStringSubmatch(trace, -1) {
		bytes, _ := strconv.Atoi(m[1])
		total += bytes
		packages++
	}
	if packages < 10 {
		t.Fatalf("no trace: %q", trace)
	}
	for _, late := range []string{"net/http", "modernc.org/sqlite", "github.com/spf13/cobra", "html/template"} {
		if strings.Contains(trace, "\ninit "+late+" ") {
			t.Errorf("a hook waits for %s", late)
		}
	}
	// What is known when the program is built is not computed when it starts.
	for _, data := range []string{"cairn/internal/host", "cairn/internal/runtimes", "cairn/internal/plan"} {
		if strings.Contains(trace, "\ninit "+data+" ") {
			t.Errorf("%s has variables that are computed before a hook is answered", data)
		}
	}
	// The stack grows before it is used, so that nothing on it is copied (package stack).
	if first := strings.Index(trace, "\ninit cairn/internal/early/stack "); first < 0 || first > strings.Index(trace, "\ninit errors ") {
		t.Errorf("the stack is not grown first:\n%s", trace)
	}
	if total > budget {
		t.Errorf("%d bytes are allocated before a hook is answered, more than %d:\n%s", total, budget, trace)
	}
	t.Logf("%d bytes in %d packages", total, packages)
}
