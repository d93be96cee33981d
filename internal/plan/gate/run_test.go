package gate

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"cairn/internal/plan"
	"cairn/internal/plan/doc"
)

const roadmap = `# Roadmap
- [x] **Phase 1: Base**
- [ ] **Phase 2: API**
- [ ] **Phase 3: UI**

### Phase 1: Base
**Goal:** base
### Phase 2: API
**Depends on:** Phase 1
**Requirements:** [WID-02, WID-03]
### Phase 3: UI
**Depends on:** Phase 2
**Requirements:** TBD
`

// tree is a project whose phase 2 passes every gate of the plan stage.
func tree() map[string]string {
	return map[string]string{
		".planning/ROADMAP.md":                     roadmap,
		".planning/REQUIREMENTS.md":                "- [x] **WID-020**: other\n- [ ] **WID-02**: get\n- [x] **WID-03**: post\n",
		".planning/phases/01-base/01-01-PLAN.md":   "",
		".planning/phases/02-api/02-CONTEXT.md":    "<decisions>\n- **D-01:** chi\n</decisions>\n",
		".planning/phases/02-api/02-RESEARCH.md":   "## Open Questions (RESOLVED)\n- x\n",
		".planning/phases/02-api/02-01-PLAN.md":    "---\nrequirements: [WID-02]\ntruths: [D-01]\n---\n",
		".planning/phases/02-api/plans/PLAN-02.md": "---\nrequirements:\n  - WID-03\n---\n",
		".planning/phases/03-ui/03-CONTEXT.md":     "",
	}
}

func with(files map[string]string, name, content string) map[string]string {
	files[name] = content
	return files
}

func TestGatesPass(t *testing.T) {
	root := project(t, tree())
	for _, gate := range []string{"research", "requirements", "decisions", "schema"} {
		if r, err := ask(t, root, "", gate, Plan, "2"); err != nil || !r.Passed || r.Skipped || r.Gate != gate || r.Stage != Plan {
			t.Errorf("%s: %+v, %v", gate, r, err)
		}
	}
}

// A context whose name has spaces is found (F17).
func TestGateContextName(t *testing.T) {
	root := project(t, map[string]string{
		".planning/phases/02-api/02 my api-CONTEXT.md": "<decisions>\n- **D-01:** chi\n</decisions>\n",
	})
	if r, err := ask(t, root, "", "decisions", Plan, "2"); err != nil || r.Skipped || len(r.Missing) != 1 {
		t.Errorf("%+v, %v", r, err)
	}
}

// Each gate says no for its own reason.
func TestGatesFail(t *testing.T) {
	const dir = ".planning/phases/02-api/"
	for name, tt := range map[string]struct {
		gate    string
		stage   Stage
		phase   string
		file    string
		content string
		missing []string
	}{
		"open question":         {"research", Plan, "2", dir + "02-RESEARCH.md", "## Open Questions\n- a?\n- b RESOLVED\n", []string{"Q1"}},
		"nobody recommends":     {"research", Plan, "2", dir + "02-RESEARCH.md", "## Open Questions\n1. a?\n   - Recommendation: x\n2. b?\n   - Recommendation: ask the user\n", []string{"Q2"}},
		"unclaimed requirement": {"requirements", Plan, "2", dir + "plans/PLAN-02.md", "---\nrequirements: [WID-030]\n---\nWID-03\n", []string{"WID-03"}},
		"traced requirement":    {"requirements", Execute, "2", ".planning/REQUIREMENTS.md", "| Requirement | Phase |\n|---|---|\n| WID-09 | Phase 2 |\n| WID-10 | 3 |\n", []string{"WID-09"}},
		"not completed":         {"requirements", Verify, "2", dir + "02-01-SUMMARY.md", "---\nrequirements-completed: [WID-020]\n---\n", []string{"WID-02"}},
		"decision":              {"decisions", Plan, "2", dir + "02-01-PLAN.md", "D-01", []string{"D-01"}},
		"no plan at all":        {"decisions", Plan, "3", ".planning/phases/03-ui/03-CONTEXT.md", "<decisions>\n- **D-01:** chi\n</decisions>\n", []string{"D-01"}},
		"schema":                {"schema", Plan, "2", dir + "02-01-PLAN.md", "---\nfiles_modified: [prisma/schema.prisma]\n---\n", []string{"prisma"}},
	} {
		r, err := ask(t, project(t, with(tree(), tt.file, tt.content)), "", tt.gate, tt.stage, tt.phase)
		var missing []string
		for _, m := range r.Missing {
			missing = append(missing, m.ID)
			if len(m.Remedies) == 0 {
				t.Errorf("%s: %s has no remedy", name, m.ID)
			}
		}
		if err != nil || !r.No() || !reflect.DeepEqual(missing, tt.missing) {
			t.Errorf("%s: missing %q, want %q: %+v, %v", name, missing, tt.missing, r, err)
		}
	}
}

