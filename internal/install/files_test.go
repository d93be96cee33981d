package install

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cairn/internal/host"
)

const someSettings = "{\n  \"model\": \"opus\"\n}\n"

func TestSymbolicLinksStay(t *testing.T) {
	t.Parallel()
	m, target := sandbox(t)
	dotfiles := filepath.Join(filepath.Dir(target.Dir), "dotfiles")
	write(t, filepath.Join(dotfiles, "claude.json"), someSettings, 0o600)
	if err := os.MkdirAll(target.Dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../dotfiles/claude.json", target.Settings()); err != nil {
		t.Fatal(err)
	}
	before := tree(t, target.Dir) + tree(t, dotfiles)
	install(t, m, target)
	checkRegistered(t, m, target, someSettings, read(t, filepath.Join(dotfiles, "claude.json")))
	if link, err := os.Readlink(target.Settings()); err != nil || link != "../dotfiles/claude.json" {
		t.Errorf("the link became %q, %v", link, err)
	}
	uninstall(t, m, target)
	if got := tree(t, target.Dir) + tree(t, dotfiles); got != before {
		t.Errorf("got\n%s\nwant\n%s", got, before)
	}

	if err := os.Remove(filepath.Join(dotfiles, "claude.json")); err != nil {
		t.Fatal(err)
	}
	if _, err := m.PlanInstall(target, compact); err == nil || !strings.Contains(err.Error(), "does not exist") {
		t.Errorf("a link to nothing: %v", err)
	}
}

// A read-only file is refused by its mode, so that root gets the same answer.
func TestReadOnlyFileIsRefused(t *testing.T) {
	t.Parallel()
	m, target := sandbox(t)
	write(t, target.Settings(), someSettings, 0o444)
	before := tree(t, filepath.Dir(target.Dir))
	p, err := m.PlanInstall(target, compact)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Apply(); !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), target.Settings()) {
		t.Errorf("install: %v", err)
	}
	if got := tree(t, filepath.Dir(target.Dir)); got != before {
		t.Errorf("got\n%s\nwant\n%s", got, before)
	}

	if err := os.Chmod(target.Settings(), 0o644); err != nil {
		t.Fatal(err)
	}
	install(t, m, target)
	if err := os.Chmod(target.Settings(), 0o444); err != nil {
		t.Fatal(err)
	}
	installed := tree(t, filepath.Dir(target.Dir))
	if p := install(t, m, target); p.Changed() {
		t.Error("installing again wants to change the file")
	}
	p, err = m.PlanUninstall(target, nil, host.Parts()...)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Apply(); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("uninstall: %v", err)
	}
	if got := tree(t, filepath.Dir(target.Dir)); got != installed {
		t.Errorf("a refused uninstall left\n%s\nwant\n%s", got, installed)
	}
}

// When the last write fails, nothing of the earlier ones is left.
func TestFailedWriteIsUndone(t *testing.T) {
	t.Parallel()
	m, target := sandbox(t)
	write(t, target.Settings(), someSettings, 0o644)
	p, err := m.PlanInstall(target, compact)
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.Replace(someSettings, "opus", "haiku", 1)
	write(t, target.Settings(), changed, 0o644)
	if _, err := p.Apply(); !errors.Is(err, ErrChanged) {
		t.Errorf("install over another program's change: %v", err)
	}
	if got := read(t, target.Settings()); got != changed {
		t.Errorf("the other program's change is lost: %s", got)
	}
	if left := tree(t, string(m.Home)); strings.Contains(left, ".json") || strings.Contains(left, "cairn \"") {
		t.Errorf("left:\n%s", left)
	}

	// Over an installation that is there, the old manifest comes back.
	install(t, m, target)
	old := tree(t, string(m.Home))
	write(t, target.Settings(), strings.Replace(read(t, target.Settings()), "\"timeout\": 10", "\"timeout\": 99", 1), 0o644)
	if p, err = m.PlanInstall(target, compact); err != nil || !p.Changed() {
		t.Fatalf("a changed timeout: %v", err)
	}
	write(t, target.Settings(), read(t, target.Settings())+"\n", 0o644)
	if _, err := p.Apply(); !errors.Is(err, ErrChanged) {
		t.Error(err)
	}
	if got := tree(t, string(m.Home)); got != old {
		t.Errorf("got\n%s\nwant\n%s", got, old)
	}
}

