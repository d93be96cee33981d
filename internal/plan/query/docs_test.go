package query

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// docs/query.md ends with the list of every command.
func TestPageNamesEveryCommand(t *testing.T) {
	const name, heading = "../../../docs/query.md", "\n## Commands\n\n"
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	before, _, _ := strings.Cut(string(b), heading)
	want := before + heading + "`" + strings.Join(names(), "` · `") + "`\n"
	if *rewrite {
		if err := os.WriteFile(name, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if string(b) != want {
		t.Error("docs/query.md does not name the commands as they are: go test ./internal/plan/query -update")
	}
}

// A reading call starts a process only if it asks about git, which is what
// made the old tool slow.
func TestReadsStartNoProcess(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the false git is a shell script")
	}
	bin := t.TempDir()
	started := filepath.Join(bin, "started")
	script := "#!/bin/sh\necho \"$@\" >> " + started + "\nexit 1\n"
	if err := os.WriteFile(filepath.Join(bin, "git"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin)
	dir := sample(t, func(b []byte) []byte { return b })
	if err := os.Mkdir(filepath.Join(dir, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	shapes, err := os.ReadFile(filepath.Join("testdata", "shapes.txt"))
	if err != nil {
		t.Fatal(err)
	}
	aboutGit := 0
	for line := range strings.Lines(string(shapes)) {
		args, _, _ := strings.Cut(line, "\t")
		ask(t, dir, map[string]string{"GSD_AGENTS_DIR": "none"}, strings.Fields(args)...)
		calls, err := os.ReadFile(started)
		if err != nil {
			continue
		}
		aboutGit++
		switch noun, _, _ := strings.Cut(args, " "); {
		case noun == "stats", strings.HasPrefix(args, "verify "), strings.HasPrefix(args, "check"), strings.HasPrefix(args, "verify-summary"),
			strings.HasPrefix(args, "init new-"), strings.HasPrefix(args, "init list-"), strings.HasPrefix(args, "init remove-"):
		default:
			t.Errorf("%s started git %s", args, calls)
		}
		os.Remove(started)
	}
	if aboutGit == 0 {
		t.Error("no call started git: this test would not see one")
	}
}
