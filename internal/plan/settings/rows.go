package settings

import (
	"slices"
	"strings"
	"sync"
)

// Rows returns all the settings there are, in the order `plan config list` shows
// them and a new config.json has them.
var Rows = sync.OnceValue(func() []*Row {
	return slices.Concat(general(), branching(), workflow(), models(), tools())
})

// retired are keys that files have from earlier versions and the older tool, and
// that nothing reads; an object is meant with all below it. They are neither
// wrong nor taken out.
var retired = [...]string{
	"claude_md_assembly", "claude_md_path", "code_quality.fallow.mcp", "code_quality.fallow.profile", "graphify.auto_update",
	"learnings", "models.completion", "workflow.plan_bounce", "workflow.plan_bounce_passes", "workflow.plan_bounce_script",
	"workflow.plan_chunked",
}

// successor are keys of gsd-core, which came after the older tool, for what cairn
// does not have, and of the older tool what cairn never had. Files that both tools
// read have them; an object is meant with all below it.
var successor = [...]string{
	"agent_skills_security", "capabilities", "claude_orchestration", "context_profile", "dynamic_routing.provider_escalation", "effort", "fast_mode",
	"gates", "granularities", "graphify.graph_path", "mempalace", "model_policy", "phase_id_convention", "plan_review", "planner", "projects-sync",
	"review.reviewer_instances", "safety", "security", "statusline.show_context_tokens", "statusline.show_git", "statusline.state_format",
	"workflow.api_coverage_gate", "workflow.assumption_delta", "workflow.context_guard_mode", "workflow.plan_drift_precheck",
	"workflow.smart_zone_tokens", "workflow.test_gate_timeout", "workflow.windows_enforce", "worktree",
}

// successorSecrets are those that may hold a key.
var successorSecrets = [...]string{"jina", "perplexity", "ref_search", "tavily_search"}

// Retired reports whether a key is one that nothing reads any more.
func Retired(key string) bool { return isIn(retired[:], key) }

// Successors reports whether a key is one that gsd-core reads, and cairn does not.
func Successors(key string) bool {
	return isIn(successor[:], key) || slices.Contains(successorSecrets[:], key)
}

func isIn(list []string, key string) bool {
	return slices.ContainsFunc(list, func(of string) bool { return key == of || strings.HasPrefix(key, of+".") })
}

func general() []*Row {
	return []*Row{
		enum("mode", "interactive", "Whether workflows stop for a person's consent; yolo goes on by itself.", "interactive", "yolo").fresh(),
		enum("granularity", "standard", "How finely a roadmap is cut into phases.", "coarse", "standard", "fine").was("depth", "planning.granularity").fresh(),
		enum("model_profile", "balanced", "Which models the agents get; inherit leaves it to the session.", "quality", "balanced", "budget", "adaptive", "inherit").fresh(),
		on("commit_docs", "Commit the planning documents. When it is not set, a planning directory that git ignores is not committed.").was("planning.commit_docs").fresh(),
		off("search_gitignored", "Let searches of the code look into files that git ignores.").was("planning.search_gitignored").fresh(),
		row("parallelization", Switch, "true", "Run the plans of one wave at the same time. In an object only enabled counts.").fresh(),
		row("brave_search", Either, "false", "Search the web with Brave; true takes the key from BRAVE_API_KEY.").secret().fresh(),
		row("firecrawl", Either, "false", "Read web pages with Firecrawl; true takes the key from FIRECRAWL_API_KEY.").secret().fresh(),
		row("exa_search", Either, "false", "Search the web with Exa; true takes the key from EXA_API_KEY.").secret().fresh(),
		row("resolve_model_ids", Either, "false", "Name models by their full id instead of opus, sonnet and haiku; omit names none.").of("omit").fresh(),
		number("context_window", "200000", 1, "Tokens the model can hold; from 500000 on agents are given more to read.").fresh(),
		enum("phase_naming", "sequential", "Whether phases are numbered or named by ids of your own.", "sequential", "custom").fresh(),
		row("project_code", Text, "null", "A short code that begins the names of phase directories.").fresh(),
		row("response_language", Text, "", "The language agents answer in."),
		enum("context", "", "What kind of work the session is for.", "dev", "research", "review"),
		row("runtime", Text, "", "The coding agent this project is worked on with; decides which models there are and where agents are installed."),
		row("features.*", Bool, "", "A feature that is off unless it is named here, such as thinking_partner or global_learnings."),
		row("planning.sub_repos", List, "[]", "Directories that are git repositories of their own.").was("sub_repos"),
	}
}

func branching() []*Row {
	return []*Row{
		enum("git.branching_strategy", "none", "Whether work goes to a branch per phase, per milestone, or none.", "none", "phase", "milestone").was("branching_strategy").fresh(),
		row("git.phase_branch_template", Text, `"gsd/phase-{phase}-{slug}"`, "Name of a phase's branch; {phase} has to be in it.").was("phase_branch_template").fresh(),
		row("git.milestone_branch_template", Text, `"gsd/{milestone}-{slug}"`, "Name of a milestone's branch; {milestone} has to be in it.").was("milestone_branch_template").fresh(),
		row("git.quick_branch_template", Text, "null", "Name of a quick task's branch.").was("quick_branch_template").fresh(),
		row("git.base_branch", Text, "null", "The branch that work is merged into; git's default when it is not set."),
		on("git.create_tag", "Tag a milestone when it is completed.").fresh(),
	}
}

func tools() []*Row {
	return []*Row{
		number("executor.stall_detect_interval_minutes", "5", 1, "Minutes between two looks at whether an executor still works."),
		number("executor.stall_threshold_minutes", "10", 1, "Minutes of silence after which an executor counts as stalled."),
		on("hooks.context_warnings", "Tell the agent when its context window runs full.").fresh(),
		off("hooks.workflow_guard", "Advise against edits that no plan asked for."),
		on("hooks.session", "Tell the agent where the work stands when a session starts, is resumed or cleared, or was compacted."),
		off("hooks.community", "Check commit messages, and remind of the state when a document of a phase is written."),
		off("statusline.show_last_command", "Show the last command in the status line."),
		enum("statusline.context_position", "end", "Where the status line shows how full the context window is.", "front", "end"),
		off("code_quality.fallow.enabled", "Look for dead code with fallow in a code review."),
		enum("code_quality.fallow.scope", "", "What fallow looks at.", "phase", "repo"),
		off("intel.enabled", "Keep an index of the code under intel/."),
		off("graphify.enabled", "Use graphify's graph of the code."),
		number("graphify.build_timeout", "", 0, "Seconds that building the graph may take."),
		row("manager.flags.discuss", Text, "", "Flags that the manager gives to the discuss step."),
		row("manager.flags.plan", Text, "", "Flags that the manager gives to the plan step."),
		row("manager.flags.execute", Text, "", "Flags that the manager gives to the execute step."),
		row("ship.pr_body_sections", Array, "[]", "More sections for a pull request's text: {heading, enabled, source, template, fallback}."),
	}
}
