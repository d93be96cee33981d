//go:build agents

package pipeline

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"cairn/internal/plan/agent"
)

// TestRealAgent plays the same scenes by the real Claude Code, with cairn
// installed in it: its model is a server of the harness that says what the
// scene's model does. CAIRN_HARNESS is the harness's directory, HOSTS_DIR
// where it installed the agents.
func TestRealAgent(t *testing.T) {
	if os.Getenv("CAIRN_HARNESS") == "" {
		t.Skip("CAIRN_HARNESS is not set")
	}
	p := newPlayer(t)
	home := filepath.Join(filepath.Dir(p.dir), "home")
	if out, exit := (&thread{player: p}).run("mkdir -p ~/.claude && cairn install claude --profile full --yes"); exit != 0 {
		t.Fatal(out)
	}
	for _, s := range scenes(t) {
		ok := t.Run(s.name, func(t *testing.T) {
			p.t, p.scene = t, s
			p.perform(s, home)
		})
		if !ok {
			return
		}
	}
}

// step is a turn of the harness's model.
type step map[string]any

// perform has the real agent play a scene, then looks as the scene says.
func (p *player) perform(s *scene, home string) {
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
	results := p.harness(script, home, "skip")

	failed, expected := 0, 0
	for _, r := range results {
		if r.IsError {
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
		for _, r := range results {
			if r.IsError {
				p.t.Logf("%v", r.Content)
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
			bash(tn.text)
		case "write":
			path, file, _ := strings.Cut(tn.text, " ")
			bash("mkdir -p " + filepath.Dir(path) + " && cat > " + path + " <<'END_OF_FILE'\n" + p.scene.files[file] + "END_OF_FILE")
		case "edit":
			path, change, _ := strings.Cut(tn.text, " ")
			old, with, _ := strings.Cut(strings.ReplaceAll(change, `\n`, "\n"), " => ")
			args, err := json.Marshal([]string{path, old, with})
			if err != nil {
				p.t.Fatal(err)
			}
			bash("node -e 'const [f, a, b] = JSON.parse(require(\"fs\").readFileSync(0)); const s = require(\"fs\").readFileSync(f, \"utf8\"); require(\"fs\").writeFileSync(f, s.replace(a, () => b))' <<'END_OF_ARGS'\n" + string(args) + "\nEND_OF_ARGS")
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

type result struct {
	IsError bool `json:"is_error"`
	Content any  `json:"content"`
}

// harness runs the agent in the project and returns what its model received.
func (p *player) harness(script map[string]any, home, permissions string) []result {
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
		"--cwd", p.dir, "--full", "--perm", permissions, "--timeout", "120", "--prompt", strings.TrimSpace("/cairn-" + p.scene.command + " " + p.scene.args),
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
		Results []result `json:"results"`
		Texts   []struct{ Text string }
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
	return got.Results
}
