package project

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"cairn/internal/home"
)

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func trusted(h home.Home, repo string, name string) bool {
	_, err := Open(h, home.Repo(repo)).ReadTrusted(name)
	return err == nil
}

func TestTrust(t *testing.T) {
	h, repo := home.Home(filepath.Join(t.TempDir(), "h")), t.TempDir()
	file := filepath.Join(repo, ".cairn", Config)
	write(t, file, "a")
	write(t, filepath.Join(repo, ".cairn", "rules", "deep", "x.json"), "{}")
	d := Open(h, home.Repo(repo))
	if _, err := d.ReadTrusted(Config); !errors.Is(err, ErrUntrusted) {
		t.Error(err)
	}
	all := map[string][]byte{}
	for _, f := range d.Files() {
		all[f.Name] = f.Data
	}
	if len(all) != 2 || d.Trust(all) != nil || !trusted(h, repo, Config) || !trusted(h, repo, "rules/deep/x.json") {
		t.Errorf("%v", all)
	}
	for dir, mode := range map[string]os.FileMode{h.Trust(): 0o700, d.file(): 0o600} {
		if fi, err := os.Stat(dir); err != nil || fi.Mode().Perm() != mode && runtime.GOOS != "windows" {
			t.Errorf("%s: %v %v", dir, fi, err)
		}
	}
	write(t, file, "b")
	if trusted(h, repo, Config) || !trusted(h, repo, "rules/deep/x.json") {
		t.Error("a changed file is trusted, or another one is not")
	}
	if f := Open(h, home.Repo(repo)).Files(); !f[0].Changed || f[0].Trusted {
		t.Errorf("%+v", f[0])
	}
	write(t, file, "a")
	// Another place is another repository; its content alone is not enough.
	moved := filepath.Join(t.TempDir(), "moved")
	if err := os.Rename(repo, moved); err != nil {
		t.Fatal(err)
	}
	if trusted(h, moved, Config) {
		t.Error("trusted after a move")
	}
	if err := os.Rename(moved, repo); err != nil || !trusted(h, repo, Config) {
		t.Error("not trusted where it was", err)
	}
	if list, err := List(h); err != nil || len(list) != 1 || len(list[0].Files) != 2 {
		t.Errorf("%v %v", list, err)
	}
	if was, err := d.Revoke(); !was || err != nil || trusted(h, repo, Config) {
		t.Error("trusted after it was revoked", err)
	}
	write(t, d.file(), `{"repository": "/elsewhere", "files": {"config.toml": "`+hash([]byte("a"))+`"}}`)
	if trusted(h, repo, Config) {
		t.Error("the record of another repository counts")
	}
}

// A plan is trusted as a whole, in its own place, beside files and without them.
func TestTrustPlan(t *testing.T) {
	h, repo := home.Home(filepath.Join(t.TempDir(), "h")), t.TempDir()
	open := func(dir string) *Dir { return Open(h, home.Repo(dir)) }
	if open(repo).TrustsPlan() {
		t.Error("trusted before anybody said so")
	}
	if err := open(repo).TrustPlan(); err != nil || !open(repo).TrustsPlan() {
		t.Error("not trusted", err)
	}
	if open(filepath.Join(repo, "vendor", "x")).TrustsPlan() || open(t.TempDir()).TrustsPlan() {
		t.Error("another directory is trusted, too")
	}
	write(t, filepath.Join(repo, ".cairn", Config), "a")
	if trusted(h, repo, Config) {
		t.Error("a file is trusted with the plan")
	}
	if err := open(repo).Trust(map[string][]byte{Config: []byte("a")}); err != nil || !open(repo).TrustsPlan() || !trusted(h, repo, Config) {
		t.Error("one forgets the other", err)
	}
	if list, err := List(h); err != nil || len(list) != 1 || !list[0].Plan || len(list[0].Files) != 1 {
		t.Errorf("%v %v", list, err)
	}
	if was, err := open(repo).Revoke(); !was || err != nil || open(repo).TrustsPlan() {
		t.Error("trusted after it was revoked", err)
	}
}

// A linked worktree shares the trust of its repository. What only says that it
// is one does not.
func TestWorktrees(t *testing.T) {
	h, base := home.Home(filepath.Join(t.TempDir(), "h")), t.TempDir()
	main, tree, archive := filepath.Join(base, "main"), filepath.Join(base, "tree"), filepath.Join(base, "archive")
	admin := filepath.Join(main, ".git", "worktrees", "tree")
	write(t, filepath.Join(admin, "gitdir"), filepath.Join(tree, ".git")+"\n")
	for _, dir := range []string{main, tree, archive} {
		write(t, filepath.Join(dir, "sub", ".cairn", Config), "a")
	}
	write(t, filepath.Join(tree, ".git"), "gitdir: "+admin+"\n")
	write(t, filepath.Join(archive, ".git"), "gitdir: "+admin+"\n")
	if err := Open(h, home.Repo(filepath.Join(main, "sub"))).Trust(map[string][]byte{Config: []byte("a")}); err != nil {
		t.Fatal(err)
	}
	if !trusted(h, filepath.Join(tree, "sub"), Config) || trusted(h, filepath.Join(archive, "sub"), Config) {
		t.Error("a worktree is not trusted, or an archive is")
	}
	write(t, filepath.Join(tree, "sub", ".cairn", Config), "b")
	if trusted(h, filepath.Join(tree, "sub"), Config) {
		t.Error("another content is trusted")
	}
}

