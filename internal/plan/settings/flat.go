package settings

import "cairn/internal/jsonc"

// flat are the members of the old tool's flat object, in its order, and the
// key each has here, when it is another. Where no row has the key, it is an
// object that comes as the files have it; without one, null or empty is.
var flat = []struct {
	name, key string
	empty     bool
}{
	{name: "model_profile"},
	{name: "commit_docs"},
	{name: "search_gitignored"},
	{name: "branching_strategy", key: "git.branching_strategy"},
	{name: "phase_branch_template", key: "git.phase_branch_template"},
	{name: "milestone_branch_template", key: "git.milestone_branch_template"},
	{name: "quick_branch_template", key: "git.quick_branch_template"},
	{name: "research", key: "workflow.research"},
	{name: "plan_checker", key: "workflow.plan_check"},
	{name: "verifier", key: "workflow.verifier"},
	{name: "nyquist_validation", key: "workflow.nyquist_validation"},
	{name: "post_planning_gaps", key: "workflow.post_planning_gaps"},
	{name: "parallelization"},
	{name: "brave_search"},
	{name: "firecrawl"},
	{name: "exa_search"},
	{name: "tdd_mode", key: "workflow.tdd_mode"},
	{name: "mvp_mode", key: "workflow.mvp_mode"},
	{name: "text_mode", key: "workflow.text_mode"},
	{name: "auto_advance", key: "workflow.auto_advance"},
	{name: "_auto_chain_active", key: "workflow._auto_chain_active"},
	{name: "mode"},
	{name: "sub_repos", key: "planning.sub_repos"},
	{name: "resolve_model_ids"},
	{name: "context_window"},
	{name: "phase_naming"},
	{name: "project_code"},
	{name: "subagent_timeout", key: "workflow.subagent_timeout"},
	{name: "model_overrides"},
	{name: "models"},
	{name: "dynamic_routing"},
	{name: "runtime"},
	{name: "model_profile_overrides"},
	{name: "agent_skills", empty: true},
	{name: "manager", empty: true},
	{name: "response_language"},
	{name: "claude_md_path"},
	{name: "claude_md_assembly"},
}

// Flat returns the settings as the one flat object that the old tool's `state
// load` printed. Secrets are masked.
func (s *Settings) Flat() jsonc.Object {
	out := make(jsonc.Object, 0, len(flat))
	for _, f := range flat {
		key := f.key
		if key == "" {
			key = f.name
		}
		var v any
		r, ok := Find(key)
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
		case f.empty:
			v = jsonc.Object{}
		}
		out = append(out, jsonc.Member{Name: f.name, Value: v})
	}
	return out
}
