package query

import (
	"strings"
	"testing"
)

func TestMilestoneComplete(t *testing.T) {
	dir := project(t, map[string]string{
		".planning/ROADMAP.md":                            "# Roadmap v1.0 MVP\n\n### Phase 1: Foundation\n**Goal:** Setup\n",
		".planning/STATE.md":                              "# State\n\n**Status:** In progress\n**Last Activity:** 2025-01-01\n**Last Activity Description:** Working\n",
		".planning/REQUIREMENTS.md":                       "# Requirements\n- [ ] **R-01**: one\n",
		".planning/phases/01-foundation/01-01-SUMMARY.md": "---\none-liner: Set up project infrastructure\n---\n# Summary\n\n**Tasks:** 4\n",
	})
	out, stderr, code := ask(t, dir, nil, "milestone", "complete", "v1.0", "--name", "MVP", "Foundation", "--archive-phases")
	if code != 0 {
		t.Fatal(stderr)
	}
	for _, want := range []string{
		`{"version":"v1.0","name":"MVP Foundation","date":"2`, `"phases":1,"plans":0,"tasks":4,"accomplishments":["Set up project infrastructure"],`,
		`"archived":{"roadmap":true,"requirements":true,"audit":false,"phases":true},"milestones_updated":true,"state_updated":true}`,
	} {
		if !strings.Contains(flat(out), want) {
			t.Errorf("the answer lacks %s:\n%s", want, out)
		}
	}
	if s := read(t, dir, ".planning/STATE.md"); !strings.Contains(s, "v1.0 milestone complete") || !strings.Contains(s, "archived") {
		t.Errorf("STATE.md is\n%s", s)
	}
	read(t, dir, ".planning/milestones/v1.0-phases/01-foundation/01-01-SUMMARY.md")
	if _, stderr, code := ask(t, dir, nil, "milestone", "complete", "v1.0"); code != 0 {
		t.Errorf("the second time: %s", stderr)
	}
	if n := strings.Count(read(t, dir, ".planning/MILESTONES.md"), "## v1.0"); n != 1 {
		t.Errorf("%d entries of v1.0", n)
	}
	for _, args := range [][]string{{"milestone", "complete"}, {"milestone", "complete", "--name", "x"}} {
		if _, stderr, code := ask(t, dir, nil, args...); code != 1 || !strings.Contains(stderr, "version required") {
			t.Errorf("%v: %d %s", args, code, stderr)
		}
	}
}

func TestMilestoneCompleteOfAnother(t *testing.T) {
	dir := project(t, map[string]string{".planning/ROADMAP.md": "## v1.0 A\n\n### Phase 1: X\n\n## v1.1 B\n\n### Phase 2: Y\n"})
	if _, stderr, code := ask(t, dir, nil, "milestone", "complete", "v9.0"); code != 1 || !strings.Contains(stderr, "v9.0") {
		t.Errorf("%d %s", code, stderr)
	}
}
