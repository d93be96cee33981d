package workstream

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"cairn/internal/plan"
	"cairn/test/plantest"
)

const today = "2026-02-03"

// project makes a project of files: name → content.
func project(t *testing.T, files map[string]string) *plan.Workspace {
	t.Helper()
	root := t.TempDir()
	plantest.Write(t, filepath.Join(root, plan.Planning), files)
	w, err := plan.At(root, "", "")
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// files lists the files of the planning directory, cairn's own left out.
func files(t *testing.T, w *plan.Workspace) []string {
	t.Helper()
	var out []string
	top := w.Abs(w.Shared())
	err := filepath.WalkDir(top, func(name string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(top, name)
		rel = filepath.ToSlash(rel)
		if strings.HasPrefix(rel, ".") {
			if d.IsDir() && rel != "." {
				return filepath.SkipDir
			}
			return err
		}
		if !d.IsDir() {
			out = append(out, rel)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func update(t *testing.T, w *plan.Workspace, fn func(*plan.Tx) error) error {
	t.Helper()
	_, err := w.Update(context.Background(), "test", fn)
	return err
}

func create(t *testing.T, w *plan.Workspace, o Options) (c *Created, err error) {
	t.Helper()
	o.Today = today
	err = update(t, w, func(tx *plan.Tx) error { c, err = Create(tx, o); return err })
	return c, err
}

func TestCreateMovesFlatWork(t *testing.T) {
	flat := map[string]string{
		"PROJECT.md": "p", "config.json": "{}", "ROADMAP.md": "## v1.0 First Light\n", "STATE.md": "---\nmilestone: v1.0\n---\n",
		"phases/01-a/01-01-PLAN.md": "",
	}
	for _, c := range []struct {
		name string
		opts Options
		want []string
	}{
		{"by its milestone", Options{Name: "API Rework"}, []string{
			"PROJECT.md", "config.json", "workstreams/api-rework/STATE.md",
			"workstreams/first-light/ROADMAP.md", "workstreams/first-light/STATE.md", "workstreams/first-light/phases/01-a/01-01-PLAN.md"}},
		{"by name", Options{Name: "b", Migrate: "Old"}, []string{
			"PROJECT.md", "config.json", "workstreams/b/STATE.md",
			"workstreams/old/ROADMAP.md", "workstreams/old/STATE.md", "workstreams/old/phases/01-a/01-01-PLAN.md"}},
		{"not at all", Options{Name: "b", Flat: true}, []string{
			"PROJECT.md", "ROADMAP.md", "STATE.md", "config.json", "phases/01-a/01-01-PLAN.md", "workstreams/b/STATE.md"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := project(t, flat)
			before := files(t, w)
			if _, err := create(t, w, c.opts); err != nil {
				t.Fatal(err)
			}
			if got := files(t, w); !reflect.DeepEqual(got, c.want) {
				t.Errorf("files are %v\nwant      %v", got, c.want)
			}
			if _, err := w.Undo(context.Background(), false); err != nil {
				t.Fatal(err)
			}
			if got := files(t, w); !reflect.DeepEqual(got, before) {
				t.Errorf("after undo files are %v", got)
			}
		})
	}
}

func TestCreateRefuses(t *testing.T) {
	w := project(t, map[string]string{"ROADMAP.md": "## v1.0 First\n", "STATE.md": ""})
	if _, err := create(t, w, Options{Name: "first"}); err == nil || !strings.Contains(err.Error(), "would become the workstream first") {
		t.Errorf("error is %v", err)
	}
	if _, err := create(t, w, Options{Name: "../x"}); err != nil {
		t.Errorf("../x is called x: %v", err)
	}
	if c, err := create(t, w, Options{Name: "x"}); !errors.Is(err, ErrExists) || c.Path != ".planning/workstreams/x" {
		t.Errorf("%+v, %v", c, err)
	}
	for _, name := range []string{"", "...", "日本"} {
		if _, err := create(t, w, Options{Name: name}); err == nil {
			t.Errorf("%q was created", name)
		}
	}
}

func TestRead(t *testing.T) {
	w := project(t, map[string]string{
		"workstreams/side/ROADMAP.md":                   "### Phase 1: A\n### Phase 2: B\n### Phase 3: C\n",
		"workstreams/side/STATE.md":                     "**Status:** Executing\n**Current Phase:** 1\n**Last Activity:** 2026-01-01\n",
		"workstreams/side/phases/01-a/01-01-PLAN.md":    "",
		"workstreams/side/phases/01-a/01-01-SUMMARY.md": "",
		"workstreams/side/phases/02-b/02-01-PLAN.md":    "",
		"workstreams/side/phases/07-x/.gitkeep":         "",
		"workstreams/note.txt":                          "",
	})
	got, err := List(w)
	if err != nil || len(got) != 1 {
		t.Fatal(got, err)
	}
	s := got[0]
	want := &Stream{
		Name: "side", Path: ".planning/workstreams/side", Roadmap: true, State: true,
		Status: "Executing", CurrentPhase: "1", LastActivity: "2026-01-01", Planned: 3,
		Phases: []Phase{{"01-a", 1, 1, true}, {"02-b", 1, 0, false}, {"07-x", 0, 0, false}},
	}
	if !reflect.DeepEqual(s, want) {
		t.Errorf("%+v\nwant %+v", s, want)
	}
	if plans, summaries := s.Plans(); plans != 2 || summaries != 1 || s.Complete() != 1 || s.Percent() != 33 {
		t.Errorf("%d plans, %d summaries, %d complete, %d %%", plans, summaries, s.Complete(), s.Percent())
	}
	if err := s.MayComplete(); err == nil || !strings.Contains(err.Error(), "02-b, 07-x") {
		t.Errorf("error is %v", err)
	}
}

func TestArchive(t *testing.T) {
	w := project(t, map[string]string{
		"workstreams/a/STATE.md": "a", "workstreams/b/STATE.md": "b", "milestones/ws-a-2026-02-03/STATE.md": "older",
	})
	archive := func(name string) (to string, left []string) {
		t.Helper()
		err := update(t, w, func(tx *plan.Tx) (err error) { to, left = Archive(tx, name, today); return nil })
		if err != nil {
			t.Fatal(err)
		}
		return to, left
	}
	if to, left := archive("a"); to != ".planning/milestones/ws-a-2026-02-03-2" || !slices.Equal(left, []string{"b"}) {
		t.Errorf("to %s, left %v", to, left)
	}
	if to, left := archive("b"); to != ".planning/milestones/ws-b-2026-02-03" || len(left) != 0 {
		t.Errorf("to %s, left %v", to, left)
	}
	want := []string{"milestones/ws-a-2026-02-03/STATE.md", "milestones/ws-a-2026-02-03-2/STATE.md", "milestones/ws-b-2026-02-03/STATE.md"}
	if got := files(t, w); !reflect.DeepEqual(got, want) {
		t.Errorf("files are %v", got)
	}
	if _, err := os.Stat(w.Abs(".planning/workstreams")); err == nil {
		t.Error("the project is not flat again")
	}
}
