package plan

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cairn/internal/must"
	"cairn/test/plantest"
)

// project makes a project of files: name → content.
func project(t *testing.T, files map[string]string) *Workspace {
	t.Helper()
	root := t.TempDir()
	plantest.Write(t, root, files)
	w, err := Open(root, "")
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// tree returns the files of a project, cairn's own left out.
func tree(t *testing.T, w *Workspace) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(w.Root, func(name string, d fs.DirEntry, err error) error {
		rel := w.Rel(name)
		switch {
		case err != nil:
			return err
		case rel == ".planning/.cairn":
			return filepath.SkipDir
		case rel == ".planning/.journal.jsonl" || rel == ".planning/.gitignore":
		case d.IsDir():
			out[rel+"/"] = ""
		default:
			b, err := os.ReadFile(name)
			out[rel] = string(b)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func equalTrees(t *testing.T, got, want map[string]string) {
	t.Helper()
	for name, content := range want {
		if g, ok := got[name]; !ok || g != content {
			t.Errorf("%s is %q (there: %v), want %q", name, g, ok, content)
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s should not be there", name)
		}
	}
}

func update(t *testing.T, w *Workspace, fn func(*Tx) error) *Change {
	t.Helper()
	c, err := w.Update(context.Background(), "test", fn)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestUpdateMoveEditRemoveUndo(t *testing.T) {
	w := project(t, map[string]string{
		".planning/phases/02-b/02-01-PLAN.md": "two\n",
		".planning/phases/03-c/03-01-PLAN.md": "three\n",
		".planning/phases/03-c/pic.png":       "\x00\xff",
		".planning/STATE.md":                  "# S\r\n",
	})
	before := tree(t, w)
	c := update(t, w, func(tx *Tx) error {
		state, err := tx.Read(w.Path("STATE.md"))
		if err != nil {
			return err
		}
		state.SetLine(0, "# T")
		tx.Remove(w.Path("phases/02-b"))
		tx.Move(w.Path("phases/03-c"), w.Path("phases/02-c"))
		tx.Move(w.Path("phases/02-c/03-01-PLAN.md"), w.Path("phases/02-c/02-01-PLAN.md"))
		tx.Write(w.Path("todos/pending/a.md"), []byte("a\n"))
		must.Get(tx.Read(w.Path("phases/02-c/02-01-PLAN.md"))).SetLine(0, "was three")
		entries := tx.ReadDir(w.Path("phases"))
		if len(entries) != 1 || entries[0].Name != "02-c" || !entries[0].Dir {
			t.Errorf("phases holds %v", entries)
		}
		entries = tx.ReadDir(w.Path("phases/02-c"))
		if len(entries) != 2 || tx.Has(w.Path("phases/03-c")) || !tx.Has(w.Path("todos")) {
			t.Errorf("02-c holds %v", entries)
		}
		return nil
	})
	after := tree(t, w)
	equalTrees(t, after, map[string]string{
		"./": "", ".planning/": "", ".planning/phases/": "", ".planning/phases/02-c/": "", ".planning/todos/": "", ".planning/todos/pending/": "",
		".planning/phases/02-c/02-01-PLAN.md": "was three\n",
		".planning/phases/02-c/pic.png":       "\x00\xff",
		".planning/todos/pending/a.md":        "a\n",
		".planning/STATE.md":                  "# T\r\n",
	})
	if d := c.Diff(); !strings.Contains(d, "-three\n+was three\n") || !strings.Contains(d, "deleted .planning/phases/02-b\n") {
		t.Errorf("diff:\n%s", d)
	}
	if _, err := w.Undo(context.Background(), false); err != nil {
		t.Fatal(err)
	}
	equalTrees(t, tree(t, w), before)
	if _, err := w.Undo(context.Background(), false); !errors.Is(err, ErrNothingToUndo) {
		t.Errorf("undo again: %v", err)
	}
}

func TestUndoKeepsLaterEdits(t *testing.T) {
	w := project(t, map[string]string{".planning/STATE.md": "a\n"})
	update(t, w, func(tx *Tx) error { tx.Write(w.Path("STATE.md"), []byte("b\n")); return nil })
	if err := os.WriteFile(w.Abs(w.Path("STATE.md")), []byte("mine\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Undo(context.Background(), false); err == nil {
		t.Error("undo lost an edit")
	}
	if _, err := w.Undo(context.Background(), true); err != nil {
		t.Fatal(err)
	}
	if got := tree(t, w)[".planning/STATE.md"]; got != "a\n" {
		t.Errorf("got %q", got)
	}
}

func TestInterruptedUpdateIsTakenBack(t *testing.T) {
	w := project(t, map[string]string{".planning/a.md": "a\n", ".planning/b.md": "b\n"})
	before := tree(t, w)
	j, err := w.openJournal()
	if err != nil {
		t.Fatal(err)
	}
	// A process that was killed between its two writes.
	ops := []op{
		{Op: opWrite, Path: ".planning/a.md", Before: []byte("a\n"), After: hash([]byte("A\n"))},
		{Op: opWrite, Path: ".planning/b.md", Before: []byte("b\n"), After: hash([]byte("B\n"))},
	}
	if err := j.append(entry{ID: 1, Command: "killed", Ops: ops}, true); err != nil {
		t.Fatal(err)
	}
	if err := w.do(ops[0], []byte("A\n")); err != nil {
		t.Fatal(err)
	}
	update(t, w, func(*Tx) error { return nil })
	equalTrees(t, tree(t, w), before)
}

func TestPathsStayInside(t *testing.T) {
	w := project(t, map[string]string{".planning/a.md": "a\n", "secret": "s\n"})
	out := t.TempDir()
	if err := os.Symlink(out, w.Abs(".planning/phases")); err != nil {
		t.Skip(err)
	}
	if err := os.Symlink("/etc/hostname", w.Abs(".planning/host.md")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(out, "x.md"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := w.Update(context.Background(), "test", func(tx *Tx) error {
		for _, rel := range []string{"../x", "secret", ".planning/../secret", ".planning/phases/x.md", ".planning/a\x00"} {
			var input *InputError
			if err := must.Catch(func() { tx.Write(rel, []byte("!")) }); !errors.As(err, &input) {
				t.Errorf("write %q: %v", rel, err)
			}
		}
		for _, rel := range []string{".planning/phases/x.md", ".planning/host.md", "../x"} {
			if _, err := tx.Read(rel); err == nil {
				t.Errorf("read %q", rel)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestDryRunWritesNothing(t *testing.T) {
	w := project(t, map[string]string{".planning/a.md": "a\n"})
	w.DryRun = true
	c := update(t, w, func(tx *Tx) error { tx.Write(".planning/a.md", []byte("b\n")); return nil })
	if !strings.Contains(c.Diff(), "-a\n+b\n") || exists(w.Abs(".planning/.cairn")) || exists(w.Abs(".planning/.journal.jsonl")) {
		t.Errorf("diff %s", c.Diff())
	}
}

// Where there is no plan, a change that fails or changes nothing leaves none.
func TestUpdateLeavesNoEmptyPlan(t *testing.T) {
	failed := errors.New("failed")
	for _, tc := range []struct {
		project string
		fn      func(*Tx) error
		want    error
		kept    bool
	}{
		{fn: func(*Tx) error { return failed }, want: failed},
		{fn: func(*Tx) error { return nil }},
		{fn: func(tx *Tx) error { return failed }, want: failed, project: "sub"},
		{fn: func(tx *Tx) error { tx.Write(tx.Path("STATE.md"), []byte("# State\n")); return nil }, kept: true},
	} {
		w, err := At(t.TempDir(), tc.project, "")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Update(context.Background(), "test", tc.fn); !errors.Is(err, tc.want) {
			t.Errorf("got the error %v, want %v", err, tc.want)
		}
		if got := exists(w.Abs(Planning)); got != tc.kept {
			t.Errorf("project %q: .planning is there: %v, want %v", tc.project, got, tc.kept)
		}
	}
}
