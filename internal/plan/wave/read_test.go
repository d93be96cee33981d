package wave

import (
	"os"
	"reflect"
	"testing"

	"cairn/internal/plan"
	"cairn/internal/plan/doc"
)

func TestReadDocument(t *testing.T) {
	got := read(doc.Parse([]byte(`---
phase: 02-api
wave: 0
depends_on: ["02-01"]
files_modified:
  - src/a.go
autonomous: false
gap_closure: true
must_haves:
  truths: [It works]
---
<objective>

Serve it.
More.
</objective>
<tasks>
<task type="auto"><name>a</name></task> <task
 type="auto"></task>
` + "```\n<task>\n```" + `
<taskforce>
</tasks>
`)))
	zero := 0
	want := Document{
		Plan:      Plan{DependsOn: []string{"02-01"}, Declared: &zero, Files: []string{"src/a.go"}, Checkpoint: true, Gap: true},
		Objective: "Serve it.", Tasks: 2,
		Keys: []string{"phase", "wave", "depends_on", "files_modified", "autonomous", "gap_closure", "must_haves"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
	if bare := read(doc.Parse([]byte("# Plan\n\n## Task 1: a\n### Task 2\n## Tasks\n"))); bare.Tasks != 2 || bare.Declared != nil || bare.Checkpoint {
		t.Errorf("a plan without frontmatter: %+v", bare)
	}
}

func TestSubmodules(t *testing.T) {
	w, err := plan.At(t.TempDir(), "", "")
	if err != nil {
		t.Fatal(err)
	}
	list := func() (got []string) {
		_ = w.View(func(tx *plan.Tx) error { got = Submodules(tx); return nil })
		return got
	}
	if got := list(); got != nil {
		t.Errorf("without .gitmodules: %v", got)
	}
	content := "[submodule \"a\"]\n\tpath = libs/a\n\turl = ../path\n[submodule \"b\"]\n\turl = x\n\tpath=b\n"
	if err := os.WriteFile(w.Abs(".gitmodules"), []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := list(); !reflect.DeepEqual(got, []string{"libs/a", "b"}) {
		t.Errorf("submodules are %v", got)
	}
}
