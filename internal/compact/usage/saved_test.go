package usage

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestSaved(t *testing.T) {
	name := filepath.Join(t.TempDir(), "usage.jsonl")
	if _, err := Saved(name, "s"); !os.IsNotExist(err) {
		t.Error(err)
	}
	at := time.Now()
	for _, e := range []Entry{
		{Time: at, Path: Hook, Session: "s", Without: 1000, With: 100},
		{Time: at, Path: Hook, Session: "s2", Without: 5000, With: 100},
		{Time: at, Path: Show, Session: "s", With: 50},
		{Time: at, Path: Hook, Without: 700, With: 100},
	} {
		if err := Append(name, e); err != nil {
			t.Fatal(err)
		}
	}
	for session, want := range map[string]int{"s": 850, "s2": 4900, "": 0, "t": 0} {
		if got, err := Saved(name, session); err != nil || got != want {
			t.Errorf("%q: %v, %d", session, err, got)
		}
	}
	// What is further back is not read.
	if err := Append(name, Entry{Time: at, Path: Hook, Rule: strings.Repeat("x", savedTail), Session: "u"}); err != nil {
		t.Fatal(err)
	}
	if err := Append(name, Entry{Time: at, Path: Hook, Session: "s", Without: 30, With: 10}); err != nil {
		t.Fatal(err)
	}
	if got, err := Saved(name, "s"); err != nil || got != 20 {
		t.Errorf("%v, %d", err, got)
	}
}
