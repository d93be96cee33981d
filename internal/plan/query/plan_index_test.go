package query

import (
	"strings"
	"testing"
)

// index returns the printed index of a phase of these plans, without the
// white space of its JSON.
func index(t *testing.T, files map[string]string) (stdout, stderr string, code int) {
	t.Helper()
	at := map[string]string{".planning/ROADMAP.md": "### Phase 2: API\n"}
	for name, content := range files {
		at[".planning/phases/02-api/"+name] = content
	}
	stdout, stderr, code = ask(t, project(t, at), nil, "phase-plan-index", "2")
	return strings.Join(strings.Fields(stdout), ""), stderr, code
}

func TestPhasePlanIndex(t *testing.T) {
	for _, tc := range []struct {
		name  string
		files map[string]string
		want  string // in the JSON without its white space
	}{
		{"the shape", map[string]string{"02-01-PLAN.md": "---\nwave: 1\n---\n<objective>\nServe\n</objective>\n<task>\n", "02-01-SUMMARY.md": ""},
			`{"phase":"02","plans":[{"id":"02-01","wave":1,"depends_on":[],"autonomous":true,"objective":"Serve","files_modified":[],"task_count":1,"has_summary":true}],"waves":{"1":["02-01"]},"incomplete":[],"has_checkpoints":false}`},
		{"nothing said", map[string]string{"02-01-PLAN.md": ""},
			`"objective":null,"files_modified":[],"task_count":0,"has_summary":false}],"waves":{"1":["02-01"]},"incomplete":["02-01"],"has_checkpoints":false}`},
		{"no plans", map[string]string{"02-CONTEXT.md": ""}, `"plans":[],"waves":{},"incomplete":[],"has_checkpoints":false}`},
		{"waves by number", map[string]string{"02-01-PLAN.md": "---\ndepends_on: 02-02\n---\n", "02-02-PLAN.md": ""}, `"waves":{"1":["02-02"],"2":["02-01"]}`},
		{"a number alone is another phase's", map[string]string{"02-01-PLAN.md": "", "02-02-PLAN.md": "---\ndepends_on: [\"01\"]\n---\n"}, `"waves":{"1":["02-01","02-02"]}`},
		{"wave 0", map[string]string{"02-01-PLAN.md": "---\nwave: 0\n---\n", "02-02-PLAN.md": "---\ndepends_on: [02-01]\n---\n"}, `"waves":{"0":["02-01"],"1":["02-02"]}`},
		{"a checkpoint", map[string]string{"02-01-PLAN.md": "---\nautonomous: false\n---\n"}, `"has_checkpoints":true`},
		{"a mismatch", map[string]string{"02-01-PLAN.md": "---\nwave: 3\n---\n"}, `"warnings":["02-01:declaredwave:3butdepends_onDAGplacesitinwave1"]`},
		{"nested plans", map[string]string{"plans/PLAN-01-base.md": "", "plans/PLAN-02-api.md": "---\ndepends_on: [\"02-01\"]\n---\n", "plans/SUMMARY-01-base.md": ""},
			`"waves":{"1":["PLAN-01-base"],"2":["PLAN-02-api"]},"incomplete":["PLAN-02-api"]`},
		{"a stray file", map[string]string{"02-01-PLAN.md": "", "02-PLAN-notes.md": ""}, `areignored:02-PLAN-notes.md"`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			stdout, stderr, code := index(t, tc.files)
			if !strings.Contains(stdout, tc.want) || stderr != "" || code != 0 {
				t.Errorf("printed %s\nwant    %s\nsaid %q, exit %d", stdout, tc.want, stderr, code)
			}
		})
	}
	_, stderr, code := index(t, map[string]string{"02-01-PLAN.md": "---\ndepends_on: [02-01]\n---\n"})
	if code != 1 || stderr != "Error: depends_on cycle detected: 02-01 -> 02-01\n" {
		t.Errorf("said %q, exit %d", stderr, code)
	}
}

func TestPlanLists(t *testing.T) {
	dir := project(t, map[string]string{
		".planning/ROADMAP.md":                     "### Phase 2: API\n### Phase 3: UI\n",
		".planning/phases/02-api/02-01-PLAN.md":    "---\nplan: 01\nwave: 2\n---\n",
		".planning/phases/02-api/02-02-PLAN.md":    "",
		".planning/phases/02-api/02-01-SUMMARY.md": "",
		".planning/phases/02-api/02-CONTEXT.md":    "",
	})
	for _, tc := range []struct{ args, want string }{
		{"phase-plan-index 9", `{"phase":"09","plans":[],"waves":{},"incomplete":[],"has_checkpoints":false,"error":"Phasenotfound"}`},
		{"phase-plan-index 3", `"error":"Phasenotfound"`},
		{"phase list-plans 2", `{"phase":"02","with_schema":null,"plans":[{"id":"02-01","file":"02-01-PLAN.md","wave":2,"autonomous":true,"frontmatter_keys":["plan","wave"]},{"id":"02-02"`},
		{"phase.list-plans 2 --with-schema wave", `"with_schema":"wave","plans":[{"id":"02-01","file":"02-01-PLAN.md","wave":2,"autonomous":true,"frontmatter_keys":["plan","wave"]}]}`},
		{"phase list-artifacts 2 --type summary", `{"phase":"02","type":"summary","artifacts":["02-01-SUMMARY.md"]}`},
		{"phase list-artifacts --phase 2 --type summary", `"artifacts":["02-01-SUMMARY.md"]`},
		{"phase-plan-index --phase=2", `{"phase":"02","plans":[{"id":"02-01"`},
		{"roadmap get-phase --phase 2", `{"found":true,"phase_number":"2","phase_name":"API"`},
		{"phase list-artifacts 2 --type research", `"artifacts":[]`},
		{"roadmap annotate-dependencies 9", `{"updated":false,"phase":"09","waves":0,"cross_cutting_constraints":0`},
	} {
		stdout, stderr, code := ask(t, dir, nil, strings.Fields(tc.args)...)
		if got := strings.Join(strings.Fields(stdout), ""); !strings.Contains(got, tc.want) || code != 0 {
			t.Errorf("%s printed %s\nwant %s\nsaid %q, exit %d", tc.args, got, tc.want, stderr, code)
		}
	}
	for args, want := range map[string]string{
		"phase-plan-index":                   "Error: phase required for phase-plan-index\n",
		"phase list-artifacts 2 --type plan": "Error: --type must be one of: context, summary, verification, research\n",
		"phase nothing":                      "Error: Unknown phase subcommand. Available: next-decimal, add, add-batch, insert, remove, complete\n",
	} {
		if _, stderr, code := ask(t, dir, nil, strings.Fields(args)...); stderr != want || code != 1 {
			t.Errorf("%s said %q, exit %d", args, stderr, code)
		}
	}
}

func TestPhaseInMessage(t *testing.T) {
	for message, want := range map[string]string{
		"docs(02-01): x":       "02",
		"docs(phase-3): x":     "03",
		"feat(02.1-03): x":     "02.1",
		"plan phase 4: done":   "04",
		"docs(api): phase 5":   "05",
		"docs: milestone v1.0": "",
		"docs(api): x":         "",
		"phase two":            "",
	} {
		id, ok := phaseInMessage(message)
		if ok != (want != "") || ok && id.Padded() != want {
			t.Errorf("%q is about %s, %v; want %q", message, id, ok, want)
		}
	}
}
