//go:build unix

package headless_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"cairn/internal/plan"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/headless"
	"cairn/test/plantest"
)

// agent is a stand-in for Claude Code: a shell script that reads its row from the prompt,
// makes the plan's file, commits and writes the summary. Each costs 25 cents.
const agent = `#!/bin/sh
prompt=$(cat)
row=$(printf '%s\n' "$prompt" | tail -1)
field() { printf '%s' "$row" | sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }
role=$(field role); plan=$(field plan)
[ -n "$prompt" ] || { echo "no prompt" >&2; exit 1; }
echo "$role $plan" >> "$COUNT"
eval "$FIRST"
sleep "${SLOW:-0}"
result="RESULT: done"
case $role in
executor)
  n=${plan#*-}; f=f$n.go; d=.planning/phases/01-base
  echo "package widget" > $f; git add $f; git diff --cached --quiet || git commit -qm "feat($plan): $f is there"
  h=$(git log --format=%h -1 --grep="feat($plan)" --fixed-strings)
  printf -- '---\nphase: 01-base\nplan: %s\nkey-files:\n  created: [%s]\nkey-decisions: []\n---\n\n**made**\n\n1. **Task 1: x** - %s\n\n## Self-Check: PASSED\n' "$n" "$f" "$h" > $d/$plan-SUMMARY.md
  git add $d; git commit -qm "docs($plan): summary"
  [ "$plan" = "$STUCK" ] && { git rm -qf $d/$plan-SUMMARY.md; git commit -qm x; result="RESULT: checkpoint - decision: which port?"; } ;;
verifier) w=$(field write); printf -- '---\nphase: 01-base\nstatus: passed\nscore: 1/1\n---\n\n# Verification\n' > "$w" ;;
esac
printf '{"type":"result","is_error":false,"total_cost_usd":0.25,"result":"%s"}' "it is so\\n$result"
`

