package brief

import (
	"context"
	"path"
	"strings"

	"cairn/internal/must"
	"cairn/internal/plan"
	"cairn/internal/plan/item"
	"cairn/internal/plan/lifecycle"
)

// workflow is what its brief tells of: roles, settings and documents, by their
// names, and what gather adds.
type workflow struct {
	name, agents, settings, documents string
	gather                            func(*builder)
}

// workflows returns them in the order of a project's life.
func workflows() []workflow {
	return []workflow{
		{"new-project", "project-researcher research-synthesizer roadmapper", "commit_docs mode",
			"PROJECT.md ROADMAP.md", func(b *builder) { b.survey(); b.maps() }},
		{"ingest-docs", "", "commit_docs", "PROJECT.md REQUIREMENTS.md ROADMAP.md", (*builder).survey},
		{"map-codebase", "codebase-mapper", "commit_docs search_gitignored parallelization intel.enabled workflow.subagent_timeout",
			"PROJECT.md", func(b *builder) { b.survey(); b.maps() }},
		{"new-milestone", "project-researcher research-synthesizer roadmapper", "commit_docs mode workflow.research",
			"PROJECT.md REQUIREMENTS.md ROADMAP.md STATE.md MILESTONES.md", (*builder).milestones},
		{"phase-op", "", "mode commit_docs brave_search firecrawl exa_search features.thinking_partner workflow.discuss_mode " +
			"workflow.text_mode workflow.research_before_questions workflow.max_discuss_passes workflow.auto_advance",
			"PROJECT.md REQUIREMENTS.md ROADMAP.md STATE.md", func(b *builder) { b.phase(); b.earlier() }},
		{"plan-phase", "phase-researcher planner plan-checker pattern-mapper",
			"mode commit_docs context_window workflow.research workflow.plan_check workflow.nyquist_validation " +
				"workflow.pattern_mapper workflow.context_coverage_gate workflow.tdd_mode workflow.mvp_mode workflow.ui_safety_gate " +
				"workflow.auto_advance workflow._auto_chain_active",
			"PROJECT.md REQUIREMENTS.md ROADMAP.md STATE.md", func(b *builder) { b.phase(); b.earlier() }},
		{"execute-phase", "executor verifier",
			"mode commit_docs context_window parallelization planning.sub_repos git.branching_strategy workflow.tdd_mode " +
				"workflow.verifier workflow.uat workflow.use_worktrees workflow.worktree_skip_hooks workflow.node_repair workflow.node_repair_budget " +
				"workflow.inline_plan_threshold workflow.cross_ai_execution workflow.cross_ai_command workflow.cross_ai_timeout " +
				"workflow.build_command workflow.test_command workflow.code_review workflow.human_verify_mode workflow.auto_advance " +
				"executor.stall_detect_interval_minutes executor.stall_threshold_minutes",
			"PROJECT.md ROADMAP.md STATE.md config.json", func(b *builder) { b.milestone(); b.phase() }},
		{"verify-work", "planner plan-checker debugger verifier",
			"mode commit_docs workflow.human_verify_mode workflow.verifier workflow.security_enforcement workflow.auto_advance",
			"", (*builder).phase},
		{"milestone-op", "", "mode commit_docs git.create_tag git.branching_strategy git.base_branch",
			"PROJECT.md REQUIREMENTS.md ROADMAP.md STATE.md MILESTONES.md", (*builder).milestones},
		{"progress", "", "commit_docs", "PROJECT.md ROADMAP.md STATE.md config.json", (*builder).progress},
		{"manager", "", "manager.flags.discuss manager.flags.plan manager.flags.execute", "PROJECT.md ROADMAP.md STATE.md", (*builder).board},
		{"resume", "", "commit_docs", "PROJECT.md ROADMAP.md STATE.md", (*builder).resume},
		{"quick", "planner executor plan-checker verifier phase-researcher",
			"commit_docs workflow.use_worktrees workflow.node_repair_budget git.quick_branch_template",
			"ROADMAP.md STATE.md", (*builder).planQuick},
		{"todos", "", "commit_docs", "", (*builder).todos},
		{"docs-init", "doc-writer doc-verifier", "mode commit_docs", "", func(b *builder) { b.Docs = LookAtDocs(b.tx.Root) }},
		{"new-workspace", "", "", "", func(b *builder) {
			b.Repos = ChildRepos(b.request.Context, b.tx.Root)
			b.Spaces = Spaces(b.request.Home)
		}},
		{"list-workspaces", "", "", "", func(b *builder) { b.Spaces = Spaces(b.request.Home) }},
		{"remove-workspace", "", "", "", (*builder).workspace},
	}
}

