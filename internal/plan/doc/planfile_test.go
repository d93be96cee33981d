package doc

import (
	"os"
	"reflect"
	"testing"
)

func sample(t *testing.T, name string) *Text {
	t.Helper()
	b, err := os.ReadFile("testdata/front/synth-ws__phases__" + name)
	if err != nil {
		t.Fatal(err)
	}
	return Parse(b)
}

func TestReadPlan(t *testing.T) {
	p := ReadPlan(sample(t, "02-api__02-01-PLAN.md"))
	tasks := p.Tasks
	p.Tasks = nil
	want := Plan{
		Phase: "02-api", Plan: "01", Type: "execute", Wave: 1, Files: []string{"src/02-01.go"}, Autonomous: true,
		Requirements: []string{"WID-02"}, Objective: "Build 02-01 of the thing.",
		MustHaves: MustHaves{
			Truths:    []string{"D-01 chosen router", "Shared truth: holds"},
			Artifacts: []Artifact{{Path: "src/02-01.go", Provides: "thing", MinLines: 3, Contains: []string{"func"}}},
			KeyLinks:  []KeyLink{{From: "src/02-01.go", To: "src/other.go", Via: "call", Pattern: `other\.`}},
		},
	}
	if !reflect.DeepEqual(p, want) {
		t.Errorf("got  %+v\nwant %+v", p, want)
	}
	if len(tasks) != 2 || tasks[0].Name != "Task 1: do 02-01" || !tasks[0].TDD || tasks[0].Behavior != "does it" || tasks[0].Verify != "go test" || tasks[1].Verify != "" || tasks[0].Checkpoint() {
		t.Errorf("tasks are %+v", tasks)
	}
}

func TestReadPlanForms(t *testing.T) {
	p := ReadPlan(Parse([]byte("---\ndepends_on: 02-01, 02-02\nfiles-modified:\n  - a.go\n  - b.go\nautonomous: false\nmust_haves:\n  truths:\n    - Users: can log in\n  artifacts:\n    - src/x.go\n    - path: y.ts\n      exports:\n        - A\n        - B\n---\n```\n<task>\n```\n<task type=\"checkpoint:decision\" gate=\"blocking\">\n<files>\n- `a.go` (new)\n- b.go, c.go\n</files>\n</task>\n")))
	if !reflect.DeepEqual(p.DependsOn, []string{"02-01", "02-02"}) || !reflect.DeepEqual(p.Files, []string{"a.go", "b.go"}) || p.Autonomous || p.Wave != 0 {
		t.Errorf("got %+v", p)
	}
	if !reflect.DeepEqual(p.MustHaves, MustHaves{Truths: []string{"Users: can log in"}, Artifacts: []Artifact{{Path: "src/x.go"}, {Path: "y.ts", Exports: []string{"A", "B"}}}}) {
		t.Errorf("must have %+v", p.MustHaves)
	}
	if len(p.Tasks) != 1 || !p.Tasks[0].Checkpoint() || p.Tasks[0].Gate != "blocking" || !reflect.DeepEqual(p.Tasks[0].Files, []string{"a.go", "b.go", "c.go"}) {
		t.Errorf("tasks are %+v", p.Tasks)
	}
}

func TestReadSummary(t *testing.T) {
	s := ReadSummary(sample(t, "02-api__02-01-SUMMARY.md"))
	want := Summary{
		Phase: "02-api", Plan: "01", Subsystem: "core", Tags: []string{"a", "b"}, Provides: []string{"thing-02-01"}, Affects: []string{"ui"},
		TechAdded: []string{"chi", "sqlite"}, TechPatterns: []string{"x"}, Created: []string{"src/02-01.go"},
		Decisions: []Decided{{"Router", "chi is small"}, {"No ORM", ""}}, Patterns: []string{"Handlers: one file each"},
		Requirements: []string{"WID-01"}, Duration: "5min", Completed: "2026-01-02", OneLiner: "Thing 02-01 works end to end", Tasks: 2,
	}
	if !reflect.DeepEqual(s, want) {
		t.Errorf("got  %+v\nwant %+v", s, want)
	}
}

func TestOneLiner(t *testing.T) {
	for text, want := range map[string]string{
		"---\none-liner: \"A: b\"\n---\n# T\n\n**No**\n": "A: b",
		"# T\n\nprose\n\n**Built: it**\n":                "Built: it",
		"# T\n**One-liner:** it works\n":                 "it works",
		"# T\n**Done**: it works\n":                      "it works",
		"# T\n## Files\n**Created:** a.go\n":             "",
		"**Before the title**\n# T\n":                    "",
		"# T\n```\n**code**\n```\n**text** and more\n":   "text",
	} {
		if got := ReadSummary(Parse([]byte(text))).OneLiner; got != want {
			t.Errorf("%q says %q, want %q", text, got, want)
		}
	}
}
