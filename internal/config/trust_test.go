package config

import (
	"os"
	"path/filepath"
	"testing"

	"cairn/internal/project"
)

// A repository's settings do nothing until the person trusts them as they are.
func TestUntrustedSettings(t *testing.T) {
	f := newFixture(t)
	getenv := func(k string) string { return f.env[k] }
	off := "compact.enabled = false\n"
	write(t, f.repo.Config(), off)
	level := func(enabled bool, warnings int) {
		t.Helper()
		c, w := Load(string(f.repo), getenv)
		if c.Bool(CompactEnabled) != enabled || len(w) != warnings || warnings > 0 && !w[0].Untrusted {
			t.Errorf("enabled %v, %v", c.Bool(CompactEnabled), w)
		}
	}
	level(true, 1)
	d := project.Open(f.home, f.repo)
	// To set something in a file that nobody trusts is not to trust the rest.
	if _, err := SetProject(d, CompactLevel, "minimal"); err != nil {
		t.Fatal(err)
	}
	level(true, 1)
	data, _ := os.ReadFile(f.repo.Config())
	if err := d.Trust(map[string][]byte{project.Config: data}); err != nil {
		t.Fatal(err)
	}
	level(false, 0)
	// But in one that is trusted it is.
	if _, err := SetProject(project.Open(f.home, f.repo), CompactLevel, "normal"); err != nil {
		t.Fatal(err)
	}
	level(false, 0)
	write(t, f.repo.Config(), off+"# and a comment\n")
	level(true, 1)
}

// A link in .cairn leads nowhere outside of the repository.
func TestLinkedSettings(t *testing.T) {
	f := newFixture(t)
	outside := t.TempDir()
	write(t, filepath.Join(outside, "config.toml"), "compact.enabled = false\n")
	if err := os.Symlink(outside, filepath.Join(string(f.repo), ".cairn")); err != nil {
		t.Skip(err)
	}
	d := project.Open(f.home, f.repo)
	if err := d.Trust(map[string][]byte{project.Config: []byte("compact.enabled = false\n")}); err != nil {
		t.Fatal(err)
	}
	if c, w := Load(string(f.repo), func(k string) string { return f.env[k] }); !c.Bool(CompactEnabled) || len(w) != 1 {
		t.Errorf("settings of another directory count: %v", w)
	}
	if _, err := SetProject(d, CompactLevel, "minimal"); err == nil {
		t.Error("written through a link")
	}
	if err := WriteTeam(d, Team{URL: "https://x.example"}); err == nil {
		t.Error("team.json written through a link")
	}
	if entries, _ := os.ReadDir(outside); len(entries) != 1 {
		t.Errorf("outside there is now %v", entries)
	}
}
