//go:build unix

package headless_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cairn/internal/plan/doc"
	"cairn/internal/plan/headless"
	"cairn/test/plantest"
)

// An agent that prints anything but an answer is one that failed, and what it printed
// cannot act on a terminal.
func TestGarbage(t *testing.T) {
	root, _ := project(t)
	t.Setenv("FIRST", `printf '\033[2J\033]0;owned\007\377\376 {"result": \n\000 not json'; exit 0`)
	rep := goes(t, root, nil)
	if rep.Done || len(rep.Asked) == 0 || !strings.Contains(rep.Asked[0].Question, "not json") || rep.Unpriced != len(rep.Agents) {
		t.Fatalf("%+v", rep)
	}
	for _, e := range rep.Agents {
		if strings.ContainsAny(e.Result, "\x1b\x07\x00") {
			t.Errorf("%q", e.Result)
		}
	}
}

// Of two runs of a phase at once the second is refused: it would take the first one's
// agents for those of a run that was killed.
func TestTwoRuns(t *testing.T) {
	root, count := project(t)
	t.Setenv("SLOW", "0.5")
	first := make(chan *headless.Report)
	began := make(chan struct{}, 10)
	go func() {
		first <- goes(t, root, func(r *headless.Runner) {
			r.Say = func(format string, args ...any) {
				if strings.HasPrefix(format, "start") {
					began <- struct{}{}
				}
			}
		})
	}()
	<-began
	r, id, err := runner(root, t.Logf)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Run(t.Context(), id); !errors.Is(err, headless.ErrRunning) {
		t.Errorf("a second run: %v", err)
	}
	if rep := <-first; !rep.Done || rep.USD != 1 {
		t.Errorf("%+v", rep)
	}
	checkDone(t, root, count, 4)
}

