package query

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const samplePlan = `---
phase: 02-api
plan: 01
type: execute
wave: 1
depends_on: []
files_modified: [src/a.go]
autonomous: true # for now
must_haves:
  truths:
    - "D-01: chosen"
  artifacts:
    - path: src/a.go
      min_lines: 2
      contains: func
    - path: src/none.go
  key_links:
    - from: src/a.go
      to: src/b.go
      via: call
      pattern: "b\\.Call"
---

<objective>
Build it.
</objective>

See @src/a.go and ` + "`src/none.go`" + `.

<task type="auto" tdd="true">
<name>One</name>
<files>src/a.go</files>
<behavior>does it</behavior>
<action>x</action>
<verify>y</verify>
<done>z</done>
</task>
`

const sampleSummary = `---
phase: 02-api
tech-stack:
  added:
    - chi
    - name: sqlite
      version: 3
key-files:
  created: [src/a.go]
key-decisions:
  - "Router: chi is small"
  - No ORM
patterns-established:
  - "Handlers: one file each"
---
# Summary

**It works**

Made ` + "`src/a.go`" + `.

## Self-Check: PASSED
`

func documents(t *testing.T) string {
	return project(t, map[string]string{
		".planning/phases/02-api/02-01-PLAN.md":    samplePlan,
		".planning/phases/02-api/02-01-SUMMARY.md": sampleSummary,
		".planning/phases/02-api/02-UAT.md":        "# UAT\n\n## Current Test\n\nnumber: 2\nname: Second\nexpected: |\n  It shows\n  two lines\nawaiting: user response\n\n## Tests\n",
		".planning/phases/02-api/02-DONE-UAT.md":   "## Current Test\n\n[testing complete]\n",
		"src/a.go":                                 "func a() {\n\tb.Call()\n}\n",
		"free.md":                                  "no frontmatter\n",
	})
}

