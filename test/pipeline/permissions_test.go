//go:build agents

package pipeline

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cairn/internal/plan/agent"
)

// TestPermissions has the real Claude Code, with the permissions that it has by default and
// nobody to ask, make every call of cairn that the scenes make, in the command and in the
// agents that it spawns: none waits for an approval. What else the scenes run (tests, the
// push of a branch) is a person's to allow.
func TestPermissions(t *testing.T) {
	if os.Getenv("CAIRN_HARNESS") == "" {
		t.Skip("CAIRN_HARNESS is not set")
	}
	p := newPlayer(t)
	home := filepath.Join(filepath.Dir(p.dir), "home")
	if out, exit := (&thread{player: p}).run("mkdir -p ~/.claude && cairn install claude --profile full --yes"); exit != 0 {
		t.Fatal(out)
	}
	calls := 0
	for _, s := range scenes(t) {
		t.Run(s.name, func(t *testing.T) {
			p.t, p.scene = t, s
			calls += p.asks(s, home)
		})
	}
	t.Logf("%d calls, none waited", calls)
}

// asks makes the calls of a scene by the real agent and returns how many there were.
func (p *player) asks(s *scene, home string) int {
	t := p.t
	add := func(turns []turn) (out []step) {
		for _, tn := range turns {
			if line, ok := strings.CutPrefix(tn.text, "cairn "); ok && tn.verb == "$" && !strings.ContainsAny(line, "|;&>$") {
				out = append(out, step{"tool": "Bash", "input": step{"command": p.called() + " " + line}})
			}
		}
		return out
	}
	steps := add(s.turns)
	var threads []step
	for role, parts := range s.parts {
		for i, part := range parts {
			threads = append(threads, step{"match": partName(role, i), "steps": append(append(p.roleRead(role), add(part.turns)...), step{"text": "RESULT: done"})})
			steps = append(steps, step{"tool": "Agent", "input": step{
				"subagent_type": agent.Name(role), "description": role, "prompt": partName(role, i), "run_in_background": false,
			}})
		}
	}
	p.harness(map[string]any{"steps": append(steps, step{"text": "That is all."}), "threads": threads}, home, "none")
	made := agentLog(t, home)
	for _, c := range made {
		if c.waited() {
			t.Errorf("%s: %s", c.Line, c.Result)
		}
	}
	if len(made) < len(steps) {
		t.Errorf("only %d calls were made", len(made))
	}
	return len(made)
}
