package commit

import (
	"context"
	"reflect"
	"testing"
)

func TestOfPhase(t *testing.T) {
	r := newRepo(t)
	for _, c := range []struct{ file, message string }{
		{"src/b.go", "feat(02-01): b"}, {"src/a.go", "fix(2)!: a"}, {"src/c.go", "feat(02.1-01): c"}, {"src/d.go", "feat(12-01): d"},
		{"src/e.go", "feat: e\n\nas in feat(02-01): b"}, {".planning/x.md", "docs(02): plan"}, {"src/f g.go", "test(02-02): f"},
		{"src/h.go", "feat(02-01) h"}, {"src/i.go", "see the fix(02): i"},
	} {
		r.write(c.file, c.message)
		r.git("add", "-A")
		r.git("commit", "-q", "-m", c.message)
	}
	made, files, err := OfPhase(context.Background(), r.dir, "02", "2")
	if err != nil {
		t.Fatal(err)
	}
	var subjects []string
	for _, m := range made {
		subjects = append(subjects, m.Subject)
	}
	if want := []string{"feat(02-01): b", "fix(2)!: a", "docs(02): plan", "test(02-02): f"}; !reflect.DeepEqual(subjects, want) {
		t.Errorf("commits %q", subjects)
	}
	if want := []string{"src/a.go", "src/b.go", "src/f g.go"}; !reflect.DeepEqual(files, want) {
		t.Errorf("files %q", files)
	}
	if made, files, err := OfPhase(context.Background(), r.dir, "07"); err != nil || len(made) > 0 || files == nil || len(files) > 0 {
		t.Errorf("of no phase: %v, %v, %v", made, files, err)
	}
	r.git("checkout", "-q", "--orphan", "empty")
	if made, _, err := OfPhase(context.Background(), r.dir, "02"); err != nil || len(made) > 0 {
		t.Errorf("without commits: %v, %v", made, err)
	}
}
