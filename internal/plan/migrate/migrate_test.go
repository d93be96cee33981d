package migrate

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"cairn/internal/plan"
	"cairn/test/plantest"
)

// tree returns the files under root with their content, cairn's own left out.
func tree(t *testing.T, root string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if d.Name() == ".cairn" {
			return fs.SkipDir
		}
		if err == nil && !d.IsDir() && d.Name() != ".journal.jsonl" && d.Name() != ".gitignore" {
			b, _ := os.ReadFile(name)
			rel, _ := filepath.Rel(root, name)
			out = append(out, filepath.ToSlash(rel)+": "+string(b))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func project(t *testing.T, files map[string]string) *plan.Workspace {
	t.Helper()
	root := t.TempDir()
	planning := filepath.Join(root, plan.Planning)
	plantest.Write(t, planning, files)
	old := time.Now().Add(-time.Hour)
	for name := range files {
		if err := os.Chtimes(filepath.Join(planning, filepath.FromSlash(name)), old, old); err != nil {
			t.Fatal(err)
		}
	}
	w, err := plan.Open(root, "")
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func gsd(t *testing.T, w *plan.Workspace) (steps []Step) {
	t.Helper()
	if _, err := w.Update(context.Background(), "migrate gsd", func(tx *plan.Tx) (err error) {
		steps = GSD(tx)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return steps
}

func TestGSD(t *testing.T) {
	w := project(t, map[string]string{
		"config.json":                      `{"depth":"quick","keep":1}`,
		"STATE.md":                         "**Status:** Executing\r\n",
		"STATE.md.lock":                    "4711",
		".lock":                            `{"pid":4711}`,
		"ROADMAP.md.tmp.4711":              "half",
		"todos/done/a.md":                  "a",
		"todos/done/b.md":                  "b",
		"todos/completed/b.md":             "other",
		"phases/02-api/PLAN.md":            "plan",
		"phases/02-api/SUMMARY.md":         "summary",
		"phases/03-x/PLAN.md":              "plan",
		"phases/03-x/03-02-PLAN.md":        "plan",
		"phases/notes/PLAN.md":             "mine",
		"workstreams/side/config.json":     `{"branching_strategy":"phase"}`,
		"workstreams/side/todos/done/c.md": "c",
	})
	before := tree(t, w.Abs(".planning"))
	steps := gsd(t, w)
	var got []string
	for _, s := range steps {
		kept := ""
		if s.Kept {
			kept = " (kept)"
		}
		got = append(got, strings.TrimPrefix(s.Path, ".planning/")+": "+s.What+kept)
	}
	want := []string{
		"config.json: depth is now granularity",
		"todos/done/a.md: moved to .planning/todos/completed/a.md",
		"todos/done/b.md: left, because there is a .planning/todos/completed/b.md (kept)",
		"phases/02-api/PLAN.md: is now 02-01-PLAN.md",
		"phases/02-api/SUMMARY.md: is now 02-01-SUMMARY.md",
		"phases/03-x/PLAN.md: left, because the phase has other plans; number it by hand (kept)",
		".lock: removed: a lock of a process that ended",
		"ROADMAP.md.tmp.4711: removed: a temporary file of a process that ended",
		"STATE.md.lock: removed: a lock of a process that ended",
		"workstreams/side/config.json: branching_strategy is now git.branching_strategy",
		"workstreams/side/todos/done: moved to .planning/workstreams/side/todos/completed",
	}
	if !slices.Equal(got, want) {
		t.Errorf("steps\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	after := tree(t, w.Abs(".planning"))
	for _, file := range []string{"STATE.md: **Status:** Executing\r\n", "phases/02-api/02-01-PLAN.md: plan", "todos/completed/a.md: a", "todos/completed/b.md: other", "phases/notes/PLAN.md: mine"} {
		if !slices.Contains(after, file) {
			t.Errorf("%q is missing in %q", file, after)
		}
	}
	for _, s := range gsd(t, w) {
		if !s.Kept {
			t.Errorf("the second time: %+v", s)
		}
	}
	if _, err := w.Undo(context.Background(), false); err != nil {
		t.Fatal(err)
	}
	if got := tree(t, w.Abs(".planning")); !slices.Equal(got, before) {
		t.Errorf("undone it is\n%q\nwant\n%q", got, before)
	}
}

func TestYoungLockStays(t *testing.T) {
	w := project(t, map[string]string{".lock": "{}"})
	now := time.Now()
	if err := os.Chtimes(w.Abs(".planning/.lock"), now, now); err != nil {
		t.Fatal(err)
	}
	steps := gsd(t, w)
	if len(steps) != 1 || !steps[0].Kept {
		t.Errorf("steps %+v", steps)
	}
	if _, err := os.Stat(w.Abs(".planning/.lock")); err != nil {
		t.Error(err)
	}
}
