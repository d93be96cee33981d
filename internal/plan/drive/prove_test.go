package drive_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"cairn/internal/plan"
	"cairn/internal/plan/commit"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/drive"
	"cairn/test/plantest"
)

// proving is a driver that proves, as the verb makes it.
type proving struct {
	t       *testing.T
	root    string
	trees   string
	trusted bool
	budget  time.Duration
}

func provingIn(t *testing.T, root string) proving {
	return proving{t, root, t.TempDir(), true, time.Minute}
}

func (p proving) step(said ...drive.Said) *drive.Step {
	p.t.Helper()
	w, err := plan.Open(p.root, "")
	if err != nil {
		p.t.Fatal(err)
	}
	id, _ := doc.ParsePhaseID("1")
	d := drive.Driver{
		Workspace: w, Context: p.t.Context(), Now: time.Now(), Getenv: func(string) string { return "" },
		Proving: drive.Proving{Trees: p.trees, Trusted: p.trusted, Budget: p.budget},
	}
	s, err := d.Step(id, said)
	if err != nil {
		p.t.Fatal(err)
	}
	return s
}

// executed is a phase whose three plans are executed, one after the other.
func executed(t *testing.T, more map[string]string) string {
	t.Helper()
	files := map[string]string{".planning/config.json": `{"workflow": {"code_review": false, "use_worktrees": false, "prove_coverage": 0}}`}
	for name, text := range more {
		files[name] = text
	}
	root := planned(t, files)
	for _, file := range []string{"a.go", "b.go", "c.go"} {
		executes(t, step(t, root).Spawn[0], root, file)
	}
	return root
}

// commits has plan 01-01 write a.py. Building Go in an empty HOME would take a minute.
func commits(t *testing.T, root, text, message string) {
	t.Helper()
	plantest.Write(t, root, map[string]string{"a.py": text})
	if res, err := commit.Task(t.Context(), root, "01-01", 1, commit.Request{Message: message, Paths: []string{"a.py"}}); err != nil || res.Hash == "" {
		t.Fatal(res, err)
	}
}

// A step proves what was executed before it asks for a verifier, who is told what that
// found; the results are committed.
func TestProvenBeforeVerified(t *testing.T) {
	root := executed(t, nil)
	p := provingIn(t, root)
	s := p.step()
	if !slices.Equal(plans(s), []string{"verifier"}) {
		t.Fatalf("%+v", s)
	}
	v := s.Spawn[0]
	if !slices.Equal(v.Plans, []string{".planning/phases/01-base/01-01-PLAN.md", ".planning/phases/01-base/01-02-PLAN.md", ".planning/phases/01-base/01-03-PLAN.md"}) || v.Write != ".planning/phases/01-base/01-VERIFICATION.md" {
		t.Errorf("%+v", v)
	}
	if v.Proof == nil || v.Proof.File != ".planning/phases/01-base/01-PROOF.jsonl" || v.Proof.Counts["proven"] == 0 || v.Proof.Counts["unproven"] != 0 {
		t.Errorf("%+v", v.Proof)
	}
	if !slices.ContainsFunc(s.Did, func(did string) bool { return strings.HasPrefix(did, "prove the phase: ") }) {
		t.Error(s.Did)
	}
	git(t, root, "cat-file", "-e", "HEAD:"+v.Proof.File)
	if out := git(t, root, "status", "--porcelain"); out != "" {
		t.Error("not committed:", out)
	}
	before := string(read(t, root, v.Proof.File))
	if s = p.step(); slices.ContainsFunc(s.Did, func(did string) bool { return strings.HasPrefix(did, "prove") }) || string(read(t, root, v.Proof.File)) != before {
		t.Error("proven again:", s.Did)
	}
}

// What is unproven is what the executor of its plan is told; once it is proven, the
// verifier follows.
func TestUnprovenIsHandedOut(t *testing.T) {
	root := executed(t, nil)
	commits(t, root, "def add(a, b):\n    raise NotImplementedError\n", "feat: adding")
	p := provingIn(t, root)
	s := p.step()
	if !slices.Equal(plans(s), []string{"executor 01-01"}) {
		t.Fatalf("%+v", s)
	}
	for _, want := range []string{"stub", "a.py:2", "to prove it: "} {
		if !strings.Contains(s.Spawn[0].Failed, want) {
			t.Errorf("it is not told %q: %s", want, s.Spawn[0].Failed)
		}
	}
	commits(t, root, "TOTAL = 3\n", "fix: nothing is promised")
	if s = p.step(); !slices.Equal(plans(s), []string{"verifier"}) {
		t.Fatalf("%+v", s)
	}
}

