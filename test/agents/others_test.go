//go:build agents

package agents

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// An agent is one that answers failures and successes alike by the same hook,
// so one session proves it.
type agent struct {
	name     string // as cairn and the harness call it
	title    string // with the version
	settings string // in the user's home
	own      string // what the user has in it; "": there is no such file
	document string // in docs, where the figures go; "": agents.md
	args     []string
	servers  []string // what makes the harness give it the MCP server; nil: see serverArgs
	previews bool     // of a long output it shows only the beginning, so ours may be longer
	noKill   bool     // "kill -9 $$" it refuses, or it does not survive it
	shell    func(command string) call
	mcp      func(tool string, input map[string]any) call
	exit     *regexp.Regexp // what tells the model how a command ended
	more     []scenario
	changing []*regexp.Regexp // what no two runs have in common
}

var codexAgent = agent{
	name: "codex", title: "Codex 0.169.0", settings: ".codex/hooks.json",
	own:  `{"hooks": {"PostToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "true",  "timeout": 5}]}]}}`,
	args: []string{"--args", `["--dangerously-bypass-hook-trust"]`},
	shell: func(command string) call {
		return call{tool: "exec_command", input: map[string]any{"cmd": command, "yield_time_ms": 60000}}
	},
	mcp: func(tool string, input map[string]any) call {
		return call{tool: tool, namespace: "mcp__demo", input: input}
	},
	exit: regexp.MustCompile(`(?m)^Process exited with code -?\d+`),
	more: []scenario{
		row("`git diff`", call{tool: "exec_command", input: map[string]any{"cmd": "git diff"}}.cut("diff --git a/source.go b/source.go", "-\treturn \"before\"", "+\treturn \"after\"")),
	},
	changing: []*regexp.Regexp{
		regexp.MustCompile(`Chunk ID: \w+`), regexp.MustCompile(`Wall time: [\d.]+`),
	},
}

var geminiAgent = agent{
	name: "gemini", title: "Gemini CLI 0.61.0", settings: ".gemini/settings.json",
	own: `{"hooks":{"AfterTool":[{"matcher":"*","hooks":[{"type":"command","command":"true"}]}]}}`,
	shell: func(command string) call {
		return call{tool: "run_shell_command", input: map[string]any{"command": command, "description": "a step"}}
	},
	mcp: func(name string, input map[string]any) call { return tool("mcp_demo_"+name, input) },
	// A success has no line of its own.
	exit: regexp.MustCompile(`(?m)^(Exit Code: -?\d+|Signal: \d+)$`),
	more: []scenario{
		row("read_file of a lock file", tool("read_file", map[string]any{"file_path": "$CWD/package-lock.json"}).holds("node_modules/part-1", "lines …]")),
		row("read_file of a source file", tool("read_file", map[string]any{"file_path": "$CWD/source.go"})),
		row("grep_search", tool("grep_search", map[string]any{"pattern": "func step"}).holds("Found 100 matches", header, "source.go", "func step1()", "\n---")),
		row("glob of a few files", tool("glob", map[string]any{"pattern": "**/*.go"})),
		row("a command in the background", call{tool: "run_shell_command", input: map[string]any{"command": "make ok", "description": "x", "is_background": true}}),
	},
	changing: []*regexp.Regexp{regexp.MustCompile(`PGID: \d+`), regexp.MustCompile(`PID: \d+`), regexp.MustCompile(`session-[0-9a-f-]+`)},
}

func (a agent) cases() []scenario {
	var killed []scenario
	if !a.noKill {
		killed = []scenario{row("a shell that is killed", a.shell("seq 1 5000; kill -9 $$").cut("5000"))}
	}
	return slices.Concat([]scenario{
		row("tests pass", a.shell("go test -v -count=1 ./pass").cut("ok  \tdemo/pass")),
		row("tests fail, over 100 KB", a.shell("go test -v -count=1 ./fail").cut("--- FAIL: TestMany/case1490", "FAIL\tdemo/fail")),
		row("tests fail, 40 KB", a.shell("go test -v -count=1 -run '/case1[0-4]..$' ./fail").cut(`parse("depth") = 7, want 8`, "--- FAIL: TestMany/case1490", "FAIL\tdemo/fail")),
		row("a build fails", a.shell("make fail").cut(buildError, "make: *** [Makefile:")),
		row("200 KB of output", a.shell("seq 1 40000").cut("\n1\n", "40000")),
		row("a short success", a.shell("cat notes.txt")),
		row("a short failure", a.shell("echo no; exit 9")),
		row("`make \\| tail`", a.shell("make fail 2>&1 | tail -2")),
		row("an MCP tool", a.mcp("big", map[string]any{"n": 3000}).cut("mcp line 0", "mcp line 2999")),
		row("an MCP tool that fails", a.mcp("fail", map[string]any{})),
	}, killed, a.more)
}

func TestCodex(t *testing.T)  { codexAgent.prove(t) }
func TestGemini(t *testing.T) { geminiAgent.prove(t) }

