package query

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	twoPhases = `# Roadmap

- [ ] **Phase 1: Foundation** - base
- [ ] **Phase 2: API** - serve

### Phase 1: Foundation
**Goal:** Setup
**Requirements:** [REQ-01, REQ-02]
**Plans:** 0 plans

Plans:
- [ ] 01-01: first

### Phase 2: API
**Goal:** Build API
**Depends on:** Phase 1
`
	requirements = `# Requirements

- [ ] **REQ-01**: one
- [ ] **REQ-02**: two
- [ ] **REQ-03**: three

## Traceability

| Requirement | Phase | Status |
|---|---|---|
| REQ-01 | Phase 1 | Pending |
| REQ-02 | Phase 1 | In Progress |
| REQ-03 | Phase 2 | Pending |
`
	state = `# State

**Current Phase:** 01
**Current Phase Name:** Foundation
**Total Phases:** 2
**Completed Phases:** 0
**Status:** In progress
**Current Plan:** 01-01
**Progress:** 0%
**Last Activity:** 2025-01-01
**Last Activity Description:** Working
`
	metrics = `
## Performance Metrics

- Total plans completed: 0

| Phase | Plans | Total | Avg/Plan |
|---|---|---|---|
| - | - | - | - |
`
)

// request is one call and what it prints: parts of its output, or of its error.
type request struct {
	args string // words by spaces; ~ is a space in a word
	want []string
	err  string
}

