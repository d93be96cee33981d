package agent

import (
	"path"
	"path/filepath"
	"slices"
	"testing"

	"cairn/internal/host"
)

// Both tables of coding agents name the same ones and the same directories.
func TestRuntimesAreHosts(t *testing.T) {
	var names []string
	for _, r := range runtimes {
		names = append(names, r.Name)
		h, ok := host.Find(r.Name)
		if !ok || r.Env != h.ConfigDirEnv || r.Sub != h.ConfigDirSub || r.Home != h.ConfigDir || r.Local != h.LocalDir {
			t.Errorf("%+v; as a host it has $%s/%s, %s and %s", r, h.ConfigDirEnv, h.ConfigDirSub, h.ConfigDir, h.LocalDir)
		}
		if at := h.Prompts.Agent.Path; at != "" && path.Dir(at) != r.Agents || at == "" && r.Agents != "" {
			t.Errorf("%s: agents are looked for in %q, and written to %q", r.Name, r.Agents, at)
		}
	}
	for _, name := range host.Names() {
		if !slices.Contains(names, name) {
			t.Errorf("%s is a host and no runtime", name)
		}
	}
}

func TestAgentDirsMoved(t *testing.T) {
	gemini, _ := findRuntime("gemini")
	getenv := func(name string) string { return map[string]string{"GEMINI_CLI_HOME": "/moved"}[name] }
	want := []string{filepath.FromSlash("/p/.gemini/agents"), filepath.FromSlash("/moved/.gemini/agents")}
	if got := gemini.agentDirs(filepath.FromSlash("/p"), filepath.FromSlash("/home"), getenv); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
