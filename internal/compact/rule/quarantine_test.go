package rule

import (
	"path/filepath"
	"testing"
)

func TestQuarantine(t *testing.T) {
	dir, failures := t.TempDir(), filepath.Join(t.TempDir(), "failed")
	write(t, dir, "go.json", `{"id": "tests/go", "primitives": {"filter": {"drop": ["(?=x)"]}}}`)
	load := func() *Library {
		l := Load(dir)
		l.Quarantine(failures)
		return l
	}
	for i := range maxFailures {
		l := load()
		if len(l.Off) != 0 {
			t.Fatalf("off after %d failures", i)
		}
		l.Failed("tests/go")
		l.Failed("tests/jest") // built in: never counted
	}
	l := load()
	if len(l.Off) != 1 || filepath.Base(l.Off[0].File) != "go.json" {
		t.Fatalf("%v", l.Off)
	}
	if r, err := l.Rule("tests/go"); err != nil || r.Parser != "gotest" || r.Primitives.Filter.Drop != nil {
		t.Errorf("the built-in rule does not count again: %+v, %v", r, err)
	}
	write(t, dir, "go.json", `{"id": "tests/go", "primitives": {"filter": {"drop": ["(?=y)"]}}}`)
	if l := load(); len(l.Off) != 0 {
		t.Errorf("still off after an edit: %v", l.Off)
	}
}
