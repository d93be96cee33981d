package settings

import (
	"os"
	"path/filepath"
	"strings"
)

// multiRepo is a key that older projects set instead of naming their
// sub-repositories.
const multiRepo = "multiRepo"

// SubRepos returns the directories of the project that are repositories of
// their own, if the settings say there are any: those on disk, or when the
// disk shows none, those the settings name.
func (s *Settings) SubRepos() []string {
	named := s.List("planning.sub_repos")
	if multi, _ := at(s.merged, multiRepo); multi != true && len(named) == 0 {
		return []string{}
	}
	found := []string{}
	entries, _ := os.ReadDir(s.tx.Root)
	for _, e := range entries {
		if !e.IsDir() || strings.HasPrefix(e.Name(), ".") || e.Name() == "node_modules" {
			continue
		}
		if _, err := os.Stat(filepath.Join(s.tx.Root, e.Name(), ".git")); err == nil {
			found = append(found, e.Name())
		}
	}
	if len(found) == 0 {
		return named
	}
	return found
}
