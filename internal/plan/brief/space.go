package brief

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"cairn/internal/git"
	"cairn/internal/plan"
	"cairn/internal/plan/doc"
)

// Workspace is a directory beside the projects that holds working copies of
// several repositories for one piece of work. Its WORKSPACE.md says which.
type Workspace struct {
	Name     string   `json:"name"`
	Manifest bool     `json:"manifest"` // there is a WORKSPACE.md
	Strategy string   `json:"strategy"` // worktree or clone; unknown without a manifest
	Project  bool     `json:"project"`  // there is a plan in it
	Repos    []Member `json:"repositories"`
	Dir      string   `json:"-"` // absolute
}

// Member is a repository of a Workspace.
type Member struct {
	Name   string `json:"name"`
	Source string `json:"source,omitempty"`
	Branch string `json:"branch,omitempty"`
	Dirty  bool   `json:"dirty"` // has changes that are not committed
}

// Repo is a git repository in a directory.
type Repo struct {
	Name  string `json:"name"`
	Dirty bool   `json:"dirty"`
	Dir   string `json:"-"`
}

// SpacesDir returns where workspaces are made, in the user's directory.
func SpacesDir(home string) string { return filepath.Join(home, "gsd-workspaces") }

// Spaces returns the workspaces, by name. It starts no git.
func Spaces(home string) []Workspace {
	out := []Workspace{}
	entries, _ := os.ReadDir(SpacesDir(home))
	for _, e := range entries {
		if w := readSpace(filepath.Join(SpacesDir(home), e.Name())); e.IsDir() && w.Manifest {
			out = append(out, w)
		}
	}
	return out
}

// FindSpace returns one workspace and which of its repositories are dirty.
func FindSpace(ctx context.Context, home, name string) (Workspace, error) {
	if name != filepath.Base(name) || strings.ContainsAny(name, `/\`) || strings.HasPrefix(name, ".") {
		return Workspace{}, &plan.InputError{Path: "workspace " + name, What: "is a path, and not the name of a workspace"}
	}
	dir := filepath.Join(SpacesDir(home), name)
	if fi, err := os.Stat(dir); err != nil || !fi.IsDir() {
		return Workspace{}, &plan.InputError{What: "there is no workspace " + name}
	}
	w := readSpace(dir)
	for i, m := range w.Repos {
		w.Repos[i].Dirty = dirty(ctx, filepath.Join(dir, m.Name))
	}
	return w, nil
}

func readSpace(dir string) Workspace {
	w := Workspace{Name: filepath.Base(dir), Dir: dir, Strategy: "unknown", Repos: []Member{}}
	_, err := os.Stat(filepath.Join(dir, plan.Planning, "PROJECT.md"))
	w.Project = err == nil
	b, err := plan.ReadFile(filepath.Join(dir, "WORKSPACE.md"))
	if err != nil {
		return w
	}
	w.Manifest = true
	t := doc.Parse(b)
	if f, ok := t.Field(0, t.Len(), "Strategy"); ok && f.Value != "" {
		w.Strategy = f.Value
	}
	for _, table := range t.Tables(0, t.Len()) {
		column := table.Column("Repo", "Repository", "Name")
		if column < 0 {
			continue
		}
		for i := range table.Rows {
			name := table.Cell(i, column)
			if name == filepath.Base(name) && name != "" && !strings.HasPrefix(name, ".") {
				w.Repos = append(w.Repos, Member{
					Name: name, Source: table.Cell(i, table.Column("Source")), Branch: table.Cell(i, table.Column("Branch")),
				})
			}
		}
	}
	return w
}

// ChildRepos returns the git repositories right under a directory.
func ChildRepos(ctx context.Context, dir string) []Repo {
	out := []Repo{}
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if !e.IsDir() || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		child := filepath.Join(dir, e.Name())
		if _, err := os.Lstat(filepath.Join(child, ".git")); err == nil {
			out = append(out, Repo{Name: e.Name(), Dirty: dirty(ctx, child), Dir: child})
		}
	}
	return out
}

func dirty(ctx context.Context, dir string) bool {
	out, err := git.Run(ctx, dir, "status", "--porcelain")
	return err == nil && out != ""
}
