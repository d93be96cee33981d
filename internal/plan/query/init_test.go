package query

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// tail is what every init but those of workspaces ends with.
const tail = "project_root agents_installed missing_agents"

// The keys and their order are the old tool's.
func TestInitKeys(t *testing.T) {
	dir := project(t, map[string]string{
		".planning/ROADMAP.md":                   "# R\n\n### Phase 1: Base\n**Goal:** g\n",
		".planning/STATE.md":                     "# State\n",
		".planning/phases/01-base/01-UAT.md":     "",
		".planning/phases/01-base/01-CONTEXT.md": "",
	})
	for call, want := range map[string]string{
		"execute-phase 1":            "executor_model verifier_model tdd_mode commit_docs sub_repos parallelization context_window branching_strategy phase_branch_template milestone_branch_template verifier_enabled phase_found phase_dir phase_number phase_name phase_slug phase_req_ids plans summaries incomplete_plans plan_count incomplete_count branch_name milestone_version milestone_name milestone_slug state_exists roadmap_exists config_exists state_path roadmap_path config_path " + tail,
		"execute-phase 1 --validate": "executor_model verifier_model tdd_mode commit_docs sub_repos parallelization context_window branching_strategy phase_branch_template milestone_branch_template verifier_enabled phase_found phase_dir phase_number phase_name phase_slug phase_req_ids plans summaries incomplete_plans plan_count incomplete_count branch_name milestone_version milestone_name milestone_slug state_exists roadmap_exists config_exists state_path roadmap_path config_path state_validation_ran state_warnings " + tail,
		"plan-phase 1":               "researcher_model planner_model checker_model tdd_mode research_enabled plan_checker_enabled nyquist_validation_enabled commit_docs text_mode auto_advance auto_chain_active mode phase_found phase_dir expected_phase_dir phase_number phase_name phase_slug padded_phase phase_req_ids phase_status has_research has_context has_reviews has_plans plan_count planning_exists roadmap_exists state_path roadmap_path requirements_path patterns_path context_path uat_path " + tail,
		"phase-op 1":                 "commit_docs brave_search firecrawl exa_search phase_found phase_dir expected_phase_dir phase_number phase_name phase_slug padded_phase has_research has_context has_plans has_verification has_reviews plan_count roadmap_exists planning_exists state_path roadmap_path requirements_path context_path uat_path " + tail,
		"verify-work 1":              "planner_model checker_model commit_docs phase_found phase_dir phase_number phase_name has_verification " + tail,
		"new-project":                "researcher_model synthesizer_model roadmapper_model commit_docs project_exists has_codebase_map planning_exists has_existing_code has_package_file is_brownfield needs_codebase_map has_git git_worktree_root in_nested_subdir brave_search_available firecrawl_available exa_search_available project_path agent_runtime agents_dir required_agents required_agents_installed missing_required_agents agent_skill_payloads_available agent_skill_payload_agents " + tail,
		"new-milestone":              "researcher_model synthesizer_model roadmapper_model commit_docs research_enabled current_milestone current_milestone_name latest_completed_milestone latest_completed_milestone_name phase_dir_count phase_archive_path project_exists roadmap_exists state_exists project_path roadmap_path state_path " + tail,
		"quick fix it":               "planner_model executor_model checker_model verifier_model commit_docs branch_name quick_id slug description date timestamp quick_dir task_dir roadmap_exists planning_exists " + tail,
		"resume":                     "state_exists roadmap_exists project_exists planning_exists state_path roadmap_path project_path has_interrupted_agent interrupted_agent_id commit_docs " + tail,
		"todos":                      "commit_docs date timestamp todo_count todos area_filter pending_dir completed_dir planning_exists todos_dir_exists pending_dir_exists " + tail,
		"milestone-op":               "commit_docs milestone_version milestone_name milestone_slug phase_count completed_phases all_phases_complete archived_milestones archive_count project_exists roadmap_exists state_exists archive_exists phases_dir_exists " + tail,
		"map-codebase":               "mapper_model commit_docs search_gitignored parallelization subagent_timeout date timestamp codebase_dir existing_maps has_maps planning_exists codebase_dir_exists " + tail,
		"progress":                   "executor_model planner_model commit_docs milestone_version milestone_name phases phase_count completed_count in_progress_count current_phase next_phase paused_at has_work_in_progress project_exists roadmap_exists state_exists state_path roadmap_path project_path config_path " + tail,
		"manager":                    "milestone_version milestone_name phases phase_count completed_count in_progress_count recommended_actions waiting_signal all_complete project_exists roadmap_exists state_exists manager_flags " + tail,
		"ingest-docs":                "project_exists planning_exists has_git git_worktree_root in_nested_subdir project_path commit_docs " + tail,
	} {
		out, stderr, code := ask(t, dir, nil, append([]string{"init"}, strings.Fields(call)...)...)
		if got := strings.Join(keys(t, out), " "); got != want || code != 0 {
			t.Errorf("init %s: rc %d %s\n got %s\nwant %s", call, code, stderr, got, want)
		}
	}
}