func TestDocumentQueries(t *testing.T) {
	dir := documents(t)
	const d = ".planning/phases/02-api/"
	for _, tc := range []struct{ args, want, raw string }{
		{"frontmatter get " + d + "02-01-SUMMARY.md", `{"phase":"02-api","tech-stack":{"added":["chi",{"name":"sqlite","version":"3"}]},"key-files":{"created":["src/a.go"]},"key-decisions":["Router: chi is small","No ORM"],"patterns-established":["Handlers: one file each"]}`, ""},
		{"frontmatter get free.md", `{}`, ""},
		{"frontmatter get none.md", `{"error":"File not found","path":"none.md"}`, ""},
		{"frontmatter get " + d + "02-01-PLAN.md --field wave", `{"wave":"1"}`, "1"},
		{"frontmatter get " + d + "02-01-PLAN.md --field files_modified", `{"files_modified":["src/a.go"]}`, `["src/a.go"]`},
		{"frontmatter get " + d + "02-01-PLAN.md --field no", `{"error":"Field not found","field":"no"}`, ""},
		{"frontmatter validate " + d + "02-01-PLAN.md --schema plan", `{"valid":true,"missing":[],"present":["phase","plan","type","wave","depends_on","files_modified","autonomous","must_haves"],"schema":"plan"}`, "valid"},
		{"frontmatter validate free.md --schema verification", `{"valid":false,"missing":["phase","verified","status","score"],"present":[],"schema":"verification"}`, "invalid"},
		{"verify plan-structure " + d + "02-01-PLAN.md", `{"valid":true,"errors":[],"warnings":[],"task_count":1,"tasks":[{"name":"One","hasFiles":true,"hasAction":true,"hasVerify":true,"hasDone":true}],"frontmatter_fields":["phase","plan","type","wave","depends_on","files_modified","autonomous","must_haves"]}`, "valid"},
		{"verify references " + d + "02-01-PLAN.md", `{"valid":false,"found":1,"missing":["src/none.go"],"total":2}`, "invalid"},
		{"verify artifacts " + d + "02-01-PLAN.md", `{"all_passed":false,"passed":1,"total":2,"artifacts":[{"path":"src/a.go","exists":true,"issues":[],"passed":true},{"path":"src/none.go","exists":false,"issues":["File not found"],"passed":false}]}`, "invalid"},
		{"verify artifacts free.md", `{"error":"No must_haves.artifacts found in frontmatter","path":"free.md"}`, ""},
		{"verify key-links " + d + "02-01-PLAN.md", `{"all_verified":true,"verified":1,"total":1,"links":[{"from":"src/a.go","to":"src/b.go","via":"call","verified":true,"detail":"Pattern found in source"}]}`, "valid"},
		{"verify-summary " + d + "02-01-SUMMARY.md", `{"passed":true,"checks":{"summary_exists":true,"files_created":{"checked":1,"found":1,"missing":[]},"commits_exist":false,"self_check":"passed"},"errors":[]}`, "passed"},
		{"verify-summary none.md", `{"passed":false,"checks":{"summary_exists":false,"files_created":{"checked":0,"found":0,"missing":[]},"commits_exist":false,"self_check":"not_found"},"errors":["SUMMARY.md not found"]}`, "failed"},
		{"verify-path-exists .planning", `{"exists":true,"type":"directory"}`, "true"},
		{"verify-path-exists src/a.go", `{"exists":true,"type":"file"}`, "true"},
		{"verify-path-exists src/none", `{"exists":false,"type":null}`, "false"},
		{"template select " + d + "02-01-PLAN.md", `{"template":"templates/summary-minimal.md","type":"minimal","taskCount":1,"fileCount":2,"hasDecisions":false}`, "templates/summary-minimal.md"},
		{"summary-extract " + d + "02-01-SUMMARY.md", `{"path":".planning/phases/02-api/02-01-SUMMARY.md","one_liner":"It works","key_files":{"created":["src/a.go"]},"tech_added":["chi","sqlite"],"patterns":["Handlers: one file each"],"decisions":[{"summary":"Router","rationale":"chi is small"},{"summary":"No ORM","rationale":null}],"requirements_completed":[]}`, ""},
		{"summary-extract " + d + "02-01-SUMMARY.md --fields decisions,one_liner", `{"path":".planning/phases/02-api/02-01-SUMMARY.md","decisions":[{"summary":"Router","rationale":"chi is small"},{"summary":"No ORM","rationale":null}],"one_liner":"It works"}`, ""},
		{"plan.task-structure " + d + "02-01-PLAN.md", `{"path":".planning/phases/02-api/02-01-PLAN.md","plan":"01","phase":"02-api","wave":1,"depends_on":[],"autonomous":true,"task_count":1,"checkpoint_count":0,"tasks":[{"index":1,"type":"auto","name":"One","is_checkpoint":false}],"checkpoints":[]}`, ""},
		{"task is-behavior-adding " + d + "02-01-PLAN.md", `{"is_behavior_adding":true,"checks":{"tdd_true":true,"has_behavior":true,"has_source_files":true},"reason":"the task is test-driven, says its behavior and changes source"}`, "true"},
		{"user-story validate As a user, I want to log in, so that I am known.", `{"valid":true,"slots":{"role":"user","capability":"log in","outcome":"I am known"},"errors":[]}`, "valid"},
	} {
		t.Run(tc.args, func(t *testing.T) {
			stdout, stderr, code := ask(t, dir, nil, strings.Fields(tc.args)...)
			var compact strings.Builder
			var v json.RawMessage
			if err := json.Unmarshal([]byte(stdout), &v); err != nil {
				t.Fatalf("%v in %q, said %q", err, stdout, stderr)
			}
			b, _ := marshal(v, "")
			compact.Write(b)
			if compact.String() != tc.want || code != 0 {
				t.Errorf("exit %d\ngot  %s\nwant %s", code, compact.String(), tc.want)
			}
			raw, _, _ := ask(t, dir, nil, append(strings.Fields(tc.args), "--raw")...)
			if tc.raw == "" {
				tc.raw = stdout
			}
			if raw != tc.raw {
				t.Errorf("raw is %q, want %q", raw, tc.raw)
			}
		})
	}
}

