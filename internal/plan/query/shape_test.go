package query

import (
	"strings"
	"testing"
)

// widget is a project in the middle of its second phase.
func widget(t *testing.T) string {
	return project(t, map[string]string{
		".planning/ROADMAP.md": "# R\n\n## v1.0 First\n\n### Phase 1: Base\n**Goal:** lay it\n**Plans:** 1 plans\n\n### Phase 2: API\n**Goal:** serve\n**Mode:** mvp\n**Success Criteria:**\n1. GET\n",
		".planning/STATE.md": "# S\n\n**Current Phase:** 02\n**Current Phase Name:** API\n**Current Plan:** 1\n**Total Plans in Phase:** 2\n**Status:** Executing Phase 2\n" +
			"**Stopped At:** 02-01\n**Paused At:** here\n**Progress:** 50%\n**Last Activity:** 2026-01-03\n",
		".planning/REQUIREMENTS.md":                 "- [ ] **A-1**: a\n",
		".planning/phases/01-base/01-01-PLAN.md":    "---\nwave: 1\n---\n",
		".planning/phases/01-base/01-01-SUMMARY.md": "",
		".planning/phases/02-api/02-01-PLAN.md":     "---\nwave: 2\n---\n",
		".planning/phases/02-api/02-PLAN-notes.md":  "",
	})
}

// The members of each answer, or of a part of it, in their order.
func TestShapes(t *testing.T) {
	for _, tc := range []struct{ args, of, keys string }{
		{"state load", "", "config state_raw state_exists roadmap_exists config_exists"},
		{"state load", "config", "model_profile commit_docs search_gitignored branching_strategy phase_branch_template milestone_branch_template quick_branch_template " +
			"research plan_checker verifier nyquist_validation post_planning_gaps parallelization brave_search firecrawl exa_search tdd_mode mvp_mode text_mode auto_advance " +
			"_auto_chain_active mode sub_repos resolve_model_ids context_window phase_naming project_code subagent_timeout model_overrides models dynamic_routing runtime " +
			"model_profile_overrides agent_skills manager response_language claude_md_path claude_md_assembly"},
		{"state json", "", "gsd_state_version milestone milestone_name current_phase current_phase_name current_plan status stopped_at paused_at last_updated last_activity progress"},
		{"state json", "progress", "total_phases completed_phases total_plans completed_plans percent"},
		{"state validate", "", "valid warnings drift"},
		{"state sync --verify", "", "synced changes dry_run"},
		{"state prune --dry-run --keep-recent 1", "", "pruned cutoff_phase keep_recent sections total_archived archive_file dry_run"},
		{"state-snapshot", "", "current_phase current_phase_name total_phases current_plan total_plans_in_phase status progress_percent last_activity last_activity_desc decisions blockers paused_at session"},
		{"state-snapshot", "session", "last_date stopped_at resume_file"},
		{"find-phase 2", "", "found directory phase_number phase_name phase_slug plans summaries incomplete_plans has_research has_context has_verification has_reviews warning"},
		{"find-phase 9", "", "found directory phase_number phase_name phase_slug plans summaries incomplete_plans has_research has_context has_verification has_reviews searched_directories"},
		{"phase-plan-index 2", "", "phase plans waves incomplete has_checkpoints warning warnings"},
		{"phase-plan-index 2", "plans[0]", "id wave depends_on autonomous objective files_modified task_count has_summary"},
		{"phase-plan-index 9", "", "phase plans waves incomplete has_checkpoints error"},
		{"phase next-decimal 2", "", "found base_phase next existing"},
		{"phase mvp-mode 2", "", "active source roadmap_mode config_mvp_mode cli_flag_present"},
		{"phases list", "", "directories count"},
		{"phases list --type plans --phase 2", "", "files count phase_dir warning"},
		{"phases list --type summaries", "", "files count phase_dir"},
		{"phases list --phase 9", "", "files count phase_dir error"},
		{"roadmap analyze", "", "milestones phases phase_count completed_phases total_plans total_summaries progress_percent current_phase next_phase missing_phase_details"},
		{"roadmap analyze", "milestones[0]", "heading version"},
		{"roadmap analyze", "phases[0]", "number name goal depends_on mode plan_count summary_count has_context has_research disk_status roadmap_complete"},
		{"roadmap get-phase 2", "", "found phase_number phase_name goal mode success_criteria section"},
		{"roadmap update-plan-progress 1", "", "updated phase plan_count summary_count status complete"},
		{"roadmap annotate-dependencies 1", "", "updated phase waves cross_cutting_constraints"},
		{"requirements mark-complete A-1", "", "updated marked_complete already_complete not_found total"},
		{"requirements extract-from-plans 1", "", "phase requirements by_plan"},
		{"phase add New", "", "phase_number padded name slug directory naming_mode"},
		{"phase add-batch New", "", "phases count"},
		{"phase insert 1 New", "", "phase_number after_phase name slug directory"},
		{"phase remove 2", "", "removed directory_deleted renamed_directories renamed_files roadmap_updated state_updated"},
		{"phase complete 1", "", "completed_phase phase_name plans_executed next_phase next_phase_name is_last_phase date roadmap_updated state_updated requirements_updated auto_pruned warnings has_warnings"},
		{"milestone complete v1.0", "", "version name date phases plans tasks accomplishments archived milestones_updated state_updated"},
		{"milestone complete v1.0", "archived", "roadmap requirements audit phases"},
		{"resolve-model gsd-planner", "", "model profile"},
		{"resolve-model nobody", "", "model profile unknown_agent"},
		{"config-set mode yolo", "", "updated key value"},
		{"config-set-model-profile budget", "", "updated profile previousProfile agentToModelMap"},
	} {
		args := strings.Fields(tc.args)
		if tc.of != "" {
			args = append(args, "--pick", tc.of)
		}
		stdout, stderr, code := ask(t, widget(t), nil, args...)
		if got := strings.Join(keys(t, stdout), " "); got != tc.keys || code != 0 {
			t.Errorf("%s %s: exit %d, %s\n got %s\nwant %s", tc.args, tc.of, code, stderr, got, tc.keys)
		}
	}
}
