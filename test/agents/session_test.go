//go:build agents

package agents

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// A session is one run of the agent with a script of calls.
type session struct {
	name     string
	shell    string            // of its Bash tool
	subagent bool              // the calls are made by a subagent
	perm     string            // the harness's --perm; "skip" asks for nothing
	files    map[string]string // in the user's home, before cairn is installed
	env      map[string]string // of the agent
	tools    []string          // that it has; nil: as it comes
	cases    []scenario
}

// A result is what the model received for one call.
type result struct {
	text   string // without the reminders that the host adds
	failed bool   // is_error
}

// play runs the calls of the session in dir, with home as the user's home,
// and returns one result for each.
func (s session) play(t *testing.T, dir, home string) []result {
	t.Helper()
	scenario := filepath.Join(t.TempDir(), "scenario.json")
	write(t, scenario, s.script(t))
	options := []string{"--mcp-config", mcpConfig()}
	if s.tools != nil {
		options = append(options, "--tools", strings.Join(s.tools, ","))
	}
	more, err := json.Marshal(options)
	if err != nil {
		t.Fatal(err)
	}
	name := "agents-test-" + strings.ReplaceAll(s.name, " ", "-")
	args := []string{
		filepath.Join(harness, "run.mjs"), "claude", "--name", name, "--scenario", scenario,
		"--home", home, "--cwd", dir, "--perm", s.perm, "--full", "--timeout", "900",
		"--args", string(more),
	}
	env := map[string]string{
		"SHELL": s.shell, "PATH": os.Getenv("PATH"), "GOCACHE": goEnv(t, "GOCACHE"), "GOPATH": goEnv(t, "GOPATH"),
		"GOTOOLCHAIN": "local", "npm_config_update_notifier": "false",
	}
	for k, v := range s.env {
		env[k] = v
	}
	for k, v := range env {
		args = append(args, "--env", k+"="+v)
	}
	begin := time.Now()
	cmd := exec.Command("node", args...)
	cmd.Env = append(os.Environ(), "HOSTS_DIR="+hosts)
	said, err := cmd.Output()
	if err != nil {
		t.Fatalf("harness: %v\n%s", err, said)
	}
	t.Logf("played in %.1f s", time.Since(begin).Seconds())
	runDir := filepath.Join(hosts, "runs", name)
	if !*keep {
		defer os.RemoveAll(runDir)
	}
	results := readResults(t, filepath.Join(runDir, "results.json"))
	if want := len(s.calls()); len(results) != want {
		t.Fatalf("%d results for %d calls\n%s", len(results), want, said)
	}
	return results
}

func (s session) calls() []call {
	var calls []call
	for _, c := range s.cases {
		calls = append(calls, c.calls...)
	}
	return calls
}

// script is the session as the mock model plays it.
func (s session) script(t *testing.T) string {
	type step struct {
		Tool  string         `json:"tool"`
		Input map[string]any `json:"input"`
	}
	type thread struct {
		Match string `json:"match"`
		Steps []step `json:"steps"`
	}
	var steps []step
	for _, c := range s.calls() {
		steps = append(steps, step{c.tool, c.input})
	}
	script := map[string]any{"steps": steps}
	if s.subagent {
		const prompt = "make the scripted calls"
		script = map[string]any{
			"steps": []step{{"Agent", map[string]any{
				"description": "calls", "prompt": prompt, "subagent_type": "general-purpose",
			}}},
			"threads": []thread{{prompt, steps}},
		}
	}
	data, err := json.Marshal(script)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

var reminder = regexp.MustCompile(`(?s)\n*<system-reminder>.*?</system-reminder>`)

func readResults(t *testing.T, name string) []result {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Results []struct {
			ID      string          `json:"id"`
			Failed  bool            `json:"is_error"`
			Content json.RawMessage `json:"content"`
		} `json:"results"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	var results []result
	seen := map[string]bool{}
	for _, r := range file.Results {
		if seen[r.ID] {
			continue // Gemini CLI shortens what it sent before
		}
		seen[r.ID] = true
		text := contentText(r.Content)
		if strings.Contains(text, "Async agent launched") {
			continue // the call that started the subagent
		}
		results = append(results, result{reminder.ReplaceAllString(text, ""), r.Failed})
	}
	return results
}

// contentText is the text of a result: a string, an array of blocks, or Gemini
// CLI's object.
func contentText(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var object struct {
		Response struct{ Output, Error string }
	}
	if json.Unmarshal(raw, &object) == nil {
		return object.Response.Output + object.Response.Error
	}
	var blocks []struct{ Text string }
	json.Unmarshal(raw, &blocks)
	for _, b := range blocks {
		text += b.Text
	}
	return text
}

func mcpConfig() string {
	return fmt.Sprintf(`{"mcpServers":{"demo":{"command":"node","args":[%q]}}}`, filepath.Join(harness, "mcp-demo.mjs"))
}

func goEnv(t *testing.T, name string) string {
	t.Helper()
	out, err := exec.Command("go", "env", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}
