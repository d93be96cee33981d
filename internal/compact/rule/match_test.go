package rule

import (
	"testing"

	"cairn/internal/compact/command"
)

func TestFindAmongSeveralCommands(t *testing.T) {
	const status = "On branch main\nChanges not staged for commit:\n\tmodified:   x.go\n"
	const diff = "diff --git a/x b/x\nindex 1..2\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-error[E0308]: mismatched types\n+b\n"
	for _, c := range []struct{ command, sample, want string }{
		{"git status", diff, "git/status"},
		{"git status && git diff", status + diff, "git/diff"},
		{"git status; ls", status, "git/status"},
		{"grep -n f x.go; sed -n 1,80p x.go", "12:f()\npackage x\n", "files/content"},
		{"./gen.sh && cat x.go", diff, "files/content"},
		{"cat x.go | grep f", "f()\n", "files/grep"},
		{"./gen.sh && git log", "ok\n", "git/log"},
		{"ls; du", "a\n", ""},
	} {
		if got := Load().Find(Target{Command: command.Parse(c.command), Sample: c.sample}); got != c.want {
			t.Errorf("%s: %q, want %q", c.command, got, c.want)
		}
	}
}
