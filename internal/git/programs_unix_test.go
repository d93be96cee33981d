//go:build unix

package git

import (
	"bufio"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"cairn/test/cairntest"
)

// questions are what cairn asks of a repository.
var questions = [][]string{
	{"status", "--porcelain"},
	{"status", "--porcelain", "-z", "--untracked-files=all"},
	{"--literal-pathspecs", "status", "--porcelain", "-z", "--", "."},
	{"log", "-1", "--format=%H %ct"},
	{"diff", "--name-only", "-z"},
	{"diff", "--cached", "--name-only", "-z"},
	{"diff-tree", "--root", "--numstat", "-r", "HEAD"},
	{"show", "--name-only", "HEAD"},
	{"rev-parse", "--show-toplevel"},
	{"symbolic-ref", "--quiet", "--short", "HEAD"},
	{"ls-files", "--stage", "-z"},
	{"check-ignore", "-q", "a.txt"},
	{"for-each-ref"},
	{"branch", "-D", "other"},
	{"worktree", "list", "--porcelain"},
	{"worktree", "remove", "../tree"},
	{"rev-list", "--all", "--reflog"},
	{"config", "--get", "remote.origin.url"},
}

// A repository whose configuration was made by a stranger starts nothing when
// cairn asks something of it. Each row is the configuration and what a plain git
// is asked to show that the program would be started.
func TestRepositoryStartsNoProgram(t *testing.T) {
	cairntest.Long(t)
	for _, c := range []struct {
		name, config string
		plain        []string
	}{
		{"fsmonitor", "[core]\n fsmonitor = MARK", []string{"status"}},
		{"hooks", "[core]\n hooksPath = HOOKS", []string{"branch", "-D", "other"}},
		{"hooks in .git", "HOOKS", []string{"branch", "-D", "other"}},
		{"alias", "[alias]\n st = !MARK", []string{"st"}},
		{"external diff", "[diff]\n external = MARK", []string{"diff"}},
		{"textconv", "[diff \"x=y\"]\n textconv = MARK", []string{"diff"}},
		{"diff driver", "[diff \"x=y\"]\n command = MARK", []string{"diff"}},
		{"clean", "[filter \"x=y\"]\n clean = MARK", []string{"status"}},
		{"clean, required", "[filter \"x=y\"]\n clean = MARK\n required = true", []string{"status"}},
		{"process", "[filter \"x=y\"]\n process = MARK", []string{"status"}},
		{"included", "[include]\n path = evil", []string{"status"}},
		{"of a worktree", "[extensions]\n worktreeConfig = true", []string{"status"}},
		{"signature", "[log]\n showSignature = true\n[gpg]\n program = MARK", []string{"log", "-1"}},
		{"pager", "[core]\n pager = MARK\n[pager]\n log = MARK", []string{"-p", "log"}},
		{"promisor", "[core]\n repositoryformatversion = 1\n[extensions]\n partialClone = origin\n[remote \"origin\"]\n promisor = true\n url = ext::MARK x\n[protocol \"ext\"]\n allow = always", []string{"cat-file", "-p", "1234567890123456789012345678901234567890"}},
		{"ssh", "[core]\n repositoryformatversion = 1\n sshCommand = MARK\n[extensions]\n partialClone = origin\n[remote \"origin\"]\n promisor = true\n url = ssh://h/x", []string{"cat-file", "-p", "1234567890123456789012345678901234567890"}},
		{"submodule", "SUBMODULE", []string{"status"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := filepath.Join(repo(t), "w")
			evil := t.TempDir()
			mark := filepath.Join(evil, "mark")
			program := filepath.Join(evil, "program")
			write := func(name, text string) {
				t.Helper()
				if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(name, []byte(text), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			git := func(args ...string) {
				t.Helper()
				cmd := exec.Command("git", args...)
				cmd.Dir = dir
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("%v: %s", args, out)
				}
			}
			append := func(name, text string) {
				data, _ := os.ReadFile(name)
				write(name, string(data)+strings.ReplaceAll(strings.ReplaceAll(text, "MARK", program), "HOOKS", filepath.Join(evil, "hooks"))+"\n")
			}
			write(program, "#!/bin/sh\n: > "+mark+"\nexit 1\n")
			for _, hook := range []string{"post-index-change", "reference-transaction", "post-checkout"} {
				write(filepath.Join(evil, "hooks", hook), "#!/bin/sh\n: > "+mark+"\n")
			}
			git0 := exec.Command("git", "init", "-q", "-b", "main", dir)
			if out, err := git0.CombinedOutput(); err != nil {
				t.Fatal(string(out))
			}
			write(filepath.Join(dir, "a.txt"), "one\n")
			write(filepath.Join(dir, ".gitattributes"), "*.txt filter=x=y diff=x=y\n")
			if c.config == "SUBMODULE" {
				git("init", "-q", "sub")
				write(filepath.Join(dir, "sub", "a.txt"), "one\n")
				write(filepath.Join(dir, "sub", ".gitattributes"), "*.txt filter=x=y\n")
				git("-C", "sub", "add", "-A")
				git("-C", "sub", "commit", "-qm", "x")
			}
			git("add", "-A")
			git("commit", "-qm", "first")
			git("branch", "other")
			git("worktree", "add", "-q", "../tree", "-b", "side")
			// A signature, so that somebody would check it.
			object := exec.Command("sh", "-c", `{ git cat-file commit HEAD | sed '/^$/,$d'; printf 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\nsigned\n'; } | git hash-object -t commit -w --stdin | xargs git reset -q --soft`)
			object.Dir = dir
			if out, err := object.CombinedOutput(); err != nil {
				t.Fatal(string(out))
			}
			config := filepath.Join(dir, ".git", "config")
			switch {
			case c.config == "HOOKS":
				if err := os.RemoveAll(filepath.Join(dir, ".git", "hooks")); err != nil {
					t.Fatal(err)
				}
				if err := os.Rename(filepath.Join(evil, "hooks"), filepath.Join(dir, ".git", "hooks")); err != nil {
					t.Fatal(err)
				}
			case c.config == "SUBMODULE":
				append(filepath.Join(dir, "sub", ".git", "config"), "[filter \"x=y\"]\n clean = MARK")
				write(filepath.Join(dir, "sub", "a.txt"), "two\n")
			case c.name == "included":
				append(config, c.config)
				append(filepath.Join(dir, ".git", "evil"), "[filter \"x=y\"]\n clean = MARK")
			case c.name == "of a worktree":
				append(config, c.config)
				append(filepath.Join(dir, ".git", "config.worktree"), "[filter \"x=y\"]\n clean = MARK")
			default:
				append(config, c.config)
			}
			write(filepath.Join(dir, "a.txt"), "two\n")
			for _, args := range questions {
				_, _ = Run(context.Background(), dir, args...)
				if _, err := os.Stat(mark); err == nil {
					t.Fatalf("git %v started it", args)
				}
				_ = Stream(context.Background(), dir, nil, func(r *bufio.Reader) error { _, err := io.Copy(io.Discard, r); return err }, args...)
				if _, err := os.Stat(mark); err == nil {
					t.Fatalf("git %v started it, streamed", args)
				}
			}
			if c.name != "pager" { // which wants a terminal
				_ = exec.Command("git", "-C", dir, "branch", "other").Run()
				_ = os.Remove(mark)
				cmd := exec.Command("git", c.plain...)
				cmd.Dir = dir
				out, _ := cmd.CombinedOutput()
				if _, err := os.Stat(mark); err != nil {
					t.Errorf("nor does a plain git %v start it: %s", c.plain, out)
				}
			}
		})
	}
}

// What a person does works with the hooks and filters that they have, and with
// none that came as files of the repository.
func TestWork(t *testing.T) {
	dir := repo(t)
	run := func(in string, args ...string) error {
		_, err := Run(context.Background(), in, args...)
		return err
	}
	hook := filepath.Join(dir, ".git", "hooks", "pre-commit")
	if err := os.MkdirAll(filepath.Dir(hook), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(hook, []byte("#!/bin/sh\n: > ../ran\n: > ran\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "a"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := run(dir, "add", "a"); err != nil {
		t.Fatal(err)
	}
	if err := run(dir, "commit", "-qm", "x"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "ran")); err != nil {
		t.Error("the hook did not run")
	}
	// A directory that every clone can have in it.
	inside := filepath.Join(dir, "deep", "made-up")
	if err := run(dir, "init", "-q", "--bare", inside); err != nil {
		t.Fatal(err)
	}
	mark := filepath.Join(t.TempDir(), "mark")
	for _, args := range [][]string{{"config", "core.bare", "false"}, {"config", "core.worktree", ".."}} {
		if err := run(inside, args...); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(inside, "hooks"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(inside, "hooks", "pre-commit"), []byte("#!/bin/sh\n: > "+mark+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, in := range []string{inside, filepath.Join(inside, "refs")} {
		err := run(in, "commit", "--allow-empty", "-qm", "x")
		if _, started := os.Stat(mark); err == nil || started == nil {
			t.Errorf("%s: %v", in, err)
		}
	}
}

// The user's own configuration in the environment stays.
func TestConfigured(t *testing.T) {
	env := configured([]string{"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=a.b", "GIT_CONFIG_VALUE_0=c"}, setting{"core.fsmonitor", "false"})
	if got := strings.Join(env, " "); !strings.HasSuffix(got, "GIT_CONFIG_KEY_1=core.fsmonitor GIT_CONFIG_VALUE_1=false GIT_CONFIG_COUNT=2") {
		t.Error(got)
	}
}

// Nothing is fetched for a question, and the error says so.
func TestPartialClone(t *testing.T) {
	dir := repo(t)
	clone := filepath.Join(t.TempDir(), "clone")
	for _, c := range [][]string{
		{"sh", "-c", "echo x > a && git add a && git commit -qm a && git config uploadpack.allowFilter true"},
		{"git", "clone", "-q", "--no-checkout", "--filter=blob:none", "file://" + dir, clone},
	} {
		cmd := exec.Command(c[0], c[1:]...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", c, out)
		}
	}
	args := []string{"diff-tree", "--root", "--numstat", "-r", "HEAD"}
	if out, err := Run(context.Background(), clone, args...); err == nil || !strings.Contains(err.Error(), "partial clone, and cairn fetches nothing") {
		t.Errorf("%q, %v", out, err)
	}
	cmd := exec.Command("git", "log", "--numstat")
	cmd.Dir = clone
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatal(string(out))
	}
	if out, err := Run(context.Background(), clone, args...); err != nil {
		t.Errorf("%q, %v", out, err)
	}
}
