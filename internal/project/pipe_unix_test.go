//go:build unix

package project

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"cairn/internal/home"
)

// A pipe wherever a file or directory of ours could be holds nobody up: nobody
// will ever write into it.
func TestPipes(t *testing.T) {
	for _, name := range []string{".cairn", ".cairn/config.toml", ".cairn/team.json", ".cairn/rules", ".cairn/rules/x.json", ".cairn/rules/deep"} {
		repo := t.TempDir()
		pipe := filepath.Join(repo, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(pipe), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mkfifo(pipe, 0o600); err != nil {
			t.Fatal(err)
		}
		d := Open(home.Home(t.TempDir()), home.Repo(repo))
		for _, f := range d.Files() {
			if f.Err == nil {
				t.Errorf("%s: %v", name, f)
			}
		}
		_ = d.TrustedRules()
		if err := d.Write("rules/x.json", []byte("{}"), 0o755, 0o644); err == nil && name != ".cairn/config.toml" && name != ".cairn/team.json" && name != ".cairn/rules/deep" {
			t.Errorf("%s: written", name)
		}
		d.RemoveStale("rules")
	}
}