func TestDocumentQueriesFail(t *testing.T) {
	dir := documents(t)
	for args, want := range map[string]string{
		"frontmatter get":                         "file path required",
		"frontmatter set free.md --field a":       "file, field, and value required",
		"frontmatter merge free.md --data []":     "Invalid JSON for --data",
		"frontmatter validate free.md --schema x": "Unknown schema: x. Available: plan, summary, verification",
		"verify plan-structure":                   "file path required",
		"verify-summary":                          "summary-path required",
		"verify-path-exists":                      "path required for verification",
		"template fill plan":                      "--phase required",
		"template fill x --phase 2":               "Unknown template type: x. Available: summary, plan, verification",
		"uat render-checkpoint --file .planning/phases/02-api/02-DONE-UAT.md": "UAT session is already complete; no pending checkpoint to render",
	} {
		if _, stderr, code := ask(t, dir, nil, strings.Fields(args)...); code != 1 || stderr != "Error: "+want+"\n" {
			t.Errorf("%s: exit %d, said %q", args, code, stderr)
		}
	}
}

func TestFrontmatterEdits(t *testing.T) {
	dir := documents(t)
	const name = ".planning/phases/02-api/02-01-PLAN.md"
	run := func(args ...string) string {
		t.Helper()
		stdout, stderr, code := ask(t, dir, nil, args...)
		if code != 0 {
			t.Fatalf("%v said %q", args, stderr)
		}
		return stdout
	}
	if got := run("frontmatter", "set", name, "--field", "wave", "--value", "2"); got != "{\n  \"updated\": true,\n  \"field\": \"wave\",\n  \"value\": 2\n}" {
		t.Errorf("set printed %s", got)
	}
	run("frontmatter", "set", name, "--field", "autonomous", "--value", "false")
	run("frontmatter", "merge", name, "--data", `{"depends_on":["01","x: y"],"note":{"b":[1],"a":null}}`)
	want := strings.NewReplacer("wave: 1", "wave: 2", "autonomous: true #", "autonomous: false #", "depends_on: []", `depends_on: [01, "x: y"]`,
		"\"b\\\\.Call\"\n---", "\"b\\\\.Call\"\nnote:\n  b: [1]\n  a:\n---").Replace(samplePlan)
	if got := read(t, dir, name); got != want {
		t.Errorf("the plan is\n%s", got)
	}
	if got := run("frontmatter.set", name, "autonomous", "true"); !strings.Contains(got, `"value": true`) {
		t.Errorf("by position it printed %s", got)
	}
	if got := run("frontmatter.get", name, "autonomous"); got != "{\n  \"autonomous\": \"true\"\n}" {
		t.Errorf("by position it printed %s", got)
	}
	run("frontmatter", "set", "free.md", "--field", "k", "--value", "[not json")
	if got := read(t, dir, "free.md"); got != "---\nk: \"[not json\"\n---\n\nno frontmatter\n" {
		t.Errorf("free.md is\n%s", got)
	}
}

func read(t *testing.T, dir, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestTemplateFill(t *testing.T) {
	dir := documents(t)
	args := []string{"template", "fill", "plan", "--phase", "2", "--plan", "3", "--wave", "2", "--fields", `{"requirements":["WID-01"],"gap_closure":true}`}
	const name = ".planning/phases/02-api/02-03-PLAN.md"
	if stdout, stderr, _ := ask(t, dir, nil, append(args, "--raw")...); stdout != name {
		t.Fatalf("printed %q, said %q", stdout, stderr)
	}
	text := read(t, dir, name)
	for _, want := range []string{"phase: 02-api\n", "plan: 03\n", "wave: 2\n", "requirements: [WID-01]\n", "gap_closure: true\n---"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if stdout, _, code := ask(t, dir, nil, append(args, "--pick", "error")...); stdout != "File already exists" || code != 0 {
		t.Errorf("twice: %q, exit %d", stdout, code)
	}
	if stdout, _, _ := ask(t, dir, nil, "template", "fill", "verification", "--phase", "9"); !strings.Contains(stdout, "Phase not found") {
		t.Errorf("without a phase: %s", stdout)
	}
}

func TestUATRenderCheckpoint(t *testing.T) {
	dir := documents(t)
	const file = ".planning/phases/02-api/02-UAT.md"
	box, stderr, code := ask(t, dir, nil, "uat", "render-checkpoint", "--file", file, "--raw")
	if code != 0 || !strings.Contains(box, "Test 2: Second") || !strings.Contains(box, "It shows\ntwo lines") {
		t.Errorf("exit %d, said %q\n%s", code, stderr, box)
	}
	if name, _, _ := ask(t, dir, nil, "uat", "render-checkpoint", "--file", file, "--pick", "test_name"); name != "Second" {
		t.Errorf("the test is %q", name)
	}
}
