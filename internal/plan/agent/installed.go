package agent

import (
	"os"
	"path/filepath"
	"strings"

	"cairn/internal/plan/settings"
)

// Installed is which roles a coding agent can find.
type Installed struct {
	Dir   string // where they are, or would be
	Found bool   // Dir is there and holds at least one
	Roles []string
	// Missing are the roles that are not in Dir, in the order of the table.
	Missing []string
}

// All reports whether no role is missing.
func (i Installed) All() bool { return i.Found && len(i.Missing) == 0 }

// Look finds the roles of the settings' runtime for a project at root: in the
// project's own directory if any is there, else in the user's. GSD_AGENTS_DIR, which the old
// tool knew, stands for both.
func Look(s *settings.Settings, root string, getenv func(string) string) Installed {
	if dir := getenv("GSD_AGENTS_DIR"); dir != "" {
		return look(dir)
	}
	runtime, ok := findRuntime(s.Text("runtime"))
	if !ok {
		runtime, _ = findRuntime(Claude)
	}
	home, err := os.UserHomeDir()
	if err != nil {
		home = root
	}
	var in Installed
	for _, dir := range runtime.agentDirs(root, home, getenv) {
		if in = look(dir); in.Found {
			break
		}
	}
	return in
}

func look(dir string) Installed {
	in := Installed{Dir: dir, Roles: []string{}, Missing: []string{}}
	there := map[string]bool{}
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		name := strings.TrimSuffix(e.Name(), filepath.Ext(e.Name())) // .md or .toml
		name = strings.TrimSuffix(name, ".agent")
		if base := Base(name); base != name {
			there[base] = true
		}
	}
	for _, r := range roles {
		if there[r.Name] {
			in.Roles = append(in.Roles, r.Name)
		} else {
			in.Missing = append(in.Missing, r.Name)
		}
	}
	in.Found = len(in.Roles) > 0
	return in
}
