package install

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cairn/internal/host"
	"cairn/test/cairntest"
)

// verdicts are the names and results of checks, in order.
func verdicts(checks []Check) string {
	var all []string
	for _, c := range checks {
		all = append(all, c.Name+":"+c.Status)
	}
	return strings.Join(all, " ")
}

// A hook that the host does not run is as good as none.
func TestCheckTrust(t *testing.T) {
	t.Parallel()
	for state, want := range map[string]string{"trusted": OK, "untrusted": Fail, "unseen": Fail, "unknown": Warn} {
		m, target := sandbox(t)
		command := m.caller(target, compact.Parts).command()
		target.Host.Trust = func(context.Context, string, string) ([]host.Trust, error) {
			switch state {
			case "unknown":
				return nil, errors.New("no answer")
			case "unseen":
				return []host.Trust{{Command: "trim", Runs: true}}, nil
			}
			return []host.Trust{{Command: "trim", Runs: true}, {Command: command, Runs: state == "trusted", State: state}}, nil
		}
		c := checkup{Machine: m, target: target}
		c.trust(t.Context(), command, t.TempDir())
		if got := verdicts(c.all); got != "trust:"+want {
			t.Errorf("%s: %s", state, got)
		}
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		spoil func(t *testing.T, m Machine, target Target)
		want  string
		says  string // in the detail of what is not ok
	}{
		{"healthy", func(*testing.T, Machine, Target) {}, "settings:ok hooks:ok binary:ok round trip:ok", ""},
		{"not installed", func(t *testing.T, m Machine, target Target) { uninstall(t, m, target) },
			"settings:ok hooks:fail", "not registered in"},
		{"a comment", edit("{\n", "{\n// x\n"), "settings:fail hooks:ok binary:ok round trip:ok", "settings.json:2: a comment"},
		{"broken", edit("{\n", "{,\n"), "settings:fail", "settings.json:1"},
		{"switched off", edit("{\n", "{\n\"disableAllHooks\": true,\n"), "settings:ok switch:fail hooks:ok binary:ok round trip:ok", "settings.json:2: disableAllHooks"},
		{"an event is gone", edit("PreToolUse", "Stop"), "settings:ok hooks:fail binary:ok round trip:ok", "lacks PreToolUse Bash"},
		{"a matcher is changed", edit("^(Bash|Read|Grep|Glob|WebFetch|WebSearch|TaskOutput|mcp__.*|Write|Edit)$", "Bash"), "settings:ok hooks:fail binary:ok round trip:ok", "lacks PostToolUse ^(Bash"},
		{"the binary is gone", func(t *testing.T, m Machine, _ Target) {
			if err := os.Remove(m.Binary()); err != nil {
				t.Fatal(err)
			}
		}, "settings:ok hooks:ok binary:fail", "does not exist"},
		{"the binary is not executable", func(t *testing.T, m Machine, _ Target) { chmod(t, m.Binary(), 0o644) },
			"settings:ok hooks:ok binary:fail", "not executable"},
		{"another binary", func(t *testing.T, m Machine, _ Target) {
			write(t, m.Binary(), "#!/bin/sh\ncat >/dev/null; echo '{}'\n", 0o755)
		},
			"settings:ok hooks:ok binary:warn round trip:ok", "is not the cairn that is running"},
		{"a Windows program", func(t *testing.T, m Machine, _ Target) { write(t, m.Binary(), "MZ\nexit 1", 0o755) },
			"settings:ok hooks:ok binary:warn round trip:fail", "Windows program"},
		{"it answers nonsense", func(t *testing.T, m Machine, _ Target) { write(t, m.Binary(), "#!/bin/sh\necho hello\n", 0o755) },
			"settings:ok hooks:ok binary:warn round trip:fail", "not JSON"},
		{"it fails", func(t *testing.T, m Machine, _ Target) {
			write(t, m.Binary(), "#!/bin/sh\necho broken >&2; exit 3\n", 0o755)
		},
			"settings:ok hooks:ok binary:warn round trip:fail", "exit status 3: broken"},
		{"a rival", edit("\"PostToolUse\": [", "\"PostToolUse\": [{\"matcher\": \"*\", \"hooks\": [{\"type\": \"command\", \"command\": \"trim\"}]},"),
			"settings:ok hooks:ok binary:ok round trip:ok rivals:warn", "another hook on Bash, Read, Grep, Glob, WebFetch, WebSearch, TaskOutput, mcp__server__tool: trim"},
		{"no rival", edit("\"PostToolUse\": [", "\"PostToolUse\": [{\"matcher\": \"Edit\", \"hooks\": [{\"type\": \"command\", \"command\": \"fmt\"}]},"),
			"settings:ok hooks:ok binary:ok round trip:ok", ""},
		{"registered twice", edit("\"PostToolUse\": [", "\"PostToolUse\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"/old/cairn hook claude\"}]},"),
			"settings:ok hooks:warn binary:ok round trip:ok", "more than once"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, target := sandbox(t)
			write(t, target.Settings(), someSettings, 0o644)
			install(t, m, target)
			tt.spoil(t, m, target)
			checks := m.Check(context.Background(), target, t.TempDir())
			if got := verdicts(checks); got != tt.want {
				t.Errorf("got %s\nwant %s\n%v", got, tt.want, checks)
			}
			if tt.says != "" {
				said := ""
				for _, c := range checks {
					if c.Status != OK {
						said += c.Detail + "\n"
					}
				}
				if !strings.Contains(said, tt.says) {
					t.Errorf("it says %q, want %q in it", said, tt.says)
				}
			}
		})
	}
}

