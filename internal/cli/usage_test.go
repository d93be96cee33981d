package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cairn/internal/compact/setup"
	"cairn/internal/compact/usage"
	"cairn/internal/transcript"
)

// What a hook did is accounted for: a cut, an output that was looked at and
// left alone, not one that is too small to matter; and nothing of the text.
func TestHookNotesUse(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.hook("claude", bashEvent(u.dir, "seq 1 5000", numbered(5000, "line")))
	u.hook("claude", bashEvent(u.dir, "cat main.go", numbered(40, "the secret plan of line")))
	u.hook("claude", bashEvent(u.dir, "true", "ok\n"))
	u.hook("claude", bashEvent(u.dir, "seq 1 5000", numbered(5000, "line")), "CAIRN_RAW=1")
	name := filepath.Join(u.home, "compact", "usage.jsonl")
	var got []usage.Entry
	if broken, err := usage.Each(name, time.Time{}, func(e usage.Entry) { got = append(got, e) }); broken > 0 || err != nil {
		t.Fatal(broken, err)
	}
	if len(got) != 2 {
		t.Fatalf("%d entries: %+v", len(got), got)
	}
	cut, kept := got[0], got[1]
	if cut.Path != usage.Hook || cut.Agent != "claude" || cut.Project != u.dir || cut.Exit != "ok" || cut.Lines != 5000 ||
		cut.Tokens < 10_000 || cut.Without != 550 || cut.With < 10 || cut.With > cut.Tokens/4 || cut.Call == "" {
		t.Errorf("cut: %+v", cut)
	}
	if kept.Without != kept.Tokens || kept.With != kept.Tokens || kept.LinesAfter != kept.Lines {
		t.Errorf("kept: %+v", kept)
	}
	if data, _ := os.ReadFile(name); strings.Contains(string(data), "secret") || strings.Contains(string(data), "main.go") {
		t.Errorf("the account holds content: %s", data)
	}
}

// An account that cannot be written costs nobody an answer.
func TestHookWithoutAccount(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.file(filepath.Join(u.home, "compact", "usage.jsonl", "a-directory"), "")
	out, _ := u.hook("claude", bashEvent(u.dir, "seq 1 5000", numbered(5000, "line")))
	if out == "" || !strings.Contains(u.log(), "usage: ") {
		t.Errorf("answered %.80q, log %q", out, u.log())
	}
}

// Coverage is of the agent's failing commands: each looks for its own entry, by
// its command and directory, so what ran inside others does not count.
func TestCoverage(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	root := filepath.Join(u.dir, "transcripts")
	call := func(id, command, output string) string {
		return fmt.Sprintf(`{"type":"assistant","cwd":"/work","message":{"content":[{"type":"tool_use","id":%q,"name":"Bash","input":{"command":%q}}]}}`+"\n"+
			`{"type":"user","cwd":"/work","message":{"content":[{"type":"tool_result","tool_use_id":%q,"is_error":true,"content":%q}]}}`+"\n", id, command, id, output)
	}
	u.file(filepath.Join(root, "s.jsonl"), call("a", "make", "Exit code 2\nfirst")+call("b", "make", "Exit code 2\nsecond")+
		call("c", "./ci.sh", "Exit code 1\nthird")+call("d", "false", "Exit code 1"))
	env := &Env{Getenv: func(name string) string { return map[string]string{"CAIRN_HOME": u.home}[name] }}
	begin := time.Now().Add(-time.Hour)
	made := func(path, command, dir, exit string) usage.Entry {
		return usage.Entry{Path: path, Agent: "claude", Exit: exit, Call: usage.Call(command, dir)}
	}
	for _, step := range []struct {
		entry usage.Entry
		seen  int
	}{
		{made(usage.Shell, "make", "/work", "ok"), 0},
		{made(usage.Run, "make", "/work", "failed"), 0},
		{made(usage.Shell, "make", "/elsewhere", "failed"), 0},
		{made(usage.Shell, "another", "/work", "failed"), 0},
		{made("shim", "make", "/work", "failed"), 0}, // of an older release: a tool inside a call
		{usage.Entry{Path: usage.Shell, Agent: "codex", Exit: "failed", Call: usage.Call("make", "/work")}, 0},
		{usage.Entry{Path: usage.Shell, Agent: "claude", Exit: "failed", Call: usage.Call("make", "/work"), Time: begin.Add(-time.Second)}, 0},
		{made(usage.Shell, "make", "/work", "failed"), 1},
		{made(usage.Shell, "make", "/work", "failed"), 2},
		{made(usage.Shell, "make", "/work", "failed"), 2},
		{made(usage.Shell, "./ci.sh", "/work", "failed"), 3},
	} {
		if step.entry.Time.IsZero() {
			step.entry.Time = time.Now()
		}
		if err := usage.Append(filepath.Join(u.home, "compact", "usage.jsonl"), step.entry); err != nil {
			t.Fatal(err)
		}
		if seen, failing := setup.Coverage(env, []transcript.Root{{Host: "claude", Dir: root}}, "claude", begin); seen != step.seen || failing != 3 {
			t.Errorf("after %+v: %d of %d", step.entry, seen, failing)
		}
	}
}