// Workflows returns the names of all that have a brief.
func Workflows() []string {
	var out []string
	for _, w := range workflows() {
		out = append(out, w.name)
	}
	return out
}

func (b *builder) survey() {
	b.Code = Look(b.tx.Root)
	for _, u := range b.tx.Unfilled() {
		b.Unwritten = append(b.Unwritten, u.Path)
	}
}

func (b *builder) maps() { b.Maps = Maps(b.tx) }

// Maps returns the documents of the codebase map, by name.
func Maps(tx *plan.Tx) []string {
	var out []string
	for _, e := range tx.ReadDir(tx.Shared("codebase")) {
		if !e.Dir && strings.HasSuffix(e.Name, ".md") {
			out = append(out, e.Name)
		}
	}
	return out
}

func (b *builder) milestones() {
	b.milestone()
	b.Archive, b.Phases = ArchivedMilestones(b.tx), Steps(b.tx)
}

func (b *builder) progress() {
	b.milestone()
	b.Phases, _ = Board(b.tx)
	b.outlook(b.Phases)
}

func (b *builder) board() {
	for _, name := range []string{"ROADMAP.md", "STATE.md"} {
		if !b.tx.Has(b.tx.Path(name)) {
			must.Fail(&plan.InputError{Path: b.tx.Path(name), What: "is not there, and a manager needs it"})
		}
	}
	b.milestone()
	b.Phases, b.Actions = Board(b.tx)
	b.Session = readSession(b.tx, b.Phases)
}

func (b *builder) resume() {
	steps, _ := Board(b.tx)
	b.outlook(steps)
}

// outlook adds where the last session stopped and what to do next.
func (b *builder) outlook(steps []Step) {
	b.Session = readSession(b.tx, steps)
	b.Next = decide(lifecycle.New(context.Background(), b.tx), steps, b.Session)
}

// QuickTask is what a new quick task will be called.
type QuickTask struct {
	ID          string `json:"id"`
	Slug        string `json:"slug,omitempty"`
	Description string `json:"description,omitempty"`
	Directory   string `json:"directory"`
	Branch      string `json:"branch,omitempty"`
}

// planQuick names a quick task that begins now.
func (b *builder) planQuick() {
	q := &QuickTask{
		ID: item.QuickID(b.request.Now), Slug: item.QuickSlug(b.request.Subject), Description: b.request.Subject,
	}
	q.Directory = path.Join(item.Quick.Dir(b.tx.Workspace), strings.TrimSuffix(q.ID+"-"+q.Slug, "-"))
	q.Branch = QuickBranch(b.settings.Text("git.quick_branch_template"), q.ID, q.Slug)
	b.Quick = q
}

// QuickBranch fills the template of a quick task's branch; "" for none.
func QuickBranch(template, id, slug string) string {
	if slug == "" {
		slug = "quick"
	}
	return strings.NewReplacer("{quick}", id, "{num}", id, "{slug}", slug).Replace(template)
}

func (b *builder) todos() {
	for _, it := range item.Open(b.tx, item.Todo) {
		if b.request.Subject == "" || strings.EqualFold(it.Area, b.request.Subject) {
			b.Todos = append(b.Todos, it)
		}
	}
}

func (b *builder) workspace() {
	if b.request.Subject == "" {
		must.OK(&SubjectError{b.Workflow, "the name of a workspace"})
	}
	w := must.Get(FindSpace(b.request.Context, b.request.Home, b.request.Subject))
	b.Workspace = &w
}