// Calls of the old tool's phase, phases, roadmap and requirements commands,
// on a small project, and what is in its files afterwards.
func TestPhaseCommands(t *testing.T) {
	done := map[string]string{
		".planning/ROADMAP.md": twoPhases, ".planning/REQUIREMENTS.md": requirements, ".planning/STATE.md": state,
		".planning/phases/01-foundation/01-01-PLAN.md":    "---\nwave: 1\nrequirements: [REQ-02, REQ-01]\n---\n",
		".planning/phases/01-foundation/01-01-SUMMARY.md": "# S\n",
	}
	open := map[string]string{
		".planning/ROADMAP.md":                         twoPhases,
		".planning/phases/01-foundation/01-01-PLAN.md": "# P\n",
		".planning/phases/01-foundation/01-03-PLAN.md": "---\nwave: 1\n---\n",
	}
	for name, tc := range map[string]struct {
		files map[string]string
		steps []request
		after map[string][]string // file → what it holds; "!x" is what it does not
	}{
		"add": {done,
			[]request{
				{args: "phase add User Dashboard", want: []string{`"phase_number": 3`, `"padded": "03"`, `"slug": "user-dashboard"`, `"naming_mode": "sequential"`}},
				{args: "phase add Next --raw", want: []string{"04"}},
				{args: "phase add", err: "description required for phase add"},
				{args: `phase add-batch --descriptions ["A~b","C"]`, want: []string{`"phase_number": 5`, `"directory": ".planning/phases/06-c"`, `"count": 2`}},
				{args: "phase add Pay --id proj-42", want: []string{`"phase_number": "PROJ-42"`, `"naming_mode": "custom"`, `"directory": ".planning/phases/PROJ-42-pay"`}},
			},
			map[string][]string{
				".planning/phases/03-user-dashboard/.gitkeep": {""},
				".planning/ROADMAP.md":                        {"### Phase 3: User Dashboard\n**Goal:**", "**Depends on:** Phase 2\n**Plans:** 0 plans", "- [ ] **Phase 3: User Dashboard**"},
			}},
		"insert": {done,
			[]request{
				{args: "phase insert 1 Fix It", want: []string{`"phase_number": "01.1"`, `"after_phase": "1"`, `"directory": ".planning/phases/01.1-fix-it"`}},
				{args: "phase insert 01 Again --raw", want: []string{"01.2"}},
				{args: "phase insert 9 X", err: "Phase 9 not found in ROADMAP.md"},
				{args: "phase insert 1 X --dry-run", err: "Unknown flag for phase insert: --dry-run"},
				{args: "phase add X --dry-run", err: "Unknown flag for phase add: --dry-run"},
				{args: "phase remove 1 --dry-run", err: "Unknown flag for phase remove: --dry-run"},
				{args: "phase insert 1", err: "after-phase and description required for phase insert"},
				{args: "phase next-decimal 1", want: []string{`"base_phase": "01"`, `"next": "01.3"`, `"01.1",`}},
			},
			map[string][]string{".planning/ROADMAP.md": {"### Phase 01.1: Fix It (INSERTED)\n", "Again (INSERTED)\n**Goal:** To be planned", "\n\n### Phase 2: API"}}},
		"insert after a checklist line": {map[string]string{".planning/ROADMAP.md": "- [ ] **Phase 1: A** - x\n"},
			[]request{
				{args: "phase insert 1 B", err: "phase 1 is only in the checklist of ROADMAP.md (line 1): it has no detail section"},
				{args: "roadmap get-phase 1", want: []string{`"error": "malformed_roadmap"`}},
				{args: "roadmap analyze", want: []string{`"missing_phase_details": [` + "\n    \"1\""}},
			}, nil},
		"complete": {done,
			[]request{{args: "phase complete 1", want: []string{
				`"completed_phase": "1"`, `"phase_name": "foundation"`, `"plans_executed": "1/1"`, `"next_phase": "2"`, `"next_phase_name": "api"`,
				`"is_last_phase": false`, `"state_updated": true`, `"requirements_updated": true`, `"warnings": []`, `"has_warnings": false`,
			}}, {args: "phase complete 1", want: []string{`"requirements_updated": false`}}},
			map[string][]string{
				".planning/ROADMAP.md":      {"- [x] **Phase 1: Foundation** - base (completed 20", "**Plans:** 1/1 plans complete", "- [x] 01-01: first"},
				".planning/REQUIREMENTS.md": {"- [x] **REQ-01**", "- [x] **REQ-02**", "- [ ] **REQ-03**", "| REQ-01 | Phase 1 | Complete |", "| REQ-02 | Phase 1 | Complete ", "| REQ-03 | Phase 2 | Pending |"},
				".planning/STATE.md":        {"**Current Phase:** 02\n", "**Current Phase Name:** API", "**Status:** Ready to plan", "**Completed Phases:** 1", "**Progress:** 50%", "**Current Plan:** Not started", "Phase 1 complete, transitioned to Phase 2"},
			}},
		"complete with open checks": {with(done, map[string]string{
			".planning/phases/01-foundation/01-UAT.md":          "---\nstatus: partial\n---\n### 1. A\nresult: [pending]\n### 2. B\nresult: blocked\n",
			".planning/phases/01-foundation/01-VERIFICATION.md": "---\nstatus: gaps_found\n---\n",
		}),
			[]request{{args: "phase complete 1", want: []string{"pending", "blocked", "partial", "gaps_found", `"has_warnings": true`}}}, nil},
		"complete refuses": {open,
			[]request{
				{args: "phase complete 1", err: "Phase 1 is not complete: no summary of 01-01, 01-03. Use --force"},
				{args: "phase complete 9", err: "Phase 9 not found"},
				{args: "phase complete", err: "phase number required for phase complete"},
				{args: "phase complete 1 --force", want: []string{`"plans_executed": "0/2"`}},
			},
			map[string][]string{".planning/ROADMAP.md": {"- [x] **Phase 1: Foundation**", "- [ ] 01-01: first"}}},
		"complete without a roadmap": {map[string]string{
			".planning/STATE.md": state + metrics, ".planning/phases/01-a/01-01-PLAN.md": "", ".planning/phases/01-a/01-01-SUMMARY.md": "", ".planning/phases/02-b/x": "",
		},
			[]request{{args: "phase complete 1", want: []string{`"next_phase": "02"`, `"roadmap_updated": false`, `"state_updated": true`}}},
			map[string][]string{".planning/STATE.md": {"- Total plans completed: 1\n", "|---|---|---|---|\n| 1 | 1 | - | - |\n", "!| - | - | - | - |"}}},
		"complete the last": {with(done, map[string]string{
			".planning/phases/02-api/02-01-PLAN.md": "", ".planning/phases/02-api/02-01-SUMMARY.md": "",
		}),
			[]request{{args: "phase complete 2", want: []string{`"is_last_phase": true`, `"next_phase": null`}}},
			map[string][]string{".planning/STATE.md": {"**Status:** Milestone complete"}}},
		"remove": {done,
			[]request{
				{args: "phase remove 1", err: "Phase 1 has 1 executed plan(s). Use --force"},
				{args: "phase remove 7", err: "Phase 7 not found"},
				{args: "phase remove 1 --force", want: []string{`"removed": "1"`, `"directory_deleted": "01-foundation"`, `"roadmap_updated": true`, `"state_updated": true`}},
			},
			map[string][]string{
				".planning/ROADMAP.md": {"### Phase 1: API\n**Goal:** Build API\n**Depends on:** Nothing", "!Foundation", "- [ ] **Phase 1: API** - serve"},
				".planning/STATE.md":   {"**Total Phases:** 1"},
			}},
		"lists": {open,
			[]request{
				{args: "phases list --raw", want: []string{"01-foundation"}},
				{args: "phases list --type plans --phase 1", want: []string{`"01-03-PLAN.md"`, `"count": 2`}},
				{args: "phases list --phase 8", want: []string{`"error": "Phase not found"`, `"count": 0`}},
				{args: "verify phase-completeness 1", want: []string{`"complete": false`, `"Plans without summaries: 01-01, 01-03"`}},
				{args: "verify phase-completeness 8", want: []string{`"error": "Phase not found"`}},
				{args: "validate consistency", want: []string{`"passed": true`, "Phase 2 in ROADMAP.md but no directory", "plan 1 → 3", "01-01-PLAN.md: missing 'wave'"}},
				{args: "phases clear", err: "phases clear would delete 1 phase directory"},
				{args: "phases archive v1.0", want: []string{`"archived": 1`, `"archive_directory": ".planning/milestones/v1.0-phases"`}},
				{args: "phases list --include-archived", want: []string{`"01-foundation [v1.0]"`}},
				{args: "find-phase 1", want: []string{`"directory": ".planning/milestones/v1.0-phases/01-foundation"`, `"archived": "v1.0"`}},
				{args: "phases clear --confirm", want: []string{`"cleared": 0`}},
			}, nil},
		"roadmap": {done,
			[]request{
				{args: "roadmap get-phase 01", want: []string{`"phase_name": "Foundation"`, `"goal": "Setup"`, `"mode": null`, `"success_criteria": []`, `"section": "### Phase 1: Foundation\n`}},
				{args: "roadmap get-phase 5", want: []string{`"found": false`}},
				{args: "roadmap analyze", want: []string{`"phase_count": 2`, `"disk_status": "complete"`, `"disk_status": "no_directory"`, `"next_phase": "2"`, `"progress_percent": 100`}},
				{args: "roadmap update-plan-progress 1", want: []string{`"updated": true`, `"status": "Complete"`, `"complete": true`}},
				{args: "roadmap update-plan-progress 1 --raw", want: []string{"1/1 Complete"}},
				{args: "roadmap nope", err: "Unknown roadmap subcommand"},
			},
			map[string][]string{".planning/ROADMAP.md": {"- [x] **Phase 1: Foundation** - base (completed ", "**Plans:** 1/1 plans complete"}}},
		"requirements": {done,
			[]request{
				{args: "requirements mark-complete [REQ-01, REQ-03] NO-9", want: []string{`"updated": true`, `"REQ-03"`, `"not_found": [` + "\n    \"NO-9\"", `"total": 3`}},
				{args: "requirements mark-complete REQ-01 --raw", want: []string{"0/1 requirements marked complete"}},
				{args: "requirements extract-from-plans 1", want: []string{`"requirements": [` + "\n    \"REQ-01\"", `"01-01": [` + "\n      \"REQ-02\""}},
				{args: "requirements mark-complete", err: "requirement IDs required"},
			},
			map[string][]string{".planning/REQUIREMENTS.md": {"- [x] **REQ-01**", "| REQ-01 | Phase 1 | Complete |", "- [ ] **REQ-02**"}}},
		"scaffold": {done,
			[]request{
				{args: "scaffold context --phase 1", want: []string{`"created": true`, `"path": ".planning/phases/01-foundation/01-CONTEXT.md"`}},
				{args: "phase scaffold context --phase 1", want: []string{`"created": false`, `"reason": "already_exists"`}},
				{args: "scaffold phase-dir --phase 5 --name User Dashboard", want: []string{`"directory": ".planning/phases/05-user-dashboard"`}},
				{args: "scaffold nope --phase 1", err: "Unknown scaffold type: nope"},
				{args: "scaffold uat --phase 8", err: "Phase 8 directory not found"},
			}, nil},
		"without a roadmap": {map[string]string{".planning/config.json": "{}"},
			[]request{
				{args: "roadmap analyze", want: []string{`"error": "ROADMAP.md not found"`}},
				{args: "roadmap get-phase 1", want: []string{`"found": false`, `"error": "ROADMAP.md not found"`}},
				{args: "phase add X", err: "ROADMAP.md not found"},
				{args: "requirements mark-complete A-1", want: []string{`"updated": false`, `"reason": "REQUIREMENTS.md not found"`}},
				{args: "phases list", want: []string{`"directories": []`, `"count": 0`}},
				{args: "phase", err: "Unknown phase subcommand. Available: next-decimal, add, add-batch, insert, remove, complete"},
			}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			dir := project(t, tc.files)
			for _, s := range tc.steps {
				args := strings.Fields(s.args)
				for i := range args {
					args[i] = strings.ReplaceAll(args[i], "~", " ")
				}
				stdout, stderr, code := ask(t, dir, nil, args...)
				if (s.err != "") != (code != 0) || s.err != "" && !strings.Contains(stderr, s.err) {
					t.Errorf("%s: code %d, %s", s.args, code, stderr)
				}
				for _, want := range s.want {
					if !strings.Contains(stdout, want) {
						t.Errorf("%s: no %s in\n%s", s.args, want, stdout)
					}
				}
			}
			for file, wants := range tc.after {
				b, err := os.ReadFile(filepath.Join(dir, file))
				if err != nil {
					t.Error(err)
				}
				for _, want := range wants {
					absent, not := strings.CutPrefix(want, "!")
					if strings.Contains(string(b), absent) == not {
						t.Errorf("%s: %s in\n%s", file, want, b)
					}
				}
			}
		})
	}
}

