//go:build agents

package pipeline

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cairn/internal/plan/agent"
)

// allowed is what a person lets the project's agent run besides: its own tools, which
// install says it asks for. Edits are accepted; all else is as it is by default.
var allowed = []string{"go", "git", "grep", "wc", "sh"}

// mostCalls of the orchestrator, to execute the four plans of the project.
const mostCalls = 15

// TestRealAgent plays the same scenes by the real Claude Code, with cairn
// installed in it: its model is a server of the harness that says what the
// scene's model does. What the agent itself logged says whether it asked for an
// approval, and how many calls the orchestrator made. CAIRN_HARNESS is the
// harness's directory, HOSTS_DIR where it installed the agents.
func TestRealAgent(t *testing.T) {
	if os.Getenv("CAIRN_HARNESS") == "" {
		t.Skip("CAIRN_HARNESS is not set")
	}
	p := newPlayer(t)
	home := filepath.Join(filepath.Dir(p.dir), "home")
	if out, exit := (&thread{player: p}).run("mkdir -p ~/.claude && cairn install claude --profile full --yes"); exit != 0 {
		t.Fatal(out)
	}
	made, executing := 0, 0
	for _, s := range scenes(t) {
		ok := t.Run(s.name, func(t *testing.T) {
			p.t, p.scene = t, s
			calls := p.perform(s, home)
			made += len(calls)
			for _, c := range calls {
				if !c.Spawned && c.Tool == "Bash" && strings.Contains(c.Line, "cairn plan ") && slices.Contains([]string{"05-execute-phase", "06-after-a-reset", "12-execute-gaps"}, s.name) {
					executing++
				}
			}
		})
		if !ok {
			return
		}
	}
	t.Logf("%d calls of the agents' tools, none waited for an approval; %d calls of cairn by the orchestrator for four plans", made, executing)
	if executing > mostCalls || executing == 0 {
		t.Errorf("the orchestrator made %d calls for four plans, of %d", executing, mostCalls)
	}
}

// step is a turn of the harness's model.
type step map[string]any

// perform has the real agent play a scene, then looks as the scene says.
func (p *player) perform(s *scene, home string) []logged {
	p.t.Helper()
	played := map[string]int{}
	script := map[string]any{"steps": p.steps(s.turns, played)}
	var threads []step
	for role, parts := range s.parts {
		for i, part := range parts {
			threads = append(threads, step{"match": partName(role, i), "steps": append(p.roleRead(role), p.steps(part.turns, played)...)})
		}
	}
	script["threads"] = threads
	p.harness(script, home, "acceptEdits")

	made := agentLog(p.t, home)
	failed, expected := 0, 0
	for _, c := range made {
		if c.waited() {
			p.t.Errorf("it asked: %s %s: %s", c.Tool, c.Line, c.Result)
		}
		if c.Failed && c.Tool != "Read" { // of what is to be written anew
			failed++
		}
	}
	count := func(turns []turn) {
		for _, tn := range turns {
			if tn.verb == "$" && tn.exit > 1 { // the host takes a grep that finds nothing for a success
				expected++
			}
		}
	}
	count(s.turns)
	for _, parts := range s.parts {
		for _, part := range parts {
			count(part.turns)
		}
	}
	if failed != expected {
		for _, c := range made {
			if c.Failed {
				p.t.Logf("%s %s: %s", c.Tool, c.Line, c.Result)
			}
		}
		p.t.Errorf("%d calls failed, the scene has %d", failed, expected)
	}
	th := &thread{player: p, who: s.name}
	for _, tn := range s.turns {
		if tn.verb == "see" {
			th.see(tn)
		}
	}
	return made
}

// roleRead is how an agent that plays any role reads what the role is told.
func (p *player) roleRead(role string) []step {
	if agent.Standing(role) {
		return nil
	}
	return []step{{"tool": "Bash", "input": step{"command": p.called() + " plan content show agents/" + role + " --for claude"}}}
}

// called is how the prompt that was installed calls us in its shell lines.
func (p *player) called() string {
	p.t.Helper()
	out, exit := (&thread{player: p}).run("cat ~/.claude/commands/cairn-" + p.scene.command + ".md")
	_, text, _ := strings.Cut(out, "\n---\n")
	for line := range strings.Lines(text) {
		if before, _, ok := strings.Cut(line, " plan "); ok && strings.HasSuffix(before, "cairn") {
			return strings.TrimLeft(before[strings.LastIndexAny(before, " `")+1:], "`")
		}
	}
	p.t.Fatalf("%d: no shell line is in it:\n%s", exit, out)
	return ""
}

