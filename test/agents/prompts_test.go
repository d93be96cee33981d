//go:build agents

package agents

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A caller is an agent whose user calls a command of ours.
type caller struct {
	name    string // as cairn and the harness call it
	local   bool   // installed for the project
	dir     string // its directory, in the home or in the project
	rewrite string // a file there that the harness writes anew, and takes with --settings
	mine    string // a file of the user's beside ours

	command, agent string   // our files for plan-phase and plan-checker
	says           string   // what the user types
	options        []string // of the harness
	loads          *call    // by which the model reads a command that the agent does not expand
	args           string   // what it replaces by the user's words

	listed string // how a command stands in what the model is told: "- cairn-%s: "; "": it is not told of any
	spawn  call   // of plan-checker, with this prompt
	shell  func(command string) call
	tools  []string // that the spawned agent has, all of them
	lacks  []string // or some that it has not
}

const spawnPrompt = "carry out the part that was given to you"

var callers = []caller{
	claudeCaller(false), claudeCaller(true),
	{
		name: "codex", dir: ".codex", mine: ".codex/skills/mine/SKILL.md",
		command: "skills/cairn-plan-phase/SKILL.md", agent: "agents/cairn-plan-checker.toml",
		says: "$cairn-plan-phase 3 --auto", options: []string{"--args", `["--dangerously-bypass-hook-trust"]`},
		listed: "- cairn-%s: ",
		spawn:  call{tool: "spawn_agent", namespace: "multi_agent_v1", input: map[string]any{"agent_type": "cairn-plan-checker", "message": spawnPrompt}},
		shell:  codexAgent.shell, lacks: []string{"multi_agent_v1"},
	},
	{
		name: "gemini", dir: ".gemini", rewrite: ".gemini/settings.json", mine: ".gemini/commands/mine.toml",
		command: "commands/cairn/plan-phase.toml", agent: "agents/cairn-plan-checker.md",
		says: "/cairn:plan-phase 3 --auto", args: "{{args}}",
		spawn: tool("invoke_agent", map[string]any{"agent_name": "cairn-plan-checker", "prompt": spawnPrompt}),
		shell: geminiAgent.shell,
		tools: []string{"complete_task", "glob", "grep_search", "list_directory", "read_file", "run_shell_command"},
	},
	{
		name: "opencode", dir: ".config/opencode", mine: ".config/opencode/agents/mine.md",
		command: "commands/cairn-plan-phase.md", agent: "agents/cairn-plan-checker.md",
		says: "3 --auto", options: []string{"--args", `["--command", "cairn-plan-phase"]`}, args: "$ARGUMENTS",
		spawn: tool("task", map[string]any{"subagent_type": "cairn-plan-checker", "description": "x", "prompt": spawnPrompt}),
		shell: opencodeAgent.shell,
		lacks: []string{"edit", "write", "task", "webfetch", "todowrite"},
	},
	{
		name: "copilot", dir: ".copilot", mine: ".copilot/agents/mine.agent.md",
		command: "skills/cairn-plan-phase/SKILL.md", agent: "agents/cairn-plan-checker.agent.md",
		says: "/cairn-plan-phase 3 --auto", loads: &call{tool: "skill", input: map[string]any{"skill": "cairn-plan-phase"}},
		listed: "<name>cairn-%s</name>",
		spawn:  tool("task", map[string]any{"agent_type": "cairn-plan-checker", "name": "check", "description": "x", "prompt": spawnPrompt, "mode": "sync"}),
		shell:  copilotAgent.shell,
		lacks:  []string{"edit", "create", "task", "skill"},
	},
}

func claudeCaller(local bool) caller {
	return caller{
		name: "claude", local: local, dir: ".claude", mine: ".claude/commands/mine.md",
		command: "commands/cairn-plan-phase.md", agent: "agents/cairn-plan-checker.md",
		says: "/cairn-plan-phase 3 --auto", options: []string{"--perm", "skip"}, args: "$ARGUMENTS",
		listed: "- cairn-%s: ",
		spawn:  tool("Agent", map[string]any{"subagent_type": "cairn-plan-checker", "description": "x", "prompt": spawnPrompt, "run_in_background": false}),
		shell:  bash, tools: []string{"Bash", "Read"},
	}
}

// TestPrompts installs everything and lets a user call a command: the model
// must get the whole text of it, spawn the role that it names, and read what we
// print in full. Uninstalling leaves what the user and the agent wrote.
func TestPrompts(t *testing.T) {
	if harness == "" || hosts == "" {
		t.Skip("CAIRN_HARNESS and HOSTS_DIR name no harness and no agents")
	}
	binary := filepath.Join(t.TempDir(), "cairn")
	run(t, "../..", "go", "build", "-o", binary, ".")
	for _, c := range callers {
		name := c.name
		if c.local {
			name += " for a project"
		}
		t.Run(name, func(t *testing.T) { c.prove(t, binary) })
	}
}

