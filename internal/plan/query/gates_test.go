package query

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const api = ".planning/phases/02-api/"

// gated is a project with one decision that a plan cites and one that none
// does.
func gated(t *testing.T) string {
	t.Helper()
	return project(t, map[string]string{
		".planning/ROADMAP.md":      "### Phase 1: Base\n### Phase 2: API\n**Goal:** Serve a dashboard page\n**Requirements:** WID-02\n### Phase 3: Next\n",
		".planning/REQUIREMENTS.md": "- [ ] **WID-10**: ten\n- [ ] **WID-02**: two\n",
		".planning/STATE.md":        "**Current Phase:** 02\n",
		api + "02-CONTEXT.md":       "<decisions>\n### Routing\n- **D-1:** chi\n- **D-2:** sqlite\n- **D-10 [deferred]:** later\n</decisions>\n",
		api + "02-01-PLAN.md":       "---\nfiles_modified:\n  - apps/web/prisma/schema.prisma\n---\n<tasks>D-1 D-2-other WID-02</tasks>\n",
		api + "02-02-PLAN.md":       "",
		api + "02-01-SUMMARY.md":    "",
		api + "02-VERIFICATION.md":  "| ID | Description | Status |\n|---|---|---|\n| 1 | ok | PASS |\n| 2 | bad | FAIL |\n| 3 | look | human_needed |\n| 4 | late | deferred |\n",
		api + "02-UAT.md":           "---\nstatus: testing\n---\n### 1. A\nresult: issue\n### 2. B\nresult: pass\n",
	})
}

func TestGateQueries(t *testing.T) {
	dir := gated(t)
	context := filepath.Join(dir, filepath.FromSlash(api+"02-CONTEXT.md"))
	for _, tc := range []struct{ args, pick, want string }{
		// D-2 is not in D-2-other (D17); the glue's path and the old one (D1)
		{"check decision-coverage-plan " + api + " " + api + "02-CONTEXT.md", "passed", "false"},
		{"check.decision-coverage-plan " + api + " " + api + "02-CONTEXT.md", "data.passed", "false"},
		{"check.decision-coverage-plan " + api + " " + api + "02-CONTEXT.md", "uncovered[0].id", "D-2"},
		{"check.decision-coverage-plan " + api + " " + api + "02-CONTEXT.md", "data.uncovered[0].category", "Routing"},
		{"check.decision-coverage-plan " + api + " " + api + "02-CONTEXT.md", "covered", "1"},
		{"check.decision-coverage-plan " + filepath.Dir(context) + " " + context, "total", "2"},
		{"check.decision-coverage-plan " + api + " " + api + "none.md", "data.passed", "true"},
		{"check.decision-coverage-plan " + api + " " + api + "none.md", "skipped", "true"},
		{"check.decision-coverage-verify " + api + " " + api + "02-CONTEXT.md", "not_honored[0].id", "D-2"},
		{"check.decision-coverage-verify " + api + " " + api + "02-CONTEXT.md", "blocking", "false"},
		{"decisions parse " + api + "02-CONTEXT.md", "decisions[2].tags", `["deferred"]`},
		{"decisions parse " + api + "02-CONTEXT.md", "decisions[2].trackable", "false"},
		{"decisions.parse " + context, "trackable", "2"}, // F14: absolute, and relative to the project
		{"decisions.parse none.md", "missing", "true"},
		{"decisions.parse none.md", "decisions", "[]"},
		{"check config-gates plan-phase", "workflow", "plan-phase"},
		{"check config-gates", "context_coverage_gate", "true"},
		{"check auto-mode", "source", "none"},
		{"check phase-ready 2", "next_step", "execute"},
		{"check phase-ready 2", "dependencies_met", "false"},
		{"check phase-ready 2", "has_ui_indicators", "true"},
		{"check phase-ready 77", "found", "false"},
		{"check completion phase 2", "missing_summaries", `["02-02"]`},
		{"check completion phase 2", "debt.uat_gaps", "1"},
		{"check completion phase 2", "debt.verification_failures", "1"},
		{"check completion phase 2", "uat_status", "testing"},
		{"check completion milestone", "phases_incomplete", `["1","2","3"]`},
		{"check gates next", "passed", "true"},
		{"check gates next --phase 2", "blockers[0].gate", "unresolved-verification"},
		{"check verification-status 2", "status", "partial"},
		{"check verification-status 2", "score", "1/4"},
		{"check verification-status 2", "gaps", `["bad"]`},
		{"check verification-status 2", "human_items", `["look"]`},
		{"check verification-status 2", "deferred", `["late"]`},
		{"check verification-status 1", "status", "missing"},
		{"check ship-ready 2", "ready", "false"},
		{"route next-action", "command", ""},
		{"route next-action", "gates.unresolved_verification", "true"},
		{"detect phase-type 2", "frontend_indicators", `["page","dashboard"]`},
		{"detect phase-type 2", "schema_orm", ""},
		{"gap-analysis --phase-dir " + api, "counts.uncovered", "3"},
		{"gap-analysis --phase-dir " + api, "rows[0].item", "WID-02"},
		{"gap-analysis --phase-dir " + api, "rows[3].item", "D-2"},
		{"gap-analysis --phase-dir " + api, "rows[3].status", "Not covered"},
		{"verify schema-drift 2", "unpushed_orms", `["prisma"]`}, // a block list, in a monorepo
		{"verify schema-drift 2 --skip", "blocking", "false"},
		{"verify schema-drift 02-api", "drift_detected", "true"},
		{"verify schema-drift 0", "drift_detected", "false"}, // not a part of 02
		{"verify codebase-drift", "reason", "no codebase/STRUCTURE.md"},
	} {
		stdout, stderr, code := ask(t, dir, nil, append(strings.Fields(tc.args), "--pick", tc.pick)...)
		if stdout != tc.want || code != 0 {
			t.Errorf("%s, %s: %q, want %q (code %d, %s)", tc.args, tc.pick, stdout, tc.want, code, stderr)
		}
	}
}

