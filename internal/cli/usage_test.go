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

// Coverage is of the agent's failing commands; what a transcript does not have
// is not counted as more than all of it.
func TestCoverage(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	root := filepath.Join(u.dir, "transcripts")
	call := func(id, output string) string {
		return fmt.Sprintf(`{"type":"assistant","message":{"content":[{"type":"tool_use","id":%q,"name":"Bash","input":{"command":"make"}}]}}`+"\n"+
			`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":%q,"is_error":true,"content":%q}]}}`+"\n", id, id, output)
	}
	u.file(filepath.Join(root, "s.jsonl"), call("a", "Exit code 2\nfirst")+call("b", "Exit code 2\nsecond"))
	env := &Env{Getenv: func(name string) string { return map[string]string{"CAIRN_HOME": u.home}[name] }}
	begin := time.Now().Add(-time.Hour)
	for _, step := range []struct {
		entry usage.Entry
		seen  int
	}{
		{usage.Entry{Path: usage.Shim, Agent: "claude", Exit: "ok"}, 0},
		{usage.Entry{Path: usage.Run, Agent: "claude", Exit: "failed"}, 0},
		{usage.Entry{Path: usage.Shim, Agent: "codex", Exit: "failed"}, 0},
		{usage.Entry{Path: usage.Shim, Agent: "claude", Exit: "failed", Time: begin.Add(-time.Second)}, 0},
		{usage.Entry{Path: usage.Shim, Agent: "claude", Exit: "failed"}, 1},
		{usage.Entry{Path: usage.Shim, Agent: "claude", Exit: "failed"}, 2},
		{usage.Entry{Path: usage.Shim, Agent: "claude", Exit: "failed"}, 2},
	} {
		if step.entry.Time.IsZero() {
			step.entry.Time = time.Now()
		}
		if err := usage.Append(filepath.Join(u.home, "compact", "usage.jsonl"), step.entry); err != nil {
			t.Fatal(err)
		}
		if seen, failing := setup.Coverage(env, []transcript.Root{{Host: "claude", Dir: root}}, "claude", begin); seen != step.seen || failing != 2 {
			t.Errorf("after %+v: %d of %d", step.entry, seen, failing)
		}
	}
}
