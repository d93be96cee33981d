//go:build unix

package calls

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// SessionStart fires again on resume, clear and compact; another hook may
// write to the same file.
func TestWriteBlockKeepsOne(t *testing.T) {
	a := newAgent(t)
	first := a.read(a.shell.EnvFile)
	if strings.Count(first, "\n") != 1 || strings.Contains(first, "@") && !strings.Contains(first, `"$@"`) {
		t.Errorf("not one line, or not filled in: %s", first)
	}
	a.write() // resumed
	if a.read(a.shell.EnvFile) != first {
		t.Error("a second block, or another one")
	}
	old := "# >>> cairn >>>\nmake() {\n  :\n}\n# <<< cairn <<<\n" // of an older release
	for _, there := range []string{first, old, first + old} {
		if err := os.WriteFile(a.shell.EnvFile, []byte("export A=1\n"+there+"export B=2\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		a.write()
		if got := a.read(a.shell.EnvFile); got != first+"export A=1\nexport B=2\n" {
			t.Errorf("renewed to %s", got)
		}
	}
	// A block without an end was cut by somebody: nothing is guessed.
	for _, cut := range []string{"export A=1\n" + oldBegin + "\nmake() { :; }\n", blockBegin + " if true; then"} {
		if err := os.WriteFile(a.shell.EnvFile, []byte(cut), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := a.shell.WriteBlock(); err == nil || a.read(a.shell.EnvFile) != cut {
			t.Errorf("%v, now %s", err, a.read(a.shell.EnvFile))
		}
	}
}

// Uninstall leaves nothing of ours in sessions, and what others wrote.
func TestRemoveBlocks(t *testing.T) {
	a := newAgent(t)
	block, root := a.read(a.shell.EnvFile), t.TempDir()
	const old = "# >>> cairn >>>\nmake() { :; }\n# <<< cairn <<<\n"
	texts := map[string]string{"a/one.sh": block, "a/older.sh": old, "b/two.sh": "export A=1\n" + block + "export B=2\n", "b/mine.sh": "export C=3\n", "c/cut.sh": oldBegin}
	for name, text := range texts {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	RemoveBlocks(filepath.Join(root, "*", "*.sh"))
	for name, want := range map[string]string{"b/two.sh": "export A=1\nexport B=2\n", "b/mine.sh": texts["b/mine.sh"], "c/cut.sh": oldBegin} {
		if got := a.read(filepath.Join(root, name)); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
	if _, err := os.Stat(filepath.Join(root, "a")); err == nil {
		t.Error("an empty file or directory is left")
	}
}

// A host that has cairn registered twice runs two blocks before each command,
// and other hooks leave lines of their own, before and after.
func TestBlockAmongOthers(t *testing.T) {
	for _, shell := range shells(t) {
		a := newAgent(t)
		block := a.read(a.shell.EnvFile)
		for _, env := range []string{block + block, "export A=1\n" + block, "shopt -s expand_aliases 2>/dev/null; alias cairn='echo an alias'\nexport A=1\n" + block, block + "export A=1\n# a comment", "export A=1\n" + block + "\nB=2\n" + block} {
			got := a.callWith(shell, env, "echo $A; check; exit 3")
			if got.status.Code != 3 || strings.Count(got.out, "undefined name") != 1 || strings.Count(got.out, "[cairn: ") != 1 {
				t.Errorf("%s: %+v, %.300q\n%s", shell, got.status, got.out, env)
			}
			if strings.Contains(env, "A=") && !strings.HasPrefix(strings.SplitN(got.out, "\n", 2)[1], "1\n") {
				t.Errorf("%s: the other hook's variable is lost: %.100q", shell, got.out)
			}
		}
		// A host that sources the file instead of reading it.
		if got := a.callWith(shell, ". '"+a.shell.EnvFile+"'", "check"); got.status.Code != 2 || !compacted(got.out) {
			t.Errorf("%s: sourced: %+v, %.300q", shell, got.status, got.out)
		}
	}
}

// The first line of a compacted output names `cairn compact show`.
func TestCairnCanBeCalled(t *testing.T) {
	for _, shell := range shells(t) {
		a := newAgent(t)
		a.env = append(a.env, "PATH=/usr/bin:/bin")
		if got := a.call(shell, "cairn shell-exit 0 < /dev/null && echo called"); got.out != "called\n" {
			t.Errorf("%s: %q", shell, got.out)
		}
	}
}