// pick is a call's field as --pick prints it.
func pickOf(t *testing.T, dir, call, field string) string {
	t.Helper()
	out, stderr, code := ask(t, dir, nil, append(strings.Fields(call), "--pick", field)...)
	if code != 0 || stderr != "" {
		t.Errorf("%s: rc %d %s", call, code, stderr)
	}
	return out
}

func TestInitPhase(t *testing.T) {
	dir := project(t, map[string]string{
		".planning/ROADMAP.md": "# R\n\n<details>\n\n### Phase 9: Old\n\n</details>\n\n## v1.1 Second Half\n\n" +
			"### Phase 1: Base\n**Requirements**: [A-1, A-2]\n\n### Phase 2: Über API!\n**Requirements:** TBD\n\n" +
			"### Phase 2.1: Hot fix (INSERTED)\n**Requirements:** B-1,B-2\n",
		".planning/config.json":                                 `{"git":{"branching_strategy":"phase"},"model_overrides":{"gsd-verifier":"x/y"},"project_code":"CK"}`,
		".planning/phases/01-base/01-01-PLAN.md":                "",
		".planning/phases/01-base/01-02-PLAN.md":                "",
		".planning/phases/01-base/01-01-SUMMARY.md":             "",
		".planning/milestones/v1.0-phases/01-older/01-PLAN.md":  "",
		".planning/milestones/v1.0-phases/09-old/09-01-PLAN.md": "",
	})
	for _, tc := range []struct{ call, field, want string }{
		{"init execute-phase 1", "phase_dir", ".planning/phases/01-base"},
		{"init execute-phase 1", "phase_req_ids", "A-1, A-2"},
		{"init execute-phase 1", "incomplete_plans", `["01-02-PLAN.md"]`},
		{"init execute-phase 1", "branch_name", "gsd/phase-01-base"},
		{"init execute-phase 01", "verifier_model", "x/y"},
		{"init execute-phase 1 --tdd", "tdd_mode", "true"},
		{"init execute-phase 1", "milestone_slug", "second-half"},
		{"init execute-phase 1", "project_code", "CK"},
		{"init execute-phase 2", "phase_found", "true"},
		{"init execute-phase 2", "phase_dir", ""},
		{"init execute-phase 2", "phase_number", "2"},
		{"init execute-phase 2", "phase_name", "Über API!"},
		{"init execute-phase 2", "phase_req_ids", ""},
		{"init plan-phase 2.1", "expected_phase_dir", ".planning/phases/CK-02.1-hot-fix"},
		{"init plan-phase 2.1", "phase_req_ids", "B-1, B-2"},
		{"init plan-phase 1", "phase_status", "In Progress"},
		{"init plan-phase 2", "phase_status", "Pending"},
		{"init plan-phase 1", "expected_phase_dir", ""},
		{"init phase-op 9", "phase_dir", ".planning/milestones/v1.0-phases/09-old"},
		{"init phase-op 42", "phase_found", "false"},
		{"init phase-op 42", "padded_phase", ""},
		{"init verify-work nonsense", "phase_found", "false"},
	} {
		if got := pickOf(t, dir, tc.call, tc.field); got != tc.want {
			t.Errorf("%s: %s is %q, want %q", tc.call, tc.field, got, tc.want)
		}
	}
}

