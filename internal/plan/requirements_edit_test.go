package plan

import (
	"errors"
	"strings"
	"testing"

	"cairn/internal/plan/doc"
)

// A requirement is added, changed and removed in the form of its file, and no other
// line changes.
func TestEditRequirements(t *testing.T) {
	for name, c := range map[string]struct {
		before string
		do     func(*Tx)
		after  string
	}{
		"after its kind": {
			"# R\r\n\r\n- [x] **API-01**: one\r\n  more of it\r\n- [ ] **UI-01**: two\r\n\r\n| Requirement | Phase | Status |\r\n|---|---|---|\r\n| API-01 | Phase 1 | Complete |\r\n\r\nend\r\n",
			func(tx *Tx) { tx.AddRequirement("API-02", "new", "2") },
			"# R\r\n\r\n- [x] **API-01**: one\r\n  more of it\r\n- [ ] **API-02**: new\r\n- [ ] **UI-01**: two\r\n\r\n| Requirement | Phase | Status |\r\n|---|---|---|\r\n| API-01 | Phase 1 | Complete |\r\n| API-02 | Phase 2 | Pending |\r\n\r\nend\r\n",
		},
		"other forms": {
			"* [ ] `A-1` two words\n\n| ID | Status | Phase | Note |\n|--|--|--|--|\n| **A-1** | Pending | 1 | x |",
			func(tx *Tx) { tx.AddRequirement("B-1", "b", "3") },
			"* [ ] `A-1` two words\n* [ ] `B-1` b\n\n| ID | Status | Phase | Note |\n|--|--|--|--|\n| **A-1** | Pending | 1 | x |\n| **B-1** | Pending | 3 |  |",
		},
		"first of a template": {
			"# R\n\n## v1 Requirements\n\nTested.\n\n### [category]\n\n- [ ] **[id]-01**: [requirement]\n\n## v2 Requirements\n\nLater.\n\n## Out of Scope\n\n| Feature | Reason |\n|---|---|\n",
			func(tx *Tx) { tx.AddRequirement("A-1", "a", ""); tx.AddRequirement("B-1", "b", "") },
			"# R\n\n## v1 Requirements\n\nTested.\n\n### [category]\n\n- [ ] **A-1**: a\n- [ ] **B-1**: b\n\n## v2 Requirements\n\nLater.\n\n## Out of Scope\n\n| Feature | Reason |\n|---|---|\n",
		},
		"not among the later ones": {
			"# R\n\n## Active Requirements\n\n- [ ] **A-1**: a\n\n## v2 Requirements\n\n- [ ] **Z-1**: z\n",
			func(tx *Tx) { tx.AddRequirement("B-1", "b", ""); tx.AddRequirement("Z-2", "zz", "") },
			"# R\n\n## Active Requirements\n\n- [ ] **A-1**: a\n- [ ] **B-1**: b\n\n## v2 Requirements\n\n- [ ] **Z-1**: z\n- [ ] **Z-2**: zz\n",
		},
		"only later ones": {
			"# R\n\n## v1 Requirements\n\n## v2 Requirements\n\n- [ ] **Z-1**: z\n", func(tx *Tx) { tx.AddRequirement("B-1", "b", "") },
			"# R\n\n## v1 Requirements\n\n- [ ] **B-1**: b\n\n## v2 Requirements\n\n- [ ] **Z-1**: z\n",
		},
		"none yet":  {"# R\n", func(tx *Tx) { tx.AddRequirement("A-1", "a", "") }, "# R\n- [ ] **A-1**: a\n"},
		"edit":      {"- [x] **A-1:** old\n  rest\n- [ ] **A-2:** b\n", func(tx *Tx) { tx.EditRequirement("A-1", "new text") }, "- [x] **A-1:** new text\n- [ ] **A-2:** b\n"},
		"edit code": {"- [ ] [A-1] `old` A-1\n", func(tx *Tx) { tx.EditRequirement("A-1", "new") }, "- [ ] [A-1] new\n"},
		"remove": {
			"| Requirement | Phase | Status |\n|---|---|---|\n| A-1 | 1 | Pending |\n| A-2 | 1 | Pending |\n\n- [ ] **A-1**: a\n- [ ] **A-2**: b\n",
			func(tx *Tx) { tx.RemoveRequirement("A-1") },
			"| Requirement | Phase | Status |\n|---|---|---|\n| A-2 | 1 | Pending |\n\n- [ ] **A-2**: b\n",
		},
	} {
		w := project(t, map[string]string{".planning/REQUIREMENTS.md": c.before})
		update(t, w, func(tx *Tx) error { c.do(tx); return nil })
		if got := tree(t, w)[".planning/REQUIREMENTS.md"]; got != c.after {
			t.Errorf("%s: got\n%q\nwant\n%q", name, got, c.after)
		}
	}
}

func TestWithRequirement(t *testing.T) {
	for value, want := range map[string]string{"": "B-1", "TBD": "B-1", "A-1": "A-1, B-1", "[A-1, A-2]": "[A-1, A-2, B-1]"} {
		if got := WithRequirement(value, "B-1"); got != want {
			t.Errorf("%q: %q", value, got)
		}
	}
}

func TestEditOfRequirementThatIsNone(t *testing.T) {
	for want, do := range map[string]func(*Tx){
		"has A-1 already": func(tx *Tx) { tx.AddRequirement("A-1", "x", "") },
		"has no A-9":      func(tx *Tx) { tx.EditRequirement("A-9", "x") },
		"has no A-8":      func(tx *Tx) { tx.RemoveRequirement("A-8") },
	} {
		w := project(t, map[string]string{".planning/REQUIREMENTS.md": "- [ ] **A-1**: a\n"})
		_, err := w.Update(t.Context(), "x", func(tx *Tx) error { do(tx); return nil })
		var input *InputError
		if !errors.As(err, &input) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// A phase that is given a requirement stands in its row of the traceability table, and no
// other row changes.
func TestPhaseInTheTable(t *testing.T) {
	const table = "- [ ] **A-1**: a\n- [ ] **A-2**: b\n\n| Requirement | Phase | Status |\n|---|---|---|\n| A-1 | Unassigned | Pending |\n| A-2 | Phase 9 | Pending |\n\n**Coverage:**\n- Mapped to phases: 0\n"
	w := project(t, map[string]string{".planning/REQUIREMENTS.md": table, ".planning/ROADMAP.md": "# R\n\n### Phase 1: A\n**Goal:** x\n**Requirements:** A-2\n"})
	update(t, w, func(tx *Tx) error { tx.AddPhase(NewPhase{Name: "B", Requirements: []string{"A-1"}}); return nil })
	want := strings.Replace(strings.Replace(table, "Unassigned", "Phase 2", 1), "phases: 0", "phases: 2", 1)
	if got := tree(t, w)[".planning/REQUIREMENTS.md"]; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	ids := "A-2"
	update(t, w, func(tx *Tx) error { tx.EditPhase(doc.PhaseID{Number: 1}, PhaseEdit{Requirements: &ids}); return nil })
	if got := tree(t, w)[".planning/REQUIREMENTS.md"]; got != strings.Replace(want, "Phase 9", "Phase 1", 1) {
		t.Errorf("got\n%s", got)
	}
}
