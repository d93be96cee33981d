//go:build agents

package agents

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"unicode/utf8"
)

// TestListing logs what each profile adds to the first request of a session in
// which nobody calls a command: the names and descriptions that an agent tells
// its model. Four characters count as a token.
func TestListing(t *testing.T) {
	if harness == "" || hosts == "" {
		t.Skip("CAIRN_HARNESS and HOSTS_DIR name no harness and no agents")
	}
	binary := filepath.Join(t.TempDir(), "cairn")
	run(t, "../..", "go", "build", "-o", binary, ".")
	const most = 300                    // tokens, of all commands and roles
	own := map[string]int{"codex": 600} // words of an agent's own about roles, which it adds when there is any
	for _, c := range callers {
		if c.local {
			continue
		}
		without := c.firstRequest(t, binary, "")
		for _, profile := range []string{"core", "standard", "full"} {
			cost := (c.firstRequest(t, binary, profile) - without) / 4
			t.Logf("%s, %s: %d tokens", c.name, profile, cost)
			if cost <= 0 && profile != "core" || cost > most+own[c.name] {
				t.Errorf("%s, %s: the list costs %d tokens", c.name, profile, cost)
			}
		}
	}
}

// firstRequest returns how many characters the first request has with a
// profile installed; "": nothing is.
func (c caller) firstRequest(t *testing.T, binary, profile string) int {
	t.Helper()
	root := "/tmp/cairn-listing" // its name is in the request
	if err := os.RemoveAll(root); err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(root)
	project, home := filepath.Join(root, "project"), filepath.Join(root, "home")
	for _, dir := range []string{project, filepath.Join(home, c.dir)} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if profile != "" {
		cmd := exec.Command(binary, "install", "--only", "plan", "--profile", profile, "--yes", c.name)
		cmd.Dir = project
		cmd.Env = append(os.Environ(), "HOME="+home, "CAIRN_HOME=", "CLAUDE_CONFIG_DIR=", "XDG_CONFIG_HOME=")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	scenario := filepath.Join(t.TempDir(), "scenario.json")
	write(t, scenario, `{"steps": []}`)
	runDir := runAgent(t, c.name, "listing", project, home, []string{"--scenario", scenario, "--prompt", "hello"})
	return utf8.RuneCountInString(readRequests(t, filepath.Join(runDir, "req"))[0].text)
}
