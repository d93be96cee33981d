package plan

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cairn/internal/git"
)

// maxParents is how far up a project is looked for.
const maxParents = 10

// FindRoot returns the project that dir belongs to: dir itself if it has a
// planning directory; else the main working tree if dir is a linked git
// worktree whose main tree has one; else the nearest parent with one that
// shares a repository with dir or lists its part in sub_repos; else dir. It
// stops at the user's home directory.
func FindRoot(dir string) (string, error) {
	start, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if hasPlanning(start) {
		return start, nil
	}
	if main := mainWorktree(start); main != "" && hasPlanning(main) {
		return main, nil
	}
	home, _ := os.UserHomeDir()
	inGit := exists(filepath.Join(start, ".git"))
	if start == home {
		return start, nil
	}
	for up, n := filepath.Dir(start), 0; n < maxParents && up != home; up, n = filepath.Dir(up), n+1 {
		inGit = inGit || exists(filepath.Join(up, ".git"))
		if hasPlanning(up) && (inGit || isSubRepo(up, start)) {
			return up, nil
		}
		if up == filepath.Dir(up) {
			break
		}
	}
	return start, nil
}

func hasPlanning(dir string) bool {
	fi, err := os.Stat(filepath.Join(dir, Planning))
	return err == nil && fi.IsDir()
}

// mainWorktree returns the main working tree of the linked git worktree dir,
// or "".
func mainWorktree(dir string) string {
	gitDir, common := git.Dir(dir)
	if gitDir == common || filepath.Base(common) != ".git" {
		return ""
	}
	return filepath.Dir(common)
}

// isSubRepo reports whether root's config names the directory under root that
// start is in.
func isSubRepo(root, start string) bool {
	var config struct {
		SubRepos []string `json:"sub_repos"`
		Planning struct {
			SubRepos []string `json:"sub_repos"`
		} `json:"planning"`
	}
	b, err := ReadFile(filepath.Join(root, Planning, "config.json"))
	if err != nil || json.Unmarshal(b, &config) != nil {
		return false
	}
	rel, err := filepath.Rel(root, start)
	if err != nil {
		return false
	}
	first, _, _ := strings.Cut(filepath.ToSlash(rel), "/")
	return slices.Contains(config.SubRepos, first) || slices.Contains(config.Planning.SubRepos, first)
}

func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}
