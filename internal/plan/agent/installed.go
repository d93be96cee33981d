package agent

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cairn/internal/plan/settings"
	"cairn/internal/runtimes"
)

// Installed is which roles a coding agent can find.
type Installed struct {
	Dir   string // where they are, or would be; "" for a runtime that has no agents
	Found bool   // Dir is there and holds at least one
	Roles []string
	// Missing are the roles that are not in Dir, in the order of the table.
	Missing []string
}

// All reports whether no role is missing.
func (i Installed) All() bool { return i.Found && len(i.Missing) == 0 }

// Core returns the roles that the smallest profile of commands needs; a test
// of package content holds the list to the prompts.
func Core() []string { return core[:] }

// Standing reports whether a role is installed as an agent of its own. A coding agent lists
// the agents that it knows to its model in every request, so only those of the main path
// are; Any stands in for the others.
func Standing(role string) bool { return slices.Contains(standing[:], Base(role)) }

var standing = [...]string{"executor", "phase-researcher", "plan-checker", "planner", "verifier"}

// Any is the agent that plays the role it is given.
const Any = "role"

// Name returns the agent that plays a role, as it is installed.
func Name(role string) string {
	if !Standing(role) {
		role = Any
	}
	return "cairn-" + Base(role)
}

var core = [...]string{
	"advisor-researcher", "assumptions-analyzer", "debugger", "executor", "pattern-mapper", "phase-researcher",
	"plan-checker", "planner", "project-researcher", "research-synthesizer", "roadmapper", "verifier",
}

// Look finds the roles of the settings' runtime for a project at root: in the
// project's own directory if any is there, else in the user's. Where the
// settings name no runtime, any that has roles will do. GSD_AGENTS_DIR, which
// the old tool knew, stands for all of them.
func Look(s *settings.Settings, root string, getenv func(string) string) Installed {
	if dir := getenv("GSD_AGENTS_DIR"); dir != "" {
		return look(dir)
	}
	home := userHome(root, getenv)
	runtime, ok := runtimes.Find(s.Text("runtime"))
	if !ok {
		runtime = runtimes.Usual()
	}
	in := lookIn(runtime, root, home, getenv)
	if s.Text("runtime") != "" {
		return in
	}
	for _, other := range runtimes.All() {
		if in.Found {
			break
		}
		if found := lookIn(other, root, home, getenv); found.Found && found.Dir != "" {
			return found
		}
	}
	return in
}

func userHome(root string, getenv func(string) string) string {
	if dir := getenv("HOME"); dir != "" {
		return dir
	}
	if dir, err := os.UserHomeDir(); err == nil {
		return dir
	}
	return root
}

// lookIn finds the roles of one runtime, in the project and then in its own
// directory. One that has no agents misses none.
func lookIn(r *runtimes.Runtime, root, home string, getenv func(string) string) Installed {
	if r.Agents == "" {
		return Installed{Found: true, Roles: []string{}, Missing: []string{}}
	}
	var in Installed
	for _, dir := range [...]string{filepath.Join(root, r.LocalDir), r.Dir(home, getenv)} {
		if in = look(filepath.Join(dir, r.Agents)); in.Found {
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
		if there[r.Name] || there[Any] && !Standing(r.Name) {
			in.Roles = append(in.Roles, r.Name)
		} else {
			in.Missing = append(in.Missing, r.Name)
		}
	}
	in.Found = len(in.Roles) > 0
	return in
}