// After as many tries as the budget has, a person is asked, with the command that accepts.
func TestUnprovenAsksInTheEnd(t *testing.T) {
	root := executed(t, nil)
	commits(t, root, "def add(a, b):\n    raise NotImplementedError\n", "feat: adding")
	p := provingIn(t, root)
	for range 2 {
		if s := p.step(); !slices.Equal(plans(s), []string{"executor 01-01"}) {
			t.Fatalf("%+v", s)
		}
	}
	s := p.step()
	if s.Do != drive.Ask || s.Ask[0].ID != "proof" || !strings.Contains(strings.Join(s.Ask[0].Options, "\n"), "cairn plan prove 1 --accept NAME") {
		t.Fatalf("%+v", s)
	}
	s = p.step(drive.Said{ID: "proof", Answer: "it may return 0"})
	if !slices.Equal(plans(s), []string{"executor 01-01"}) || s.Spawn[0].Answer != "it may return 0" {
		t.Fatalf("%+v", s)
	}
}

// What no plan builds is planned, not executed.
func TestUnplannedIsPlanned(t *testing.T) {
	root := executed(t, nil)
	plantest.Write(t, root, map[string]string{".planning/phases/01-base/01-CONTEXT.md": "# Context\n\n<decisions>\n- **D-01:** Use one file for all\n- **D-02:** Sums are logged\n</decisions>\n"})
	git(t, root, "commit", "-qam", "docs(01): another decision")
	s := provingIn(t, root).step()
	if !slices.Equal(plans(s), []string{"planner"}) || !strings.Contains(s.Spawn[0].Failed, "decision D-02") {
		t.Fatalf("%+v", s)
	}
}

// A step runs no command of a plan without permission: it names the command to run. A
// proof that a person ran counts.
func TestProofNeedsTrust(t *testing.T) {
	root := executed(t, map[string]string{".planning/phases/01-base/01-03-PLAN.md": strings.ReplaceAll(planFile("03", "2", "01-01, 01-02", "c.go"), "test -f c.go", "test -f c.go && touch "+filepath.Join(os.TempDir(), "never"))})
	p := provingIn(t, root)
	p.trusted = false
	s := p.step()
	if s.Do != drive.Mend || !strings.Contains(s.Why, "cairn plan prove 1") {
		t.Fatalf("%+v", s)
	}
	if _, err := os.Stat(filepath.Join(root, ".planning/phases/01-base/01-PROOF.jsonl")); err == nil {
		t.Error("it ran")
	}
	q := p
	q.trusted = true
	if s := q.step(); !slices.Equal(plans(s), []string{"verifier"}) {
		t.Fatalf("%+v", s)
	}
	if s = p.step(); !slices.Equal(plans(s), []string{"verifier"}) {
		t.Fatalf("a proof that is there does not count: %+v", s)
	}
}

// A proof for which a step has no time goes on with the next, and does not go on for ever.
func TestProofGoesOn(t *testing.T) {
	root := executed(t, nil)
	p := provingIn(t, root)
	p.budget = time.Nanosecond
	if s := p.step(); s.Do != drive.Mend || !strings.Contains(s.Why, "step again") {
		t.Fatalf("%+v", s)
	}
	for range 10 {
		if s := p.step(); s.Do == drive.Ask {
			return
		}
	}
	t.Error("nobody is asked")
}

// The setting turns it off.
func TestProofOff(t *testing.T) {
	root := executed(t, map[string]string{".planning/config.json": `{"workflow": {"code_review": false, "use_worktrees": false, "prove": false}}`})
	if s := provingIn(t, root).step(); !slices.Equal(plans(s), []string{"verifier"}) || s.Spawn[0].Proof != nil {
		t.Fatalf("%+v", s)
	}
}