func TestInitErrors(t *testing.T) {
	dir := project(t, map[string]string{".planning/STATE.md": ""})
	for call, want := range map[string]string{
		"init execute-phase":        "phase required for init execute-phase",
		"init plan-phase --tdd":     "phase required for init plan-phase",
		"init nope":                 "Unknown init workflow: nope\nAvailable: execute-phase, ",
		"init manager":              "No ROADMAP.md found",
		"init remove-workspace ../": "Workspace not found: ../",
		"todo complete":             "filename required",
		"todo complete nope.md":     "Todo not found: nope.md",
		"todo match-phase":          "phase required for todo match-phase",
	} {
		out, stderr, code := ask(t, dir, nil, strings.Fields(call)...)
		if code != 1 || out != "" || !strings.HasPrefix(stderr, "Error: "+want) {
			t.Errorf("%s: rc %d, stdout %q, stderr %q", call, code, out, stderr)
		}
	}
}

func TestInitProgress(t *testing.T) {
	dir := project(t, map[string]string{
		".planning/ROADMAP.md":                   "# R\n\n- [x] **Phase 1: A**\n- [ ] **Phase 2: B**\n\n### Phase 1: A\n### Phase 2: B\n### Phase 3: C\n### Phase 4: D\n### Phase 5: E\n### Phase 999.1: Idea\n",
		".planning/STATE.md":                     "# S\n\n**Paused At:** Phase 2, task 3\n",
		".planning/phases/01-a/01-01-PLAN.md":    "",
		".planning/phases/01-a/01-01-SUMMARY.md": "",
		".planning/phases/02-b/02-01-PLAN.md":    "",
		".planning/phases/03-c/03-RESEARCH.md":   "",
		".planning/phases/04-d/04-CONTEXT.md":    "",
		".planning/phases/999.1-idea/x.md":       "",
	})
	var statuses []string
	for _, i := range []string{"0", "1", "2", "3", "4"} {
		statuses = append(statuses, pickOf(t, dir, "init progress", "phases["+i+"].number")+" "+pickOf(t, dir, "init progress", "phases["+i+"].status"))
	}
	if want := "01 complete, 02 in_progress, 03 researched, 04 pending, 5 not_started"; strings.Join(statuses, ", ") != want {
		t.Errorf("phases are %v", statuses)
	}
	for field, want := range map[string]string{
		"phase_count": "5", "completed_count": "1", "in_progress_count": "1", "current_phase.number": "02", "next_phase.number": "04",
		"paused_at": "Phase 2, task 3", "has_work_in_progress": "true", "phases[4].directory": "", "project_exists": "false",
	} {
		if got := pickOf(t, dir, "init progress", field); got != want {
			t.Errorf("%s is %q, want %q", field, got, want)
		}
	}
	if got := pickOf(t, dir, "init milestone-op", "completed_phases"); got != "1" {
		t.Errorf("completed_phases is %s", got)
	}
}

func TestInitManager(t *testing.T) {
	dir := project(t, map[string]string{
		".planning/ROADMAP.md": "# R\n\n- [x] **Phase 1: A**\n\n### Phase 1: A\n### Phase 2: A name of more than twenty letters\n**Depends on:** Phase 1\n" +
			"### Phase 3: C\n**Depends on:** Phase 2\n### Phase 4: D\n### Phase 5: E\n**Depends on:** None\n",
		".planning/STATE.md":                  "# S\n",
		".planning/WAITING.json":              `{"type":"decision"}`,
		".planning/config.json":               `{"manager":{"flags":{"discuss":"--auto","plan":"--x; rm -rf /","execute":"now"}}}`,
		".planning/phases/01-a/01-01-PLAN.md": "",
		".planning/phases/02-b/02-01-PLAN.md": "",
		".planning/phases/04-d/04-CONTEXT.md": "",
		".planning/phases/01-a/01-SUMMARY.md": "",
		".planning/phases/03-c/.keep":         "",
	})
	for field, want := range map[string]string{
		"recommended_actions[0].command": "/gsd-execute-phase 2", "recommended_actions[1].command": "/gsd-plan-phase 4",
		"recommended_actions[2].command": "/gsd-discuss-phase 5", "phases[1].deps_satisfied": "true", "phases[1].dep_phases": `["1"]`,
		"phases[1].display_name": "A name of more than…", "phases[2].deps_satisfied": "false", "phases[0].deps_display": "—",
		"phases[4].is_next_to_discuss": "true", "phases[2].is_next_to_discuss": "false", "phases[1].is_active": "true", "phases[4].last_activity": "",
		"phases[0].roadmap_complete": "true", "waiting_signal.type": "decision", "completed_count": "1", "in_progress_count": "2", "all_complete": "false",
		"manager_flags": `{"discuss":"--auto","plan":"","execute":""}`,
	} {
		if got := pickOf(t, dir, "init manager", field); got != want {
			t.Errorf("%s is %q, want %q", field, got, want)
		}
	}
}

