package brief

import (
	"strings"
	"testing"

	"cairn/internal/plan"
	"cairn/internal/plan/doc"
)

// A reviewer reads the plans that are not executed, and what they follow.
func TestReviewPrompt(t *testing.T) {
	w := project(t, map[string]string{
		".planning/ROADMAP.md": "### Phase 1: A\n**Goal:** serve\n\n### Phase 2: B\n**Goal:** other\n", ".planning/PROJECT.md": "# Widget\n",
		".planning/REQUIREMENTS.md":              "- [ ] **R-01**: one\n",
		".planning/phases/01-a/01-CONTEXT.md":    "- **D-01:** chi\n",
		".planning/phases/01-a/01-01-PLAN.md":    "finished work\n",
		".planning/phases/01-a/01-01-SUMMARY.md": "",
		".planning/phases/01-a/01-02-PLAN.md":    "next work\n",
		".planning/phases/02-b/02-01-PLAN.md":    "", ".planning/phases/02-b/02-01-SUMMARY.md": "",
	})
	ask := func(number string) (p *Prompt, err error) {
		err = w.View(func(tx *plan.Tx) error {
			id, _ := doc.ParsePhaseID(number)
			p = ReviewPrompt(tx, tx.Phase(id))
			return nil
		})
		return p, err
	}
	p, err := ask("1")
	if err != nil {
		t.Fatal(err)
	}
	p.Instructions = "Review."
	text := p.String()
	at := 0
	for _, want := range []string{"Review.", "# Project\n\n# Widget", "# Roadmap\n\n### Phase 1: A", "# Requirements\n\n- [ ] **R-01**", "# Context\n\n- **D-01:**", "# Plan\n\n01-02-PLAN.md\n\nnext work"} {
		i := strings.Index(text[at:], want)
		if i < 0 {
			t.Fatalf("%q is missing, or in the wrong place, in\n%s", want, text)
		}
		at += i
	}
	for _, no := range []string{"finished work", "Phase 2", "# Research"} {
		if strings.Contains(text, no) {
			t.Errorf("%q is in\n%s", no, text)
		}
	}
	if p.Fit(PromptTokens(text), 40); p.Cut() {
		t.Error("a prompt that fits was cut")
	}
	if _, err := ask("2"); err == nil || !strings.Contains(err.Error(), "phase 2: has no plan that is not executed") {
		t.Errorf("%v", err)
	}
}
