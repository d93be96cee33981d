package settings

import (
	"slices"

	"cairn/internal/jsonc"
)

// flat are the members of the old tool's flat object, in its order, by the key
// each has here: it is called by the last part of that, or of the oldest name
// of it. Where no row has the key, it is an object that comes as the files have
// it.
var flat = [...]string{
	"model_profile", "commit_docs", "search_gitignored", "git.branching_strategy", "git.phase_branch_template",
	"git.milestone_branch_template", "git.quick_branch_template", "workflow.research", "workflow.plan_check", "workflow.verifier",
	"workflow.nyquist_validation", "workflow.post_planning_gaps", "parallelization", "brave_search", "firecrawl", "exa_search",
	"workflow.tdd_mode", "workflow.mvp_mode", "workflow.text_mode", "workflow.auto_advance", "workflow._auto_chain_active", "mode",
	"planning.sub_repos", "resolve_model_ids", "context_window", "phase_naming", "project_code", "workflow.subagent_timeout",
	"model_overrides", "models", "dynamic_routing", "runtime", "model_profile_overrides", "agent_skills", "manager",
	"response_language", "claude_md_path", "claude_md_assembly",
}

// Flat returns the settings as the one flat object that the old tool's `state
// load` printed. Secrets are masked.
func (s *Settings) Flat() jsonc.Object {
	out := make(jsonc.Object, 0, len(flat))
	for _, key := range flat {
		name := key
		var v any
		r, ok := Find(key)
		if ok {
			name = slices.Concat([]string{key}, r.Names)[len(r.Names)]
		}
		switch {
		case key == "planning.sub_repos":
			v = s.SubRepos()
		case ok && r.Kind == Switch:
			v = s.Bool(key)
		case key == "claude_md_path": // the old object had no default for it
			v, _ = at(s.merged, key)
		case ok:
			v = Mask(key, s.value(r, key).Any)
		case s.Object(key) != nil:
			v = Mask(key, s.Object(key))
		case key == "agent_skills" || key == "manager": // empty where nothing sets them
			v = jsonc.Object{}
		}
		out = append(out, jsonc.Member{Name: leaf(name), Value: v})
	}
	return out
}
