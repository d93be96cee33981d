package runtimes_test

import (
	"path"
	"path/filepath"
	"slices"
	"testing"

	"cairn/internal/host"
	"cairn/internal/runtimes"
)

// Each runtime is a host, and its agents are looked for where install writes them.
func TestRuntimesAreHosts(t *testing.T) {
	var names []string
	for _, r := range runtimes.All() {
		names = append(names, r.Name)
		h, ok := host.Find(r.Name)
		if !ok {
			t.Errorf("%s is a runtime and no host", r.Name)
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
	if runtimes.Usual().Name != host.Names()[0] {
		t.Errorf("%s is the usual runtime", runtimes.Usual().Name)
	}
}

func TestDir(t *testing.T) {
	gemini, _ := runtimes.Find("Gemini")
	moved := func(name string) string { return map[string]string{"GEMINI_CLI_HOME": "/moved"}[name] }
	unset := func(string) string { return "" }
	for _, test := range []struct {
		home   string
		getenv func(string) string
		want   string
	}{
		{"/home/dev", unset, "/home/dev/.gemini"}, {"/home/dev", moved, "/moved/.gemini"}, {"", moved, "/moved/.gemini"}, {"", unset, ""},
	} {
		if got := gemini.Dir(filepath.FromSlash(test.home), test.getenv); got != filepath.FromSlash(test.want) {
			t.Errorf("with the home %q it is %q, want %q", test.home, got, test.want)
		}
	}
}