// A line of the ledger that a kill or a full disk cut short spoils none behind it.
func TestTornLedger(t *testing.T) {
	root, _ := project(t)
	ledger := filepath.Join(root, ".planning/.cairn/run-01.jsonl")
	if err := os.MkdirAll(filepath.Dir(ledger), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(ledger, []byte(`{"at":"2026-01-01T00:00:00Z","role":"exec`), 0o600); err != nil {
		t.Fatal(err)
	}
	if rep := goes(t, root, func(r *headless.Runner) { r.Budget = 0.2 }); rep.USD != 0.5 {
		t.Fatalf("%+v", rep)
	}
	if rep := goes(t, root, func(r *headless.Runner) { r.Budget = 0.5 }); len(rep.Agents) != 0 || rep.Asked[0].ID != "budget" || !strings.Contains(rep.Then[0], "--budget") {
		t.Errorf("what was spent is not known: %+v", rep)
	}
}

// A run that a person ends ends its agents; the next goes on, and their cost is kept.
func TestInterrupted(t *testing.T) {
	root, count := project(t)
	t.Setenv("SLOW", "30")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r, id, err := runner(root, func(format string, args ...any) {
		if strings.HasPrefix(format, "start") {
			time.AfterFunc(300*time.Millisecond, cancel)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	rep, err := r.Run(ctx, id)
	if err != nil || rep.Done || rep.Reached != "interrupted" || time.Since(began) > 15*time.Second || len(rep.Agents) != 2 || rep.Agents[0].Result != "blocked — interrupted" {
		t.Fatalf("%+v %v", rep, err)
	}
	t.Setenv("SLOW", "0")
	if rep = goes(t, root, nil); !rep.Done {
		t.Errorf("%+v", rep)
	}
	started, _ := os.ReadFile(count)
	checkDone(t, root, count, strings.Count(string(started), "\n"))
}

// What an agent leaves for git to run does not run: nothing is merged or committed
// behind it before a person has looked.
func TestPlantedProgram(t *testing.T) {
	for name, plant := range map[string]string{
		"hook":       `mkdir -p .git/hooks; printf '#!/bin/sh\ntrue\n' > .git/hooks/post-commit; chmod +x .git/hooks/post-commit`,
		"config":     `git config core.fsmonitor true`,
		"attributes": `mkdir -p .git/info; echo '* filter=x' > .git/info/attributes`,
	} {
		t.Run(name, func(t *testing.T) {
			root, _ := project(t)
			t.Setenv("FIRST", "(cd "+root+" && "+plant+")")
			rep := goes(t, root, nil)
			if rep.Done || len(rep.Asked) == 0 || rep.Asked[len(rep.Asked)-1].ID != "programs" {
				t.Errorf("%+v", rep)
			}
			if last := git(t, root, "log", "-1", "--format=%s"); !strings.Contains(last, "wave 1 begins") {
				t.Errorf("behind the agents came %q", last)
			}
		})
	}
}

// What was executed for one branch is not merged into another.
func TestBranchSwitched(t *testing.T) {
	root, count := project(t)
	t.Setenv("FIRST", fmt.Sprintf(`[ "$plan" = 01-01 ] && git -C %q switch -qc other`, root))
	rep := goes(t, root, nil)
	if rep.Done || len(rep.Asked) != 1 || rep.Asked[0].ID != "branch" || rep.Then[0] != "git switch main" {
		t.Fatalf("%+v", rep)
	}
	if log := git(t, root, "log", "--format=%s"); strings.Contains(log, "merge") {
		t.Errorf("merged into the other branch:\n%s", log)
	}
	t.Setenv("FIRST", "")
	git(t, root, "switch", "-q", "main")
	if rep = goes(t, root, nil); !rep.Done {
		t.Errorf("%+v", rep)
	}
	checkDone(t, root, count, 4)
	if _, err := os.Stat(filepath.Join(root, ".planning/WAITING.json")); !os.IsNotExist(err) {
		t.Errorf("the question of the run before still waits: %v", err)
	}
}

// What somebody is working on in the project stays as it is, and is in no commit.
func TestDirtyTree(t *testing.T) {
	root, _ := project(t)
	plantest.Write(t, root, map[string]string{"go.mod": "module widget\n\n// mine\n", "notes.txt": "mine\n"})
	rep := goes(t, root, nil)
	if !rep.Done {
		t.Fatalf("%+v", rep)
	}
	if out := git(t, root, "status", "--porcelain"); out != "M go.mod\n?? notes.txt" {
		t.Errorf("the tree is %q", out)
	}
}

// What an agent is started with: Codex may write what git needs for a commit, in the project
// and in a worktree.
func TestGrants(t *testing.T) {
	claude, _ := headless.Find("claude")
	codex, _ := headless.Find("codex")
	g := headless.Grant{Model: "m", Free: []string{"cairn plan task"}, Allow: []string{"X"}, Repo: []string{"/p/.git/worktrees/a", "/p/.git"}}
	if got := strings.Join(claude.Args(g), " "); !strings.HasSuffix(got, "--model m --allowedTools Bash(cairn plan task:*),X") {
		t.Error(got)
	}
	if got := strings.Join(codex.Args(g), " "); !strings.HasSuffix(got, "--model m --add-dir /p/.git/worktrees/a --add-dir /p/.git --add-dir X -") {
		t.Error(got)
	}
	g.Model = "inherit"
	for _, c := range headless.CLIs() {
		if got := strings.Join(c.Args(g), " "); strings.Contains(got, "--model") {
			t.Error(got)
		}
	}
}

// A checkout has one run, whatever its phase: the second says who has it. One that was killed
// blocks nobody, and what its agents do is waited for.
func TestOneRunInACheckout(t *testing.T) {
	root, count := project(t)
	t.Setenv("SLOW", "2")
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "HEADLESS_IN="+root)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for range 200 {
		if started, _ := os.ReadFile(count); strings.Count(string(started), "\n") == 2 {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	other := doc.PhaseID{Number: 2}
	var said []string
	r, _, err := runner(root, func(format string, args ...any) { said = append(said, fmt.Sprintf(format, args...)) })
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("phase 01, process %d, since ", cmd.Process.Pid)
	if _, err := r.Run(t.Context(), other); !errors.Is(err, headless.ErrRunning) || !strings.Contains(err.Error(), want) {
		t.Errorf("a run of another phase: %v", err)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	if _, err := r.Run(t.Context(), other); err == nil || errors.Is(err, headless.ErrRunning) {
		t.Errorf("after the first was killed: %v", err) // there is no phase 2
	}
	if !strings.Contains(strings.Join(said, "\n"), "wait   executor 01-0") {
		t.Errorf("it does not wait for agents of another phase: %q", said)
	}
}
