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

// What the guides show is what happens: their console blocks are run one after
// the other, `> ` carrying on a command. With -update a guide gets what they
// print.
func TestPlanGuide(t *testing.T) { playGuide(t, "../../docs/plan-guide.md", "widget") }
func TestEvalGuide(t *testing.T) { playGuide(t, "../../docs/eval-guide.md", "answers") }

func playGuide(t *testing.T, name, project string) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("the guide is for a shell")
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	env := append(os.Environ(),
		"PATH="+filepath.Dir(built(t))+string(os.PathListSeparator)+os.Getenv("PATH"), "HOME="+dir, "CAIRN_HOME="+filepath.Join(dir, ".cairn"),
		"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull, "GSD_WORKSTREAM=", "GSD_SESSION_KEY=",
		"EVAL_LABEL=", "EVAL_TIER=", "EVAL_JUDGE_TIER=", "GITHUB_ACTIONS=", "GITHUB_STEP_SUMMARY=", "TZ=UTC", // one result on every machine
		"GIT_AUTHOR_NAME=dev", "GIT_AUTHOR_EMAIL=dev@example.com", "GIT_COMMITTER_NAME=dev", "GIT_COMMITTER_EMAIL=dev@example.com",
		"GIT_AUTHOR_DATE=2026-03-04T10:00:00Z", "GIT_COMMITTER_DATE=2026-03-04T10:00:00Z")
	run := func(command string) string {
		cmd := exec.Command("sh", "-c", command)
		cmd.Dir, cmd.Env = filepath.Join(dir, project), env
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v\n%s", command, err, out)
		}
		return strings.ReplaceAll(string(out), time.Now().Format(time.DateOnly), guideDay)
	}
	if err := os.Mkdir(filepath.Join(dir, project), 0o755); err != nil {
		t.Fatal(err)
	}
	run("git init -q -b main")

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
		t.Errorf("%s shows something else than what happens: go test ./internal/cli -run Guide -update\n%s", name, got.String())
	}
	if n := strings.Count(got.String(), "\n"); n > 150 {
		t.Errorf("%s has %d lines", name, n)
	}
}
