package audit

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"cairn/internal/plan"
	"cairn/test/plantest"
)

func view(t *testing.T, files map[string]string, fn func(*plan.Tx) error) {
	t.Helper()
	root := t.TempDir()
	plantest.Write(t, filepath.Join(root, plan.Planning), files)
	w, err := plan.At(root, "", "")
	if err == nil {
		err = w.View(fn)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestFindUAT(t *testing.T) {
	view(t, map[string]string{
		"ROADMAP.md": "### Phase 1: A\n\n### Phase 2: B\n",
		"phases/01-a/01-UAT.md": "---\nstatus: complete\n---\n\n### 1. A\nresult: [pending]\n\n### 2. B\nresult: blocked\nblocked_by: server down\n\n" +
			"### 3. C\nresult: skipped\nreason: no physical device\n\n### 4. D\nresult: skipped\n\n### 5. E\nresult: blocked\nblocked_by: prior phase\n\n" +
			"### 6. F\nresult: blocked\nblocked_by: release build\n\n### 7. G\nresult: blocked\nblocked_by: third-party (Stripe)\n\n### 8. H\nresult: pass\n",
		"phases/02-b/02-VERIFICATION.md": "---\nstatus: human_needed\n---\n\n## Human Verification\n\n1. Look at it\n",
		"phases/03-c/03-UAT.md":          "### 1. Of another milestone\nresult: pending\n",
		"phases/01-a/01-VERIFICATION.md": "---\nstatus: passed\n---\n\n## Human Verification\n\n1. Settled\n",
	}, func(tx *plan.Tx) error {
		found := FindUAT(tx)
		var got strings.Builder
		for _, o := range found {
			fmt.Fprintf(&got, "%s %s %s\n", o.Path(), o.Kind, o.Status)
			for _, it := range o.Tests {
				fmt.Fprintf(&got, "  %d:%d %s %s\n", it.Line, it.Number, it.Result, it.Category)
			}
		}
		const want = `.planning/phases/01-a/01-UAT.md uat complete
  5:1 pending pending
  8:2 blocked server_blocked
  12:3 skipped device_needed
  16:4 skipped skipped_unresolved
  19:5 blocked blocked
  23:6 blocked build_needed
  27:7 blocked third_party
.planning/phases/02-b/02-VERIFICATION.md verification human_needed
  7:1 human_needed human_uat
`
		if got.String() != want {
			t.Errorf("got\n%s\nwant\n%s", got.String(), want)
		}
		return nil
	})
}

func TestMilestone(t *testing.T) {
	done := map[string]string{
		"ROADMAP.md":                "## v1.0 A\n\n- [x] **Phase 1: A**\n\n### Phase 1: A\n",
		"REQUIREMENTS.md":           "- [x] **R-01**: one\n",
		"phases/01-a/01-01-PLAN.md": "", "phases/01-a/01-01-SUMMARY.md": "",
		"phases/01-a/01-UAT.md":          "---\nstatus: complete\n---\n\n### 1. A\nresult: pass\n",
		"phases/01-a/01-VERIFICATION.md": "---\nstatus: passed\n---\n",
		"phases/01-a/01-CONTEXT.md":      "## Open Questions\n\n- What? RESOLVED: that\n",
		"todos/pending/later.md":         "title: Later\n",
		"seeds/SEED-001-x.md":            "---\nstatus: dormant\n---\n",
	}
	for name, tc := range map[string]struct {
		files map[string]string
		want  string
	}{
		"ready":        {nil, ""},
		"phase":        {map[string]string{"phases/01-a/01-02-PLAN.md": ""}, "phase 1: no summary of 01-02"},
		"requirement":  {map[string]string{"REQUIREMENTS.md": "- [ ] **R-02**: two\n"}, "requirement R-02"},
		"uat":          {map[string]string{"phases/01-a/01-UAT.md": "---\nstatus: partial\n---\n### 1. B\nresult: pending\n"}, ".planning/phases/01-a/01-UAT.md: B"},
		"false status": {map[string]string{"phases/01-a/01-UAT.md": "---\nstatus: complete\n---\n### 1. B\nresult: pending\n"}, ".planning/phases/01-a/01-UAT.md: B"},
		"verification": {map[string]string{"phases/01-a/01-VERIFICATION.md": "---\nstatus: human_needed\n---\n"}, ".planning/phases/01-a/01-VERIFICATION.md"},
		"question":     {map[string]string{"phases/01-a/01-CONTEXT.md": "## Open Questions\n\n- What?\n"}, ".planning/phases/01-a/01-CONTEXT.md: What?"},
		"debug":        {map[string]string{"debug/race.md": "---\nstatus: investigating\n---\n"}, "debug session race"},
	} {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{}
			for _, from := range []map[string]string{done, tc.files} {
				for name, content := range from {
					files[name] = content
				}
			}
			view(t, files, func(tx *plan.Tx) error {
				m := FindMilestone(t.Context(), tx, "v1.0")
				if got := strings.Join(m.Lines(), "\n"); got != tc.want || m.Ready() != (tc.want == "") || m.Later().Count() != 2 {
					t.Errorf("ready %v, in the way %q, want %q; later %d", m.Ready(), got, tc.want, m.Later().Count())
				}
				return nil
			})
		})
	}
}
