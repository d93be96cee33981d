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
	ownTargets(t, func(t *testing.T, m Machine, target Target) {
		write(t, filepath.Join(target.Dir, "settings.json"), someSettings, 0o640)
		before := tree(t, target.Dir)
		install(t, m, target)
		if text := read(t, target.Settings()); !strings.Contains(text, m.binary()) || strings.Contains(text, "@") {
			t.Errorf("it says\n%s", text)
		}
		if p := install(t, m, target); p.Changed() {
			t.Errorf("installing again changes\n%s", p.Diff())
		}
		if got := verdicts(m.Check(context.Background(), target, t.TempDir())); got != "hooks:ok binary:ok round trip:ok" {
			t.Errorf("the doctor says %s", got)
		}
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
	const mine = "// my notes\n"
	ownTargets(t, func(t *testing.T, m Machine, target Target) {
		write(t, target.Settings(), mine, 0o644)
		if _, err := m.PlanInstall(target, false); !errors.Is(err, ErrForeign) || !strings.Contains(err.Error(), target.Settings()) {
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
	ownTargets(t, func(t *testing.T, m Machine, target Target) {
		install(t, m, target)
		text := read(t, target.Settings())
		write(t, target.Settings(), strings.ReplaceAll(text, m.binary(), "/old/cairn"), 0o600)
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

// driver calls a plugin as OpenCode does and prints the result afterwards.
const driver = `
const { Cairn } = await import(process.argv[2])
const hooks = await Cairn({ directory: "/home/dev/proj" })
const results = []
for (const result of JSON.parse(process.argv[3])) {
  await hooks["tool.execute.after"]({ tool: "bash", sessionID: "s", callID: "c", args: { command: "make" } }, result)
  results.push(result)
}
console.log(JSON.stringify(results))
`

// Whatever the binary does, the plugin leaves a result as it was, or puts a
// valid answer in place.
func TestPluginFailsOpen(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node here")
	}
	m, _ := sandbox(t)
	h, _ := host.Find("opencode")
	dir := t.TempDir()
	plugin := filepath.Join(dir, "cairn.mjs")
	text := strings.Replace(string(ownText(h, filepath.Join(dir, "cairn"))), "limit = 10_000", "limit = 1_000", 1)
	write(t, plugin, text, 0o600)
	write(t, filepath.Join(dir, "driver.mjs"), driver, 0o600)
	const (
		shell = `{"title":"x","output":"long","metadata":{"exit":3,"output":"long","outputPath":"/f"}}`
		mcp   = `{"content":[{"type":"text","text":"long"}]}`
	)
	for name, tt := range map[string]struct{ binary, shell, mcp string }{
		"missing":        {"", shell, mcp},
		"not executable": {"no", shell, mcp},
		"silent":         {"exit 0", shell, mcp},
		"reads nothing":  {"exec 0<&-; exit 1", shell, mcp},
		"fails":          {"cat > /dev/null; echo '{\"output\": 1' ; exit 3", shell, mcp},
		"stalls":         {"exec sleep 20", shell, mcp},
		"talks":          {"cat > /dev/null; echo hello", shell, mcp},
		"other JSON":     {"cat > /dev/null; echo '{\"output\": 3, \"content\": \"x\"}'", shell, mcp},
		"null":           {"cat > /dev/null; echo null", shell, mcp},
		"answers":        {"cat > /dev/null; echo '{\"output\": \"ü\"}'", strings.Replace(shell, `"output":"long"`, `"output":"ü"`, 1), strings.Replace(mcp, "}]}", `}],"output":"ü"}`, 1)},
		"blocks":         {"cat > /dev/null; echo '{\"content\": []}'", strings.Replace(shell, "}}", `},"content":[]}`, 1), `{"content":[]}`},
		"tells": {`read -r e; case $e in *'"exit":3,"outputPath":"/f"'*) echo '{"output": "told"}';; esac`,
			strings.Replace(shell, `"output":"long"`, `"output":"told"`, 1), mcp},
	} {
		t.Run(name, func(t *testing.T) {
			os.Remove(filepath.Join(dir, "cairn"))
			if tt.binary != "" {
				mode := os.FileMode(0o755)
				if tt.binary == "no" {
					mode = 0o644
				}
				write(t, filepath.Join(dir, "cairn"), "#!/bin/sh\n"+tt.binary+"\n", mode)
			}
			cmd := exec.Command(node, filepath.Join(dir, "driver.mjs"), plugin, "["+shell+","+mcp+"]")
			cmd.Env = append(os.Environ(), "HOME="+string(m.Home))
			begin := time.Now()
			out, err := cmd.Output()
			if took := time.Since(begin); err != nil || took > 8*time.Second {
				t.Fatalf("%v after %v: %s", err, took, out)
			}
			if got := canonical(t, string(out)); got != canonical(t, "["+tt.shell+","+tt.mcp+"]") {
				t.Errorf("got %s", got)
			}
		})
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