func edit(old, new string) func(*testing.T, Machine, Target) {
	return func(t *testing.T, _ Machine, target Target) {
		text := read(t, target.Settings())
		if !strings.Contains(text, old) {
			t.Fatalf("no %q in\n%s", old, text)
		}
		write(t, target.Settings(), strings.Replace(text, old, new, 1), 0o644)
	}
}

func chmod(t *testing.T, name string, mode os.FileMode) {
	t.Helper()
	if err := os.Chmod(name, mode); err != nil {
		t.Fatal(err)
	}
}

func TestCheckProjectSettings(t *testing.T) {
	t.Parallel()
	m, target := sandbox(t)
	repo := t.TempDir()
	install(t, m, target)
	write(t, filepath.Join(repo, ".claude/settings.json"), read(t, target.Settings()), 0o644)
	uninstalled := uninstall(t, m, target)
	checks := m.Check(context.Background(), target, repo)
	if got := verdicts(checks); got != "settings:ok hooks:ok binary:fail" {
		t.Errorf("registered by the project only: %s", got)
	}
	if !uninstalled.WasInstalled() {
		t.Error("uninstall found nothing")
	}
	write(t, filepath.Join(repo, ".claude/settings.local.json"), `{"disableAllHooks": true}`, 0o644)
	if got := verdicts(m.Check(context.Background(), target, repo)); got != "settings:ok settings:ok switch:fail hooks:ok binary:fail" {
		t.Errorf("switched off by the project: %s", got)
	}
}

func TestCheckLog(t *testing.T) {
	t.Parallel()
	m, _ := sandbox(t)
	if got := m.CheckLog(); len(got) > 0 {
		t.Errorf("no log, yet %v", got)
	}
	var text strings.Builder
	for i := range 8 {
		fmt.Fprintf(&text, "error %d\n", i)
	}
	write(t, m.Home.HookLog(), text.String(), 0o600)
	got := m.CheckLog()
	if len(got) != 1 || got[0].Status != Warn || strings.Join(got[0].Lines, " ") != "error 3 error 4 error 5 error 6 error 7" {
		t.Errorf("got %+v", got)
	}
	old := time.Now().Add(-2 * logAge)
	if err := os.Chtimes(m.Home.HookLog(), old, old); err != nil {
		t.Fatal(err)
	}
	if got := m.CheckLog(); len(got) > 0 {
		t.Errorf("errors of long ago are shown: %v", got)
	}
}

