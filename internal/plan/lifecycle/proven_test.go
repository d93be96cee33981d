package lifecycle

import (
	"context"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"cairn/internal/plan"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/proof/record"
	"cairn/test/plantest"
)

// A proof holds while the code and the plans are those that it saw; documents beside
// them may change.
func TestProofGrowsOld(t *testing.T) {
	root := t.TempDir()
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.email=a@b", "-c", "user.name=a"}, args...)...)
		cmd.Dir = root
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	ask := func(fn func(*Look, *plan.Phase)) (asked bool) {
		t.Helper()
		w, err := plan.At(root, "", "")
		if err == nil {
			err = w.View(func(tx *plan.Tx) error {
				l := New(context.Background(), tx)
				p := tx.Phase(doc.PhaseID{Number: 2})
				if fn != nil {
					fn(l, p)
				}
				asked = slices.Contains(conditions(l.Unmet(p, Ship)), "proof")
				return nil
			})
		}
		if err != nil {
			t.Fatal(err)
		}
		return asked
	}
	plantest.Write(t, filepath.Join(root, plan.Planning), done())
	plantest.Write(t, root, map[string]string{"a.go": "package a\n"})
	git("init", "-q")
	git("add", "-A")
	git("commit", "-q", "-m", "one")
	ask(func(l *Look, p *plan.Phase) {
		tree, err := record.Tree(context.Background(), root)
		if err != nil {
			t.Fatal(err)
		}
		v := &record.Verdict{For: record.Key(tree, record.Claims(l.Tx, p)), Proven: true}
		if err := record.Append(filepath.Join(root, record.File(p)), record.Line{Verdict: v}); err != nil {
			t.Fatal(err)
		}
	})
	if ask(nil) {
		t.Error("a fresh proof is asked for again")
	}
	plantest.Write(t, root, map[string]string{".planning/STATE.md": "x\n"})
	git("add", "-A")
	git("commit", "-q", "-m", "docs: state")
	if ask(nil) {
		t.Error("a document made the proof old")
	}
	plantest.Write(t, root, map[string]string{"a.go": "package a // changed\n"})
	git("commit", "-q", "-a", "-m", "two")
	if !ask(nil) {
		t.Error("the code changed, and the proof counts")
	}
}
