package install

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cairn/internal/host"
)

// ownTargets are the hosts that take a file of ours.
func ownTargets(t *testing.T, each func(t *testing.T, m Machine, target Target)) {
	for _, h := range host.All() {
		if h.Own != nil {
			t.Run(h.Name, func(t *testing.T) {
				m, _ := sandbox(t)
				each(t, m, m.Target(h))
			})
		}
	}
}

func TestOwnFile(t *testing.T) {
	t.Parallel()
	ownTargets(t, func(t *testing.T, m Machine, target Target) {
		write(t, filepath.Join(target.Dir, "settings.json"), someSettings, 0o640)
		before := tree(t, target.Dir)
		install(t, m, target)
		if text := read(t, target.Settings()); !strings.Contains(text, m.Binary()) || strings.Contains(text, "@") {
			t.Errorf("it says\n%s", text)
		}
		if p := install(t, m, target); p.Changed() {
			t.Errorf("installing again changes\n%s", p.Diff())
		}
		if got := verdicts(m.Check(context.Background(), target, t.TempDir())); got != "hooks:ok binary:ok round trip:ok" {
			t.Errorf("the doctor says %s", got)
		}
		rival := filepath.Join(filepath.Dir(target.Settings()), "trim"+filepath.Ext(target.Settings()))
		write(t, rival, `{"`+target.Host.ReplaceEvent+`": []}`, 0o600)
		write(t, rival+".bak", target.Host.ReplaceEvent, 0o600)
		if got := verdicts(m.Check(context.Background(), target, t.TempDir())); got != "hooks:ok binary:ok round trip:ok rivals:warn" {
			t.Errorf("with a rival the doctor says %s", got)
		}
		os.Remove(rival)
		os.Remove(rival + ".bak")
		uninstall(t, m, target)
		if got := tree(t, target.Dir); got != before {
			t.Errorf("after uninstall:\n%s\nbefore install:\n%s", got, before)
		}
		if p := uninstall(t, m, target); p.Changed() || p.WasInstalled() {
			t.Errorf("uninstalling again changes\n%s", p.Diff())
		}
	})
}

// A file of the same name that somebody else wrote stays, before and after.
func TestForeignFileStays(t *testing.T) {
	t.Parallel()
	const mine = "// my notes\n"
	ownTargets(t, func(t *testing.T, m Machine, target Target) {
		write(t, target.Settings(), mine, 0o644)
		if _, err := m.PlanInstall(target, compact); !errors.Is(err, ErrForeign) || !strings.Contains(err.Error(), target.Settings()) {
			t.Errorf("install: %v", err)
		}
		if p := uninstall(t, m, target); p.Changed() {
			t.Error("uninstall takes it out")
		}
		if err := os.Remove(target.Settings()); err != nil {
			t.Fatal(err)
		}
		install(t, m, target)
		write(t, target.Settings(), mine, 0o644)
		if got := verdicts(m.Check(context.Background(), target, t.TempDir())); got != "hooks:fail" {
			t.Errorf("the doctor says %s", got)
		}
		uninstall(t, m, target)
		if read(t, target.Settings()) != mine {
			t.Error("uninstall took out what the user put in its place")
		}
	})
}

// An older text of ours is renewed, and goes without a manifest too.
func TestOwnFileOfAnotherVersion(t *testing.T) {
	t.Parallel()
	ownTargets(t, func(t *testing.T, m Machine, target Target) {
		install(t, m, target)
		text := read(t, target.Settings())
		write(t, target.Settings(), strings.ReplaceAll(text, m.Binary(), "/old/cairn"), 0o600)
		if got := verdicts(m.Check(context.Background(), target, t.TempDir())); got != "hooks:warn binary:ok round trip:ok" {
			t.Errorf("the doctor says %s", got)
		}
		install(t, m, target)
		if read(t, target.Settings()) != text {
			t.Error("it was not renewed")
		}
		if err := os.Remove(m.manifestPath(target, ".json")); err != nil {
			t.Fatal(err)
		}
		uninstall(t, m, target)
		if _, err := os.Stat(target.Settings()); err == nil {
			t.Error("without a manifest it stays")
		}
	})
}