// Without an argument, or with an empty one from an unset variable (F1), the
// coverage gate is an error and does not skip.
func TestGateQueriesWithoutArguments(t *testing.T) {
	dir := gated(t)
	for _, args := range [][]string{
		{"check", "decision-coverage-plan"}, {"check", "decision-coverage-plan", api}, {"check", "decision-coverage-plan", api, ""},
		{"check", "decision-coverage-verify", "", api + "02-CONTEXT.md"}, {"decisions", "parse", ""}, {"check", "phase-ready"},
		{"check", "completion"}, {"check", "gates"}, {"verify", "schema-drift"}, {"gap-analysis"},
	} {
		if stdout, stderr, code := ask(t, dir, nil, args...); code != 1 || stdout != "" || !strings.Contains(stderr, "required") && !strings.Contains(stderr, "Usage: ") {
			t.Errorf("%q: code %d, %q, %q", args, code, stdout, stderr)
		}
	}
}

func TestKeysOfGateQueries(t *testing.T) {
	dir := gated(t)
	for args, want := range map[string]string{
		"check decision-coverage-plan " + api + " " + api + "02-CONTEXT.md":   "passed skipped total covered uncovered message data",
		"check decision-coverage-plan " + api + " " + api + "none.md":         "passed skipped reason total covered uncovered message data",
		"check decision-coverage-verify " + api + " " + api + "02-CONTEXT.md": "skipped blocking total honored not_honored message data",
		"check phase-ready 2":             "found ready phase phase_name phase_dir has_context has_research has_plans plan_count incomplete_plans has_verification has_ui_spec has_ui_indicators dependencies_met blockers next_step",
		"check completion phase 2":        "complete plans_total plans_with_summaries missing_summaries verification_status uat_status debt",
		"check completion milestone":      "complete phase_count phases_complete phases_incomplete blockers",
		"check ship-ready 2":              "ready verification_passed clean_tree on_feature_branch current_branch base_branch remote_configured gh_available gh_authenticated blockers",
		"route next-action":               "command args reason current_phase phase_name gates context",
		"detect phase-type 2":             "phase has_frontend frontend_indicators has_schema schema_orm schema_files push_command has_api has_infra",
		"gap-analysis --phase-dir " + api: "enabled rows table summary counts",
		"verify schema-drift 2":           "drift_detected blocking schema_files orms unpushed_orms message skipped",
		"verify codebase-drift":           "skipped reason action_required directive spawn_mapper affected_paths elements threshold action last_mapped_commit message",
	} {
		stdout, _, _ := ask(t, dir, nil, strings.Fields(args)...)
		if got := strings.Join(keys(t, stdout), " "); got != want {
			t.Errorf("%s:\n got %s\nwant %s", args, got, want)
		}
	}
}

// keys returns the keys of a JSON object in their order.
func keys(t *testing.T, object string) []string {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(object))
	if _, err := dec.Token(); err != nil {
		t.Fatalf("%v in %s", err, object)
	}
	var out []string
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, key.(string))
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// Where the work goes next, file by file.
func TestRoute(t *testing.T) {
	dir := project(t, map[string]string{".planning/ROADMAP.md": "### Phase 1: Base\n### Phase 2: API\n"})
	base := ".planning/phases/01-base/"
	for _, s := range []struct{ file, content, command, args string }{
		{"", "", "/gsd-new-project", ""},
		{".planning/STATE.md", "**Current Phase:** 1\n", "/gsd-discuss-phase", "1"},
		{base + "x", "", "/gsd-discuss-phase", "1"},
		{base + "01-CONTEXT.md", "", "/gsd-discuss-phase", "1"}, // it says nothing
		{base + "01-CONTEXT.md", "It is small.\n", "/gsd-plan-phase", "1"},
		{base + "01-01-PLAN.md", "<objective>\n[objective]\n</objective>\n", "/gsd-plan-phase", "1"}, // the template
		{base + "01-01-PLAN.md", "", "/gsd-execute-phase", "1"},
		{base + "01-01-SUMMARY.md", "", "/gsd-verify-work", "1"},
		{base + "01-VERIFICATION.md", "---\nstatus: gaps_found\n---\n", "/gsd-plan-phase", "1"},
		{base + "01-VERIFICATION.md", "---\nstatus: passed\n---\n", "/gsd-verify-work", "1"}, // nobody tried it
		{base + "01-UAT.md", "---\nstatus: complete\n---\n", "/gsd-discuss-phase", "2"},
		{".planning/ROADMAP.md", "### Phase 1: Base\n", "/gsd-complete-milestone", ""},
		{".planning/.continue-here.md", "| Pattern | Severity |\n|---|---|\n| no mocks | blocking |\n", "", ""},
		{".planning/STATE.md", "**Current Phase:** 1\n**Paused At:** task 2\n", "/gsd-resume-work", ""},
	} {
		if s.file != "" {
			name := filepath.Join(dir, filepath.FromSlash(s.file))
			if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, []byte(s.content), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		command, _, _ := ask(t, dir, nil, "route", "next-action", "--pick", "command")
		args, _, _ := ask(t, dir, nil, "route.next-action", "--pick", "args")
		if command != s.command || args != s.args {
			t.Errorf("with %s: %s %s, want %s %s", s.file, command, args, s.command, s.args)
		}
	}
	if got, _, _ := ask(t, dir, nil, "check", "gates", "next", "--pick", "blockers[0].anti_patterns"); got != `["no mocks"]` {
		t.Errorf("anti-patterns %s", got)
	}
}
