package settings

import (
	"iter"
	"slices"
	"strings"
)

// rows gives all the settings there are, in the order `plan config list` shows
// them and a new config.json has them.
func rows() iter.Seq[*Row] {
	return func(yield func(*Row) bool) {
		for _, part := range [...][]Row{general, branching, workflow, models, tools} {
			for i := range part {
				if !yield(&part[i]) {
					return
				}
			}
		}
	}
}

// retired are keys that files have from earlier versions and the older tool, and
// that nothing reads; an object is meant with all below it. They are neither
// wrong nor taken out.
var retired = [...]string{
	"claude_md_assembly", "claude_md_path", "code_quality.fallow.mcp", "code_quality.fallow.profile", "graphify.auto_update",
	"learnings", "models.completion", "workflow.plan_bounce", "workflow.plan_bounce_passes", "workflow.plan_bounce_script",
	"workflow.plan_chunked",
}

// Retired reports whether a key is one that nothing reads any more.
func Retired(key string) bool {
	return slices.ContainsFunc(retired[:], func(old string) bool { return key == old || strings.HasPrefix(key, old+".") })
}

var general = []Row{
	{Key: "mode", Kind: Enum, Default: `"interactive"`, Allowed: []string{"interactive", "yolo"}, Fresh: true,
		Doc: "Whether workflows stop for a person's consent; yolo goes on by itself."},
	{Key: "granularity", Kind: Enum, Default: `"standard"`, Allowed: []string{"coarse", "standard", "fine"}, Names: []string{"depth"}, Fresh: true,
		Doc: "How finely a roadmap is cut into phases."},
	{Key: "model_profile", Kind: Enum, Default: `"balanced"`, Allowed: []string{"quality", "balanced", "budget", "adaptive", "inherit"}, Fresh: true,
		Doc: "Which models the agents get; inherit leaves it to the session."},
	{Key: "commit_docs", Kind: Bool, Default: "true", Names: []string{"planning.commit_docs"}, Fresh: true,
		Doc: "Commit the planning documents. When it is not set, a planning directory that git ignores is not committed."},
	{Key: "search_gitignored", Kind: Bool, Default: "false", Names: []string{"planning.search_gitignored"}, Fresh: true,
		Doc: "Let searches of the code look into files that git ignores."},
	{Key: "parallelization", Kind: Switch, Default: "true", Fresh: true,
		Doc: "Run the plans of one wave at the same time. In an object only enabled counts."},
	{Key: "brave_search", Kind: Either, Default: "false", Secret: true, Fresh: true,
		Doc: "Search the web with Brave; true takes the key from BRAVE_API_KEY."},
	{Key: "firecrawl", Kind: Either, Default: "false", Secret: true, Fresh: true,
		Doc: "Read web pages with Firecrawl; true takes the key from FIRECRAWL_API_KEY."},
	{Key: "exa_search", Kind: Either, Default: "false", Secret: true, Fresh: true,
		Doc: "Search the web with Exa; true takes the key from EXA_API_KEY."},
	{Key: "resolve_model_ids", Kind: Either, Default: "false", Allowed: []string{"omit"}, Fresh: true,
		Doc: "Name models by their full id instead of opus, sonnet and haiku; omit names none."},
	{Key: "context_window", Kind: Int, Default: "200000", Min: 1, Fresh: true,
		Doc: "Tokens the model can hold; from 500000 on agents are given more to read."},
	{Key: "phase_naming", Kind: Enum, Default: `"sequential"`, Allowed: []string{"sequential", "custom"}, Fresh: true,
		Doc: "Whether phases are numbered or named by ids of your own."},
	{Key: "project_code", Kind: Text, Default: "null", Fresh: true,
		Doc: "A short code that begins the names of phase directories."},
	{Key: "response_language", Kind: Text,
		Doc: "The language agents answer in."},
	{Key: "context", Kind: Enum, Allowed: []string{"dev", "research", "review"},
		Doc: "What kind of work the session is for."},
	{Key: "runtime", Kind: Text,
		Doc: "The coding agent this project is worked on with; decides which models there are and where agents are installed."},
	{Key: "features.*", Kind: Bool,
		Doc: "A feature that is off unless it is named here, such as thinking_partner or global_learnings."},
	{Key: "planning.sub_repos", Kind: List, Default: "[]", Names: []string{"sub_repos"},
		Doc: "Directories that are git repositories of their own."},
}

