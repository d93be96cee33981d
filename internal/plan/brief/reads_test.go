package brief

import (
	"path"
	"strings"
	"testing"

	"cairn/internal/plan"
)

// Which artifact reaches which role: what a phase has, by the last word of its
// name, in the order it is given; "+" is what only a wide window gets.
func TestReads(t *testing.T) {
	files := map[string]string{
		".planning/PROJECT.md": "# P\n", ".planning/REQUIREMENTS.md": "# R\n", ".planning/STATE.md": "# S\n",
		".planning/LEARNINGS.md":          "# L\n",
		".planning/ROADMAP.md":            "# Roadmap\n\n- [ ] **Phase 1: A**\n\n### Phase 1: A\n**Goal:** g\n",
		".planning/codebase/STRUCTURE.md": "# C\n", ".planning/config.json": "{}",
		"skills/sql/SKILL.md": "# SQL\n",
	}
	for _, kind := range []string{"CONTEXT", "RESEARCH", "PATTERNS", "SPEC", "UI-SPEC", "AI-SPEC", "UAT", "VERIFICATION", "VALIDATION", "REVIEW", "SECURITY", "01-PLAN", "01-SUMMARY"} {
		files[".planning/phases/01-a/01-"+kind+".md"] = "---\nphase: 1\n---\n"
	}
	for role, want := range map[string]string{
		"phase-researcher": "PROJECT REQUIREMENTS STATE CONTEXT SPEC +STRUCTURE",
		"pattern-mapper":   "PROJECT CONTEXT RESEARCH +STRUCTURE",
		"planner":          "PROJECT REQUIREMENTS LEARNINGS STATE SPEC CONTEXT RESEARCH PATTERNS VALIDATION UI-SPEC AI-SPEC +STRUCTURE",
		"plan-checker":     "PROJECT REQUIREMENTS STATE CONTEXT RESEARCH PATTERNS VALIDATION PLAN",
		"executor":         "PROJECT STATE CONTEXT UI-SPEC AI-SPEC +RESEARCH +PATTERNS +SUMMARY",
		"verifier":         "PROJECT REQUIREMENTS STATE CONTEXT VALIDATION PLAN SUMMARY VERIFICATION UAT",
		"code-reviewer":    "PROJECT STATE CONTEXT PLAN SUMMARY",
		"security-auditor": "PROJECT REQUIREMENTS STATE SECURITY PLAN SUMMARY +CONTEXT",
		"ui-auditor":       "PROJECT REQUIREMENTS STATE UI-SPEC SUMMARY +CONTEXT",
		"user-profiler":    "PROJECT STATE",
	} {
		for _, window := range []string{"", `{"context_window": 1000000}`} {
			if window != "" {
				files[".planning/config.json"] = window
			} else {
				files[".planning/config.json"] = "{}"
			}
			w := project(t, files)
			view(t, w, func(tx *plan.Tx) error {
				b := Make(tx, Request{Workflow: "phase-op", Subject: "1", Agents: []string{role}, Now: noon, Getenv: nothing})
				var got, expected []string
				for _, rel := range b.Reads[role] {
					name := strings.TrimSuffix(path.Base(rel), ".md")
					got = append(got, strings.TrimLeft(name, "01-"))
				}
				for word := range strings.FieldsSeq(want) {
					if name, wide := strings.CutPrefix(word, "+"); !wide || window != "" {
						expected = append(expected, name)
					}
				}
				if strings.Join(got, " ") != strings.Join(expected, " ") {
					t.Errorf("%s, window %q: reads %v, not %v", role, window, got, expected)
				}
				return nil
			})
		}
	}
}

func TestReadsSkillsOfTheRole(t *testing.T) {
	w := project(t, map[string]string{
		".planning/PROJECT.md": "# P\n", ".planning/ROADMAP.md": "### Phase 1: A\n",
		".planning/config.json": `{"agent_skills": {"planner": ["skills/sql", "skills/gone"]}}`,
		"skills/sql/SKILL.md":   "# SQL\n",
	})
	view(t, w, func(tx *plan.Tx) error {
		b := Make(tx, Request{Workflow: "plan-phase", Subject: "1", Now: noon, Getenv: nothing})
		if got := strings.Join(b.Reads["planner"], " "); got != ".planning/PROJECT.md skills/sql/SKILL.md" {
			t.Error(got)
		}
		return nil
	})
}