// prove plays the session without and with cairn and compares.
func (a agent) prove(t *testing.T) {
	if harness == "" || hosts == "" {
		t.Skip("CAIRN_HARNESS and HOSTS_DIR name no harness and no agents")
	}
	binary := filepath.Join(t.TempDir(), "cairn")
	run(t, "../..", "go", "build", "-o", binary, ".")
	root := t.TempDir()
	dir, home := filepath.Join(root, "project"), filepath.Join(root, "home")
	settings := filepath.Join(home, a.settings)
	cairn := func(args ...string) string {
		cmd := exec.Command(binary, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "HOME="+home, "CAIRN_HOME=", "PATH="+filepath.Join(hosts, "openai_codex/node_modules/.bin")+":"+os.Getenv("PATH"))
		out, err := cmd.CombinedOutput()
		if err != nil && args[0] != "doctor" {
			t.Fatalf("cairn %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	// as it stands before and after each step
	stand := func() string { data, _ := os.ReadFile(settings); return string(data) }

	newProject(t, dir)
	fresh := func() {
		if err := os.MkdirAll(filepath.Dir(settings), 0o755); err != nil {
			t.Fatal(err)
		}
		if a.own != "" {
			write(t, settings, a.own)
		}
	}
	if err := os.Mkdir(home, 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(home, ".profile"), fmt.Sprintf("export PATH=%q\n", os.Getenv("PATH"))) // for a login shell
	fresh()
	without := a.play(t, dir, home, a.args)
	projectWithout := tree(t, dir)

	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	newProject(t, dir)
	fresh()
	cairn("install", a.name)
	installed := stand()
	if a.name == "codex" {
		a.trust(t, dir, home, cairn)
	}
	with := a.play(t, dir, home, a.args)
	sameFiles(t, "the project after the session", projectWithout, tree(t, dir))
	write(t, settings, installed) // the harness may have written it anew
	cairn("uninstall", a.name)
	if stand() != a.own {
		t.Errorf("after uninstall the settings are\n%s\nwere\n%s", stand(), a.own)
	}

	var figures []figure
	i := 0
	for _, s := range a.cases() {
		f := figure{session: a.title, scenario: s.name}
		for _, c := range s.calls {
			f.with, f.without = f.with+len([]rune(with[i].text)), f.without+len([]rune(without[i].text))
			f.checked = append(f.checked, a.checked(c, without[i]))
			for _, problem := range a.problems(c, without[i], with[i]) {
				t.Errorf("%s: %v: %s\n--- without:\n%s\n--- with:\n%s", s.name, c.input, problem, clip(without[i].text), clip(with[i].text))
			}
			i++
		}
		figures = append(figures, f)
	}
	if *update && !t.Failed() {
		a.writeFigures(t, figures)
	}
}

// trust shows that Codex leaves a new hook out until the user approves it, and
// that doctor says so; and that it is called once it is approved.
func (a agent) trust(t *testing.T, dir, home string, cairn func(...string) string) {
	if said := cairn("doctor", "codex"); !strings.Contains(said, "our hook is untrusted") {
		t.Errorf("doctor says\n%s", said)
	}
	plain := a.playCalls(t, dir, home, nil, a.shell("make fail"))
	if strings.Contains(plain[0].text, header) {
		t.Error("Codex called a hook that nobody approved")
	}
	cmd := exec.Command("node", filepath.Join(harness, "codex_hooks_list.mjs"), filepath.Join(home, ".codex"), dir)
	cmd.Env = append(os.Environ(), "HOSTS_DIR="+hosts)
	out, err := cmd.Output()
	var list struct {
		Data []struct {
			Hooks []struct{ Key, Command, CurrentHash string }
		}
	}
	if err != nil || json.Unmarshal(out, &list) != nil || len(list.Data) == 0 {
		t.Fatalf("%v: %s", err, out)
	}
	approved := filepath.Join(t.TempDir(), "approved.toml")
	var states strings.Builder
	for _, k := range list.Data[0].Hooks {
		fmt.Fprintf(&states, "[hooks.state.%q]\ntrusted_hash = %q\n", k.Key, k.CurrentHash)
	}
	write(t, approved, states.String())
	calls := a.playCalls(t, dir, home, []string{"--toml", approved}, a.shell("make fail"))
	if !strings.Contains(calls[0].text, header) {
		t.Errorf("Codex did not call an approved hook: %s", clip(calls[0].text))
	}
	if said := cairn("doctor", "codex"); !strings.Contains(said, "Codex calls our hook") {
		t.Errorf("doctor says\n%s", said)
	}
}

func (a agent) play(t *testing.T, dir, home string, args []string) []result {
	var calls []call
	for _, s := range a.cases() {
		calls = append(calls, s.calls...)
	}
	return a.playCalls(t, dir, home, args, calls...)
}

// playCalls makes the calls in one session of the agent.
func (a agent) playCalls(t *testing.T, dir, home string, args []string, calls ...call) []result {
	t.Helper()
	var steps []step
	for _, c := range calls {
		steps = append(steps, step{c.tool, c.namespace, c.input})
	}
	script, err := json.Marshal(map[string]any{"steps": steps})
	if err != nil {
		t.Fatal(err)
	}
	scenario := filepath.Join(t.TempDir(), "scenario.json")
	write(t, scenario, string(script))
	name := "agents-test-" + a.name
	args = append([]string{filepath.Join(harness, "run.mjs"), a.name, "--name", name, "--scenario", scenario,
		"--home", home, "--cwd", dir, "--full", "--timeout", "300"}, args...)
	if a.servers == nil {
		args = append(args, a.serverArgs(t, filepath.Join(home, a.settings), args)...)
	}
	args = append(args, a.servers...)
	for k, v := range map[string]string{
		"PATH": os.Getenv("PATH"), "GOCACHE": goEnv(t, "GOCACHE"), "GOPATH": goEnv(t, "GOPATH"), "GOTOOLCHAIN": "local",
	} {
		args = append(args, "--env", k+"="+v)
	}
	cmd := exec.Command("node", args...)
	cmd.Env = append(os.Environ(), "HOSTS_DIR="+hosts)
	said, err := cmd.Output()
	if err != nil {
		t.Fatalf("harness: %v\n%s", err, said)
	}
	runDir := filepath.Join(hosts, "runs", name)
	if !*keep {
		defer os.RemoveAll(runDir)
	}
	results := readResults(t, filepath.Join(runDir, "results.json"))
	if len(results) != len(calls) {
		t.Fatalf("%d results for %d calls\n%s", len(results), len(calls), said)
	}
	return results
}

// serverArgs gives the agent the MCP server: Codex by a part of its config.toml,
// which the harness writes, Gemini CLI in its settings, which it writes too.
func (a agent) serverArgs(t *testing.T, settings string, args []string) []string {
	t.Helper()
	server := filepath.Join(harness, "mcp-demo.mjs")
	if a.name == "codex" {
		file := filepath.Join(t.TempDir(), "servers.toml")
		text := fmt.Sprintf("[mcp_servers.demo]\ncommand = \"node\"\nargs = [%q]\n", server)
		if i := slices.Index(args, "--toml"); i > 0 {
			more, err := os.ReadFile(args[i+1])
			if err != nil {
				t.Fatal(err)
			}
			write(t, args[i+1], string(more)+text)
			return nil
		}
		write(t, file, text)
		return []string{"--toml", file}
	}
	var all map[string]any
	data, err := os.ReadFile(settings)
	if err == nil {
		err = json.Unmarshal(data, &all)
	}
	if err != nil {
		t.Fatal(err)
	}
	all["mcpServers"] = map[string]any{"demo": map[string]any{"command": "node", "args": []string{server}}}
	if data, err = json.Marshal(all); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "settings.json")
	write(t, file, string(data))
	return []string{"--settings", file}
}

// problems says what does not hold of a call.
func (a agent) problems(c call, without, with result) []string {
	var found []string
	if exit := a.exit.FindString(without.text); exit != a.exit.FindString(with.text) {
		found = append(found, fmt.Sprintf("it ended with %q, and with cairn with %q", exit, a.exit.FindString(with.text)))
	}
	found = append(found, c.lacks(with.text)...)
	switch c.is {
	case same:
		if a.plain(without.text) != a.plain(with.text) {
			found = append(found, "the text differs")
		}
	case cut:
		if enough := a.previews && len(with.text) < maxPreview; strings.Count(with.text, header) != 1 || len(with.text)*2 > len(without.text) && !enough {
			found = append(found, "not compacted")
		}
	}
	return found
}

func (a agent) plain(text string) string {
	for _, re := range a.changing {
		text = re.ReplaceAllString(text, "X")
	}
	return plain(text)
}

// checked says what was checked of a call.
func (a agent) checked(c call, without result) string {
	what := map[expectation]string{same: "same text", cut: "compacted", holds: "text"}[c.is]
	if exit := a.exit.FindString(without.text); exit != "" {
		what += ", `" + exit + "`"
	}
	for _, k := range c.keep {
		k, _, _ = strings.Cut(strings.TrimSpace(k), "\n")
		what += fmt.Sprintf(", has `%s`", strings.ReplaceAll(k, "|", `\|`))
	}
	return what
}

// writeFigures puts the agent's table between its marks in its document.
func (a agent) writeFigures(t *testing.T, figures []figure) {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "\n### %s\n\n| case | without | with | checked |\n|---|---:|---:|---|\n", a.title)
	for _, f := range figures {
		fmt.Fprintf(&b, "| %s | %d | %d | %s |\n", f.scenario, f.without, f.with, strings.Join(f.checked, "; "))
	}
	document := "../../docs/" + cmp.Or(a.document, "agents.md")
	data, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	begins, ends := "<!-- figures of "+a.name+": go test -tags agents ./test/agents -update -->\n", "<!-- end of "+a.name+" -->\n"
	head, rest, ok1 := strings.Cut(string(data), begins)
	_, tail, ok2 := strings.Cut(rest, ends)
	if !ok1 || !ok2 {
		t.Fatalf("%s has no marks for %s", document, a.name)
	}
	write(t, document, head+begins+b.String()+"\n"+ends+tail)
}