// A driver calls a plugin as its host does, with results of tools as JSON, and
// prints them as they are afterwards.
var drivers = map[string]string{
	"opencode": `
const { Cairn } = await import(process.argv[2])
const hooks = await Cairn({ directory: "/home/dev/proj" })
const results = JSON.parse(process.argv[3])
for (const result of results) await hooks["tool.execute.after"]({ tool: "bash", sessionID: "s", args: {} }, result)
console.log(JSON.stringify(results))
`,
	"cline": `
const plugin = (await import(process.argv[2])).default
plugin.setup({}, { workspaceInfo: { rootPath: "/home/dev/proj" } })
const results = []
for (const result of JSON.parse(process.argv[3])) {
  const answer = await plugin.hooks.afterTool({ toolCall: { toolName: "run_commands" }, input: {}, result, snapshot: {} })
  results.push(answer?.result ?? result)
}
console.log(JSON.stringify(results))
`,
}

// Whatever the binary does, a plugin leaves a result as it was, or puts a valid
// answer in place.
func TestPluginsFailOpen(t *testing.T) {
	t.Parallel()
	const (
		shell = `{"title":"x","output":"long","metadata":{"exit":3,"output":"long","outputPath":"/f"}}`
		mcp   = `{"content":[{"type":"text","text":"long"}]}`
		both  = "[" + shell + "," + mcp + "]"
		cline = `[{"output":[{"result":"long"}],"isError":true}]`
		reads = "cat > /dev/null; "
	)
	for _, tt := range []struct{ name, binary, opencode, cline string }{
		{"missing", "", both, cline},
		{"not executable", "no", both, cline},
		{"silent", "exit 0", both, cline},
		{"reads nothing", "exec 0<&-; exit 1", both, cline},
		{"fails", reads + "echo '{\"output\": 1'; exit 3", both, cline},
		{"stalls", "exec sleep 20", both, cline},
		{"talks", reads + "echo hello", both, cline},
		{"other JSON", reads + "echo '{\"output\": 3, \"content\": \"x\"}'", both, cline},
		{"null", reads + "echo null", both, cline},
		{"a text", reads + "echo '{\"output\": \"ü\"}'", `[` + strings.Replace(shell, `"output":"long"`, `"output":"ü"`, 1) + `,{"content":[{"type":"text","text":"long"}],"output":"ü"}]`, cline},
		{"blocks", reads + "echo '{\"content\": []}'", `[` + strings.Replace(shell, "}}", `},"content":[]}`, 1) + `,{"content":[]}]`, cline},
		{"entries", reads + "echo '{\"output\": [1]}'", both, `[{"output":[1],"isError":true}]`},
		{"tells", `read -r e; case $e in *'"exit":3,"outputPath":"/f"'*) echo '{"output": "told"}';; *'"cwd":"/home/dev/proj","tool":"run_commands"'*) echo '{"output": []}';; esac`,
			`[` + strings.Replace(shell, `"output":"long"`, `"output":"told"`, 1) + `,` + mcp + `]`, `[{"output":[],"isError":true}]`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			checkPlugin(t, "opencode", tt.binary, both, tt.opencode)
			checkPlugin(t, "cline", tt.binary, cline, tt.cline)
		})
	}
}

func checkPlugin(t *testing.T, name, binary, results, want string) {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node here")
	}
	h, _ := host.Find(name)
	h.Timeout = time.Second
	dir := t.TempDir()
	if mode := os.FileMode(0o755); binary != "" {
		if binary == "no" {
			mode = 0o644
		}
		write(t, filepath.Join(dir, "cairn"), "#!/bin/sh\n"+binary+"\n", mode)
	}
	write(t, filepath.Join(dir, "cairn.mjs"), caller{h, filepath.Join(dir, "cairn"), host.Parts()}.fill(h.OwnText()), 0o600)
	write(t, filepath.Join(dir, "driver.mjs"), drivers[name], 0o600)
	begin := time.Now()
	out, err := exec.Command(node, filepath.Join(dir, "driver.mjs"), filepath.Join(dir, "cairn.mjs"), results).Output()
	if took := time.Since(begin); err != nil || took > 8*time.Second {
		t.Fatalf("%s: %v after %v: %s", name, err, took, out)
	}
	if got := canonical(t, string(out)); got != canonical(t, want) {
		t.Errorf("%s: got %s", name, got)
	}
}

func canonical(t *testing.T, text string) string {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	data, _ := json.Marshal(v)
	return string(data)
}
