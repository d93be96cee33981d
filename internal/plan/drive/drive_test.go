package drive_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"cairn/internal/plan"
	"cairn/internal/plan/agent"
	"cairn/internal/plan/commit"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/drive"
	"cairn/test/plantest"
)

// a planned phase: two plans at once, then one that waits for both.
func planned(t *testing.T, more map[string]string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{
		"HOME": t.TempDir(), "GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_SYSTEM": os.DevNull,
		"GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "ada@example.org", "GIT_COMMITTER_NAME": "Ada", "GIT_COMMITTER_EMAIL": "ada@example.org",
	} {
		t.Setenv(name, value)
	}
	files := map[string]string{
		".planning/PROJECT.md": "# Widget\n", ".planning/config.json": `{"workflow": {"code_review": false}}`,
		".planning/ROADMAP.md":                   "# Roadmap\n\n## Phases\n\n- [ ] **Phase 1: Base** - it adds\n\n### Phase 1: Base\n**Goal**: It adds\n",
		".planning/STATE.md":                     "# State\n\n## Current Position\n\nPhase: 1 (Base)\nPlan: 0 of 3\nStatus: Ready to execute\n",
		".planning/.gitignore":                   ".cairn/\n.journal*\n.lock\n",
		".planning/phases/01-base/01-CONTEXT.md": "# Context\n\n<decisions>\n- **D-01:** Use one file for all\n</decisions>\n",
		".planning/phases/01-base/01-01-PLAN.md": planFile("01", "1", "", "a.go"),
		".planning/phases/01-base/01-02-PLAN.md": planFile("02", "1", "", "b.go"),
		".planning/phases/01-base/01-03-PLAN.md": planFile("03", "2", "01-01, 01-02", "c.go"),
		"go.mod":                                 "module widget\n",
	}
	for name, text := range more {
		files[name] = text
	}
	plantest.Write(t, root, files)
	git(t, root, "init", "-q", "-b", "main")
	git(t, root, "add", ".")
	git(t, root, "commit", "-qm", "the plan")
	return root
}

