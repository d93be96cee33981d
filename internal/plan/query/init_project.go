package query

import (
	"path/filepath"
	"slices"

	"cairn/internal/plan/agent"
	"cairn/internal/plan/brief"
	"cairn/internal/plan/settings"
	"cairn/internal/runtimes"
)

// projectAgents are those that begin a project or a milestone.
func projectAgents() []string {
	return []string{"project-researcher", "research-synthesizer", "roadmapper"}
}

func (s *starting) projectModels() object {
	return object{
		{"researcher_model", s.model("project-researcher")}, {"synthesizer_model", s.model("research-synthesizer")},
		{"roadmapper_model", s.model("roadmapper")}, s.commitDocs(),
	}
}

// repository adds what there is to know about git.
func repository(o object, look *brief.Survey) object {
	return append(o, member{"has_git", look.Git}, member{"git_worktree_root", orNull(filepath.ToSlash(look.Top()))}, member{"in_nested_subdir", look.Nested})
}

func initNewProject(s *starting) (object, error) {
	look := brief.Look(s.Tx.Root)
	maps, err := brief.Maps(s.Tx)
	if err != nil {
		return nil, err
	}
	o := append(s.projectModels(),
		s.has("project_exists", "PROJECT.md"), member{"has_codebase_map", len(maps) > 0}, s.planning(),
		member{"has_existing_code", look.Code != ""}, member{"has_package_file", len(look.Packages) > 0},
		member{"is_brownfield", look.Grown()}, member{"needs_codebase_map", look.Grown() && len(maps) == 0},
	)
	o = repository(o, look)
	for _, key := range settings.SearchServices() {
		o = o.with(key+"_available", settings.SearchAvailable(key, s.Getenv))
	}
	o = append(o, s.file("project_path", "PROJECT.md"))
	return s.finish(s.projectAgents(o)), nil
}

// projectAgents adds which agents a new project needs, and whether they are
// there and have skills of the user's.
func (s *starting) projectAgents(o object) object {
	in := agent.Look(s.set, s.Tx.Root, s.Getenv)
	runtime := s.set.Text("runtime")
	if runtime == "" {
		runtime = runtimes.Usual().Name
	}
	missing, skilled := []string{}, []string{}
	for _, role := range projectAgents() {
		if slices.Contains(in.Missing, role) {
			missing = append(missing, oldName(role))
		}
		for _, name := range []string{role, oldName(role)} {
			if len(s.set.List("agent_skills."+name)) > 0 {
				skilled = append(skilled, oldName(role))
				break
			}
		}
	}
	return append(o,
		member{"agent_runtime", runtime}, member{"agents_dir", in.Dir}, member{"required_agents", oldNames(projectAgents())},
		member{"required_agents_installed", len(missing) == 0}, member{"missing_required_agents", missing},
		member{"agent_skill_payloads_available", len(skilled) > 0}, member{"agent_skill_payload_agents", skilled},
	)
}

func initNewMilestone(s *starting) (object, error) {
	m, err := milestone(s.Tx)
	if err != nil {
		return nil, err
	}
	archive, err := brief.ArchivedMilestones(s.Tx)
	if err != nil {
		return nil, err
	}
	entries, err := s.Tx.ReadDir(s.Tx.Path("phases"))
	if err != nil {
		return nil, err
	}
	dirs := 0
	for _, e := range entries {
		if e.Dir {
			dirs++
		}
	}
	var last, lastName, lastPhases any
	if len(archive) > 0 {
		last, lastName = archive[0].Version, orNull(archive[0].Name)
		lastPhases = s.Tx.Path("milestones", archive[0].Version+"-phases")
	}
	return s.finish(append(s.projectModels(),
		member{"research_enabled", s.on("research")},
		member{"current_milestone", m.Version}, member{"current_milestone_name", m.Name},
		member{"latest_completed_milestone", last}, member{"latest_completed_milestone_name", lastName},
		member{"phase_dir_count", dirs}, member{"phase_archive_path", lastPhases},
		s.has("project_exists", "PROJECT.md"), s.has("roadmap_exists", "ROADMAP.md"), s.has("state_exists", "STATE.md"),
		s.file("project_path", "PROJECT.md"), s.file("roadmap_path", "ROADMAP.md"), s.file("state_path", "STATE.md"),
	)), nil
}

func initIngestDocs(s *starting) (object, error) {
	o := repository(object{s.has("project_exists", "PROJECT.md"), s.planning()}, brief.Look(s.Tx.Root))
	return s.finish(append(o, s.file("project_path", "PROJECT.md"), s.commitDocs())), nil
}

func initMapCodebase(s *starting) (object, error) {
	maps, err := brief.Maps(s.Tx)
	if err != nil {
		return nil, err
	}
	date, timestamp := times()
	return s.finish(object{
		{"mapper_model", s.model("codebase-mapper")}, s.commitDocs(), {"search_gitignored", s.set.Bool("search_gitignored")},
		{"parallelization", s.set.Bool("parallelization")}, {"subagent_timeout", s.set.Int("workflow.subagent_timeout")},
		date, timestamp, s.file("codebase_dir", "codebase"), {"existing_maps", list(maps)}, {"has_maps", len(maps) > 0},
		s.planning(), s.has("codebase_dir_exists", "codebase"),
	}), nil
}

func docsInit(s *starting) (object, error) {
	d := brief.LookAtDocs(s.Tx.Root)
	docs := []object{}
	for _, f := range d.Existing {
		docs = append(docs, object{{"path", f.Path}, {"has_gsd_marker", f.Generated}})
	}
	o := object{
		{"doc_writer_model", s.model("doc-writer")}, s.commitDocs(), {"existing_docs", docs},
		{"project_type", object{
			{"has_package_json", d.Package}, {"has_api_routes", d.API}, {"has_cli_bin", d.CLI}, {"is_open_source", d.OpenSource},
			{"has_deploy_config", d.Deployed}, {"is_monorepo", d.Monorepo}, {"has_tests", d.Tests},
		}},
		{"doc_tooling", object{
			{"docusaurus", d.Docusaurus}, {"vitepress", d.VitePress}, {"mkdocs", d.MkDocs}, {"storybook", d.Storybook},
		}},
		{"monorepo_workspaces", d.Workspaces}, s.planning(),
	}
	return s.withAgents(o.with("project_root", s.Tx.Root), s.set), nil
}