func TestInitNewProject(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	for name, tc := range map[string]struct {
		files     map[string]string
		code, pkg string
		needsAMap string
	}{
		"empty":     {map[string]string{"README.md": "", "a.json": ""}, "false", "false", "false"},
		"deep code": {map[string]string{"a/b/c/x.kt": ""}, "true", "false", "true"},
		"too deep":  {map[string]string{"a/b/c/d/x.ts": "", "node_modules/x.js": "", ".next/x.js": ""}, "false", "false", "false"},
		"package":   {map[string]string{"pubspec.yaml": ""}, "false", "true", "true"},
		"mapped":    {map[string]string{"main.go": "", ".planning/codebase/STACK.md": ""}, "true", "false", "false"},
	} {
		dir := project(t, tc.files)
		for field, want := range map[string]string{
			"has_existing_code": tc.code, "has_package_file": tc.pkg, "needs_codebase_map": tc.needsAMap, "has_git": "false", "git_worktree_root": "",
		} {
			if got := pickOf(t, dir, "init new-project", field); got != want {
				t.Errorf("%s: %s is %s, want %s", name, field, got, want)
			}
		}
	}
}

func TestInitAgents(t *testing.T) {
	agents := t.TempDir()
	dir := project(t, map[string]string{".planning/PROJECT.md": "# Title of it\n", ".planning/config.json": `{"response_language":"pt"}`})
	env := map[string]string{"GSD_AGENTS_DIR": agents}
	missing := func() string {
		out, _, _ := ask(t, dir, env, "init", "resume", "--pick", "missing_agents")
		return out
	}
	if got := missing(); !strings.Contains(got, `"gsd-executor"`) {
		t.Errorf("nothing is installed, and missing is %s", got)
	}
	var names []string
	if err := json.Unmarshal([]byte(missing()), &names); err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if err := os.WriteFile(filepath.Join(agents, name+".md"), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	out, _, _ := ask(t, dir, env, "init", "resume")
	if got := strings.Join(keys(t, out), " "); !strings.HasSuffix(got, tail+" response_language project_title") {
		t.Errorf("keys are %s", got)
	}
	if missing() != "[]" || !strings.Contains(out, `"agents_installed": true`) {
		t.Errorf("all are installed, and missing is %s", missing())
	}
}

// Reading changes nothing: no older key is renamed, no file made, no git run.
func TestInitWritesNothing(t *testing.T) {
	t.Setenv("PATH", "")
	files := map[string]string{
		".planning/config.json":        `{"branching_strategy":"phase","depth":"quick","multiRepo":true}`,
		".planning/ROADMAP.md":         "### Phase 1: A\n",
		".planning/STATE.md":           "# S\n",
		".planning/todos/pending/a.md": "title: A\n",
		".git/HEAD":                    "ref: refs/heads/main\n",
		".git/worktrees/gone/gitdir":   "/nowhere/.git\n",
	}
	dir := project(t, files)
	for _, cmd := range table {
		if !strings.HasPrefix(cmd.name, "init ") && cmd.name != "docs-init" || strings.HasSuffix(cmd.name, "-workspace") {
			continue
		}
		if _, stderr, code := ask(t, dir, nil, append(strings.Fields(cmd.name), "1")...); code != 0 {
			t.Errorf("%s: %s", cmd.name, stderr)
		}
	}
	var left []string
	_ = filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if !d.IsDir() {
			rel, _ := filepath.Rel(dir, name)
			left = append(left, filepath.ToSlash(rel))
		}
		return err
	})
	for _, name := range left {
		b, _ := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if want, ok := files[name]; !ok || string(b) != want {
			t.Errorf("%s became %q", name, b)
		}
	}
	if len(left) != len(files) {
		slices.Sort(left)
		t.Errorf("the files are %v", left)
	}
}
