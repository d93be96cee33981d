//go:build agents

package agents

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// told is what a team's server counts of an agent.
type told struct{ Requests, Input, Cached, Output float64 } // input with what went to a cache

// TestTelemetry has real agents tell a server what they cost: Claude Code as `cairn
// install --telemetry` sets it up, the others as docs/spend-server.md says. The server
// counts what the scripted model billed, and the same again when the machine's ledger
// comes beside it.
func TestTelemetry(t *testing.T) {
	if harness == "" || hosts == "" {
		t.Skip("CAIRN_HARNESS and HOSTS_DIR name no harness and no agents")
	}
	binary := filepath.Join(t.TempDir(), "cairn")
	run(t, "../..", "go", "build", "-o", binary, ".")
	l := newLedger(t)
	up := "cd src/shop && " + binary + " up --no-open --no-agents --json "
	var server struct{ Server string }
	if err := json.Unmarshal([]byte(l.sh(up+"--listen 127.0.0.1:0 2>/dev/null")), &server); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.sh("cd src/shop && " + binary + " down --forget --yes") })
	settings := l.sh("cat ~/.claude/settings.json 2>/dev/null; true")
	l.sh(binary + " install claude --telemetry " + server.Server + " --yes")
	token := strings.TrimSpace(l.sh("cd src/shop && " + binary + " team token create --name agents --scope ingest 2>/dev/null"))
	headers := strings.TrimSpace(l.sh("cd src/shop && " + binary + " sync otlp-headers --env " + server.Server))

	want := map[string]told{}
	l.more = []string{"--env", "DISABLE_TELEMETRY=", "--env", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC="}
	l.play(l.repo, nil, "", []paidTurn{{command: "ls", branch: "main"}, {command: "ls -l", branch: "main"}, {branch: "main"}})
	want["claude"] = told{3, float64(100+7*l.n)*3 + 3 + 3*900, 60300, 60}

	l.agent = "codex"
	toml := filepath.Join(t.TempDir(), "otel.toml")
	write(t, toml, "[otel]\nlog_user_prompt = false\n[otel.exporter.otlp-http]\nendpoint = \""+server.Server+"/v1/logs\"\nprotocol = \"binary\"\nheaders = { \"authorization\" = \"Bearer "+token+"\" }\n")
	l.more = []string{"--toml", toml}
	l.play(l.repo, nil, "", []paidTurn{{command: "ls", branch: "main"}, {branch: "main"}})
	want["codex"] = told{2, 300, 40000, 40}

	// The model bills these always the same: 100 and 20 tokens.
	scenario := func(tool string) string {
		return `{"steps":[{"tool":"` + tool + `","input":{"command":"ls","description":"x"}},{"text":"done"}]}`
	}
	other := func(agent, tool string, more ...string) {
		cmd := exec.Command("node", append([]string{filepath.Join(harness, "run.mjs"), agent, "--name", "telemetry-" + agent, "--scenario", scenario(tool),
			"--home", l.home, "--cwd", l.repo, "--prompt", "CANARYWORD do it", "--env", "OTEL_EXPORTER_OTLP_HEADERS=" + headers}, more...)...)
		cmd.Env = append(cmd.Environ(), "HOSTS_DIR="+hosts)
		if out, err := cmd.Output(); err != nil {
			t.Fatalf("%s: %v\n%s", agent, err, out)
		}
		want[agent] = told{2, 200, 0, 40}
	}
	other("gemini", "run_shell_command", "--settings", `{"telemetry":{"enabled":true,"target":"local","otlpEndpoint":"`+server.Server+`","otlpProtocol":"http","logPrompts":false}}`)
	other("copilot", "bash", "--env", "OTEL_EXPORTER_OTLP_ENDPOINT="+server.Server)

	check := func(when string) {
		t.Helper()
		var models []struct {
			Name string
			told
		}
		out := l.sh("cd src/shop && " + binary + " dashboard show spend spend-by-model --json 2>/dev/null")
		if err := json.Unmarshal([]byte(out), &models); err != nil {
			t.Fatal(err, out)
		}
		got := map[string]told{}
		for _, m := range models {
			if m.Name == "gemini-2.5-pro" { // as its own file calls what the model calls mock
				m.Name = "mock"
			}
			got[m.Name] = m.told
		}
		for agent, model := range map[string]string{"claude": "claude-sonnet-4-5", "codex": "gpt-5", "gemini": "mock", "copilot": "mock-1"} {
			if got[model] != want[agent] {
				t.Errorf("%s, %s: %+v, the model billed %+v", when, agent, got[model], want[agent])
			}
		}
		if t.Failed() {
			t.Log(out)
		}
	}
	check("by telemetry")
	l.sh(up) // which reads the machine's ledger, and tells its server
	check("with the ledger")

	if kept := l.sh("grep -rla CANARYWORD ~/.cairn; true"); kept != "" { // Gemini CLI tells its command line
		t.Errorf("a word of a prompt is in %s", kept)
	}

	l.sh(binary + " install claude --telemetry off --yes && " + binary + " uninstall claude --yes")
	if left := l.sh("cat ~/.claude/settings.json 2>/dev/null; true"); left != settings {
		t.Errorf("settings were %q, and are %q", settings, left)
	}
}
