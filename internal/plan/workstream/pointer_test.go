package workstream

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"cairn/internal/plan"
)

// environ gives a session its variables, and a directory for its files.
func environ(t *testing.T, vars map[string]string) func(string) string {
	tmp := t.TempDir()
	return func(name string) string {
		if name == "TMPDIR" {
			return tmp
		}
		return vars[name]
	}
}

func TestPointerOfTheProject(t *testing.T) {
	ctx := context.Background()
	w := project(t, map[string]string{"workstreams/a/STATE.md": "", "workstreams/b/STATE.md": ""})
	p := Pointer{w: w}
	expect := func(name string, stale bool) {
		t.Helper()
		if got, gotStale := p.Get(); got != name || gotStale != stale {
			t.Errorf("the pointer is %q, stale %v; want %q, %v", got, gotStale, name, stale)
		}
	}
	expect("", false)
	for _, name := range []string{"a", "b"} {
		if err := p.Set(ctx, name); err != nil {
			t.Fatal(err)
		}
		expect(name, false)
	}
	if b, err := os.ReadFile(w.Abs(".planning/active-workstream")); err != nil || string(b) != "b\n" {
		t.Errorf("the file holds %q, %v", b, err)
	}
	if err := os.RemoveAll(w.Abs(".planning/workstreams/b")); err != nil {
		t.Fatal(err)
	}
	expect("", true)
	for _, bad := range []string{"../..", "a/../a", ".", "\x00", "a b"} {
		if err := os.WriteFile(w.Abs(".planning/active-workstream"), []byte(bad), 0o644); err != nil {
			t.Fatal(err)
		}
		expect("", true)
	}
	for range 2 {
		if err := p.Clear(ctx); err != nil {
			t.Fatal(err)
		}
		expect("", false)
	}
}

func TestPointerOfASession(t *testing.T) {
	ctx := context.Background()
	w := project(t, map[string]string{"workstreams/a/STATE.md": ""})
	env := environ(t, map[string]string{"TMUX_PANE": "%1", "GSD_SESSION_KEY": "one/../two"})
	mine := PointerOf(w, env)
	if filepath.Base(mine.file) != "GSD_SESSION_KEY-one_.._two" {
		t.Errorf("the session's file is %s", mine.file)
	}
	if err := mine.Set(ctx, "a"); err != nil {
		t.Fatal(err)
	}
	if name, _ := mine.Get(); name != "a" {
		t.Errorf("the pointer is %q", name)
	}
	if _, err := os.Stat(w.Abs(".planning/active-workstream")); err == nil {
		t.Error("the project's pointer was set too")
	}
	other := PointerOf(w, func(name string) string {
		if name == "GSD_SESSION_KEY" {
			return "three"
		}
		return env(name)
	})
	if name, _ := other.Get(); name != "" {
		t.Errorf("another session is at %q", name)
	}
	for range 2 {
		if err := mine.Clear(ctx); err != nil {
			t.Fatal(err)
		}
	}
	if name, stale := mine.Get(); name != "" || stale {
		t.Errorf("after Clear the pointer is %q, stale %v", name, stale)
	}
}

func TestPointerOfASubProject(t *testing.T) {
	root := t.TempDir()
	w, err := plan.At(root, "sub", "")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(root, ".planning/sub/workstreams/x"), 0o755); err != nil {
		t.Fatal(err)
	}
	s, err := Read(w, "x")
	if err != nil || s.Path != ".planning/sub/workstreams/x" {
		t.Errorf("%+v, %v", s, err)
	}
}