var branching = []Row{
	{Key: "git.branching_strategy", Kind: Enum, Default: `"none"`, Allowed: []string{"none", "phase", "milestone"}, Names: []string{"branching_strategy"}, Fresh: true,
		Doc: "Whether work goes to a branch per phase, per milestone, or none."},
	{Key: "git.phase_branch_template", Kind: Text, Default: `"gsd/phase-{phase}-{slug}"`, Names: []string{"phase_branch_template"}, Fresh: true,
		Doc: "Name of a phase's branch; {phase} has to be in it."},
	{Key: "git.milestone_branch_template", Kind: Text, Default: `"gsd/{milestone}-{slug}"`, Names: []string{"milestone_branch_template"}, Fresh: true,
		Doc: "Name of a milestone's branch; {milestone} has to be in it."},
	{Key: "git.quick_branch_template", Kind: Text, Default: "null", Names: []string{"quick_branch_template"}, Fresh: true,
		Doc: "Name of a quick task's branch."},
	{Key: "git.base_branch", Kind: Text, Default: "null",
		Doc: "The branch that work is merged into; git's default when it is not set."},
	{Key: "git.create_tag", Kind: Bool, Default: "true",
		Doc: "Tag a milestone when it is completed."},
}

var tools = []Row{
	{Key: "executor.stall_detect_interval_minutes", Kind: Int, Default: "5", Min: 1,
		Doc: "Minutes between two looks at whether an executor still works."},
	{Key: "executor.stall_threshold_minutes", Kind: Int, Default: "10", Min: 1,
		Doc: "Minutes of silence after which an executor counts as stalled."},
	{Key: "hooks.context_warnings", Kind: Bool, Default: "true", Fresh: true,
		Doc: "Tell the agent when its context window runs full."},
	{Key: "hooks.workflow_guard", Kind: Bool, Default: "false",
		Doc: "Advise against edits that no plan asked for."},
	{Key: "hooks.community", Kind: Bool, Default: "false",
		Doc: "Check commit messages, and remind of the state at session starts and phase ends."},
	{Key: "statusline.show_last_command", Kind: Bool, Default: "false",
		Doc: "Show the last command in the status line."},
	{Key: "statusline.context_position", Kind: Enum, Default: `"end"`, Allowed: []string{"front", "end"},
		Doc: "Where the status line shows how full the context window is."},
	{Key: "code_quality.fallow.enabled", Kind: Bool, Default: "false",
		Doc: "Look for dead code with fallow in a code review."},
	{Key: "code_quality.fallow.scope", Kind: Enum, Allowed: []string{"phase", "repo"},
		Doc: "What fallow looks at."},
	{Key: "intel.enabled", Kind: Bool, Default: "false",
		Doc: "Keep an index of the code under intel/."},
	{Key: "graphify.enabled", Kind: Bool, Default: "false",
		Doc: "Use graphify's graph of the code."},
	{Key: "graphify.build_timeout", Kind: Int,
		Doc: "Seconds that building the graph may take."},
	{Key: "manager.flags.discuss", Kind: Text,
		Doc: "Flags that the manager gives to the discuss step."},
	{Key: "manager.flags.plan", Kind: Text,
		Doc: "Flags that the manager gives to the plan step."},
	{Key: "manager.flags.execute", Kind: Text,
		Doc: "Flags that the manager gives to the execute step."},
	{Key: "ship.pr_body_sections", Kind: Array, Default: "[]",
		Doc: "More sections for a pull request's text: {heading, enabled, source, template, fallback}."},
}
