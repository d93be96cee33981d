package wave

import (
	"reflect"
	"testing"

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