func project(t *testing.T) (root, count string) {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	bin, count := t.TempDir(), filepath.Join(t.TempDir(), "count")
	if err := os.WriteFile(filepath.Join(bin, "claude"), []byte(agent), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{
		"HOME": t.TempDir(), "GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_SYSTEM": os.DevNull, "COUNT": count,
		"PATH": bin + ":" + os.Getenv("PATH"), "GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "ada@example.org", "GIT_COMMITTER_NAME": "Ada", "GIT_COMMITTER_EMAIL": "ada@example.org",
	} {
		t.Setenv(name, value)
	}
	files := map[string]string{
		".planning/PROJECT.md": "# Widget\n", ".planning/config.json": `{"workflow": {"code_review": false, "uat": false}}`,
		".planning/ROADMAP.md": "# Roadmap\n\n## Phases\n\n- [ ] **Phase 1: Base** - it adds\n\n### Phase 1: Base\n**Goal**: It adds\n",
		".planning/STATE.md":   "# State\n\n## Current Position\n\nPhase: 1 (Base)\nPlan: 0 of 3\nStatus: Ready to execute\n", ".planning/.gitignore": ".cairn/\n.journal*\n.lock\n",
		".planning/phases/01-base/01-CONTEXT.md": "# Context\n\n<decisions>\n- **D-01:** Use one file for all\n</decisions>\n",
		"go.mod":                                 "module widget\n",
	}
	for n, after := range map[string]string{"01": "", "02": "", "03": "01-01, 01-02"} {
		wave := "1"
		if after != "" {
			wave = "2"
		}
		files[".planning/phases/01-base/01-"+n+"-PLAN.md"] = fmt.Sprintf("---\nphase: 01-base\nplan: %s\ntype: execute\nwave: %s\ndepends_on: [%s]\nfiles_modified: [f%s.go]\nautonomous: true\nrequirements: []\n"+
			"must_haves:\n  truths: [\"D-01 holds\"]\n---\n\n<objective>\nIt. D-01\n</objective>\n\n<tasks>\n<task type=\"auto\">\n  <name>Task 1: it</name>\n  <files>f%s.go</files>\n"+
			"  <action>write it (D-01)</action>\n  <verify>test -f f%s.go</verify>\n  <done>it is there</done>\n</task>\n</tasks>\n", n, wave, after, n, n, n)
	}
	plantest.Write(t, root, files)
	git(t, root, "init", "-q", "-b", "main")
	git(t, root, "add", ".")
	git(t, root, "commit", "-qm", "the plan")
	return root, count
}

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func runner(root string, say func(string, ...any)) (*headless.Runner, doc.PhaseID, error) {
	w, err := plan.Open(root, "")
	if err != nil {
		return nil, doc.PhaseID{}, err
	}
	id, _ := doc.ParsePhaseID("1")
	cli, _ := headless.Find("claude")
	return &headless.Runner{
		Workspace: w, CLI: cli, Prompt: func(piece, args string) (string, error) { return "You are " + piece, nil }, Mention: func(c string) string { return "/cairn-" + c }, Patience: time.Minute, Parallel: 2,
		Getenv: func(string) string { return "" }, Env: os.Environ(), Say: say, Work: func(string, bool) {},
	}, id, nil
}

func goes(t *testing.T, root string, change func(*headless.Runner)) *headless.Report {
	t.Helper()
	r, id, err := runner(root, t.Logf)
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(r)
	}
	rep, err := r.Run(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

func TestRunsAPhase(t *testing.T) {
	root, count := project(t)
	rep := goes(t, root, nil)
	if !rep.Done || len(rep.Agents) != 4 || rep.USD != 1 || rep.Unpriced != 0 || len(rep.Asked) != 0 {
		t.Errorf("%+v", rep)
	}
	checkDone(t, root, count, 4)
}

// checkDone looks at what has to be there once, however often the run was killed.
func checkDone(t *testing.T, root, count string, agents int) {
	t.Helper()
	log := git(t, root, "log", "--format=%s")
	for _, n := range []string{"01", "02", "03"} {
		if got := strings.Count(log, "feat(01-"+n+")"); got != 1 {
			t.Errorf("01-%s was committed %d times", n, got)
		}
	}
	started, err := os.ReadFile(count)
	if err != nil || strings.Count(string(started), "\n") != agents {
		t.Errorf("agents that ran: %q, %v", started, err)
	}
	if out := git(t, root, "status", "--porcelain"); out != "" {
		t.Error("left:", out)
	}
	roadmap, _ := os.ReadFile(filepath.Join(root, ".planning/ROADMAP.md"))
	if !strings.Contains(string(roadmap), "- [x] **Phase 1") {
		t.Errorf("not complete:\n%s", roadmap)
	}
}

func TestAsksAPerson(t *testing.T) {
	root, _ := project(t)
	t.Setenv("STUCK", "01-02")
	rep := goes(t, root, nil)
	if rep.Done || len(rep.Asked) != 1 || rep.Asked[0].ID != "01-02" || rep.Asked[0].Question != "which port?" {
		t.Fatalf("%+v", rep)
	}
	if waiting, err := os.ReadFile(filepath.Join(root, ".planning/WAITING.json")); err != nil || !strings.Contains(string(waiting), "which port?") {
		t.Errorf("%s %v", waiting, err)
	}
}

// An agent that ends at once and says nothing is not blocked for no reason.
func TestSilentAgent(t *testing.T) {
	root, _ := project(t)
	t.Setenv("FIRST", "exit 3")
	if rep := goes(t, root, nil); rep.Done || len(rep.Asked) == 0 || !strings.HasSuffix(rep.Asked[0].Question, "the agent failed: it wrote nothing, exit status 3") {
		t.Errorf("%+v", rep.Asked)
	}
}

func TestBudget(t *testing.T) {
	root, _ := project(t)
	rep := goes(t, root, func(r *headless.Runner) { r.Budget = 0.4 })
	if rep.Done || len(rep.Agents) != 2 || len(rep.Asked) != 1 || rep.Asked[0].ID != "budget" {
		t.Fatalf("%+v", rep)
	}
	if rep = goes(t, root, func(r *headless.Runner) { r.Budget = 0.4 }); len(rep.Agents) != 0 {
		t.Errorf("a second run forgets what the first one spent: %+v", rep)
	}
	if rep = goes(t, root, nil); !rep.Done {
		t.Errorf("%+v", rep)
	}
}

func TestDryRun(t *testing.T) {
	root, _ := project(t)
	before := git(t, root, "status", "--porcelain", "--ignored")
	if rep := goes(t, root, func(r *headless.Runner) { r.DryRun = true }); len(rep.Agents) != 0 || rep.Reached == "" {
		t.Errorf("%+v", rep)
	}
	if after := git(t, root, "status", "--porcelain", "--ignored"); after != before {
		t.Errorf("a dry run left %q", after)
	}
}

func TestPatience(t *testing.T) {
	root, _ := project(t)
	t.Setenv("SLOW", "30")
	rep := goes(t, root, func(r *headless.Runner) { r.Patience = 50 * time.Millisecond })
	if rep.Done || len(rep.Asked) == 0 || !strings.Contains(rep.Asked[0].Question, "did not end") {
		t.Fatalf("%+v", rep)
	}
}

func TestMain(m *testing.M) {
	if root := os.Getenv("HEADLESS_IN"); root != "" {
		r, id, err := runner(root, func(string, ...any) {})
		switch {
		case err == nil && os.Getenv("HEADLESS_ALL") != "":
			_, err = all(context.Background(), root, nil)
		case err == nil:
			_, err = r.Run(context.Background(), id)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// Killed at ten points, a run ends with the same files; no agent is started twice for what
// it has done, and every agent's cost is in the ledger.
func TestKilledRun(t *testing.T) {
	root, count := project(t)
	t.Setenv("SLOW", "0.2")
	for i := range 10 {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "HEADLESS_IN="+root)
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(60+90*i) * time.Millisecond)
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
	goes(t, root, nil)
	started, err := os.ReadFile(count)
	if err != nil {
		t.Fatal(err)
	}
	agents := strings.Count(string(started), "\n")
	checkDone(t, root, count, agents)
	ledger, err := os.ReadFile(filepath.Join(root, ".planning/.cairn/run-01.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	usd := 0.0
	for line := range strings.Lines(string(ledger)) {
		var e headless.Entry
		if json.Unmarshal([]byte(line), &e) == nil && e.Ended && e.USD != nil {
			usd += *e.USD
		}
	}
	if usd != 0.25*float64(agents) {
		t.Errorf("%d agents ran, and the ledger has $%.2f", agents, usd)
	}
	if agents > 6 {
		t.Errorf("%d agents for four jobs:\n%s", agents, started)
	}
}
