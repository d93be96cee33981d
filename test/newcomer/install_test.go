package newcomer

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// docs/install.md, from a clone to nothing: at the end the home is as it was.
func TestInstallPage(t *testing.T) {
	list := blocks(t, "docs/install.md", "")
	if len(list) != 4 {
		t.Fatalf("%d blocks, not 4", len(list))
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	// What Go keeps is the machine's: a second module cache would need a network.
	goEnv, err := exec.Command("go", "env", "GOMODCACHE", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	caches := strings.Fields(string(goEnv))
	bin := t.TempDir()
	p := newPlace(t, bin, root, "GOBIN="+bin, "GOMODCACHE="+caches[0], "GOCACHE="+caches[1])
	claude := filepath.Join(p.home, ".claude")
	if err := os.Mkdir(claude, 0o755); err != nil {
		t.Fatal(err)
	}
	settings := filepath.Join(claude, "settings.json")
	const before = "{\n  \"model\":   \"opus\"\n}\n"
	if err := os.WriteFile(settings, []byte(before), 0o644); err != nil {
		t.Fatal(err)
	}
	has := func(name string) bool {
		_, err := os.Stat(filepath.Join(p.home, name))
		return err == nil
	}
	for i, lines := range list {
		for _, line := range lines {
			if strings.Contains(line, "scripts/man") { // the clone stays as it is
				line = strings.ReplaceAll(line, "build", filepath.Join(p.home, "pages"))
			}
			out := p.run(line)
			if line == "cairn version" && !strings.HasPrefix(out, "cairn ") {
				t.Errorf("%s: %s", line, out)
			}
		}
		switch i {
		case 1:
			if data, _ := os.ReadFile(settings); !strings.Contains(string(data), ".cairn/bin/cairn") || !strings.Contains(string(data), `"model":   "opus"`) {
				t.Errorf("the agent has no hook, or is not as it was otherwise: %s", data)
			}
		case 2:
			for _, name := range []string{".local/share/bash-completion/completions/cairn", ".config/fish/completions/cairn.fish", ".zfunc/_cairn", ".local/share/man/man1/cairn-eval.1"} {
				if !has(name) {
					t.Errorf("there is no %s", name)
				}
			}
		}
	}
	if data, _ := os.ReadFile(settings); string(data) != before {
		t.Errorf("the agent's settings are not as they were: %s", data)
	}
	for _, name := range []string{".cairn", ".local/share/bash-completion/completions/cairn", ".local/share/man/man1/cairn.1"} {
		if has(name) {
			t.Errorf("%s is left", name)
		}
	}
	if left, _ := os.ReadDir(bin); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}