// The hook gets the envelope on stdin, and one that hangs does not hang us.
func TestRoundTrip(t *testing.T) {
	cairntest.Long(t)
	t.Parallel()
	_, target := sandbox(t)
	dir := t.TempDir()
	got := filepath.Join(dir, "got")
	if _, err := call(context.Background(), "cat > '"+got+"'", target.Host.Sample(), time.Minute); err != nil {
		t.Fatal(err)
	}
	if read(t, got) != string(target.Host.Sample()) {
		t.Error("the hook got something else than the envelope")
	}
	if _, err := call(context.Background(), "sleep 60", nil, 50*time.Millisecond); err == nil || !strings.Contains(err.Error(), "no answer") {
		t.Errorf("a hook that hangs: %v", err)
	}
}

func TestCommandLines(t *testing.T) {
	t.Parallel()
	claude, _ := host.Find("claude")
	only := []host.Part{host.Plan}
	for _, binary := range []string{"/home/dev/.cairn/bin/cairn", "/home/o'neil dev/cairn", `/odd/$HOME/"q"/cairn`, `/back\slash\\/cairn`, "C:/Users/dev/.cairn/bin/cairn.exe"} {
		if got := binaryOf(caller{claude, binary, only}.command(), "claude"); got != binary {
			t.Errorf("%s becomes %q", binary, got)
		}
	}
	for _, command := range []string{"cairn hook claude", "~/go/bin/cairn hook claude", "'/x y/cairn' hook claude ", `"C:\cairn\cairn.exe" hook claude`, "cairn hook claude --only compact"} {
		if binaryOf(command, "claude") == "" {
			t.Errorf("%s is ours", command)
		}
	}
	for _, command := range []string{"", "hook claude", "cairn hook codex", "cairn run -- hook claude2", "/opt/cairngorm hook claude", "echo cairn hook claude | cat", "cairn hook claude | tee log"} {
		if binaryOf(command, "claude") != "" {
			t.Errorf("%s is not ours", command)
		}
	}
	if got := (caller{claude, `C:\Users\dev\.cairn\bin\cairn.exe`, host.Parts()}).command(); got != `"C:/Users/dev/.cairn/bin/cairn.exe" hook claude` {
		t.Errorf("on Windows: %s", got)
	}
}

func TestWindowsGetsNoShim(t *testing.T) {
	t.Parallel()
	m, target := sandbox(t)
	m.GOOS = "windows"
	install(t, m, target)
	text := read(t, target.Settings())
	if !strings.Contains(text, "PostToolUse") || strings.Contains(text, "SessionStart") || strings.Contains(text, "PreToolUse") {
		t.Errorf("got\n%s", text)
	}
	if !m.WindowsInWSL(`\\wsl.localhost\Debian\home\dev`) || m.WindowsInWSL(`C:\Users\dev`) {
		t.Error("WSL is not told from Windows")
	}
}

// What a repository registers as our hook is its authors' command line, and
// doctor runs none of it.
func TestCheckRunsNoStrangersHook(t *testing.T) {
	for _, command := range []string{"$(touch pwned)/cairn hook claude", "./tools/cairn hook claude"} {
		m, target := sandbox(t)
		uninstall(t, m, target)
		dir := t.TempDir()
		t.Chdir(dir)
		for name, text := range map[string]string{
			"tools/cairn":           "#!/bin/sh\ntouch pwned\n",
			".claude/settings.json": fmt.Sprintf(`{"hooks": {"PostToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": %q}]}]}}`, command),
		} {
			if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.MkdirAll(filepath.Dir(target.Settings()), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(target.Settings(), []byte("{}"), 0o600); err != nil {
			t.Fatal(err)
		}
		got := verdicts(m.Check(t.Context(), target, dir))
		if _, err := os.Stat("pwned"); err == nil {
			t.Errorf("%s: it was run: %s", command, got)
		}
		if !strings.Contains(got, "round trip:warn") {
			t.Errorf("%s: %s", command, got)
		}
	}
}
