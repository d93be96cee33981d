package pipeline

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cairn/internal/plan/content"
)

// TestShipBranch runs the lines of ship/branch as they are written: commits keep their order,
// author and message, and nothing of the plan is in the branch. None has a substitution of
// the shell's, for which an agent asks.
func TestShipBranch(t *testing.T) {
	piece, err := content.Find("workflows/ship/branch")
	if err != nil {
		t.Fatal(err)
	}
	text := piece.Body
	var lines []string
	for i, part := range strings.Split(text, "```") {
		if body, ok := strings.CutPrefix(part, "sh\n"); ok && i%2 == 1 && len(lines) == 0 {
			lines = strings.Split(strings.TrimSpace(body), "\n")
		}
	}
	if len(lines) != 4 || strings.Contains(text, "$(") {
		t.Fatalf("%d lines:\n%s", len(lines), text)
	}
	p := &player{t: t, dir: t.TempDir()}
	p.env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=a@b")
	th := &thread{player: p}
	run := func(line string) string {
		t.Helper()
		out, exit := th.run(line)
		if exit != 0 {
			t.Fatalf("%s: %d\n%s", line, exit, out)
		}
		return strings.TrimSpace(out)
	}
	run("git init -q -b main && echo a > a && git add . && git commit -qm one && git switch -q -c work && mkdir .planning")
	run("echo p > .planning/p && git add . && git commit -qm 'docs: plan'")
	run("echo b > b && printf 'x\\0y' > bin && echo q >> .planning/p && git add . && GIT_AUTHOR_NAME=Bob git commit -qm '[core] feat(01-01): b' -m 'why'")
	run("git switch -q -c side main && echo s > s && git add . && git commit -qm 'feat(01-02): s' && git switch -q work && git merge -q --no-edit side && git mv b c && git commit -qm 'refactor: c'")
	replace := strings.NewReplacer("TARGET", "main", "BRANCH", "work")
	base := run(replace.Replace(lines[0]))
	for i, line := range lines[1:] {
		if out := run(strings.ReplaceAll(replace.Replace(line), "BASE", base)); i == 2 && out != "" {
			t.Errorf("the branch differs:\n%s", out)
		}
	}
	got := strings.Split(run("git log --reverse --format='%an %s%b' main..work-pr"), "\n") // a text ends with an empty line
	for _, want := range []string{"Bob [core] feat(01-01): bwhy", "Ada feat(01-02): s", "Ada refactor: c"} {
		if !strings.Contains(strings.Join(got, "\n"), want) {
			t.Errorf("no %q in %q", want, got)
		}
	}
	if _, err := os.Stat(filepath.Join(p.dir, ".planning")); err == nil || len(got) != 4 {
		t.Errorf("%v, %q", err, got)
	}
}
