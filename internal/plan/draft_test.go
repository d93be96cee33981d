package plan_test

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"cairn/internal/plan"
	"cairn/internal/plan/doc"
	"cairn/internal/plan/template"
	"cairn/test/plantest"
)

// Every document that a phase has one of can be made, is then found as that
// kind and no other, and is not made twice.
func TestCreatePhaseDocuments(t *testing.T) {
	made := 0
	for _, kind := range template.Names() {
		root := t.TempDir()
		plantest.Write(t, root, map[string]string{".planning/ROADMAP.md": "### Phase 2: API\n", ".planning/phases/02-api/.gitkeep": ""})
		w, err := plan.At(root, "", "")
		if err != nil {
			t.Fatal(err)
		}
		id, _ := doc.ParsePhaseID("2")
		create := func() (rel string, err error) {
			_, err = w.Update(context.Background(), "template fill", func(tx *plan.Tx) error {
				rel = tx.Create(plan.Draft{Kind: kind, Phase: id, Plan: "1"})
				return nil
			})
			return rel, err
		}
		rel, err := create()
		if err != nil {
			if !strings.Contains(err.Error(), "is no document of a phase") {
				t.Errorf("%s: %v", kind, err)
			}
			continue
		}
		made++
		name := strings.ToUpper(kind)
		if kind == "plan" || kind == "summary" {
			name = "01-" + name
		}
		if filepath.Base(rel) != "02-"+name+".md" {
			t.Errorf("%s is %s", kind, rel)
		}
		if _, err := create(); !errors.Is(err, fs.ErrExist) {
			t.Errorf("%s again: %v", kind, err)
		}
		if err := w.View(func(tx *plan.Tx) error {
			p := tx.Phase(id)
			for _, other := range []string{"SPEC", "REVIEW", "REVIEWS", "SECURITY", "VERIFICATION", "UAT"} {
				if (p.File(other) != "") != (other == name) {
					t.Errorf("%s is found as %s: %q", rel, other, p.File(other))
				}
			}
			return nil
		}); err != nil {
			t.Error(err)
		}
	}
	if made != 17 {
		t.Errorf("%d kinds can be made", made)
	}
}