func TestGatesSkip(t *testing.T) {
	for name, tt := range map[string]struct{ gate, file, content string }{
		"no requirement": {"requirements", ".planning/ROADMAP.md", "### Phase 2: API\n**Requirements:** TBD\n"},
		"no decision":    {"decisions", ".planning/phases/02-api/02-CONTEXT.md", "<decisions>\n### Claude's Discretion\n- **D-01:** x\n</decisions>\n"},
		"switched off":   {"decisions", ".planning/config.json", `{"workflow":{"context_coverage_gate":false}}`},
	} {
		r, err := ask(t, project(t, with(tree(), tt.file, tt.content)), "", tt.gate, Plan, "2")
		if err != nil || !r.Skipped || !r.Passed || r.Reason == "" {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
	root := project(t, tree())
	if err := os.Remove(filepath.Join(root, ".planning/phases/02-api/02-RESEARCH.md")); err != nil {
		t.Fatal(err)
	}
	if r, err := ask(t, root, "", "research", Plan, "2"); err != nil || !r.Skipped {
		t.Errorf("no RESEARCH.md: %+v, %v", r, err)
	}
}

// What a gate cannot read is an error and never a pass.
func TestGatesUnreadable(t *testing.T) {
	const dir = ".planning/phases/02-api/"
	for name, tt := range map[string]struct {
		gate          string
		file, content string
	}{
		"UTF-16 decisions": {"decisions", dir + "02-CONTEXT.md", "\xff\xfe<\x00d\x00"},
		"UTF-16 research":  {"research", dir + "02-RESEARCH.md", "\xff\xfe#\x00"},
		"UTF-16 plan":      {"requirements", dir + "02-01-PLAN.md", "\xff\xfe-\x00"},
		"broken decision":  {"decisions", dir + "02-CONTEXT.md", "<decisions>\n- **D-:** x\n</decisions>\n"},
	} {
		r, err := ask(t, project(t, with(tree(), tt.file, tt.content)), "", tt.gate, Plan, "2")
		var input *plan.InputError
		if !errors.As(err, &input) || input.Path == "" {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
}

// A workstream's switch beats the project's (F3); what is neither true nor
// false warns and means on (F16).
func TestGateSwitch(t *testing.T) {
	const key = `{"workflow":{"context_coverage_gate":`
	for name, tt := range map[string]struct {
		root, stream   string
		skipped, warns bool
	}{
		"absent":                 {"{}", "", false, false},
		"off in the project":     {key + "false}}", "", true, false},
		"off, as a text":         {key + `"FALSE"}}`, "", true, false},
		"off in the workstream":  {key + "true}}", key + "false}}", true, false},
		"on in the workstream":   {key + "false}}", key + "true}}", false, false},
		"a number":               {key + "0}}", "", false, true},
		"no boolean in a stream": {key + "false}}", key + `"no way"}}`, false, true},
		"null":                   {key + "null}}", "", false, false},
		"no JSON":                {"{", "", false, true},
	} {
		files := map[string]string{}
		stream := ""
		if tt.stream != "" {
			stream = "side"
		}
		for file, content := range tree() {
			files[strings.Replace(file, ".planning/", ".planning/"+map[string]string{"": "", "side": "workstreams/side/"}[stream], 1)] = content
		}
		files[".planning/config.json"] = tt.root
		if stream != "" {
			files[".planning/workstreams/side/config.json"] = tt.stream
		}
		r, err := ask(t, project(t, files), stream, "decisions", Plan, "2")
		if err != nil || r.Skipped != tt.skipped || len(r.Warnings) > 0 != tt.warns {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
}

// Threshold and action come from the config, and what is not one has its
// default and a warning (D7).
func TestDriftSettings(t *testing.T) {
	for config, want := range map[string]bool{
		`{"workflow":{"drift_threshold":1}}`:             true,
		`{"workflow":{"drift_threshold":2}}`:             false,
		`{"workflow":{"drift_threshold":0}}`:             false,
		`{"workflow":{"drift_action":"auto-remap"}}`:     false,
		`{"workflow":{"drift_threshold":1.5}}`:           false,
		`{"workflow":{"drift_threshold":1,"unknown":1}}`: true,
	} {
		root := repository(t, map[string]string{".planning/config.json": config, ".planning/codebase/STRUCTURE.md": "# S\n", "new/x": ""})
		r, err := ask(t, root, "", "drift", Execute, "1")
		if err != nil || r.Passed == want || r.No() {
			t.Errorf("%s: %+v, %v", config, r, err)
		}
		if bad := strings.Contains(config, ":0}") || strings.Contains(config, "1.5"); bad != (len(r.Warnings) == 1) {
			t.Errorf("%s: warnings %q", config, r.Warnings)
		}
	}
}

// A requirement is found where the roadmap and the table name it, with its
// text and its box.
func TestWanted(t *testing.T) {
	root := project(t, with(tree(), ".planning/REQUIREMENTS.md",
		"- [x] **WID-020**: other\n- [ ] **WID-02**: get\n- [x] WID-03: post\n\n| Requirement | Phase |\n|---|---|\n| WID-03 | 2 |\n| WID-7 | 02 |\n"))
	w, err := plan.Open(root, "")
	if err != nil {
		t.Fatal(err)
	}
	err = w.View(func(tx *plan.Tx) error {
		p := tx.Phase(doc.PhaseID{Number: 2})
		got := Wanted(tx, p)
		want := []Requirement{
			{"WID-02", "get", false, ".planning/ROADMAP.md", 10}, {"WID-03", "post", true, ".planning/ROADMAP.md", 10},
			{"WID-7", "", false, ".planning/REQUIREMENTS.md", 8},
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v", got)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// Without a number the phase of STATE.md is meant, else the first that is
// not complete.
func TestCurrent(t *testing.T) {
	for state, want := range map[string]int{
		"**Current Phase:** 03\n": 3, "## Current Position\n\nPhase: 1 of 3 (Base)\n": 1, "**Current Phase:** 77\n": 2, "nothing": 2, "": 2,
	} {
		files := tree()
		if state != "" {
			files[".planning/STATE.md"] = state
		}
		w, err := plan.Open(project(t, files), "")
		if err != nil {
			t.Fatal(err)
		}
		if err := w.View(func(tx *plan.Tx) error {
			p := tx.CurrentPhase()
			if p == nil || p.ID.Number != want {
				t.Errorf("%q: %+v, want %d", state, p, want)
			}
			return nil
		}); err != nil {
			t.Errorf("%q: %v", state, err)
		}
	}
}

// A question that the research recommends an answer to does not stop planning, and
// is named: nobody agreed to it yet.
func TestResearchRecommends(t *testing.T) {
	const file = ".planning/phases/02-api/02-RESEARCH.md"
	r, err := ask(t, project(t, with(tree(), file, "## Open Questions\n1. Which router?\n   - What's unclear: speed\n   - Recommendation: use chi\n")), "", "research", Plan, "2")
	if err != nil || !r.Passed || len(r.Warnings) != 1 || r.Warnings[0] != "Q1 ["+file+":2] is answered by the recommendation alone: use chi" {
		t.Errorf("%+v, %v", r, err)
	}
}
