package plan

import (
	"strings"
	"testing"

	"cairn/test/plantest"
)

// Rows and figures follow from the list and the roadmap; what somebody wrote into a row
// stays.
func TestRetrace(t *testing.T) {
	root := t.TempDir()
	plantest.Write(t, root, map[string]string{
		".planning/ROADMAP.md":      "# R\n\n### Phase 1: A\n**Requirements:** A-01, A-02\n\n### Phase 2: B\n**Requirements:** A-03\n",
		".planning/REQUIREMENTS.md": "# R\n\n- [x] **A-01**: a\n- [ ] **A-02**: b\n- [ ] **A-03**: c\n- [ ] **A-04**: d\n\n## Traceability\n\n| Requirement | Phase | Status |\n|---|---|---|\n| A-02 | Phase 2 | Blocked |\n\n**Coverage:**\n- v1 requirements: 0\n- Mapped to phases: 9 ✓\n- Unmapped: 0\n\n- Others: 7\n",
	})
	w, err := At(root, "", "")
	if err != nil {
		t.Fatal(err)
	}
	var done *Retraced
	again := func() string {
		if _, err := w.Update(t.Context(), "t", func(tx *Tx) error { done = tx.Retrace(); return nil }); err != nil {
			t.Fatal(err)
		}
		var text string
		if err := w.View(func(tx *Tx) error { text = tx.Requirements().String(); return nil }); err != nil {
			t.Fatal(err)
		}
		return text
	}
	text := again()
	for _, want := range []string{"| A-02 | Phase 1 | Blocked |", "| A-01 | Phase 1 | Complete |", "| A-03 | Phase 2 | Pending |", "- v1 requirements: 4\n- Mapped to phases: 3 ✓\n- Unmapped: 1\n", "- Others: 7"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if len(done.Added) != 2 || len(done.Moved) != 1 || len(done.Figures) != 3 || strings.Contains(text, "| A-04 |") {
		t.Errorf("%+v", done)
	}
	if again() != text || len(done.Added)+len(done.Moved)+len(done.Figures) != 0 {
		t.Errorf("the second time: %+v", done)
	}
}
