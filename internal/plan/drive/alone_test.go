package drive_test

import (
	"strings"
	"testing"
	"time"

	"cairn/internal/plan"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/drive"
	"cairn/test/plantest"
)

func alone(t *testing.T, root string, until drive.Goal, said ...drive.Said) *drive.Step {
	t.Helper()
	w, err := plan.Open(root, "")
	if err != nil {
		t.Fatal(err)
	}
	id, _ := doc.ParsePhaseID("1")
	d := drive.Driver{Workspace: w, Context: t.Context(), Now: time.Now(), Getenv: func(string) string { return "" }, Alone: true, Until: until}
	s, err := d.Step(id, said)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// tried is a phase of which everything is executed, and whose verification leaves
// something to a person.
func tried(t *testing.T) string {
	t.Helper()
	root := planned(t, nil)
	for range 2 {
		for _, a := range step(t, root).Spawn {
			executes(t, a, root, map[string]string{"01-01": "a.go", "01-02": "b.go", "01-03": "c.go"}[a.Plan])
		}
	}
	if s := step(t, root); len(s.Spawn) != 1 || s.Spawn[0].Role != "verifier" {
		t.Fatalf("%+v", s)
	}
	verified(t, root, "human_needed")
	return root
}

func verified(t *testing.T, root, status string) {
	t.Helper()
	plantest.Write(t, root, map[string]string{".planning/phases/01-base/01-VERIFICATION.md": "---\nphase: 01-base\nverified: 2026-03-04T12:00:00Z\nstatus: " + status + "\nscore: 1/1\nre_verification: true\n---\n\n# Verification\n\n" +
		"## Human Verification\n\n### 1. The table\n**Test:** add three events\n**Expected:** the columns are aligned\n\n## Gaps\n"})
	git(t, root, "add", ".planning")
	git(t, root, "commit", "-qm", "docs(01): verified")
}

// What only a person can judge is asked, a question for each test; the answers are results.
func TestAccepted(t *testing.T) {
	root := tried(t)
	s := alone(t, root, "")
	if s.Do != drive.Ask || len(s.Ask) != 1 || s.Ask[0].ID != "uat-1" || s.Ask[0].Question != "The table: add three events; the columns are aligned" {
		t.Fatalf("%+v", s)
	}
	if again := alone(t, root, ""); len(again.Ask) != 1 {
		t.Errorf("%+v", again)
	}
	if s = alone(t, root, "", drive.Said{ID: "uat-1", Answer: "yes"}); s.Do != drive.Done || s.Why != "phase 1 is complete" {
		t.Fatalf("%+v", s)
	}
	uat := string(read(t, root, ".planning/phases/01-base/01-UAT.md"))
	for _, want := range []string{"status: complete", "### 1. The table\nexpected: add three events; the columns are aligned\nresult: pass\n", "passed: 1\n", "[testing complete]"} {
		if !strings.Contains(uat, want) {
			t.Errorf("UAT.md lacks %q:\n%s", want, uat)
		}
	}
	if v := string(read(t, root, ".planning/phases/01-base/01-VERIFICATION.md")); !strings.Contains(v, "status: passed") || !strings.Contains(v, "result: passed") {
		t.Error(v)
	}
	if out := git(t, root, "status", "--porcelain"); out != "" {
		t.Error("not committed:", out)
	}
}

// What a person finds is a gap in their words. When it is closed and verified, they try it
// again.
func TestNotAccepted(t *testing.T) {
	root := tried(t)
	alone(t, root, "")
	s := alone(t, root, "", drive.Said{ID: "uat-1", Answer: `cosmetic: a long name says "hello" out of line`})
	if s.Do != drive.Run || s.Run != "plan-phase 1 --gaps" {
		t.Fatalf("%+v", s)
	}
	uat, v := string(read(t, root, ".planning/phases/01-base/01-UAT.md")), string(read(t, root, ".planning/phases/01-base/01-VERIFICATION.md"))
	for _, want := range []string{"result: issue\n", `reported: "a long name says \"hello\" out of line"`, "severity: cosmetic", "- truth: ", "  status: failed", "  test: 1"} {
		if !strings.Contains(uat, want) {
			t.Errorf("UAT.md lacks %q:\n%s", want, uat)
		}
	}
	if !strings.Contains(v, "status: gaps_found") || !strings.Contains(v, "out of line") {
		t.Error(v)
	}
	if s = alone(t, root, ""); s.Do != drive.Run || s.Run != "plan-phase 1 --gaps" {
		t.Errorf("%+v", s)
	}
	verified(t, root, "passed") // the gap was closed
	if s = alone(t, root, ""); s.Do != drive.Ask || len(s.Ask) != 1 || s.Ask[0].ID != "uat-1" {
		t.Fatalf("it is not tried again: %+v", s)
	}
	if uat = string(read(t, root, ".planning/phases/01-base/01-UAT.md")); !strings.Contains(uat, "  status: closed") {
		t.Error(uat)
	}
	if s = alone(t, root, "", drive.Said{ID: "uat-1", Answer: "skip: no terminal that wide"}); s.Do != drive.Done {
		t.Errorf("%+v", s)
	}
}

// What a person left out did not pass, and the verification does not say that it did.
func TestAcceptanceSkipped(t *testing.T) {
	root := tried(t)
	alone(t, root, "")
	if s := alone(t, root, "", drive.Said{ID: "uat-1", Answer: "skip: no terminal that wide"}); s.Do != drive.Done {
		t.Errorf("%+v", s)
	}
	if v := string(read(t, root, ".planning/phases/01-base/01-VERIFICATION.md")); strings.Contains(v, "result: passed") || !strings.Contains(v, "result: skipped by a person: no terminal that wide") {
		t.Error(v)
	}
}

// A phase without a discussion gets one: from an agent that follows the command, and says in the end
// what only a person can.
func TestDiscussed(t *testing.T) {
	root := planned(t, nil)
	git(t, root, "rm", "-qr", ".planning/phases")
	git(t, root, "commit", "-qm", "no phase yet")
	s := alone(t, root, "")
	if len(s.Spawn) != 1 || s.Spawn[0].Command != "discuss-phase 1" || len(s.Spawn[0].Words) > 0 {
		t.Fatalf("%+v", s)
	}
	if s = alone(t, root, "", drive.Said{ID: "discuss-phase", Question: "one file?", Type: "decision"}); s.Do != drive.Ask || s.Ask[0].Question != "one file?" {
		t.Fatalf("%+v", s)
	}
	if s = alone(t, root, "", drive.Said{ID: "discuss-phase", Answer: "yes"}); len(s.Spawn) != 1 || s.Spawn[0].Answer != "one file? — yes" {
		t.Fatalf("%+v", s)
	}
	plantest.Write(t, root, map[string]string{".planning/phases/01-base/01-CONTEXT.md": "# Context\n\n<decisions>\n- **D-01:** Use one file for all\n</decisions>\n"})
	if s = alone(t, root, drive.Discuss); s.Do != drive.Done {
		t.Errorf("%+v", s)
	}
	if s = alone(t, root, drive.Plan); len(s.Spawn) != 1 || s.Spawn[0].Role != "phase-researcher" {
		t.Errorf("%+v", s)
	}
}
