package template

import (
	"slices"
	"strings"
	"testing"

	"cairn/internal/plan/check"
	"cairn/internal/plan/doc"
)

func TestEveryTemplate(t *testing.T) {
	if len(Names()) < 30 {
		t.Fatalf("only %d templates", len(Names()))
	}
	for _, name := range Names() {
		fields, err := Fields(name)
		if err != nil || len(fields) == 0 {
			t.Errorf("%s: fields %v, %v", name, fields, err)
		}
		values := map[string]string{}
		for _, f := range fields {
			values[f] = "a: " + f + " # {{x}}"
		}
		for _, given := range []map[string]string{nil, values} {
			d, err := Fill(name, given)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			text := d.String()
			if given == nil && strings.Contains(text, "{{") {
				t.Errorf("%s: a field is left\n%s", name, text)
			}
			if !strings.HasSuffix(text, "\n") || strings.HasSuffix(text, "\n\n") {
				t.Errorf("%s ends in %q", name, text[len(text)-10:])
			}
			if ps := d.FrontProblems(); len(ps) > 0 {
				t.Errorf("%s: %v", name, ps)
			}
			for _, f := range fields {
				if given != nil && !strings.Contains(text, values[f]) {
					t.Errorf("%s: %s was not filled", name, f)
				}
			}
		}
	}
	if _, err := Fill("../template", nil); err == nil {
		t.Error("a template outside was filled")
	}
}

// What the templates make passes our own checks.
func TestTemplatesAreSound(t *testing.T) {
	for name, schema := range map[string]string{"plan": check.SchemaPlan, "summary": check.SchemaSummary, "summary-minimal": check.SchemaSummary, "summary-complex": check.SchemaSummary, "verification": check.SchemaVerification} {
		d, err := Fill(name, nil)
		if err != nil {
			t.Fatal(err)
		}
		if missing, _, err := check.Required(d.Front(), schema); err != nil || len(missing) > 0 {
			t.Errorf("%s lacks %v, %v", name, missing, err)
		}
	}
	d, _ := Fill("plan", map[string]string{"files": "a.go", "task": "do it", "wave": "2"})
	s := check.PlanStructure(d)
	if len(s.Errors) > 0 || len(s.Tasks) != 1 || doc.ReadPlan(d).Wave != 2 {
		t.Errorf("the plan is not complete: %+v", s)
	}
	u, _ := Fill("uat", map[string]string{"test": "Log in", "expected": "it works"})
	if test, ok := u.CurrentTest(); !ok || test.Name != "Log in" || test.Expected != "it works" || test.Number != 1 {
		t.Errorf("the test waited for is %+v", test)
	}
	r, _ := Fill("roadmap", map[string]string{"phase_name": "Base"})
	roadmap := doc.ReadRoadmap(r)
	if len(roadmap.Phases) != 1 || len(roadmap.Boxes) != 1 || roadmap.Phases[0].Name != "Base" {
		t.Errorf("the roadmap is read as %+v", roadmap)
	}
	p, _ := Fill("project", nil)
	for _, want := range []string{"What This Is", "Core Value", "Requirements"} {
		if !slices.ContainsFunc(p.Headings(), func(h doc.Heading) bool { return h.Level == 2 && h.Text == want }) {
			t.Errorf("PROJECT.md has no %s", want)
		}
	}
}

// What Fill leaves to be written is found in each document that a project begins
// with; brackets of somebody's own are text.
func TestGapsOfDocuments(t *testing.T) {
	for _, name := range []string{"project", "requirements", "roadmap"} {
		d, err := Fill(name, nil)
		if err != nil {
			t.Fatal(err)
		}
		if n, _ := Gaps(d, name); n == 0 {
			t.Errorf("%s: no gap in\n%s", name, d.Bytes())
		}
	}
	for line, want := range map[string]bool{
		"- [ ] **A-01**: [requirement]": true, "### Phase 1: [phase name]": true, "1. [criterion]": true, "[overview]": true,
		"- [ ] **A-01**: [sic] it works": false, "- [ ] [requirement]": true, "[note]: [see below]": false, "- [x] **A-01**: done": false, "**Goal:** [as agreed]": false,
	} {
		name := "roadmap"
		if strings.Contains(line, "requirement") {
			name = "requirements"
		}
		if got := IsGap(line, name); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}
