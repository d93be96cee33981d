package query

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cairn/internal/plan/brief"
)

func TestDetectCustomFiles(t *testing.T) {
	dir := project(t, map[string]string{
		"c/gsd-file-manifest.json": `{"version":"1.50.0","files":{"agents/gsd-planner.md":"x","get-shit-done/VERSION":"x"}}`,
		"c/agents/gsd-planner.md":  "", "c/agents/gsd-mine.md": "", "c/agents/other.md": "",
		"c/get-shit-done/VERSION": "", "c/gsd-core/workflows/w.md": "", "c/get-shit-done/workflows/w.md": "", "c/settings.json": "", "none/x": "",
	})
	for args, want := range map[string]string{
		"--config-dir c":    `{"custom_files":["agents/gsd-mine.md","get-shit-done/workflows/w.md","gsd-core/workflows/w.md"],"custom_count":3,"manifest_found":true,"manifest_version":"1.50.0"}`,
		"--config-dir none": `{"custom_files":[],"custom_count":0,"manifest_found":false,"manifest_version":null}`,
		"--config-dir gone": "Error: Config directory not found: gone\n",
		"":                  "Error: Usage: detect-custom-files --config-dir <path>\n",
	} {
		stdout, stderr, _ := ask(t, dir, nil, append([]string{"detect-custom-files"}, strings.Fields(args)...)...)
		if got := compact(stdout) + stderr; got != want {
			t.Errorf("%s: %s", args, got)
		}
	}
}

func TestLearnings(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	dir := project(t, map[string]string{
		".planning/LEARNINGS.md": "# Learnings\n\n## Locks and leases\nHold none.\n\n## Empty\n\n## Clocks\nTrust none.\n",
	})
	run := func(args string) string {
		stdout, stderr, _ := ask(t, dir, nil, append([]string{"learnings"}, strings.Fields(args)...)...)
		return compact(stdout) + stderr
	}
	for _, step := range []struct{ args, want string }{
		{"list", `{"learnings":[],"count":0}`},
		{"copy", `{"total":2,"created":2,"skipped":0}`},
		{"copy", `{"total":2,"created":0,"skipped":2}`},
		{"query --tag leases --pick count", "1"},
		{"query", "Error: Usage: learnings query --tag <tag>\n"},
		{"prune --older-than 1d", `{"removed":0,"kept":2}`},
		{"prune --older-than soon", "Error: Usage: learnings prune --older-than <N>d\n"},
		{"delete ../../x", "Error: Invalid learning ID: ../../x\n"},
		{"delete nothing", `{"id":"nothing","deleted":false}`},
	} {
		if got := run(step.args); got != step.want {
			t.Errorf("%s: %s", step.args, got)
		}
	}
	id := run("query --tag clocks --pick learnings[0].id")
	if got := run("delete " + id); got != `{"id":"`+id+`","deleted":true}` {
		t.Errorf("delete: %s", got)
	}
	if entries, _ := os.ReadDir(filepath.Join(home, ".gsd", "knowledge")); len(entries) != 1 {
		t.Errorf("files left: %v", entries)
	}
}

func TestPromptBudget(t *testing.T) {
	dir := project(t, map[string]string{
		"in.md": "Review this.", "roadmap.md": strings.Repeat("r", 400), "project.md": strings.Repeat("line of the project\n", 100),
		"1.md": strings.Repeat("p", 4000), "2.md": strings.Repeat("q", 2000), "context.md": strings.Repeat("c", 4000),
	})
	const files = " --instructions-file in.md --roadmap-file roadmap.md --project-file project.md --plan-file 1.md --plan-file 2.md --context-file context.md --output-prompt out.md"
	run := func(args string) (string, int) {
		stdout, stderr, code := ask(t, dir, nil, strings.Fields("prompt-budget "+args)...)
		return compact(stdout) + stderr, code
	}
	for _, tt := range []struct {
		args, want string
		code       int
	}{
		{"--budget 10000" + files, `"omitted":[],"projectMdShrunk":false,"planTruncationPct":0,"hardFailed":false,"noteInjected":false}`, 0},
		{"--budget 3200" + files, `"omitted":[],"projectMdShrunk":true,"planTruncationPct":0,"hardFailed":false,"noteInjected":true}`, 0},
		{"--budget 2700" + files, `"omitted":[],"projectMdShrunk":true,"planTruncationPct":29,"hardFailed":false,"noteInjected":true}`, 0},
		{"--budget 1500" + files, `"omitted":["context"],"projectMdShrunk":true,"planTruncationPct":50,"hardFailed":false,"noteInjected":true}`, 0},
		{"--budget 100" + files, `"omitted":["context"],"projectMdShrunk":true,"planTruncationPct":50,"hardFailed":true,"noteInjected":true}`, 2},
		{files, "Error: prompt-budget: --budget <tokens> is required and has to be positive\n", 1},
		{"--budget 9 --plan-file gone.md", "Error: --plan-file: cannot read gone.md\n", 1},
	} {
		got, code := run(tt.args)
		if !strings.HasSuffix(got, tt.want) || code != tt.code {
			t.Errorf("%.15s: exit %d, %s", tt.args, code, got)
		}
	}
	if b, _ := os.ReadFile(filepath.Join(dir, "out.md")); brief.PromptTokens(string(b)) > 1350 || !strings.Contains(string(b), "Review this.") {
		t.Errorf("the prompt has %d tokens", brief.PromptTokens(string(b)))
	}
}

func TestCommandsListItself(t *testing.T) {
	stdout, _, _ := ask(t, t.TempDir(), nil, "commands")
	for _, name := range []string{"commands", "config-get", "check auto-mode", "check.auto-mode"} {
		if !strings.Contains(stdout, `"`+name+`"`) {
			t.Errorf("%s is missing in %s", name, stdout)
		}
	}
}
