package query

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"cairn/internal/git"
	"cairn/internal/must"
	"cairn/internal/plan/agent"
	"cairn/internal/plan/brief"
	"cairn/internal/plan/settings"
	"cairn/internal/runtimes"
)

// projectAgents are those that begin a project or a milestone.
var projectAgents = [...]string{"project-researcher", "research-synthesizer", "roadmapper"}

func (s *starting) projectModels() object {
	return object{
		s.model("researcher", projectAgents[0]), s.model("synthesizer", projectAgents[1]), s.model("roadmapper", projectAgents[2]), s.commitDocs(),
	}
}

// repository is what there is to know about git.
func repository(look *brief.Survey) object {
	return object{{"has_git", look.Git}, {"git_worktree_root", orNull(filepath.ToSlash(look.Top()))}, {"in_nested_subdir", look.Nested}}
}

func initNewProject(s *starting) object {
	look, maps := brief.Look(s.tx.Root), brief.Maps(s.tx)
	services := object{}
	for _, key := range settings.SearchServices() {
		services = services.with(key+"_available", settings.SearchAvailable(key, s.Getenv))
	}
	return s.finish(s.projectModels(), object{
		s.has("project_exists", "PROJECT.md"), {"has_codebase_map", len(maps) > 0}, s.planning(),
		{"has_existing_code", look.Code != ""}, {"has_package_file", len(look.Packages) > 0},
		{"is_brownfield", look.Grown()}, {"needs_codebase_map", look.Grown() && len(maps) == 0},
	}, repository(look), services, s.paths("PROJECT.md"), s.required())
}

// required is which agents a new project needs, and whether they are there and
// have skills of the user's.
func (s *starting) required() object {
	in := agent.Look(s.set, s.tx.Root, s.Getenv)
	runtime := s.set.Text("runtime")
	if runtime == "" {
		runtime = runtimes.Usual().Name
	}
	absent := only(projectAgents[:], func(role string) bool { return slices.Contains(in.Missing, role) })
	skilled := only(projectAgents[:], func(role string) bool {
		return len(s.set.List("agent_skills."+role)) > 0 || len(s.set.List("agent_skills."+oldName(role))) > 0
	})
	return object{
		{"agent_runtime", runtime}, {"agents_dir", in.Dir}, {"required_agents", oldNames(projectAgents[:])},
		{"required_agents_installed", len(absent) == 0}, {"missing_required_agents", oldNames(absent)},
		{"agent_skill_payloads_available", len(skilled) > 0}, {"agent_skill_payload_agents", oldNames(skilled)},
	}
}

func initNewMilestone(s *starting) object {
	m := milestone(s.tx)
	var last, lastName, lastPhases any
	if archive := brief.ArchivedMilestones(s.tx); len(archive) > 0 {
		last, lastName = archive[0].Version, orNull(archive[0].Name)
		lastPhases = s.tx.Path("milestones", archive[0].Version+"-phases")
	}
	return s.finish(s.projectModels(), object{
		s.on("research_enabled", "research"), {"current_milestone", m.Version}, {"current_milestone_name", m.Name},
		{"latest_completed_milestone", last}, {"latest_completed_milestone_name", lastName},
		{"phase_dir_count", len(s.directories("phases"))}, {"phase_archive_path", lastPhases},
	}, s.exist("PROJECT.md", "ROADMAP.md", "STATE.md"), s.paths("PROJECT.md", "ROADMAP.md", "STATE.md"))
}

func initIngestDocs(s *starting) object {
	return s.finish(object{s.has("project_exists", "PROJECT.md"), s.planning()}, repository(brief.Look(s.tx.Root)),
		s.paths("PROJECT.md"), object{s.commitDocs()})
}

func initMapCodebase(s *starting) object {
	maps := brief.Maps(s.tx)
	date, timestamp := times()
	return s.finish(object{
		s.model("mapper", "codebase-mapper"), s.commitDocs(), {"search_gitignored", s.set.Bool("search_gitignored")},
		{"parallelization", s.set.Bool("parallelization")}, {"subagent_timeout", s.set.Int("workflow.subagent_timeout")},
		date, timestamp, {"codebase_dir", s.pathOf("codebase")}, {"existing_maps", list(maps)}, {"has_maps", len(maps) > 0},
		s.planning(), s.has("codebase_dir_exists", "codebase"),
	})
}

func docsInit(s *starting) object {
	d := brief.LookAtDocs(s.tx.Root)
	docs := each(d.Existing, func(f brief.DocFile) object { return object{{"path", f.Path}, {"has_gsd_marker", f.Generated}} })
	return s.withAgents(object{
		s.model("doc_writer", "doc-writer"), s.commitDocs(), {"existing_docs", docs},
		{"project_type", object{
			{"has_package_json", d.Package}, {"has_api_routes", d.API}, {"has_cli_bin", d.CLI}, {"is_open_source", d.OpenSource},
			{"has_deploy_config", d.Deployed}, {"is_monorepo", d.Monorepo}, {"has_tests", d.Tests},
		}},
		{"doc_tooling", object{
			{"docusaurus", d.Docusaurus}, {"vitepress", d.VitePress}, {"mkdocs", d.MkDocs}, {"storybook", d.Storybook},
		}},
		{"monorepo_workspaces", d.Workspaces}, s.planning(),
	})
}

func initNewWorkspace(c *call) result {
	home := must.Get(os.UserHomeDir())
	repos := each(brief.ChildRepos(c.context, c.Root), func(r brief.Repo) object {
		return object{{"name", r.Name}, {"path", r.Dir}, {"has_uncommitted", r.Dirty}}
	})
	_, gitErr := exec.LookPath("git")
	return data(object{
		{"default_workspace_base", brief.SpacesDir(home)}, {"child_repos", repos}, {"child_repo_count", len(repos)},
		{"worktree_available", gitErr == nil}, {"is_git_repo", git.Repo(c.Root)},
		{"cwd_repo_name", filepath.Base(c.Root)},
	})
}

func initListWorkspaces(c *call) result {
	home := must.Get(os.UserHomeDir())
	rows := each(brief.Spaces(home), func(w brief.Workspace) object {
		return object{{"name", w.Name}, {"path", w.Dir}, {"repo_count", len(w.Repos)}, {"strategy", w.Strategy}, {"has_project", w.Project}}
	})
	return data(object{{"workspace_base", brief.SpacesDir(home)}, {"workspaces", rows}, {"workspace_count", len(rows)}})
}

func initRemoveWorkspace(c *call) result {
	w, err := brief.FindSpace(c.context, must.Get(os.UserHomeDir()), c.arg(0))
	require(err == nil, "usage", "Workspace not found: %s (%v)", c.arg(0), err)
	repos := each(w.Repos, func(m brief.Member) object {
		return object{{"name", m.Name}, {"path", filepath.Join(w.Dir, m.Name)}, {"source", orNull(m.Source)}, {"branch", orNull(m.Branch)}}
	})
	dirty := each(only(w.Repos, func(m brief.Member) bool { return m.Dirty }), func(m brief.Member) string { return m.Name })
	return data(object{
		{"workspace_name", w.Name}, {"workspace_path", w.Dir}, {"has_manifest", w.Manifest}, {"strategy", w.Strategy},
		{"repos", repos}, {"repo_count", len(repos)}, {"dirty_repos", dirty}, {"has_dirty_repos", len(dirty) > 0},
	})
}
