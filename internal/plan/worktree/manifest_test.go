package worktree

import (
	"context"
	"reflect"
	"testing"

	"cairn/internal/plan"
)

func TestParseManifest(t *testing.T) {
	a := Entry{Path: "/w/a", Branch: "worktree-agent-a", Base: "abc"}
	for _, c := range []struct {
		name, json string
		want       []Entry
	}{
		{"a list", `[{"worktree_path":"/w/a","branch":"worktree-agent-a","expected_base":"abc"}]`, []Entry{a}},
		{"an object", `{"worktrees":[{"path":"/w/a","branch":"worktree-agent-a","expected_base":"abc"}]}`, []Entry{a}},
		{"what is not an entry is left out", `[7, {"path":"/w/x","branch":"main","expected_base":"abc"},
			{"branch":"worktree-agent-x","expected_base":"abc"}, {"path":"/w/x","branch":"worktree-agent-x"},
			{"path":"/w/x","branch":"worktree-agent-a b","expected_base":"abc"}, {"path":"/w/x","branch":"worktree-agent-","expected_base":"abc"},
			{"path":"/w/x","branch":"worktree-agent-x","expected_base":"--all"},
			{"path":"/w/a","branch":"worktree-agent-a","expected_base":"abc"}]`, []Entry{a}},
		{"the first of two", `[{"path":"/w/a","branch":"worktree-agent-a","expected_base":"abc"},
			{"path":"/w/a","branch":"worktree-agent-b","expected_base":"def"}, {"path":"/w/c","branch":"worktree-agent-a","expected_base":"abc"}]`, []Entry{a}},
		{"nothing", `{}`, nil},
	} {
		got, err := ParseManifest([]byte(c.json))
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, %v", c.name, got, err)
		}
	}
	if _, err := ParseManifest([]byte("worktrees:")); err == nil {
		t.Error("what is not JSON should be an error")
	}
}

func TestRecordAndNote(t *testing.T) {
	w, err := plan.At(t.TempDir(), "", "")
	if err != nil {
		t.Fatal(err)
	}
	update := func(fn func(*plan.Tx) error) {
		t.Helper()
		if _, err := w.Update(context.Background(), "test", fn); err != nil {
			t.Fatal(err)
		}
	}
	entry := func(name string) Entry {
		return Entry{Phase: "2", Wave: 1, Path: "/w/" + name, Branch: branchPrefix + name, Base: "abc"}
	}
	for _, name := range []string{"a", "b", "a"} {
		update(func(tx *plan.Tx) error { Record(tx, entry(name)); return nil })
	}
	update(func(tx *plan.Tx) error {
		Note(tx, []Outcome{
			{Entry: Entry{Path: "/w/b", Branch: branchPrefix + "b", Status: MergedRemoved}},
			{Entry: Entry{Path: "/w/a", Branch: branchPrefix + "a", Status: Blocked, Reason: Dirty}},
		})
		return nil
	})
	update(func(tx *plan.Tx) error { Record(tx, entry("c")); return nil })
	blocked := entry("a")
	blocked.Status, blocked.Reason = Blocked, Dirty
	err = w.View(func(tx *plan.Tx) error {
		got := Recorded(tx)
		if want := []Entry{blocked, entry("c")}; !reflect.DeepEqual(got, want) {
			t.Errorf("recorded are %+v, want %+v", got, want)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.Update(context.Background(), "test", func(tx *plan.Tx) error { Record(tx, Entry{Path: "/w/x", Branch: "main", Base: "abc"}); return nil })
	if err == nil {
		t.Error("a branch that is not an agent's was recorded")
	}
}