func (c caller) prove(t *testing.T, binary string) {
	root := t.TempDir()
	project, home := filepath.Join(root, "project"), filepath.Join(root, "home")
	config := filepath.Join(home, filepath.FromSlash(c.dir))
	if c.local {
		config = filepath.Join(project, filepath.FromSlash(c.dir))
	}
	inConfig := func(name string) string { return filepath.Join(config, strings.TrimPrefix(name, c.dir+"/")) }
	mine := inConfig(c.mine)
	for _, dir := range []string{project, home, filepath.Dir(mine)} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write(t, mine, "---\nname: mine\ndescription: the user's own\n---\nText.\n")
	if strings.HasSuffix(mine, ".toml") {
		write(t, mine, "prompt = \"Text.\"\n")
	}
	run(t, project, "git", "init", "-q")
	cairn := func(args ...string) []byte {
		if c.local && args[0] != "plan" {
			args = append(args, "--local")
		}
		cmd := exec.Command(binary, args...)
		cmd.Dir = project
		cmd.Env = append(os.Environ(), "HOME="+home, "CAIRN_HOME=", "CLAUDE_CONFIG_DIR=", "XDG_CONFIG_HOME=")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("cairn %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return out
	}

	before := tree(t, config)
	cairn("install", "--profile", "full", "--yes", c.name)
	installed := tree(t, config)
	longest := longestPiece(t, cairn)
	show := c.shell("~/.cairn/bin/cairn plan content show " + longest + " --for " + c.name)
	s := c.play(t, project, home, config, show)

	s.checkCall(t, c, installed)
	s.checkLists(t, c, installed)
	s.checkSpawned(t, c, installed)
	if want := strings.TrimSpace(string(cairn("plan", "content", "show", longest, "--for", c.name))); !strings.Contains(s.shown, want) {
		t.Errorf("of %s (%d characters) the model read\n%s\nwant\n%s", longest, len(want), clip(s.shown), clip(want))
	}

	after := tree(t, config)
	for name, text := range installed {
		if old, was := before[name]; was {
			after[name] = old
		} else {
			delete(after, name)
		}
		if file := inConfig(name); file == inConfig(c.rewrite) {
			write(t, file, text)
		}
	}
	cairn("uninstall", c.name)
	sameFiles(t, "after uninstall", after, tree(t, config))
	empty(t, config)
}

// longestPiece is the piece of content with the most characters.
func longestPiece(t *testing.T, cairn func(...string) []byte) (longest string) {
	var list []struct{ Piece string }
	if err := json.Unmarshal(cairn("plan", "content", "list", "--json"), &list); err != nil {
		t.Fatal(err)
	}
	most := 0
	for _, row := range list {
		if n := len(cairn("plan", "content", "show", row.Piece)); n > most && !strings.HasPrefix(row.Piece, "partials/") {
			most, longest = n, row.Piece
		}
	}
	return longest
}

// empty fails for a directory with nothing in it: one of ours that stayed.
func empty(t *testing.T, dir string) {
	t.Helper()
	for _, sub := range []string{"skills", "commands", "command", "agents", "agent"} {
		if entries, err := os.ReadDir(filepath.Join(dir, sub)); err == nil && len(entries) == 0 {
			t.Errorf("%s is left empty", sub)
		}
	}
}

func (c caller) play(t *testing.T, project, home, config string, show call) seen {
	t.Helper()
	var steps []step
	add := func(k call) { steps = append(steps, step{k.tool, k.namespace, k.input}) }
	add(show)
	if c.loads != nil {
		add(*c.loads)
	}
	add(c.spawn)
	add(c.shell("sleep 2"))
	type thread struct {
		Match string `json:"match"`
		Steps []step `json:"steps"`
	}
	script, err := json.Marshal(map[string]any{"steps": steps, "threads": []thread{{spawnPrompt, []step{}}}})
	if err != nil {
		t.Fatal(err)
	}
	scenario := filepath.Join(t.TempDir(), "scenario.json")
	write(t, scenario, string(script))
	args := append([]string{"--scenario", scenario, "--full", "--prompt", c.says}, c.options...)
	if c.rewrite != "" {
		args = append(args, "--settings", copyOf(t, filepath.Join(home, c.rewrite)))
	}
	runDir := runAgent(t, c.name, "prompts", project, home, args)
	s := seen{requests: readRequests(t, filepath.Join(runDir, "req"))}
	results := readResults(t, filepath.Join(runDir, "results.json"))
	if len(results) < len(steps) {
		t.Fatalf("%d results for %d calls", len(results), len(steps))
	}
	s.shown = results[0].text
	if c.loads != nil {
		for _, r := range s.requests {
			s.loaded += r.text
		}
	}
	return s
}

func copyOf(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), filepath.Base(name))
	write(t, file, string(data))
	return file
}
