//go:build unix

package headless_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/brief"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/drive"
	"cairn/internal/plan/headless"
	"cairn/test/plantest"
)

// begins is what agents do before there are plans, and a gh that keeps one pull request.
const begins = `
new-project) sleep "${SLOW:-0}"; mkdir -p .planning; p=.planning
  printf '# Widget\n\n## Core Value\n\nIt adds.\n' > $p/PROJECT.md
  printf '# Requirements\n\n## v1 Requirements\n\n- [ ] **WID-01**: it adds\n' > $p/REQUIREMENTS.md
  printf '# Roadmap\n\n## Phases\n\n- [ ] **Phase 1: Base** - it adds\n\n### Phase 1: Base\n**Goal**: It adds\n**Requirements**: WID-01\n**Success Criteria** (what must be TRUE):\n  1. One and one are two\n' > $p/ROADMAP.md
  printf '# State\n\n## Current Position\n\nPhase: 1 (Base)\nPlan: 0 of 0\nStatus: Ready to plan\nLast activity: 2026-01-01 - begun\n' > $p/STATE.md
  git add .planning; git commit -qm "docs: the project" ;;
discuss-phase) d=.planning/phases/01-base; mkdir -p $d
  case $row in *'"answer"'*) printf '# Context\n\n<decisions>\n- **D-01:** Use one file for all\n</decisions>\n' > $d/01-CONTEXT.md; git add $d; git commit -qm "docs(01): decisions" ;;
  *) result="RESULT: checkpoint - decision: 1. one file or many? (one, many)" ;; esac ;;
planner) d=.planning/phases/01-base
  for n in 01 02 03; do
    wave=1; after=; [ $n = 03 ] && { wave=2; after='01-01, 01-02'; }
    printf -- '---\nphase: 01-base\nplan: %s\ntype: execute\nwave: %s\ndepends_on: [%s]\nfiles_modified: [f%s.go]\nautonomous: true\nrequirements: [WID-01]\nmust_haves:\n  truths: ["D-01 holds"]\n---\n\n<objective>\nIt. D-01\n</objective>\n\n<tasks>\n<task type="auto">\n  <name>Task 1: it</name>\n  <files>f%s.go</files>\n  <action>write it (D-01)</action>\n  <verify>test -f f%s.go</verify>\n  <done>it is there</done>\n</task>\n</tasks>\n' $n $wave "$after" $n $n $n > $d/01-$n-PLAN.md
  done ;;
`

const gh = `#!/bin/sh
echo "$*" >> "$GH_LOG"
case "$2" in
list) cat "$GH_LOG.open" 2>/dev/null; true ;;
create) echo https://example.org/pull/7 | tee "$GH_LOG.open" ;;
esac
`

