package plan

import (
	"strings"
	"testing"

	"cairn/internal/plan/doc"
)

func TestPercent(t *testing.T) {
	for _, tc := range []struct{ done, total, want int }{{0, 0, 0}, {1, 3, 33}, {2, 3, 67}, {1, 200, 1}, {1, 201, 0}, {5, 4, 100}} {
		if got := Percent(tc.done, tc.total); got != tc.want {
			t.Errorf("%d of %d is %d%%, want %d", tc.done, tc.total, got, tc.want)
		}
	}
}

// The line that a template begins a list of plans with becomes the plans, once there are
// some; and what the plans had to do is counted where no summary says it.
func TestPlansAreListed(t *testing.T) {
	w := project(t, map[string]string{
		".planning/ROADMAP.md":                      "# Roadmap\n\n- [ ] **Phase 1: Base**\n\n### Phase 1: Base\n**Plans:** 0 plans\n\nPlans:\n- [ ] TBD\n\n### Phase 2: API\n\nPlans:\n- [ ] TBD\n",
		".planning/phases/01-base/01-01-PLAN.md":    "<objective>\nLay it\n</objective>\n<tasks>\n<task type=\"auto\"><name>a</name></task>\n<task type=\"auto\"><name>b</name></task>\n</tasks>\n",
		".planning/phases/01-base/01-01-SUMMARY.md": "---\none-liner: laid\n---\n",
		".planning/phases/01-base/01-02-PLAN.md":    "",
		".planning/phases/01-base/01-02-SUMMARY.md": "**Tasks:** 3\n",
	})
	update(t, w, func(tx *Tx) error {
		id, _ := doc.ParsePhaseID("1")
		tx.CompletePhase(id, Completion{Open: "x", Reason: "t"})
		if r := tx.Report("v1.0"); r.Tasks != 5 {
			t.Errorf("%d tasks", r.Tasks)
		}
		return nil
	})
	const want = "**Plans:** 2/2 plans complete\n\nPlans:\n- [x] 01-01: Lay it\n- [x] 01-02\n\n### Phase 2: API\n\nPlans:\n- [ ] TBD\n"
	if got := tree(t, w)[".planning/ROADMAP.md"]; !strings.HasSuffix(got, want) {
		t.Errorf("the roadmap is\n%s", got)
	}
}
