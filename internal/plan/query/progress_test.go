package query

import (
	"strings"
	"testing"
)

// counted is a project of three phases, the second milestone's folded away.
func counted(t *testing.T) string {
	return project(t, map[string]string{
		".planning/ROADMAP.md": "# R\n\n<details>\n<summary>v0.9</summary>\n\n### Phase 9: Old\n\n</details>\n\n## v1.1: Pay\n\n" +
			"### Phase 1: Auth System\n\n### Phase 2: API (INSERTED)\n\n### Phase 3: UI\n",
		".planning/STATE.md":                             "---\nmilestone: v1.1\nlast_activity: 2026-01-03\n---\n",
		".planning/REQUIREMENTS.md":                      "- [x] **A-01**: a\n- [ ] **A-02**: b\n- [x] **A-03**: c\n- [ ] no id\n",
		".planning/phases/01-auth/01-01-PLAN.md":         "",
		".planning/phases/01-auth/01-01-SUMMARY.md":      "",
		".planning/phases/01-auth/01-VERIFICATION.md":    "---\nstatus: passed\n---\n",
		".planning/phases/02-api-layer/02-01-PLAN.md":    "",
		".planning/phases/02-api-layer/02-02-PLAN.md":    "",
		".planning/phases/02-api-layer/02-01-SUMMARY.md": "",
		".planning/phases/09-old/09-01-PLAN.md":          "",
	})
}

func TestProgressQueries(t *testing.T) {
	dir := counted(t)
	for call, want := range map[string]string{
		"progress json --pick milestone_version":  "v1.1",
		"progress --pick milestone_name":          "Pay",
		"progress json --pick phases":             `[{"number":"01","name":"auth","plans":1,"summaries":1,"status":"Complete"},{"number":"02","name":"api layer","plans":2,"summaries":1,"status":"In Progress"},{"number":"09","name":"old","plans":1,"summaries":0,"status":"Complete"}]`,
		"progress.json --pick percent":            "50",
		"progress bar --raw":                      "[██████████░░░░░░░░░░] 2/4 plans (50%)",
		"progress.bar --pick total":               "4",
		"progress table --raw":                    "# v1.1 Pay\n\n**Progress:** [█████░░░░░] 2/4 plans (50%)\n\n| Phase | Name | Plans | Status |\n|-------|------|-------|--------|\n| 01 | auth | 1/1 | Complete |\n| 02 | api layer | 1/2 | In Progress |\n| 09 | old | 0/1 | Complete |\n",
		"stats json --pick phases":                `[{"number":"01","name":"Auth System","plans":1,"summaries":1,"status":"Complete"},{"number":"02","name":"API","plans":2,"summaries":1,"status":"In Progress"},{"number":"03","name":"UI","plans":0,"summaries":0,"status":"Not Started"}]`,
		"stats --pick phases_completed":           "1",
		"stats --pick phases_total":               "3",
		"stats --pick percent":                    "33",
		"stats --pick plan_percent":               "67",
		"stats json --pick requirements_total":    "3",
		"stats json --pick requirements_complete": "2",
		"stats json --pick git_commits":           "0",
		"stats json --pick last_activity":         "2026-01-03",
	} {
		if got, stderr, code := ask(t, dir, nil, strings.Fields(call)...); got != want || code != 0 {
			t.Errorf("%s\n%s%s\nwant\n%s", call, got, stderr, want)
		}
	}
	if got, _, _ := ask(t, dir, nil, "stats", "table", "--raw"); !strings.Contains(got, "1/3 phases (33%)") || !strings.Contains(got, "**Requirements:** 2/3 complete") {
		t.Errorf("stats table:\n%s", got)
	}
}

func TestProgressOfNothing(t *testing.T) {
	dir := project(t, map[string]string{".planning/PROJECT.md": ""})
	for call, want := range map[string]string{
		"progress json": `{"milestone_version":"v1.0","milestone_name":"milestone","phases":[],"total_plans":0,"total_summaries":0,"percent":0}`,
		"stats json": `{"milestone_version":"v1.0","milestone_name":"milestone","phases":[],"phases_completed":0,"phases_total":0,"total_plans":0,"total_summaries":0,` +
			`"percent":0,"plan_percent":0,"requirements_total":0,"requirements_complete":0,"git_commits":0,"git_first_commit_date":null,"last_activity":null}`,
		"history-digest": `{"phases":{},"decisions":[],"tech_stack":[]}`,
		"audit-uat":      `{"results":[],"summary":{"total_files":0,"total_items":0,"by_category":{},"by_phase":{}}}`,
	} {
		if got, _, _ := ask(t, dir, nil, strings.Fields(call)...); flat(got) != want {
			t.Errorf("%s: %s", call, got)
		}
	}
}

// flat is JSON on one line.
func flat(s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		b.WriteString(strings.TrimSpace(line))
	}
	return strings.ReplaceAll(b.String(), `": `, `":`)
}

// A summary of no plan is counted, and percent is at most 100.
func TestProgressOfOrphans(t *testing.T) {
	dir := project(t, map[string]string{
		".planning/phases/01-a/01-01-PLAN.md": "", ".planning/phases/01-a/01-01-SUMMARY.md": "", ".planning/phases/01-a/01-02-SUMMARY.md": "",
	})
	for field, want := range map[string]string{"total_plans": "1", "total_summaries": "2", "percent": "100", "phases[0].status": "Executed"} {
		if got, _, _ := ask(t, dir, nil, "progress", "json", "--pick", field); got != want {
			t.Errorf("%s is %s, want %s", field, got, want)
		}
	}
}
