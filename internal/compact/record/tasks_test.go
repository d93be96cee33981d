package record

import (
	"strings"
	"testing"
)

func TestTasks(t *testing.T) {
	for _, tt := range []jsOutput{
		{"turbo: tasks in between each other", "tasks", `• Packages in scope: @harbor/api, @harbor/web
@harbor/api:test: cache miss, executing 2c6f
@harbor/web:test: cache hit, replaying logs cb35
@harbor/web:test: Error: no such harbor
@harbor/web:test:     at dock (/home/dev/harbor/web/src/dock.js:3:4)
@harbor/api:test: Error: no such pier
@harbor/web:test:     at main (/home/dev/harbor/web/src/main.js:7:1)
@harbor/web#test:  ERROR  command (/home/dev/harbor/packages/web) /usr/bin/npm run test exited (1)

 Tasks:    0 successful, 2 total
Cached:    1 cached, 2 total
Failed:    @harbor/web#test
 ERROR  run failed: command  exited (1)
`, []string{"@harbor/web:test: Error: no such harbor\n    at dock", "@harbor/api:test: Error: no such pier", "@harbor/web:test:     at main", "Tasks:    0 successful", "Failed:    @harbor/web#test"},
			[]string{"cache", "Packages in scope", "command (/home", "Cached"}},

		{"nx: the heading of what fails", "tasks", ` NX   Running target test for 2 projects:

- api
- web

✔  nx run api:test

> nx run web:test

- Expected
Error: no such harbor

> nx run db:test

fine

 NX   Running target test for 3 projects failed

Failed tasks:

- web:test
`, []string{"> nx run web:test", "Error: no such harbor", "3 projects failed", "Failed tasks:", "- web:test"}, []string{"- api", "✔", "db:test"}},

		{"turbo without names", "tasks", `• Packages in scope: web
Error: not equal
- Expected
+ Received

 Tasks:    0 successful, 1 total
`, []string{"Error: not equal", "Tasks: "}, []string{"Packages"}},

		{"turbo the first time", "tasks", `
Attention:
Turborepo now collects completely anonymous telemetry regarding usage.
This information is used to shape the Turborepo roadmap and prioritize features.
You can learn more, including how to opt-out if you'd not like to participate in this anonymous program, by visiting the following URL:
https://turborepo.com/docs/telemetry

• Packages in scope: web

 Tasks:    0 successful, 1 total
`, []string{"Tasks: "}, []string{"telemetry", "roadmap", "Attention:\n"}},

		{"pnpm", "tasks", `Scope: 2 of 3 workspace projects
packages/a build$ tsc
packages/b build$ tsc
packages/a build: Done
packages/b build: error: it broke
packages/b build: Failed
/home/dev/harbor/packages/b:
 ERR_PNPM_RECURSIVE_RUN_FIRST_FAIL  b@1.0.0 build: ` + "`tsc`" + `
`, []string{"packages/b build: error: it broke", "packages/b build: Failed", "ERR_PNPM_RECURSIVE"}, []string{"Scope", "Done", "$ tsc"}},
	} {
		runJSOutputs(t, []jsOutput{tt})
	}
}

// What a task prints is read by the parser that its content asks for.
func TestTasksFind(t *testing.T) {
	p := &Tasks{Find: func(sample string) Parser {
		if strings.Contains(sample, "error TS") {
			return New("diag")
		}
		return nil
	}}
	var sites []string
	take := func(r Record) { sites = append(sites, r.Site) }
	p.Line(Line{N: 0, Text: "web:build: src/a.ts(2,14): error TS2322: no"}, take)
	p.Line(Line{N: 1, Text: "src/a.ts:2:14: not a task's"}, take)
	p.Close(take)
	if len(sites) != 2 || sites[0] != "web:build: src/a.ts(2,14)" {
		t.Errorf("sites %q", sites)
	}
}