func planFile(number, wave, after, file string) string {
	return fmt.Sprintf("---\nphase: 01-base\nplan: %s\ntype: execute\nwave: %s\ndepends_on: [%s]\nfiles_modified: [%s]\nautonomous: true\nrequirements: []\n"+
		"must_haves:\n  truths: [\"D-01 holds\"]\n---\n\n<objective>\nMake %s. D-01\n</objective>\n\n<tasks>\n<task type=\"auto\">\n  <name>Task 1: make %s</name>\n"+
		"  <files>%s</files>\n  <action>write it (D-01)</action>\n  <verify>test -f %s</verify>\n  <done>it is there</done>\n</task>\n</tasks>\n", number, wave, after, file, file, file, file, file)
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

func step(t *testing.T, root string, said ...drive.Said) *drive.Step {
	t.Helper()
	s, err := try(t, root, false, said...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func try(t *testing.T, root string, dry bool, said ...drive.Said) (*drive.Step, error) {
	t.Helper()
	w, err := plan.Open(root, "")
	if err != nil {
		t.Fatal(err)
	}
	w.DryRun = dry
	id, _ := doc.ParsePhaseID("1")
	d := drive.Driver{Workspace: w, Context: t.Context(), Now: time.Now(), Getenv: func(string) string { return "" }}
	return d.Step(id, said)
}

// executes is an executor: the file, a commit, and a summary that is committed.
func executes(t *testing.T, a drive.Agent, root, file string) {
	t.Helper()
	tree := a.Tree
	if tree == "" {
		tree = root
	}
	plantest.Write(t, tree, map[string]string{file: "package widget\n"})
	res, err := commit.Task(t.Context(), tree, a.Plan, 1, commit.Request{Message: "feat: " + file + " is there", Paths: []string{file}})
	if err != nil || res.Hash == "" {
		t.Fatal(res, err)
	}
	summarize(t, a, tree, file, res.Hash)
}

func summarize(t *testing.T, a drive.Agent, tree, file, hash string) {
	t.Helper()
	name := ".planning/phases/01-base/" + a.Plan + "-SUMMARY.md"
	plantest.Write(t, tree, map[string]string{name: "---\nphase: 01-base\nplan: " + a.Plan[3:] + "\nkey-files:\n  created: [" + file + "]\nkey-decisions: [\"one file: simple\"]\n---\n\n" +
		"**made**\n\n## Task Commits\n\n1. **Task 1: x** - `" + hash + "`\n\n## Self-Check: PASSED\n"})
	git(t, tree, "add", name)
	git(t, tree, "commit", "-qm", "docs("+a.Plan+"): summary")
}

func plans(s *drive.Step) (out []string) {
	for _, a := range s.Spawn {
		out = append(out, strings.TrimSpace(a.Role+" "+a.Plan))
		if a.Agent != agent.Name(a.Role) {
			out = append(out, "played by "+a.Agent)
		}
	}
	return out
}

func TestFromPlansToVerification(t *testing.T) {
	root := planned(t, nil)
	s := step(t, root)
	if s.Do != drive.Spawn || !slices.Equal(plans(s), []string{"executor 01-01", "executor 01-02"}) || s.Spawn[0].Tree == s.Spawn[1].Tree {
		t.Fatalf("%+v", s)
	}
	if again := step(t, root); !slices.Equal(plans(again), plans(s)) || again.Spawn[0].Tree != s.Spawn[0].Tree {
		t.Errorf("asked twice it says %+v", again)
	}
	executes(t, s.Spawn[0], root, "a.go")
	executes(t, s.Spawn[1], root, "b.go")
	s = step(t, root)
	if !slices.Equal(plans(s), []string{"executor 01-03"}) || s.Spawn[0].Tree != "" || s.Check == nil {
		t.Fatalf("%+v", s)
	}
	if out := git(t, root, "worktree", "list"); strings.Contains(out, "01-01") {
		t.Error(out)
	}
	executes(t, s.Spawn[0], root, "c.go")
	if s = step(t, root); !slices.Equal(plans(s), []string{"verifier"}) || s.Spawn[0].Goal != "It adds" {
		t.Fatalf("%+v", s)
	}
	state := string(read(t, root, ".planning/STATE.md"))
	for _, want := range []string{"| Phase 1 P01 | 1min | 1 tasks | 1 files |", "| Phase 1 P03 |", "[Phase 1]: one file — simple", "ready for verification"} {
		if !strings.Contains(state, want) {
			t.Errorf("STATE.md lacks %q:\n%s", want, state)
		}
	}
	if out := git(t, root, "status", "--porcelain"); out != "" {
		t.Error("not committed:", out)
	}
	git(t, root, "cat-file", "-e", "HEAD:a.go")
	if n := strings.Count(git(t, root, "log", "--format=%s"), "feat(01-01)"); n != 1 {
		t.Errorf("%d commits of 01-01", n)
	}
}

// After each wave STATE.md says where the work stopped, and a step names the plans of
// its own wave only.
func TestStateSaysWhereItStopped(t *testing.T) {
	root := planned(t, map[string]string{
		".planning/STATE.md": "---\ngsd_state_version: 1.0\nprogress:\n  total_plans: 3\n  completed_plans: 0\n  percent: 0\n---\n\n# State\n\n## Current Position\n\nPhase: 1 (Base)\nPlan: 0 of 3\nStatus: Ready to execute\nProgress: [░░░░░░░░░░] 0%\n\n## Session Continuity\n\nLast session: 2026-01-01\nStopped at: Phase 1 planned\nResume file: None\n",
	})
	s := step(t, root)
	executes(t, s.Spawn[0], root, "a.go")
	executes(t, s.Spawn[1], root, "b.go")
	if s = step(t, root); len(s.Spawn) != 1 || strings.Contains(s.Why, "wave 1") {
		t.Errorf("%+v", s)
	}
	state := string(read(t, root, ".planning/STATE.md"))
	for _, want := range []string{"Stopped at: 01-02 executed, 2 of 3 plans", "67%", "completed_plans: 2"} {
		if !strings.Contains(state, want) {
			t.Errorf("no %q in\n%s", want, state)
		}
	}
	if strings.Contains(state, "Phase 1 planned") {
		t.Error(state)
	}
}

// What a verification found is planned, too, when it is asked for.
func TestGaps(t *testing.T) {
	root := planned(t, map[string]string{".planning/config.json": `{"workflow": {"code_review": false, "use_worktrees": false}}`})
	for _, file := range []string{"a.go", "b.go", "c.go"} {
		executes(t, step(t, root).Spawn[0], root, file)
	}
	if s := step(t, root); !slices.Equal(plans(s), []string{"verifier"}) {
		t.Fatalf("%+v", s)
	}
	plantest.Write(t, root, map[string]string{".planning/phases/01-base/01-VERIFICATION.md": "---\nphase: 01-base\nstatus: gaps_found\nscore: 0/1\n---\n\n# V\n\n## Gaps\n\n```yaml\n- truth: it adds\n  status: failed\n```\n"})
	if s := step(t, root); s.Do != drive.Run || s.Run != "plan-phase 1 --gaps" {
		t.Fatalf("%+v", s)
	}
	w, err := plan.Open(root, "")
	if err != nil {
		t.Fatal(err)
	}
	id, _ := doc.ParsePhaseID("1")
	d := drive.Driver{Workspace: w, Context: t.Context(), Now: time.Now(), Getenv: func(string) string { return "" }, Until: drive.Plan}
	if s, err := d.Step(id, nil); err != nil || !slices.Equal(plans(s), []string{"planner"}) || !strings.Contains(s.Spawn[0].Failed, "01-VERIFICATION.md") {
		t.Fatalf("%+v %v", s, err)
	}
}

func read(t *testing.T, root, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// What an agent says of itself does not count; what it left does.
func TestHandedOutAgain(t *testing.T) {
	root := planned(t, nil)
	s := step(t, root)
	executes(t, s.Spawn[0], root, "a.go")
	second := s.Spawn[1]
	plantest.Write(t, second.Tree, map[string]string{"b.go": "package widget\n"})
	res, err := commit.Task(t.Context(), second.Tree, "01-02", 1, commit.Request{Message: "feat: half of it", Paths: []string{"b.go"}})
	if err != nil {
		t.Fatal(err)
	}
	s = step(t, root, drive.Said{ID: "01-02", Blocked: "the port is in use"})
	if !slices.Equal(plans(s), []string{"executor 01-02"}) || s.Spawn[0].Failed != "the port is in use" || len(s.Spawn[0].Tasks) != 1 || s.Spawn[0].Tasks[0].Hash != res.Hash {
		t.Fatalf("%+v", s)
	}
	s = step(t, root, drive.Said{ID: "01-02", Question: "which port?", Type: "decision"})
	if s.Do != drive.Ask || len(s.Ask) != 1 || s.Ask[0].Question != "which port?" {
		t.Fatalf("%+v", s)
	}
	if s = step(t, root, drive.Said{ID: "01-02", Answer: "9000"}); s.Do != drive.Spawn || s.Spawn[0].Answer != "which port? — 9000" {
		t.Fatalf("%+v", s)
	}
	asked := false
	for range 4 { // its budget is two more tries
		if s = step(t, root, drive.Said{ID: "01-02", Blocked: "red"}); s.Do == drive.Ask {
			asked = true
			break
		}
	}
	if !asked || s.Ask[0].Question != "red" || len(s.Ask[0].Options) == 0 {
		t.Fatalf("%+v", s)
	}
	step(t, root, drive.Said{ID: "01-02", Answer: "another way"})
	summarize(t, second, second.Tree, "b.go", "deadbee1") // a commit that is not there
	if s = step(t, root); s.Do != drive.Spawn || !strings.Contains(strings.Join(plans(s), " "), "01-02") {
		t.Fatalf("a false summary was believed: %+v", s)
	}
}

// A summary that does not hold in the project itself is not executed either.
func TestFalseSummaryInProject(t *testing.T) {
	root := planned(t, map[string]string{".planning/config.json": `{"workflow": {"use_worktrees": false, "code_review": false}}`})
	s := step(t, root)
	if !slices.Equal(plans(s), []string{"executor 01-01"}) || s.Spawn[0].Tree != "" {
		t.Fatalf("%+v", s)
	}
	summarize(t, s.Spawn[0], root, "a.go", "")
	if s = step(t, root); !slices.Equal(plans(s), []string{"executor 01-01"}) || !strings.Contains(s.Spawn[0].Failed, "a.go") {
		t.Fatalf("%+v", s)
	}
}

func TestUnmergedWorkStays(t *testing.T) {
	root := planned(t, nil)
	s := step(t, root)
	executes(t, s.Spawn[0], root, "a.go")
	plantest.Write(t, root, map[string]string{"a.go": "package other\n"})
	git(t, root, "add", "a.go")
	git(t, root, "commit", "-qm", "somebody else's a.go")
	s = step(t, root)
	if s.Do != drive.Mend || !strings.Contains(s.Why, "01-01") {
		t.Fatalf("%+v", s)
	}
	git(t, root, "cat-file", "-e", "worktree-agent-01-01:a.go")
	if out := git(t, root, "status", "--porcelain", "--", "a.go"); out != "" {
		t.Error(out)
	}
}

func TestDryStep(t *testing.T) {
	root := planned(t, nil)
	before := git(t, root, "rev-parse", "HEAD") + git(t, root, "status", "--porcelain", "--ignored")
	s, err := try(t, root, true)
	if err != nil || s.Do != drive.Spawn {
		t.Fatal(s, err)
	}
	if after := git(t, root, "rev-parse", "HEAD") + git(t, root, "status", "--porcelain", "--ignored"); after != before || git(t, root, "branch", "--list", "worktree-agent-*") != "" {
		t.Errorf("a dry run changed the project:\n%s\n%s", before, after)
	}
}

func TestNotReady(t *testing.T) {
	root := planned(t, map[string]string{".planning/phases/01-base/01-03-PLAN.md": planFile("03", "2", "01-09", "c.go")})
	s := step(t, root)
	if s.Do != drive.Run || s.Run != "plan-phase 1" {
		t.Errorf("%+v", s)
	}
}

func TestParseSaid(t *testing.T) {
	for text, want := range map[string]drive.Said{
		"01-02 blocked: the port: 80":             {ID: "01-02", Blocked: "the port: 80"},
		"01-02 checkpoint: which?":                {ID: "01-02", Question: "which?", Type: "decision"},
		"01-02 checkpoint human-verify: look: it": {ID: "01-02", Question: "look: it", Type: "human-verify"},
	} {
		if got, err := drive.ParseResult(text); err != nil || got != want {
			t.Errorf("%s: %+v %v", text, got, err)
		}
	}
	for _, text := range []string{"", "01-02", "01-02 done", "01-02 blocked", "01-02 blocked:", "blocked: x", "a b c d: e"} {
		if got, err := drive.ParseResult(text); err == nil {
			t.Errorf("%q: %+v", text, got)
		}
	}
	if got, err := drive.ParseAnswer("01-02: a: b"); err != nil || got.Answer != "a: b" {
		t.Errorf("%+v %v", got, err)
	}
}

// From what was decided to plans that can be executed: research, plans, a check by
// somebody else, gates; a person is asked when the check does not end.
func TestPlanning(t *testing.T) {
	research := ".planning/phases/01-base/01-RESEARCH.md"
	root := planned(t, map[string]string{".planning/config.json": `{"workflow": {"pattern_mapper": false}}`})
	for _, n := range []string{"01", "02", "03"} {
		git(t, root, "rm", "-q", ".planning/phases/01-base/01-"+n+"-PLAN.md")
	}
	git(t, root, "commit", "-qm", "no plans")
	until := func(said ...drive.Said) *drive.Step {
		t.Helper()
		w, err := plan.Open(root, "")
		if err != nil {
			t.Fatal(err)
		}
		id, _ := doc.ParsePhaseID("1")
		d := drive.Driver{Workspace: w, Context: t.Context(), Now: time.Now(), Getenv: func(string) string { return "" }, Until: drive.Plan}
		s, err := d.Step(id, said)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	if s := until(); !slices.Equal(plans(s), []string{"phase-researcher"}) || s.Spawn[0].Write != research {
		t.Fatalf("%+v", s)
	}
	plantest.Write(t, root, map[string]string{research: "# R\n\n## Open Questions\n\n- Which port?\n"})
	if s := until(); s.Do != drive.Mend || len(s.Unmet) == 0 {
		t.Fatalf("%+v", s)
	}
	plantest.Write(t, root, map[string]string{research: "# R\n\n## Open Questions\n\n- Which port? 80 (RESOLVED)\n"})
	if s := until(); !slices.Equal(plans(s), []string{"planner"}) || s.Spawn[0].Goal != "It adds" || s.Spawn[0].Directory != ".planning/phases/01-base" {
		t.Fatalf("%+v", s)
	}
	plantest.Write(t, root, map[string]string{".planning/phases/01-base/01-01-PLAN.md": strings.ReplaceAll(planFile("01", "1", "", "a.go"), "D-01", "it")})
	if s := until(); !slices.Equal(plans(s), []string{"plan-checker"}) {
		t.Fatalf("%+v", s)
	}
	s := until(drive.Said{ID: "plan-checker", Verdict: "issues", Blocked: "no test"})
	if !slices.Equal(plans(s), []string{"planner"}) || s.Spawn[0].Failed != "no test" {
		t.Fatalf("%+v", s)
	}
	until()
	until(drive.Said{ID: "plan-checker", Verdict: "issues", Blocked: "no test"})
	until()
	if s = until(drive.Said{ID: "plan-checker", Verdict: "issues", Blocked: "still no test"}); s.Do != drive.Ask || s.Ask[0].ID != "plan-checker" {
		t.Fatalf("the check goes on for ever: %+v", s)
	}
	s = until(drive.Said{ID: "plan-checker", Answer: "go on with the plans as they are"})
	if !slices.Equal(plans(s), []string{"planner"}) || !strings.Contains(s.Spawn[0].Failed, "D-01") {
		t.Fatalf("a decision that no plan carries: %+v", s)
	}
	plantest.Write(t, root, map[string]string{".planning/phases/01-base/01-01-PLAN.md": planFile("01", "1", "", "a.go")})
	if s = until(); s.Do != drive.Done || s.Run != "execute-phase 1" {
		t.Fatalf("%+v", s)
	}
	if out := git(t, root, "status", "--porcelain"); out != "" {
		t.Error("not committed:", out)
	}
	if s = step(t, root); !slices.Equal(plans(s), []string{"executor 01-01"}) {
		t.Fatalf("%+v", s)
	}
}

// What a person has to set up is asked before the plan is handed out, once.
func TestUserSetup(t *testing.T) {
	root := planned(t, map[string]string{".planning/phases/01-base/01-01-PLAN.md": strings.Replace(planFile("01", "1", "", "a.go"), "autonomous: true",
		"user_setup:\n  - service: mail\n    why: to send\n    do: make a key, MAIL_KEY in .env\nautonomous: true", 1)})
	s := step(t, root)
	if s.Do != drive.Ask || s.Ask[0].Type != "human-action" || !strings.Contains(s.Ask[0].Question, "MAIL_KEY") {
		t.Fatalf("%+v", s)
	}
	if s = step(t, root, drive.Said{ID: "01-01", Answer: "it is there"}); s.Do != drive.Spawn {
		t.Fatalf("%+v", s)
	}
	if s = step(t, root); s.Do != drive.Spawn {
		t.Fatalf("asked again: %+v", s)
	}
}

// Four plans in three waves take whoever drives them at most fifteen calls: steps, a message
// that starts agents, the tests of the project after a merge, and the end.
func TestFewCalls(t *testing.T) {
	root := planned(t, map[string]string{".planning/phases/01-base/01-04-PLAN.md": planFile("04", "3", "01-03", "d.go")})
	files := map[string]string{"01-01": "a.go", "01-02": "b.go", "01-03": "c.go", "01-04": "d.go"}
	calls, done := 0, 0
	for done < 5 {
		s := step(t, root)
		calls++
		if s.Check != nil {
			calls++
		}
		if len(s.Spawn) == 0 {
			t.Fatalf("%s: %s", s.Do, s.Why)
		}
		calls++
		for _, a := range s.Spawn {
			done++
			if a.Role == "executor" {
				executes(t, a, root, files[a.Plan])
			}
		}
	}
	calls += 1 + 3 // the step after the verifier; how the phase ends: its text, what is open, a commit
	if calls > 15 {
		t.Errorf("%d calls", calls)
	}
}
