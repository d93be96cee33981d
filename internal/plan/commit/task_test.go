package commit

import (
	"slices"
	"strings"
	"testing"
)

func TestTaskSubject(t *testing.T) {
	for message, want := range map[string]string{
		"feat: it works": "feat(02-01): it works", "fix!: x": "fix(02-01)!: x", "feat(02-01): y": "feat(02-01): y", "test:z\n\nbody": "test(02-01): z\n\nbody",
	} {
		if got, err := TaskSubject(message, "02-01"); err != nil || got != want {
			t.Errorf("%q: %q %v", message, got, err)
		}
	}
	for _, message := range []string{"", "it works", "feat:", "feat(02-02): x", ": x", "a b: c", "feat(02-01: x", "feat(02-01) x"} {
		if got, err := TaskSubject(message, "02-01"); err == nil {
			t.Errorf("%q: %q", message, got)
		}
	}
}

func TestTask(t *testing.T) {
	r := newRepo(t)
	r.write("a.go", "a")
	r.write("other.go", "somebody else's")
	r.git("add", "other.go")
	task := func(n int, message string, files ...string) *Result {
		t.Helper()
		res, err := Task(t.Context(), r.dir, "02-01", n, Request{Message: message, Paths: files})
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	first := task(1, "feat: a", "a.go")
	if !slices.Equal(first.Files, []string{"a.go"}) {
		t.Errorf("%+v", first)
	}
	if again := task(1, "feat: a", "a.go"); again.Hash != first.Hash || again.Skipped != SkipNothing {
		t.Errorf("a second commit: %+v", again)
	}
	if none := task(2, "feat: nothing", "a.go"); none.Hash != "" || none.Skipped != SkipNothing {
		t.Errorf("of another task: %+v", none)
	}
	if gone := task(1, "feat: a", "gone.go"); gone.Hash != "" || len(gone.Missing) != 1 {
		t.Errorf("of a file that is not there: %+v", gone)
	}
	r.write("dir/b c.go", "b")
	r.write("a.go", "a, changed")
	task(2, "fix: b", "dir", "a.go")
	r.write(".planning/x.md", "x")
	r.git("add", ".planning")
	r.git("commit", "-qm", "docs(02-01): summary", "--", ".planning")
	r.write("late.go", "l")
	r.git("add", "late.go")
	r.git("commit", "-qm", "chore(02-01): by hand", "--", "late.go")
	made, err := OfPlan(t.Context(), r.dir, "02-01")
	if err != nil || len(made) != 3 {
		t.Fatalf("%+v %v", made, err)
	}
	if c := made[1]; c.Task != 2 || !slices.Equal(c.Files, []string{"a.go", "dir/b c.go"}) || !slices.Equal(c.Added, []string{"dir/b c.go"}) || c.Subject != "fix(02-01): b" || c.Time.IsZero() {
		t.Errorf("%+v", c)
	}
	if c := made[2]; c.Task != 0 {
		t.Errorf("%+v", c)
	}
	if made, err := OfPlan(t.Context(), r.dir, "02-0"); err != nil || len(made) != 0 {
		t.Errorf("of a plan whose id is longer: %+v %v", made, err)
	}
	if out := r.git("status", "--porcelain"); !strings.Contains(out, "A  other.go") {
		t.Errorf("what was staged: %q", out)
	}
	for _, name := range []string{".", "..", "../x", "/etc/passwd", "dir/.."} {
		if res, err := Task(t.Context(), r.dir, "02-01", 1, Request{Message: "feat: x", Paths: []string{name}}); err == nil {
			t.Errorf("%s: %+v", name, res)
		}
	}
}
