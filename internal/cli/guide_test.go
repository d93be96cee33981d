package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// guideDay stands in the guide for the day that it is run on.
const guideDay = "2026-03-04"

// What docs/plan-guide.md shows is what happens: its console blocks are run
// one after the other, `> ` carrying on a command. With -update the guide gets
// what they print.
func TestPlanGuide(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("the guide is for a shell")
	}
	const name = "../../docs/plan-guide.md"
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	env := append(os.Environ(),
		"PATH="+filepath.Dir(built(t))+string(os.PathListSeparator)+os.Getenv("PATH"), "HOME="+dir, "CAIRN_HOME="+filepath.Join(dir, ".cairn"),
		"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull, "GSD_WORKSTREAM=", "GSD_SESSION_KEY=")
	run := func(command string) string {
		cmd := exec.Command("sh", "-c", command)
		cmd.Dir, cmd.Env = filepath.Join(dir, "widget"), env
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v\n%s", command, err, out)
		}
		return strings.ReplaceAll(string(out), time.Now().Format(time.DateOnly), guideDay)
	}
	if err := os.Mkdir(filepath.Join(dir, "widget"), 0o755); err != nil {
		t.Fatal(err)
	}
	run("git init -q")

	var got strings.Builder
	inside, command := false, ""
	flush := func() {
		if command != "" {
			got.WriteString(run(command))
		}
		command = ""
	}
	for line := range strings.Lines(string(text)) {
		switch {
		case !inside:
			inside = line == "```console\n"
		case strings.HasPrefix(line, "$ "):
			flush()
			command = line[2:]
		case strings.HasPrefix(line, ">"):
			command += strings.TrimPrefix(strings.TrimPrefix(line, ">"), " ")
		case line == "```\n":
			flush()
			inside = false
		default:
			continue // what was printed when the guide was written
		}
		got.WriteString(line)
	}
	if *update {
		if err := os.WriteFile(name, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if got.String() != string(text) {
		t.Errorf("%s shows something else than what happens: go test ./internal/cli -run PlanGuide -update\n%s", name, got.String())
	}
	if n := strings.Count(got.String(), "\n"); n > 120 {
		t.Errorf("%s has %d lines", name, n)
	}
}
