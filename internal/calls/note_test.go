//go:build unix

package calls

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// An equal command that the agent waits for is compacted again.
func TestNoteIsTakenAway(t *testing.T) {
	a := newAgent(t)
	command := `check "all"  it\'s`
	for _, background := range []bool{true, false} {
		if err := a.shell.Note("session", Call{Command: command, Background: background}); err != nil {
			t.Fatal(err)
		}
		if got := a.call("bash", command); compacted(got.out) == background {
			t.Errorf("background %v: %.200q", background, got.out)
		}
	}
	// Nor is a longer command taken for the one in the background that is a
	// part of it.
	for _, c := range []Call{{Command: "check slow", Background: true}, {Command: "true && check slow"}} {
		if err := a.shell.Note("session", c); err != nil {
			t.Fatal(err)
		}
		if got := a.call("bash", c.Command); compacted(got.out) == c.Background {
			t.Errorf("%s: %.200q", c.Command, got.out)
		}
	}
	// Another session's notes are not ours.
	if err := a.shell.Note("../../other", Call{Command: command, Background: true}); err != nil {
		t.Fatal(err)
	}
	if got := a.call("bash", command); !compacted(got.out) {
		t.Errorf("another session's note: %.200q", got.out)
	}
}

func TestOldNotesGo(t *testing.T) {
	a := newAgent(t)
	dir := notesOf(a.shell.Home, "gone")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "x.json"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-noteAge - time.Hour)
	os.Chtimes(dir, old, old)
	if err := a.shell.Note("session", Call{Command: "check", Background: true}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("the notes of an old session are still there")
	}
}
