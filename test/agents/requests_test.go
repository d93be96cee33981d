//go:build agents

package agents

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A step is a call that the harness's model makes.
type step struct {
	Tool      string         `json:"tool"`
	Namespace string         `json:"namespace,omitempty"`
	Input     map[string]any `json:"input"`
}

// runAgent runs an agent for a test and returns the directory with the
// harness's records of it.
func runAgent(t *testing.T, agent, test, project, home string, args []string) string {
	t.Helper()
	name := "agents-test-" + test + "-" + agent
	args = append([]string{filepath.Join(harness, "run.mjs"), agent, "--name", name, "--home", home, "--cwd", project, "--timeout", "300"}, args...)
	cmd := exec.Command("node", args...)
	cmd.Env = append(os.Environ(), "HOSTS_DIR="+hosts)
	if said, err := cmd.Output(); err != nil {
		t.Fatalf("harness: %v\n%s", err, said)
	}
	runDir := filepath.Join(hosts, "runs", name)
	if !*keep {
		t.Cleanup(func() { os.RemoveAll(runDir) })
	}
	return runDir
}

// A request is what a model received at once, all of its texts joined.
type request struct {
	text  string
	tools []string
}

func readRequests(t *testing.T, dir string) (all []request) {
	t.Helper()
	names, _ := filepath.Glob(filepath.Join(dir, "*.json"))
	slices.Sort(names)
	for _, name := range names {
		data, err := os.ReadFile(name)
		var file struct{ Body map[string]any }
		if err == nil {
			err = json.Unmarshal(data, &file)
		}
		if err != nil {
			t.Fatal(err)
		}
		r := request{tools: toolNames(file.Body["tools"])}
		var texts []string
		collect(file.Body, &texts)
		r.text = strings.Join(texts, "\n")
		if len(r.tools) > 0 { // else it is asked for a title
			all = append(all, r)
		}
	}
	return all
}

// collect adds every string in v, in a fixed order.
func collect(v any, texts *[]string) {
	switch v := v.(type) {
	case string:
		*texts = append(*texts, v)
	case []any:
		for _, e := range v {
			collect(e, texts)
		}
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			collect(v[k], texts)
		}
	}
}

// toolNames are the names of the tools of a request, sorted: objects with a
// name, in "function" or in lists of Gemini's.
func toolNames(v any) (names []string) {
	list, _ := v.([]any)
	for _, e := range list {
		o, _ := e.(map[string]any)
		if f, ok := o["function"].(map[string]any); ok {
			o = f
		}
		if name, ok := o["name"].(string); ok {
			names = append(names, name)
		}
		names = append(names, toolNames(o["functionDeclarations"])...)
	}
	slices.Sort(names)
	return names
}
