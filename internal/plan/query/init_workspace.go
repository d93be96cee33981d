package query

import (
	"os"
	"os/exec"
	"path/filepath"

	"cairn/internal/git"
	"cairn/internal/plan/brief"
)

func initNewWorkspace(c *call) (result, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return result{}, err
	}
	repos := []object{}
	for _, r := range brief.ChildRepos(c.context, c.Root) {
		repos = append(repos, object{{"name", r.Name}, {"path", r.Dir}, {"has_uncommitted", r.Dirty}})
	}
	_, gitErr := exec.LookPath("git")
	return data(object{
		{"default_workspace_base", brief.SpacesDir(home)}, {"child_repos", repos}, {"child_repo_count", len(repos)},
		{"worktree_available", gitErr == nil}, {"is_git_repo", git.Repo(c.Root)},
		{"cwd_repo_name", filepath.Base(c.Root)},
	}), nil
}

func initListWorkspaces(c *call) (result, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return result{}, err
	}
	rows := []object{}
	for _, w := range brief.Spaces(home) {
		rows = append(rows, object{
			{"name", w.Name}, {"path", w.Dir}, {"repo_count", len(w.Repos)}, {"strategy", w.Strategy}, {"has_project", w.Project},
		})
	}
	return data(object{{"workspace_base", brief.SpacesDir(home)}, {"workspaces", rows}, {"workspace_count", len(rows)}}), nil
}

func initRemoveWorkspace(c *call) (result, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return result{}, err
	}
	w, err := brief.FindSpace(c.context, home, c.arg(0))
	if err != nil {
		return result{}, fail("usage", "Workspace not found: %s (%v)", c.arg(0), err)
	}
	repos, dirty := []object{}, []string{}
	for _, m := range w.Repos {
		repos = append(repos, object{
			{"name", m.Name}, {"path", filepath.Join(w.Dir, m.Name)}, {"source", orNull(m.Source)}, {"branch", orNull(m.Branch)},
		})
		if m.Dirty {
			dirty = append(dirty, m.Name)
		}
	}
	return data(object{
		{"workspace_name", w.Name}, {"workspace_path", w.Dir}, {"has_manifest", w.Manifest}, {"strategy", w.Strategy},
		{"repos", repos}, {"repo_count", len(repos)}, {"dirty_repos", dirty}, {"has_dirty_repos", len(dirty) > 0},
	}), nil
}
