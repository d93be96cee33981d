package reader

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cairn/internal/team/cost"
	"cairn/internal/team/spend"
)

func read(t *testing.T, agent, file string) Out {
	t.Helper()
	fi, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	out, _, err := Read(context.Background(), File{Agent: agent, Path: file, Size: fi.Size(), Mod: fi.ModTime()}, Cursor{})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestSamples holds what is read of each agent's own files against what the agent
// itself adds up, or the model's ledger had.
func TestSamples(t *testing.T) {
	table, err := cost.Load()
	if err != nil {
		t.Fatal(err)
	}
	prices := spend.Prices{Table: table}
	for _, test := range []struct {
		agent, file string
		requests    int
		calls       int
		tokens      spend.Tokens
		usd         float64 // 0: the model has no price
		dir         string
	}{
		// The sums of the last cost-state line.
		{"claude", "claude/resumed.jsonl", 5, 1, spend.Tokens{Input: 1947, CacheRead: 291806, Write5m: 16660, Write1h: 2387, Output: 2901}, 0.2136948, "/home/dev/src/shop"},
		{"claude", "claude/fork.jsonl", 4, 0, spend.Tokens{Input: 903, CacheRead: 175099, Write5m: 23827, Write1h: 11452, Output: 2860}, 0.42700325, "/home/dev/src/shop"},
		// The thread's own running sum.
		{"codex", "codex/resumed.jsonl", 4, 0, spend.Tokens{Input: 195016 - 176904, CacheRead: 176904, Output: 2038}, 0.065133, "/home/dev/src/site"},
		{"gemini", "gemini/chats/chat.jsonl", 2, 0, spend.Tokens{Input: 200, Output: 40}, 0.00065, ""},
		{"opencode", "opencode/opencode.db", 2, 0, spend.Tokens{Input: 200, Output: 40}, 0, "/home/dev/src/demo"},
		{"copilot", "copilot/events.jsonl", 2, 0, spend.Tokens{Input: 200, Output: 40}, 0, "/home/dev/src/demo"},
	} {
		t.Run(test.file, func(t *testing.T) {
			out := read(t, test.agent, filepath.Join("testdata", test.file))
			if len(out.Requests) != test.requests || len(out.Calls) != test.calls || out.Odd != 0 {
				t.Errorf("%d requests, %d calls, %d odd lines; want %d, %d, 0", len(out.Requests), len(out.Calls), out.Odd, test.requests, test.calls)
			}
			var sum spend.Tokens
			nanos := int64(0)
			for i := range out.Requests {
				q := &out.Requests[i]
				sum.Input += q.Input
				sum.CacheRead += q.CacheRead
				sum.Write5m += q.Write5m
				sum.Write1h += q.Write1h
				sum.Output += q.Output
				n, known := prices.Nanos(q)
				if known != (test.usd > 0) {
					t.Errorf("%s: a price is known: %v", q.Model, known)
				}
				nanos += n
				if q.Session == "" || q.At.IsZero() || q.Sent.After(q.At) || q.Dir != test.dir {
					t.Errorf("%+v", q)
				}
			}
			if sum != test.tokens {
				t.Errorf("%+v, want %+v", sum, test.tokens)
			}
			if d := spend.Dollars(nanos) - test.usd; d > 1e-6 || d < -1e-6 {
				t.Errorf("$%f, want $%f", spend.Dollars(nanos), test.usd)
			}
		})
	}
}

// The lines that a fork copies are its parent's.
func TestFork(t *testing.T) {
	parents := map[string]bool{}
	for _, q := range read(t, "claude", "testdata/claude/original.jsonl").Requests {
		parents[q.ID] = true
	}
	own := 0
	fork := read(t, "claude", "testdata/claude/fork.jsonl")
	for _, q := range fork.Requests {
		if parents[q.ID] != (q.Session == "e3ccde09-d9ec-464d-98e2-c27332ca8162") {
			t.Errorf("%s is of %s", q.ID, q.Session)
		}
		if !parents[q.ID] {
			own++
		}
	}
	if own != 2 || len(parents) != 2 {
		t.Errorf("%d own, %d of the parent", own, len(parents))
	}
}

// So is a call whose result the copy does not name the parent for.
func TestForkedCall(t *testing.T) {
	name := filepath.Join(t.TempDir(), "child.jsonl")
	text := `{"type":"assistant","timestamp":"2026-11-22T15:20:03Z","sessionId":"child","requestSessionId":"parent","message":{"id":"m","model":"claude-opus-5","usage":{"output_tokens":2},"content":[{"type":"tool_use","id":"t","name":"Bash","input":{"command":"git commit -m x"}}]}}
{"type":"user","timestamp":"2026-11-22T15:20:04Z","sessionId":"child","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"[main 1a2b3c4] x"}]}}
`
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	out := read(t, "claude", name)
	if len(out.Calls) != 1 || out.Calls[0].Session != "parent" || len(out.Calls[0].Commits) != 1 {
		t.Errorf("%+v", out.Calls)
	}
}

// A file that grows is read on from where it ended, with the same result, wherever
// it was cut: also within a line.
func TestReadsOn(t *testing.T) {
	data, err := os.ReadFile("testdata/claude/resumed.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	want := read(t, "claude", "testdata/claude/resumed.jsonl")
	for cut := 1; cut < len(data); cut += 97 {
		name := filepath.Join(t.TempDir(), "x.jsonl")
		var got Out
		var at Cursor
		for _, part := range [][]byte{data[:cut], data} {
			if err := os.WriteFile(name, part, 0o600); err != nil {
				t.Fatal(err)
			}
			out, next, err := Read(context.Background(), File{Agent: "claude", Path: name, Size: int64(len(part)), Mod: time.Now()}, at)
			if err != nil {
				t.Fatal(err)
			}
			got.Requests, got.Calls, at = append(got.Requests, out.Requests...), append(got.Calls, out.Calls...), next
		}
		if len(got.Requests) != len(want.Requests) || len(got.Calls) != len(want.Calls) {
			t.Fatalf("cut at %d: %d requests, %d calls", cut, len(got.Requests), len(got.Calls))
		}
		for i := range got.Requests {
			if got.Requests[i] != want.Requests[i] {
				t.Fatalf("cut at %d: %+v, want %+v", cut, got.Requests[i], want.Requests[i])
			}
		}
	}
}

// What is broken costs its line, which is counted, and no more.
func TestOdd(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.jsonl")
	good := `{"type":"assistant","timestamp":"2026-11-22T15:20:03.455Z","sessionId":"s","message":{"id":"m%","model":"claude-opus-5","usage":{"input_tokens":1,"output_tokens":2}}}`
	text := "not json\n" +
		`{"type":"assistant","message":{"usage":{"input_tokens":` + "\n" + // cut off by a full disk
		`{"type":"assistant","sessionId":7,"timestamp":"2026-11-22T15:20:03.455Z","message":{"id":"m1","model":"claude-opus-5","usage":{"input_tokens":1,"output_tokens":2}}}` + "\n" +
		`{"type":"assistant","message":{"model":"claude-opus-5","usage":{"output_tokens":2}}}` + "\n" +
		`{"type":"assistant","message":{"id":"m9","model":"<synthetic>","usage":{"output_tokens":0}}}` + "\n" +
		good + "\n\xff\xfe\n"
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	out := read(t, "claude", name)
	if len(out.Requests) != 2 || out.Odd != 2 {
		t.Errorf("%d requests, %d odd: %+v", len(out.Requests), out.Odd, out.Requests)
	}
}

func TestGitOf(t *testing.T) {
	for command, want := range map[string]spend.Git{
		"ls": spend.NoGit, "digit --x": spend.NoGit, "git status": spend.Looks, "cd x && git checkout -b a": spend.Looks,
		"git -C ../x commit -m y": spend.Commits, "git -c user.name=x --no-pager log": spend.Looks, "git add -A; git commit -qm 'x'": spend.Commits,
		"git ci": spend.Commits, "bash -c 'git merge x'": spend.Commits, "gh pr merge 3": spend.Commits, "/usr/bin/git cherry-pick x": spend.Commits,
		`{"cmd":"git commit -m x"}`: spend.Commits, `{"cmd":"git status"}`: spend.Looks, "git": spend.Looks, "": spend.NoGit,
	} {
		if got := gitOf(command); got != want {
			t.Errorf("%q: %d, want %d", command, got, want)
		}
	}
}

func TestMade(t *testing.T) {
	text := "[main (root-commit) 1a2b3c4] begin\n 1 file changed\n[feature/x 00aabbccdd] a [b] c\n[detached HEAD fffffff] x\nsee [docs abcdef12] inside\n[main notahash] y"
	got, branch := made(text)
	if len(got) != 3 || got[0] != "1a2b3c4" || got[1] != "00aabbccdd" || got[2] != "fffffff" {
		t.Errorf("%q", got)
	}
	_, before := made(text[:strings.Index(text, "[detached")])
	if _, first := made("[main (root-commit) 1a2b3c4] x"); branch != "" || before != "feature/x" || first != "main" {
		t.Errorf("branches %q, %q, %q", branch, before, first)
	}
}