// idea makes an empty repository with a remote, and stand-ins for the agent and for gh.
func idea(t *testing.T) (root, count string) {
	t.Helper()
	_, count = project(t)
	bin, _, _ := strings.Cut(os.Getenv("PATH"), ":")
	more := strings.Replace(agent, "case $role in\n", "case $role in"+begins, 1)
	more = strings.Replace(more, `**made**`, `# Summary\n\n**made**`, 1)
	more = strings.Replace(more, `key-decisions: []\n---`, `key-decisions: []\nrequirements-completed: [WID-01]\n---`, 1)
	for name, text := range map[string]string{"claude": more, "gh": gh} {
		if err := os.WriteFile(filepath.Join(bin, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("GH_LOG", filepath.Join(t.TempDir(), "gh"))
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	root = filepath.Join(root, "widget")
	plantest.Write(t, root, map[string]string{"go.mod": "module widget\n", ".planning/config.json": `{"workflow": {"code_review": false, "research": false, "plan_check": false, "pattern_mapper": false}}`, ".planning/.gitignore": ".cairn/\n.journal*\n.lock\n"})
	git(t, root, "init", "-q", "-b", "main")
	git(t, root, "add", ".")
	git(t, root, "commit", "-qm", "nothing yet")
	git(t, root, "init", "-q", "--bare", "../origin.git")
	git(t, root, "remote", "add", "origin", "../origin.git")
	git(t, root, "push", "-q", "-u", "origin", "main")
	return root, count
}

// all is what `cairn plan run` does without a phase: the beginning, then the first phase.
func all(ctx context.Context, root string, change func(*headless.Runner)) (*headless.Report, error) {
	r, _, err := runner(root, func(string, ...any) {})
	if err != nil {
		return nil, err
	}
	r.Idea, r.Ship = "it adds", true
	if change != nil {
		change(r)
	}
	rep, err := r.Begin(ctx)
	if err != nil || !rep.Done {
		return rep, err
	}
	var next *brief.Next
	if err := r.View(func(tx *plan.Tx) error { return must.Catch(func() { next = brief.FindNext(tx) }) }); err != nil {
		return nil, err
	}
	id, ok := r.Unshipped()
	if !ok {
		id, ok = doc.ParsePhaseID(next.Phase)
	}
	if !ok {
		id = doc.PhaseID{Number: 1} // complete and shipped
	}
	r.Said = slices.DeleteFunc(r.Said, func(s drive.Said) bool { return s.ID == "new-project" })
	return r.Run(ctx, id)
}

// A project is driven from its idea to its pull request. Only what a person has to say stops
// it, and the answer goes on. It is killed at ten points: the same files, nothing twice, and
// what every agent cost is in a ledger.
func TestIdeaToPullRequest(t *testing.T) {
	root, count := idea(t)
	t.Setenv("SLOW", "0.2")
	kill := func(after time.Duration) {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "HEADLESS_IN="+root, "HEADLESS_ALL=1")
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(after)
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
	run := func(answers ...string) *headless.Report {
		t.Helper()
		rep, err := all(t.Context(), root, func(r *headless.Runner) {
			for _, text := range answers {
				said, err := drive.ParseAnswer(text)
				if err != nil {
					t.Fatal(err)
				}
				r.Said = append(r.Said, said)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		return rep
	}
	asks := func(rep *headless.Report, id, want string) {
		t.Helper()
		if rep.Done || len(rep.Asked) == 0 || rep.Asked[0].ID != id || !strings.Contains(rep.Asked[0].Question, want) || !strings.Contains(strings.Join(rep.Then, "\n"), `--answer "`+id+`: ANSWER"`) {
			t.Fatalf("it does not ask %s: %+v", id, rep)
		}
		if waiting, err := os.ReadFile(filepath.Join(root, ".planning/WAITING.json")); err != nil || !strings.Contains(string(waiting), want) {
			t.Errorf("the question is not kept: %s %v", waiting, err)
		}
	}
	for i := range 2 {
		kill(time.Duration(60+150*i) * time.Millisecond)
	}
	asks(run(), "new-project", "is this the project?")
	asks(run("new-project: yes"), "discuss-phase", "one file or many?")
	for i := range 3 {
		kill(time.Duration(40+40*i) * time.Millisecond)
	}
	first := make(chan error)
	go func() { // what is killed now has the answer
		_, err := all(t.Context(), root, func(r *headless.Runner) {
			r.Said, r.Until = []drive.Said{{ID: "discuss-phase", Answer: "one"}}, drive.Discuss
		})
		first <- err
	}()
	if err := <-first; err != nil {
		t.Fatal(err)
	}
	for i := range 4 {
		kill(time.Duration(100+200*i) * time.Millisecond)
	}
	asks(run(), "uat-1", "One and one are two")
	kill(100 * time.Millisecond)
	rep := run("uat-1: pass")
	if !rep.Done || rep.Pull == nil || rep.Pull.URL != "https://example.org/pull/7" || rep.Pull.Branch != "phase-01-base" {
		t.Fatalf("%+v %+v", rep, rep.Pull)
	}
	if rep = run(); !rep.Done || rep.Pull.URL == "" {
		t.Errorf("a run of what is shipped: %+v", rep)
	}
	called, _ := os.ReadFile(os.Getenv("GH_LOG"))
	if n := strings.Count(string(called), "pr create"); n != 1 || !strings.Contains(string(called), "--base main --title Base --body-file .planning/.cairn/pr-01.md") {
		t.Errorf("%d pull requests:\n%s", n, called)
	}
	body, _ := os.ReadFile(filepath.Join(root, ".planning/.cairn/pr-01.md"))
	for _, want := range []string{"## Summary\n\nIt adds\n", "- **01-03** made (f03.go)", "- [x] **WID-01** it adds", "acceptance by a person: 1 of 1 test passed", "- **D-01** Use one file for all"} {
		if !strings.Contains(string(body), want) {
			t.Errorf("the text lacks %q:\n%s", want, body)
		}
	}
	started, err := os.ReadFile(count)
	if err != nil {
		t.Fatal(err)
	}
	agents := strings.Count(string(started), "\n")
	checkDone(t, root, count, agents)
	if log := git(t, root, "log", "--format=%s", "origin/phase-01-base"); log != git(t, root, "log", "--format=%s") || !strings.Contains(log, "docs(01): ship the phase") {
		t.Errorf("what is pushed is not what is there:\n%s", log)
	}
	usd := 0.0
	ledgers, _ := filepath.Glob(filepath.Join(root, ".planning/.cairn/run-*.jsonl"))
	for _, name := range ledgers {
		ledger, _ := os.ReadFile(name)
		for line := range strings.Lines(string(ledger)) {
			var e headless.Entry
			if json.Unmarshal([]byte(line), &e) == nil && e.Ended && e.USD != nil {
				usd += *e.USD
			}
		}
	}
	if usd != 0.25*float64(agents) {
		t.Errorf("%d agents ran, and the ledgers have $%.2f", agents, usd)
	}
	if agents > 14 {
		t.Errorf("%d agents for eight jobs:\n%s", agents, started)
	}
}

// With --assume nothing is asked before there is something to try; what is wrong with it
// then is a gap that is planned.
func TestAssumed(t *testing.T) {
	root, _ := idea(t)
	rep, err := all(t.Context(), root, func(r *headless.Runner) { r.Assume = true })
	if err != nil || rep.Done || rep.Asked[0].ID != "discuss-phase" {
		t.Fatalf("the stand-in asks whatever it is told: %+v %v", rep, err)
	}
	rep, err = all(t.Context(), root, func(r *headless.Runner) {
		r.Assume, r.Said = true, []drive.Said{{ID: "discuss-phase", Answer: "one"}}
	})
	if err != nil || rep.Asked[0].ID != "uat-1" || strings.Contains(strings.Join(rep.Then, " "), "--answer \"new-project") || !strings.Contains(rep.Then[0], "--assume") {
		t.Fatalf("%+v %v", rep, err)
	}
}

// Without a person's leave nothing is pushed, and without gh no pull request is opened: both
// are told as calls.
func TestPullRequestTold(t *testing.T) {
	root, _ := project(t)
	rep := goes(t, root, nil)
	if !rep.Done || rep.Pull == nil || !slices.Contains(rep.Then, "git push -u origin HEAD") || !slices.Contains(rep.Then, "gh pr create --base main --title Base --body-file .planning/.cairn/pr-01.md") {
		t.Fatalf("%+v", rep)
	}
	if !slices.ContainsFunc(rep.Then, func(s string) bool { return strings.HasPrefix(s, "remote: ") }) {
		t.Errorf("the gate's remedies are not told: %q", rep.Then)
	}
}