func partName(role string, i int) string { return fmt.Sprintf("PART %s#%d.", role, i) }

// steps are a thread's turns as calls of Claude Code's tools.
func (p *player) steps(turns []turn, played map[string]int) []step {
	p.t.Helper()
	var out []step
	bash := func(command string) { out = append(out, step{"tool": "Bash", "input": step{"command": command}}) }
	for _, tn := range turns {
		switch tn.verb {
		case "$":
			if !strings.HasPrefix(tn.text, "cairn ") && strings.ContainsAny(tn.text, "$>*'") && !strings.HasPrefix(tn.text, "grep ") {
				bash("sh " + p.script(tn.text)) // what a model would do with what it has read
				continue
			}
			bash(tn.text)
		case "write":
			path, file, _ := strings.Cut(tn.text, " ")
			full := filepath.Join(p.dir, path) // the agent overwrites nothing that it has not read
			out = append(out, step{"tool": "Read", "input": step{"file_path": full}}, step{"tool": "Write", "input": step{"file_path": full, "content": p.scene.files[file]}})
		case "edit":
			path, change, _ := strings.Cut(tn.text, " ")
			old, with, _ := strings.Cut(strings.ReplaceAll(change, `\n`, "\n"), " => ")
			full := filepath.Join(p.dir, path)
			out = append(out, step{"tool": "Read", "input": step{"file_path": full}}, step{"tool": "Edit", "input": step{"file_path": full, "old_string": old, "new_string": with}})
		case "spawn":
			var tools []step
			for role := range strings.FieldsSeq(tn.text) {
				prompt := partName(role, played[role]) + "\n" + p.scene.parts[role][played[role]].given
				played[role]++
				tools = append(tools, step{"tool": "Agent", "input": step{
					"subagent_type": agent.Name(role), "description": role, "prompt": prompt, "run_in_background": false,
				}})
			}
			out = append(out, step{"tools": tools})
		case "result":
			out = append(out, step{"text": "RESULT: " + tn.text})
		}
	}
	return append(out, step{"text": "That is all."})
}

// script keeps a line in a file beside the project.
func (p *player) script(line string) string {
	p.t.Helper()
	f, err := os.CreateTemp(filepath.Dir(p.dir), "line-*.sh")
	if err != nil {
		p.t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(line + "\n"); err != nil {
		p.t.Fatal(err)
	}
	return f.Name()
}

// harness runs the agent in the project, headless.
func (p *player) harness(script map[string]any, home, permissions string) {
	p.t.Helper()
	data, err := json.Marshal(script)
	if err != nil {
		p.t.Fatal(err)
	}
	file := filepath.Join(p.t.TempDir(), "scenario.json")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		p.t.Fatal(err)
	}
	name := "pipeline-" + p.scene.name
	args := []string{
		filepath.Join(os.Getenv("CAIRN_HARNESS"), "run.mjs"), "claude", "--name", name, "--scenario", file, "--home", home,
		"--cwd", p.dir, "--full", "--perm", permissions, "--timeout", "900", "--prompt", strings.TrimSpace("/cairn-" + p.scene.command + " " + p.scene.args),
	}
	if permissions == "acceptEdits" {
		list := []string{"--allowedTools"}
		for _, tool := range allowed {
			list = append(list, "Bash("+tool+":*)")
		}
		data, err := json.Marshal(list)
		if err != nil {
			p.t.Fatal(err)
		}
		args = append(args, "--args", string(data))
	}
	for _, v := range p.env {
		name, _, _ := strings.Cut(v, "=")
		if name == "PATH" || strings.HasPrefix(name, "GIT_") || strings.HasPrefix(name, "GO") {
			args = append(args, "--env", v)
		}
	}
	cmd := exec.Command("node", args...)
	cmd.Env = os.Environ()
	said, err := cmd.CombinedOutput()
	if err != nil {
		p.t.Fatalf("%v\n%s", err, said)
	}
	run := filepath.Join(os.Getenv("HOSTS_DIR"), "runs", name)
	defer os.RemoveAll(run)
	data, err = os.ReadFile(filepath.Join(run, "results.json"))
	if err != nil {
		p.t.Fatalf("%v\n%s", err, said)
	}
	var got struct {
		Texts []struct{ Text string }
	}
	if err := json.Unmarshal(data, &got); err != nil {
		p.t.Fatal(err)
	}
	expanded := false
	for _, text := range got.Texts {
		expanded = expanded || strings.Contains(text.Text, "\n"+p.scene.args+"\n")
	}
	if !expanded {
		p.t.Errorf("the model was not given the command with its arguments\n%s", said)
	}
}
