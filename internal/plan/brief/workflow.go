package brief

import (
	"path"
	"strings"

	"cairn/internal/plan"
	"cairn/internal/plan/item"
)

// workflow is a name and what gathers its brief.
type workflow struct {
	name   string
	gather func(*builder) error
}

// workflows returns them in the order of a project's life.
func workflows() []workflow {
	return []workflow{
		{"new-project", newProject},
		{"ingest-docs", ingestDocs},
		{"map-codebase", mapCodebase},
		{"new-milestone", newMilestone},
		{"phase-op", phaseOp},
		{"plan-phase", planPhase},
		{"execute-phase", executePhase},
		{"verify-work", verifyWork},
		{"milestone-op", milestoneOp},
		{"progress", progress},
		{"manager", manager},
		{"resume", resume},
		{"quick", quick},
		{"todos", todos},
		{"docs-init", docsInit},
		{"new-workspace", newWorkspace},
		{"list-workspaces", listWorkspaces},
		{"remove-workspace", removeWorkspace},
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

func newProject(b *builder) error {
	b.agents("project-researcher", "research-synthesizer", "roadmapper")
	b.set("commit_docs", "mode")
	b.documents("PROJECT.md", "ROADMAP.md")
	b.Code, b.Unwritten = Look(b.tx.Root), unwritten(b.tx)
	var err error
	b.Maps, err = Maps(b.tx)
	return err
}

func ingestDocs(b *builder) error {
	b.set("commit_docs")
	b.documents("PROJECT.md", "REQUIREMENTS.md", "ROADMAP.md")
	b.Code, b.Unwritten = Look(b.tx.Root), unwritten(b.tx)
	return nil
}

func mapCodebase(b *builder) error {
	b.agents("codebase-mapper")
	b.set("commit_docs", "search_gitignored", "parallelization", "intel.enabled", "workflow.subagent_timeout")
	b.documents("PROJECT.md")
	b.Code, b.Unwritten = Look(b.tx.Root), unwritten(b.tx)
	var err error
	b.Maps, err = Maps(b.tx)
	return err
}

// Maps returns the documents of the codebase map, by name.
func Maps(tx *plan.Tx) ([]string, error) {
	entries, err := tx.ReadDir(tx.Shared("codebase"))
	var out []string
	for _, e := range entries {
		if !e.Dir && strings.HasSuffix(e.Name, ".md") {
			out = append(out, e.Name)
		}
	}
	return out, err
}

func newMilestone(b *builder) (err error) {
	b.agents("project-researcher", "research-synthesizer", "roadmapper")
	b.set("commit_docs", "mode", "workflow.research")
	b.documents("PROJECT.md", "REQUIREMENTS.md", "ROADMAP.md", "STATE.md", "MILESTONES.md")
	if err := b.milestone(); err != nil {
		return err
	}
	if b.Archive, err = ArchivedMilestones(b.tx); err != nil {
		return err
	}
	b.Phases, err = Steps(b.tx)
	return err
}

func phaseOp(b *builder) error {
	b.set("mode", "commit_docs", "brave_search", "firecrawl", "exa_search", "features.thinking_partner", "workflow.discuss_mode",
		"workflow.text_mode", "workflow.research_before_questions", "workflow.max_discuss_passes", "workflow.auto_advance")
	b.documents("PROJECT.md", "REQUIREMENTS.md", "ROADMAP.md", "STATE.md")
	return b.phase()
}

func planPhase(b *builder) error {
	b.agents("phase-researcher", "planner", "plan-checker", "pattern-mapper")
	b.set("mode", "commit_docs", "context_window", "workflow.research", "workflow.plan_check", "workflow.nyquist_validation",
		"workflow.pattern_mapper", "workflow.context_coverage_gate", "workflow.tdd_mode", "workflow.mvp_mode", "workflow.ui_safety_gate",
		"workflow.auto_advance", "workflow._auto_chain_active")
	b.documents("PROJECT.md", "REQUIREMENTS.md", "ROADMAP.md", "STATE.md")
	return b.phase()
}

func executePhase(b *builder) error {
	b.agents("executor", "verifier")
	b.set("mode", "commit_docs", "context_window", "parallelization", "planning.sub_repos", "git.branching_strategy", "workflow.tdd_mode",
		"workflow.verifier", "workflow.use_worktrees", "workflow.worktree_skip_hooks", "workflow.node_repair", "workflow.node_repair_budget",
		"workflow.inline_plan_threshold", "workflow.cross_ai_execution", "workflow.cross_ai_command", "workflow.cross_ai_timeout",
		"workflow.build_command", "workflow.test_command", "workflow.code_review", "workflow.human_verify_mode", "workflow.auto_advance",
		"executor.stall_detect_interval_minutes", "executor.stall_threshold_minutes")
	b.documents("PROJECT.md", "ROADMAP.md", "STATE.md", "config.json")
	if err := b.milestone(); err != nil {
		return err
	}
	return b.phase()
}

func verifyWork(b *builder) error {
	b.agents("planner", "plan-checker", "debugger", "verifier")
	b.set("mode", "commit_docs", "workflow.human_verify_mode", "workflow.verifier", "workflow.security_enforcement", "workflow.auto_advance")
	return b.phase()
}

func milestoneOp(b *builder) (err error) {
	b.set("mode", "commit_docs", "git.create_tag", "git.branching_strategy", "git.base_branch")
	b.documents("PROJECT.md", "REQUIREMENTS.md", "ROADMAP.md", "STATE.md", "MILESTONES.md")
	if err := b.milestone(); err != nil {
		return err
	}
	if b.Archive, err = ArchivedMilestones(b.tx); err != nil {
		return err
	}
	b.Phases, err = Steps(b.tx)
	return err
}

func progress(b *builder) (err error) {
	b.set("commit_docs")
	b.documents("PROJECT.md", "ROADMAP.md", "STATE.md", "config.json")
	if err := b.milestone(); err != nil {
		return err
	}
	if b.Phases, _, err = Board(b.tx); err != nil {
		return err
	}
	return b.outlook(b.Phases)
}

func manager(b *builder) (err error) {
	for _, name := range []string{"ROADMAP.md", "STATE.md"} {
		if !b.tx.Has(b.tx.Path(name)) {
			return &plan.InputError{Path: b.tx.Path(name), What: "is not there, and a manager needs it"}
		}
	}
	b.set("manager.flags.discuss", "manager.flags.plan", "manager.flags.execute")
	b.documents("PROJECT.md", "ROADMAP.md", "STATE.md")
	if err := b.milestone(); err != nil {
		return err
	}
	if b.Phases, b.Actions, err = Board(b.tx); err != nil {
		return err
	}
	b.Session, err = readSession(b.tx, b.Phases)
	return err
}

func resume(b *builder) error {
	b.set("commit_docs")
	b.documents("PROJECT.md", "ROADMAP.md", "STATE.md")
	steps, _, err := Board(b.tx)
	if err != nil {
		return err
	}
	return b.outlook(steps)
}

// outlook adds where the last session stopped and what to do next.
func (b *builder) outlook(steps []Step) (err error) {
	if b.Session, err = readSession(b.tx, steps); err != nil {
		return err
	}
	b.Next, err = decide(b.tx, steps, b.Session)
	return err
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
func (b *builder) planQuick() *QuickTask {
	q := &QuickTask{
		ID: item.QuickID(b.request.Now), Slug: item.QuickSlug(b.request.Subject), Description: b.request.Subject,
	}
	q.Directory = path.Join(item.Quick.Dir(b.tx.Workspace), strings.TrimSuffix(q.ID+"-"+q.Slug, "-"))
	q.Branch = QuickBranch(b.settings.Text("git.quick_branch_template"), q.ID, q.Slug)
	return q
}

// QuickBranch fills the template of a quick task's branch; "" for none.
func QuickBranch(template, id, slug string) string {
	if slug == "" {
		slug = "quick"
	}
	return strings.NewReplacer("{quick}", id, "{num}", id, "{slug}", slug).Replace(template)
}

func quick(b *builder) error {
	b.agents("planner", "executor", "plan-checker", "verifier", "phase-researcher")
	b.set("commit_docs", "workflow.use_worktrees", "workflow.node_repair_budget", "git.quick_branch_template")
	b.documents("ROADMAP.md", "STATE.md")
	b.Quick = b.planQuick()
	return nil
}

func todos(b *builder) error {
	b.set("commit_docs")
	found, err := item.Open(b.tx, item.Todo)
	for _, it := range found {
		if b.request.Subject == "" || strings.EqualFold(it.Area, b.request.Subject) {
			b.Todos = append(b.Todos, it)
		}
	}
	return err
}

func docsInit(b *builder) error {
	b.agents("doc-writer", "doc-verifier")
	b.set("mode", "commit_docs")
	b.Docs = LookAtDocs(b.tx.Root)
	return nil
}

func newWorkspace(b *builder) error {
	b.Repos = ChildRepos(b.request.Context, b.tx.Root)
	b.Spaces = Spaces(b.request.Home)
	return nil
}

func listWorkspaces(b *builder) error {
	b.Spaces = Spaces(b.request.Home)
	return nil
}

func removeWorkspace(b *builder) error {
	if b.request.Subject == "" {
		return &SubjectError{b.Workflow, "the name of a workspace"}
	}
	w, err := FindSpace(b.request.Context, b.request.Home, b.request.Subject)
	b.Workspace = &w
	return err
}