// Each write in the order that the package comment states, cut off after it:
// uninstall brings the original back from there.
func TestKilledBetweenWrites(t *testing.T) {
	t.Parallel()
	m, target := sandbox(t)
	write(t, target.Settings(), someSettings, 0o644)
	before := tree(t, target.Dir)
	stages := map[string]func(*Plan) error{
		"binary": func(p *Plan) error { _, err := m.copyBinary(); return err },
		"manifest": func(p *Plan) error {
			if _, err := m.copyBinary(); err != nil {
				return err
			}
			return m.writeManifest(target, p.manifest)
		},
		"settings on the way out": func(p *Plan) error {
			if _, err := p.Apply(); err != nil {
				return err
			}
			out, err := m.PlanUninstall(target, nil, host.Parts()...)
			if err != nil {
				return err
			}
			return out.Settings[0].write()
		},
	}
	for name, run := range stages {
		p, err := m.PlanInstall(target, compact)
		if err == nil {
			err = run(p)
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		uninstall(t, m, target)
		if got := tree(t, target.Dir); got != before {
			t.Errorf("killed after %s:\n%s\nwant\n%s", name, got, before)
		}
		if left := tree(t, string(m.Home)); strings.Contains(left, "cairn \"") {
			t.Errorf("killed after %s, left:\n%s", name, left)
		}
	}

	// Killed while the entries of an edited file were being renewed.
	install(t, m, target)
	write(t, target.Settings(), strings.NewReplacer("\"timeout\": 10", "\"timeout\": 99", "opus", "haiku").Replace(read(t, target.Settings())), 0o644)
	p, err := m.PlanInstall(target, compact)
	if err != nil || !p.Changed() {
		t.Fatal(err)
	}
	if err := m.writeManifest(target, p.manifest); err != nil {
		t.Fatal(err)
	}
	uninstall(t, m, target)
	if got, want := read(t, target.Settings()), strings.Replace(someSettings, "opus", "haiku", 1); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestSettingsThatCannotBeRead(t *testing.T) {
	t.Parallel()
	tests := []struct {
		text string
		line int
	}{
		{"{\n  \"model\": \"opus\"\n  \"env\": {}\n}\n", 3},
		{"[]\n", 1},
		{"{\n  \"hooks\": \"none\"\n}\n", 2},
		{"{\n  \"hooks\": {\n    \"PostToolUse\": {}\n  }\n}\n", 3},
		{"<<<<<<< HEAD\n{}\n", 1},
	}
	for _, tt := range tests {
		m, target := sandbox(t)
		write(t, target.Settings(), tt.text, 0o644)
		_, err := m.PlanInstall(target, compact)
		var serr *SettingsError
		if !errors.Is(err, ErrSettings) || !errors.As(err, &serr) || serr.Line != tt.line || serr.Path != target.Settings() {
			t.Errorf("%q: %v, want an error in line %d", tt.text, err, tt.line)
		}
	}
}

func TestPlainCopy(t *testing.T) {
	t.Parallel()
	original := read(t, "testdata/settings/comments.json")
	m, target := sandbox(t)
	write(t, target.Settings(), original, 0o644)
	before := tree(t, target.Dir)
	if p := install(t, m, target); len(p.Main().Extensions) != 8 || p.Main().Extensions[0].Line != 1 {
		t.Errorf("the host will drop this file for %v", p.Main().Extensions)
	}
	makePlain := func() *Plan {
		p, err := m.PlanInstall(target, Options{Parts: compact.Parts, Plain: true})
		if err == nil {
			_, err = p.Apply()
		}
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	p := makePlain()
	if got := read(t, target.Settings()); strings.Contains(got, "//") || len(p.Main().Extensions) > 0 {
		t.Errorf("not plain:\n%s", got)
	}
	checkRegistered(t, m, target, original, read(t, target.Settings()))
	if kept := read(t, p.Main().Backup); kept != original {
		t.Errorf("the backup has\n%s", kept)
	}
	if p := install(t, m, target); p.Changed() {
		t.Errorf("installing again brings the comments back\n%s", p.Diff())
	}
	uninstall(t, m, target)
	if got := tree(t, target.Dir); got != before {
		t.Errorf("got\n%s\nwant\n%s", got, before)
	}
	if _, err := os.Stat(p.Main().Backup); err == nil {
		t.Error("the backup of what was restored is left")
	}

	// Edited in between, the comments cannot come back: the backup stays.
	makePlain()
	write(t, target.Settings(), strings.Replace(read(t, target.Settings()), "opus", "haiku", 1), 0o644)
	install(t, m, target)
	out := uninstall(t, m, target)
	if got := read(t, target.Settings()); !strings.Contains(got, "haiku") || strings.Contains(got, "cairn") {
		t.Errorf("left:\n%s", got)
	}
	if out.Main().Backup == "" || read(t, out.Main().Backup) != original {
		t.Errorf("the comments are lost; backup %q", out.Main().Backup)
	}
}

func TestBinaryCopy(t *testing.T) {
	t.Parallel()
	m, target := sandbox(t)
	install(t, m, target)
	if fi, err := os.Stat(m.Binary()); err != nil || fi.Mode().Perm() != 0o755 {
		t.Fatalf("%v, %v", fi, err)
	}
	write(t, m.Executable, "#!/bin/sh\n# newer\n", 0o755)
	install(t, m, target)
	if got := read(t, m.Binary()); !strings.Contains(got, "newer") {
		t.Error("the copy is the old one")
	}
	write(t, m.Binary(), "somebody else's", 0o755)
	uninstall(t, m, target)
	if got := read(t, m.Binary()); got != "somebody else's" {
		t.Error("a binary that is not our copy was removed")
	}

	// The user's own link is registered, and left alone.
	if err := os.Remove(m.Binary()); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(m.Executable, m.Binary()); err != nil {
		t.Fatal(err)
	}
	install(t, m, target)
	uninstall(t, m, target)
	if link, err := os.Readlink(m.Binary()); err != nil || link != m.Executable {
		t.Errorf("the link became %q, %v", link, err)
	}
}

// Two configuration directories of one host do not know of each other.
func TestConfigDirVariable(t *testing.T) {
	t.Parallel()
	m, target := sandbox(t)
	install(t, m, target)
	plain := m.Getenv
	other := filepath.Join(filepath.Dir(target.Dir), "work claude")
	m.Getenv = func(key string) string {
		if key == target.Host.ConfigDirEnv {
			return other
		}
		return plain(key)
	}
	second := m.Target(target.Host)
	if second.Dir != other {
		t.Fatalf("the variable gives %s", second.Dir)
	}
	for _, tt := range []struct {
		t    Target
		want string
	}{
		{second, "claude"}, {target, "claude --config-dir " + target.Dir},
		{Target{target.Host, "/r/.claude", "/r"}, "claude --local"}, {Target{target.Host, "/a b", ""}, "claude --config-dir '/a b'"},
	} {
		if got := m.Words(tt.t); got != tt.want {
			t.Errorf("%+v is %s, want %s", tt.t.Dir, got, tt.want)
		}
	}
	install(t, m, second)
	uninstall(t, m, target)
	if _, err := os.Stat(m.Binary()); err != nil {
		t.Error("the binary went while one directory still names it")
	}
	if left, err := m.Installed(); err != nil || len(left) != 1 || left[0].Dir != other {
		t.Errorf("installed: %v, %v", left, err)
	}
	uninstall(t, m, second)
	if _, err := os.Stat(m.Binary()); err == nil {
		t.Error("the binary is left")
	}
}

func TestManifestOfAnotherFormat(t *testing.T) {
	t.Parallel()
	m, target := sandbox(t)
	write(t, m.manifestPath(target, ".json"), `{"version": 99}`, 0o600)
	if _, err := m.PlanUninstall(target, nil, host.Parts()...); err == nil || !strings.Contains(err.Error(), "another version") {
		t.Error(err)
	}
	if _, err := m.Installed(); err == nil {
		t.Error("it is not reported")
	}
}
