package plan

import (
	"errors"
	"strings"
	"testing"
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
