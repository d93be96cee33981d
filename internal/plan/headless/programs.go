package headless

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"

	"cairn/internal/git"
)

// programs changes with what says which programs git runs in a repository: its hooks,
// its configuration and its attributes. Codex's sandbox has to leave .git open to an agent
// that commits; what the agent leaves there would run outside of the sandbox with the
// next commit or merge of ours.
func programs(root string) string {
	top, ok := git.Top(root)
	if !ok {
		return ""
	}
	_, common := git.Dir(top)
	names := []string{"config", "config.worktree", "info/attributes"}
	for _, pattern := range [...]string{"hooks/*", "worktrees/*/config.worktree"} {
		found, _ := filepath.Glob(filepath.Join(common, filepath.FromSlash(pattern))) // in order
		for _, name := range found {
			rel, _ := filepath.Rel(common, name)
			names = append(names, rel)
		}
	}
	h := sha256.New()
	for _, name := range names {
		file := filepath.Join(common, filepath.FromSlash(name))
		fi, err := os.Stat(file)
		if err != nil {
			continue
		}
		data, _ := os.ReadFile(file)
		fmt.Fprintf(h, "%s %v %d\n%s", name, fi.Mode(), len(data), data)
	}
	return hex.EncodeToString(h.Sum(nil))
}
