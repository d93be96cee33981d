//go:build agents

package agents

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestMCP: the real Claude Code starts our MCP server as `claude mcp add` would
// write it down, tells its model of the tools, and brings it their answers.
// With our hooks installed, too, these come whole.
func TestMCP(t *testing.T) {
	if harness == "" || hosts == "" {
		t.Skip("CAIRN_HARNESS and HOSTS_DIR name no harness and no agents")
	}
	root := t.TempDir()
	project, home := filepath.Join(root, "project"), filepath.Join(root, "home")
	for _, dir := range []string{project, filepath.Join(home, ".claude")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	binary := filepath.Join(root, "cairn")
	run(t, "../..", "go", "build", "-o", binary, ".")
	cairn := func(args ...string) string {
		t.Helper()
		cmd := exec.Command(binary, args...)
		cmd.Dir, cmd.Env = project, append(os.Environ(), "HOME="+home, "CLAUDE_CONFIG_DIR=", "CAIRN_HOME=")
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("cairn %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	cairn("install", "claude", "--only", "compact")
	cairn("plan", "init", "--name", "Widget")
	cairn("plan", "phase", "add", "First steps")
	for i, label := range []string{"before", "after"} {
		var tests []map[string]any
		for n := range 12 {
			tests = append(tests, map[string]any{"name": "case " + string(rune('a'+n)), "passed": n < 12-6*i})
		}
		data, _ := json.Marshal(map[string]any{"schema_version": 1, "version": "1", "label": label, "tests": tests})
		write(t, filepath.Join(project, label+".json"), string(data))
		cairn("eval", "push", label+".json")
	}
	cairn("run", "--tee", "--", "seq", "1", "5000")

	config, _ := json.Marshal(map[string]any{"mcpServers": map[string]any{"cairn": map[string]any{"command": binary, "args": []string{"mcp"}}}})
	steps := []step{
		{Tool: "mcp__cairn__plan_progress", Input: map[string]any{}},
		{Tool: "mcp__cairn__eval_compare", Input: map[string]any{"a": "before", "b": "after"}},
		{Tool: "mcp__cairn__compact_show", Input: map[string]any{"lines": "1-4000"}},
		{Tool: "mcp__cairn__gate", Input: map[string]any{"name": "nonsense"}},
	}
	script, _ := json.Marshal(map[string]any{"steps": steps})
	scenario := filepath.Join(root, "scenario.json")
	write(t, scenario, string(script))
	options, _ := json.Marshal([]string{"--mcp-config", string(config)})
	dir := runAgent(t, "claude", "mcp", project, home, []string{
		"--scenario", scenario, "--full", "--perm", "skip", "--args", string(options), "--env", "ENABLE_TOOL_SEARCH=false", // or it tells their names alone
	})

	told := readRequests(t, filepath.Join(dir, "req"))[0]
	for _, name := range []string{"plan_context", "plan_progress", "plan_next", "gate", "eval_list", "eval_compare", "eval_trend", "retro", "team_pulse", "compact_show"} {
		if !slices.Contains(told.tools, "mcp__cairn__"+name) {
			t.Errorf("the model is not told of %s, but of %v", name, told.tools)
		}
	}
	if !strings.Contains(told.text, "How far the project's milestone is") {
		t.Error("the model is not told what plan_progress is for")
	}
	got := readResults(t, filepath.Join(dir, "results.json"))
	if len(got) != len(steps) {
		t.Fatalf("%d results for %d calls", len(got), len(steps))
	}
	for i, want := range []string{cairn("plan", "progress"), cairn("eval", "compare", "before", "after"), cairn("compact", "show", "--last", "--lines", "1-4000")} {
		if strings.TrimSpace(got[i].text) != strings.TrimSpace(want) || got[i].failed {
			t.Errorf("%s: the model received\n%s\nwant\n%s", steps[i].Tool, clip(got[i].text), clip(want))
		}
	}
	if !got[3].failed || !strings.Contains(got[3].text, "name of gate is one of ready, ") {
		t.Errorf("a mistake: %+v", got[3])
	}
}