func with(files, more map[string]string) map[string]string {
	out := map[string]string{}
	for _, m := range []map[string]string{files, more} {
		for name, content := range m {
			out[name] = content
		}
	}
	return out
}

// The last phase is not the end of a milestone whose earlier phases are open, and the
// focus goes where the work goes.
func TestPhaseCompleteOutOfOrder(t *testing.T) {
	dir := project(t, map[string]string{
		".planning/ROADMAP.md":                     "- [ ] **Phase 1: Base**\n- [ ] **Phase 2: API**\n\n### Phase 1: Base\n\n### Phase 2: API\n",
		".planning/STATE.md":                       "# State\n\n**Current focus:** Phase 2 — API\n\n## Current Position\n\nPhase: 2 of 2 (API)\nStatus: Executing Phase 2\n",
		".planning/phases/02-api/02-01-PLAN.md":    "",
		".planning/phases/02-api/02-01-SUMMARY.md": "",
	})
	stdout, stderr, code := ask(t, dir, nil, "phase", "complete", "2")
	if got := compact(stdout); code != 0 || !strings.Contains(got, `"next_phase":"1","next_phase_name":"base","is_last_phase":false`) {
		t.Errorf("%s %s", got, stderr)
	}
	if s := read(t, dir, ".planning/STATE.md"); !strings.Contains(s, "**Current focus:** Phase 1 — Base") || !strings.Contains(s, "Status: Ready to plan") {
		t.Errorf("STATE.md is\n%s", s)
	}
}