func TestLinks(t *testing.T) {
	h, repo, outside := home.Home(filepath.Join(t.TempDir(), "h")), t.TempDir(), t.TempDir()
	write(t, filepath.Join(outside, "x.json"), "{}")
	write(t, filepath.Join(repo, "tools", "x.json"), "{}")
	dot := filepath.Join(repo, ".cairn")
	if err := os.MkdirAll(filepath.Join(dot, "team-cache"), 0o755); err != nil {
		t.Fatal(err)
	}
	for from, to := range map[string]string{
		"out": outside, "rules": outside, "in": filepath.Join("..", "tools"), "config.toml": filepath.Join(outside, "x.json"),
		"up": "../../..", "loop": "loop", "team-cache/.meta.json": filepath.Join(outside, "new.json"), ".gitignore": "../.git/config",
	} {
		if err := os.Symlink(to, filepath.Join(dot, filepath.FromSlash(from))); err != nil {
			t.Skip(err)
		}
	}
	d := Open(h, home.Repo(repo))
	for _, name := range []string{"out/x.json", "rules/x.json", "config.toml", "up/x", "loop", "../../x"} {
		if data, err := d.Read(name, 100); err == nil {
			t.Errorf("%s is read: %q", name, data)
		}
	}
	if data, err := d.Read("in/x.json", 100); err != nil || string(data) != "{}" {
		t.Errorf("a link within the repository: %q, %v", data, err)
	}
	for _, name := range []string{"out/y.json", "rules/y.json", "config.toml", "in/y.json", "team-cache/.meta.json", ".gitignore", "up/y", "../y"} {
		if err := d.Write(name, []byte("x"), 0o755, 0o644); err == nil && name != "../y" {
			t.Errorf("%s is written", name)
		}
		if name != "config.toml" && name != ".gitignore" && strings.Contains(name, "/") {
			_, _ = d.Mkdir(filepath.ToSlash(filepath.Dir(name)), filepath.Base(name), 0o755)
		}
	}
	if err := d.Remove("out/x.json"); err == nil {
		t.Error("removed through a link")
	}
	if err := d.Remove("out"); err != nil {
		t.Errorf("a link itself cannot be removed: %v", err)
	}
	if entries, _ := os.ReadDir(outside); len(entries) != 1 || entries[0].Name() != "x.json" {
		t.Errorf("outside: %v", entries)
	}
	if _, err := os.Stat(filepath.Join(repo, ".git")); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	for _, f := range d.Files() {
		if f.Err == nil {
			t.Errorf("%s is read", f.Name)
		}
	}
}

func TestWrite(t *testing.T) {
	d := Open(home.Home(t.TempDir()), home.Repo(t.TempDir()))
	if err := d.WriteTrusted("rules/a/b.json", []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(d.Path("rules/a/b.json"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := d.WriteTrusted("rules/a/b.json", []byte("{ }"), 0o644); err != nil {
		t.Fatal(err)
	}
	entries, _ := os.ReadDir(d.Path("rules/a"))
	fi, err := os.Stat(d.Path("rules/a/b.json"))
	if err != nil || len(entries) != 1 || fi.Mode().Perm() != 0o600 && runtime.GOOS != "windows" {
		t.Errorf("%v %v %v", entries, fi, err)
	}
	if _, err := d.ReadTrusted("rules/a/b.json"); err != nil {
		t.Error(err)
	}
}

// What a stranger put where the rules are is neither waited for nor read without
// end, and what is trusted is read without a look at the rest.
func TestManyRules(t *testing.T) {
	h, repo := home.Home(filepath.Join(t.TempDir(), "h")), t.TempDir()
	d := Open(h, home.Repo(repo))
	if err := d.WriteTrusted("rules/zz.json", []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	for i := range maxEntries + 10 {
		write(t, d.Path(fmt.Sprintf("rules/%d.txt", i)), "")
	}
	for i := range maxRules + 10 {
		write(t, d.Path(fmt.Sprintf("rules/deep/%d.json", i)), "{}")
	}
	deep := "rules" + strings.Repeat("/x", 30) + "/a.json"
	write(t, d.Path(deep), "{}")
	write(t, d.Path("rules/large.json"), strings.Repeat("x", mostRule+1))
	if n := len(d.Files()); n > maxRules {
		t.Errorf("%d files", n)
	}
	for _, f := range d.Files() {
		if f.Name == deep || f.Name == "rules/large.json" && f.Err == nil {
			t.Errorf("%s is read", f.Name)
		}
	}
	if rules := Open(h, home.Repo(repo)).TrustedRules(); len(rules) != 1 || rules[0].Name != "rules/zz.json" {
		t.Errorf("%v", rules)
	}
	write(t, d.Path("rules/zz.json"), "{ }")
	if rules := d.TrustedRules(); len(rules) != 0 {
		t.Errorf("%v", rules)
	}
}
