package brief

import (
	"testing"

	"cairn/internal/plan"
	"cairn/internal/plan/agent"
	"cairn/internal/plan/settings"
)

// Who is told about a role is told what decides over it.
func TestSettingsOfRoles(t *testing.T) {
	n := 0
	for _, r := range agent.Roles() {
		for _, key := range settingsOf(r.Name) {
			if _, ok := settings.Find(key); !ok {
				t.Errorf("%s: there is no setting %s", r.Name, key)
			}
			n++
		}
	}
	if n < 10 {
		t.Errorf("%d settings: are the roles those of package agent?", n)
	}
	w := project(t, map[string]string{".planning/ROADMAP.md": "### Phase 1: A\n", ".planning/config.json": `{"workflow": {"ui_review": false}}`})
	view(t, w, func(tx *plan.Tx) error {
		b := Make(tx, Request{Workflow: "phase-op", Subject: "1", Agents: []string{"ui-auditor"}, Now: noon, Getenv: nothing})
		if b.Settings["workflow.ui_review"] != false {
			t.Errorf("%v", b.Settings)
		}
		return nil
	})
}
