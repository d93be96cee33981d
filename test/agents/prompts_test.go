//go:build agents

package agents

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
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
	mine := filepath.Join(filepath.Dir(config), strings.TrimPrefix(c.mine, filepath.Dir(c.dir)+"/"))
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
		if filepath.Join(config, name) == filepath.Join(filepath.Dir(config), strings.TrimPrefix(c.rewrite, filepath.Dir(c.dir)+"/")) {
			write(t, filepath.Join(config, name), text)
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

// promptText is the text of one of our files, without its head.
func promptText(t *testing.T, name, data string) string {
	t.Helper()
	if strings.HasSuffix(name, ".toml") {
		var f struct {
			Prompt string
			Role   string `toml:"developer_instructions"`
		}
		if err := toml.Unmarshal([]byte(data), &f); err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(f.Prompt + f.Role)
	}
	_, text, _ := strings.Cut(strings.TrimPrefix(data, "---\n"), "\n---\n")
	return strings.TrimSpace(text)
}

// A seen session is what the models received.
type seen struct {
	requests []request
	shown    string // the result of the first call
	loaded   string // the command, where the model reads it itself
}

// A request is what a model received at once, all of its texts joined.
type request struct {
	text  string
	tools []string
}

func (c caller) play(t *testing.T, project, home, config string, show call) seen {
	t.Helper()
	type step struct {
		Tool      string         `json:"tool"`
		Namespace string         `json:"namespace,omitempty"`
		Input     map[string]any `json:"input"`
	}
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
	runDir := c.session(t, project, home, args)
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

// session runs the agent and returns the harness's records of it.
func (c caller) session(t *testing.T, project, home string, args []string) string {
	t.Helper()
	name := "agents-test-prompts-" + c.name
	args = append([]string{filepath.Join(harness, "run.mjs"), c.name, "--name", name, "--home", home, "--cwd", project, "--timeout", "90"}, args...)
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

// checkCall: the model got the text of the command, whole, with the user's
// words in it.
func (s seen) checkCall(t *testing.T, c caller, installed map[string]string) {
	t.Helper()
	want := promptText(t, c.command, installed[c.command])
	if c.args != "" {
		want = strings.ReplaceAll(want, c.args, "3 --auto")
	}
	got := s.requests[0].text
	if c.loads != nil {
		got = s.loaded
	}
	if c.name == "opencode" {
		got = strings.ReplaceAll(got, `"3 --auto"`, "3 --auto") // the harness gives both as one word
	}
	if want == "" || !strings.Contains(got, want) {
		t.Errorf("the command is not in the request; want\n%s", clip(want))
	}
	if !strings.Contains(s.requests[0].text, "3 --auto") {
		t.Error("the user's words are not in the request")
	}
}

// checkLists: the model is told of every agent, and of the commands that it may
// start unasked and no other.
func (s seen) checkLists(t *testing.T, c caller, installed map[string]string) {
	t.Helper()
	first := s.requests[0].text
	for name, data := range installed {
		base := filepath.Base(name)
		base, _, _ = strings.Cut(base, ".")
		if strings.HasPrefix(name, filepath.Dir(c.agent)+"/cairn-") && promptText(t, name, data) != "" && !strings.Contains(first, base) {
			t.Errorf("the model is not told of %s", base)
		}
	}
	if c.listed == "" {
		return
	}
	for command, told := range map[string]bool{"plan-phase": true, "ship": true, "help": true, "health": false, "undo": false} {
		if got := strings.Contains(first, fmt.Sprintf(c.listed, command)); got != told {
			t.Errorf("the model is told of %s: %v", command, got)
		}
	}
}

// checkSpawned: the role's own thread has its own prompt and its tools.
func (s seen) checkSpawned(t *testing.T, c caller, installed map[string]string) {
	t.Helper()
	role := promptText(t, c.agent, installed[c.agent])
	for _, r := range s.requests[1:] {
		if !strings.Contains(r.text, role) || !strings.Contains(r.text, spawnPrompt) {
			continue
		}
		if c.tools != nil && !slices.Equal(r.tools, c.tools) {
			t.Errorf("the role has the tools %v", r.tools)
		}
		for _, name := range c.lacks {
			if slices.Contains(r.tools, name) {
				t.Errorf("the role has %s", name)
			}
		}
		return
	}
	t.Errorf("no thread has the prompt of the role\n%s", clip(role))
}
