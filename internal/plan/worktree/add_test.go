package worktree

import (
	"os"
	"path/filepath"
	"testing"
)

func TestAdd(t *testing.T) {
	r := newRepo(t)
	at := filepath.Join(filepath.Dir(r.dir), "trees", "02-01")
	a, err := Add(t.Context(), r.dir, at, "02-01")
	if err != nil || a.Branch != "worktree-agent-02-01" || a.Base != r.base || a.Kept || a.Ahead != 0 || PlanOf(a.Branch) != "02-01" {
		t.Fatalf("%+v %v", a, err)
	}
	r.write(at, "a.go", "a")
	r.commit(at, "feat(02-01): a")
	r.write(at, "b.go", "half done")
	r.write(r.dir, "main.go", "m")
	r.commit(r.dir, "meanwhile")
	if a, err = Add(t.Context(), r.dir, at, "02-01"); err != nil || !a.Kept || a.Ahead != 1 || a.Base != r.base {
		t.Errorf("a second time: %+v %v", a, err)
	}
	if _, err := os.Stat(filepath.Join(at, "b.go")); err != nil {
		t.Error("what was half done is gone:", err)
	}
	// The tree is gone, its branch is work.
	if err := os.RemoveAll(at); err != nil {
		t.Fatal(err)
	}
	if a, err = Add(t.Context(), r.dir, at, "02-01"); err != nil || a.Kept || a.Ahead != 1 {
		t.Errorf("after its directory was removed: %+v %v", a, err)
	}
	if _, err := os.Stat(filepath.Join(at, "a.go")); err != nil {
		t.Error("what was committed is not there:", err)
	}
	r.git(at, "switch", "-q", "-c", "elsewhere")
	if a, err = Add(t.Context(), r.dir, at, "02-01"); err == nil {
		t.Errorf("on another branch: %+v", a)
	}
	r.write(filepath.Dir(at), "02-02/x", "somebody's")
	if a, err = Add(t.Context(), r.dir, filepath.Join(filepath.Dir(at), "02-02"), "02-02"); err == nil {
		t.Errorf("over a directory: %+v", a)
	}
	if a, err = Add(t.Context(), r.dir, at+"x", "a b"); err == nil {
		t.Errorf("as a branch: %+v", a)
	}
}
